/* `gate`: is all of the run there?  A rank, a device or steps that are missing make it faster, and
 * are no improvement. */
#include "analyze/answer/gate/gate.h"
#include "analyze/job/digest/digest.h"
#include "analyze/trace/columns/record.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"

/* Of so many of its runs base has what new must have; a log may end so much before that of base. */
static const double USUAL = 0.8, STEPS_TOLERATED = 0.1;

/* Base has it in nearly all of its runs. */
static bool is_usual(const struct gate *g, const struct metric *base)
{
	return (double)base->n >= USUAL * (double)g->base_runs;
}

/* ---- which ones ---- */

static bool has_rank(const struct side_run *run, const struct side_part *of)
{
	return ANY(i, run->n,
		run->part[i].rank == of->rank &&
			strcmp(run->part[i].digest->kind, of->digest->kind) == 0);
}

static bool all_have_rank(const struct side *s, const struct side_part *of)
{
	return ALL(i, s->nrun, has_rank(&s->run[i], of));
}

/* "rank 3 of base is not in new", of files of that kind; NULL where they do not say their ranks. */
static const char *missing_ranks(const struct gate *g, const char *kind)
{
	SCOPED_STR b = { 0 };
	size_t n = 0;

	if (!g->base_side || g->base_side->nrun == 0 || g->now_side->nrun == 0)
		return NULL;
	const struct side_run *run = &g->base_side->run[0];
	for (EACH(const struct side_part, part, run->part, run->n))
		if (part->rank >= 0 && strcmp(part->digest->kind, kind) == 0 &&
			!all_have_rank(g->now_side, part))
			str_addf(&b, "%s%lld", n++ ? ", " : "", (long long)part->rank);
	return n ? arena_printf(&g->out->mem, "rank%s %s of base %s not in new", plural_s(n), b.s,
			   plural(n, "is", "are"))
		 : NULL;
}

/* Traces of new that are no ranks of its job, or further ones; NULL: there are none. */
static const char *odd_ranks(struct gate *g)
{
	const struct side *s = g->now_side;
	struct arena *mem = &g->out->mem;
	struct members m;

	for (size_t i = 0; s && i < s->nrun; i++) {
		members_init(&m, s, i, mem);
		if (m.nforeign > 0)
			return arena_printf(mem, "%zu of new %s of another job, the first %s",
				m.nforeign, plural(m.nforeign, "is", "are"),
				m.foreign[0]->digest->path);
		if (m.ndoubled > 0)
			return arena_printf(mem,
				"new has further traces of ranks that are there: %zu, the first %s",
				m.ndoubled, m.doubled[0]->digest->path);
	}
	return NULL;
}

/* The numbers of the steps that all ranks of a run have: as far as each begins and ends; false
 * where there are none. */
static bool range_of(const struct side_run *run, int64_t *first, int64_t *last)
{
	*first = INT64_MIN;
	*last = INT64_MAX;
	for (size_t i = 0; i < run->nrank; i++) {
		const struct digest *d = run->part[i].digest;

		if (!d->has_steps || d->nstep == 0)
			return false;
		if (d->step[0].number > *first)
			*first = d->step[0].number;
		if (d->step[d->nstep - 1].number < *last)
			*last = d->step[d->nstep - 1].number;
	}
	return run->nrank > 0 && *first <= *last;
}

static const char *missing_steps(const struct gate *g)
{
	int64_t first, last, from, to;

	if (!range_of(&g->base_side->run[0], &first, &last))
		return NULL;
	if (!range_of(&g->now_side->run[0], &from, &to))
		return arena_printf(&g->out->mem, "base has steps %lld to %lld, new has none",
			(long long)first, (long long)last);
	return arena_printf(&g->out->mem, "base has steps %lld to %lld, new %lld to %lld",
		(long long)first, (long long)last, (long long)from, (long long)to);
}

static const char *which(const struct gate *g, const char *id)
{
	if (strcmp(id, "ranks") == 0)
		return missing_ranks(g, "trace");
	if (!g->base_side || g->base_side->nrun == 0 || g->now_side->nrun == 0)
		return NULL;
	return strcmp(id, "steps") == 0 ? missing_steps(g) : NULL;
}

/* That base has it and new has not: of a run of which nothing can be read, why not. */
static const char *why_lost(const struct gate *g)
{
	const struct side *s = g->now_side;

	if (!s || s->nrun > 0 || s->nleft == 0)
		return "lost: base has it, new does not";
	return arena_printf(&g->out->mem, "lost: %s", s->left[0].why);
}

/* ---- how many ---- */

static double least_of(const struct metric *m)
{
	double least = INFINITY;

	for (size_t i = 0; i < m->n; i++)
		least = MIN(m->sample[i].centre, least);
	return least;
}

double gate_parts_missing(const struct gate_rule *rule, double base, double now)
{
	double tolerated = rule->tolerance * base;

	if (rule->limit > 0 && rule->limit < tolerated)
		tolerated = rule->limit;
	if (rule->floor > tolerated)
		tolerated = rule->floor;
	return base - now > tolerated ? base - now : 0;
}

/* What is missing is compared by its number alone. */
static struct change fewer(double base, double now)
{
	return (struct change){ .base = base,
		.now = now,
		.delta = now - base,
		.is_difference = true,
		.lo = NAN,
		.hi = NAN,
		.ratio = NAN,
		.p = NAN };
}

bool gate_judge_parts(struct gate *g, struct gate_answer *a)
{
	a->answer =
		(struct decide_answer){ DECISION_PASS, false, NAN, NAN, NAN, DECIDED_NO_CHANGE };
	bool is_trace = strcmp(a->rule->id, "ranks") == 0; /* of all of it, or of none */

	if (!a->base || (!a->now && !g->has_traces && !(is_trace && is_usual(g, a->base))))
		return false;
	/* what already one run of base lacks is not missed in new */
	double base = least_of(a->base);
	double now = a->now ? least_of(a->now) : 0;
	double missing = gate_parts_missing(a->rule, base, now);
	a->change = fewer(base, now);
	a->tolerance = a->rule->tolerance * base;
	const char *odd = is_trace ? odd_ranks(g) : NULL;
	a->answer.decision = missing > 0 || odd ? DECISION_FAIL : DECISION_PASS;
	a->since = odd                ? odd
		: !a->now && is_trace ? (g->now_runs > 0 ? "lost: new has no trace" : why_lost(g))
		: missing > 0         ? which(g, a->rule->id)
				      : NULL;
	if (missing > 0 && !a->since)
		a->since = arena_printf(&g->out->mem, "%.0f of %.0f missing", missing, base);
	g->is_partial = g->is_partial || missing > 0 || odd;
	return true;
}

/* ---- what base is made of ---- */

bool gate_may_lack(const struct gate *g, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i < g->o->allow_lost.n; i++) {
		const char *word = g->o->allow_lost.v[i];
		bool is_trace = strcmp(word, "trace") == 0;

		/* "rank" allows that ranks are lost, "trace" all that traces say */
		if (strcmp(word, "all") == 0 || strcmp(word, what) == 0 ||
			(n > 0 && what[n - 1] == 's' && strlen(word) == n - 1 &&
				strncmp(word, what, n - 1) == 0) ||
			(is_trace && span_in(span_of(what), "ranks|devices|steps")))
			return true;
	}
	return false;
}

/* "line 31, after step 30: \"...\"", of the first run of new that broke; NULL: none says so. */
const char *gate_why_broken(const struct gate *g)
{
	for (size_t i = 0; g->now_side && i < g->now_side->nrun; i++)
		for (size_t k = 0; k < g->now_side->run[i].n; k++) {
			const struct record *r = g->now_side->run[i].part[k].digest->record;
			const char *why = r ? record_why_broken(r, &g->out->mem) : NULL;

			if (why)
				return why;
		}
	return NULL;
}

/* The series of r with the first value that is none, of those that count (metricset_record.c). */
static const struct series *first_damaged(const struct record *r, bool is_inf)
{
	const struct series *first = NULL;

	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = r->series[i];
		enum metric_role role = metric_role(s->name);
		bool counts = role == ROLE_LOSS || role == ROLE_GRAD_NORM || role == ROLE_REWARD ||
			role == ROLE_KL;

		if (counts && (is_inf ? s->inf : s->nan) > 0 &&
			(!first ||
				(is_inf ? s->first_inf_x < first->first_inf_x
					: s->first_nan_x < first->first_nan_x)))
			first = s;
	}
	return first;
}

const char *gate_where_damaged(const struct gate *g, bool is_inf)
{
	for (size_t i = 0; g->now_side && i < g->now_side->nrun; i++)
		for (size_t k = 0; k < g->now_side->run[i].n; k++) {
			const struct record *r = g->now_side->run[i].part[k].digest->record;
			const struct series *s = r ? first_damaged(r, is_inf) : NULL;

			if (s)
				return arena_printf(&g->out->mem, "%.*s, the first at %s %.15g",
					(int)s->name.n, s->name.p,
					s->axis == AXIS_STEP ? "step" : "row",
					is_inf ? s->first_inf_x : s->first_nan_x);
		}
	return NULL;
}

static const struct pair_limits made_def = { .id = "lost", .suite = "program", .kind = GATE_PARTS };

/* Another file of new says what that one said. */
static bool is_elsewhere(const struct gate *g, const char *kind)
{
	for (EACH(const struct metric_pair, p, g->pairs.v, g->pairs.n))
		if (p->base && p->now && p->base->source && strcmp(p->base->source, kind) == 0)
			return true;
	return false;
}

static bool is_artifact(const struct metric *m)
{
	return strncmp(m->id, METRIC_ARTIFACT, strlen(METRIC_ARTIFACT)) == 0;
}

/* A log that ends early, or an artifact that is not there. */
static void judge_made(struct gate *g, const struct metric *base, const struct metric *now)
{
	bool is_step = !is_artifact(base);
	const char *what = is_step ? base->id : base->id + strlen(METRIC_ARTIFACT);
	struct gate_rule *rule = arena_alloc(&g->out->mem, sizeof(*rule));
	struct gate_answer *a = &g->answer[g->n];
	double from = least_of(base), to = now ? least_of(now) : is_step ? NAN : 0;

	*rule = (struct gate_rule){ .def = &made_def,
		.id = is_step ? what : arena_printf(&g->out->mem, "lost:%s", what),
		.tolerance = is_step ? STEPS_TOLERATED : 0,
		.noise = NAN,
		.accepted = 1 };
	bool has_less = !is_step && to > 0; /* a file of fewer ranks */
	if (!is_usual(g, base) || isnan(to) || (!is_step && !has_less && is_elsewhere(g, what)) ||
		!(gate_parts_missing(rule, from, to) > 0))
		return;
	*a = (struct gate_answer){ .rule = rule, .base = base, .now = now, .noise = NAN };
	a->tolerance = rule->tolerance * from;
	a->change = fewer(from, to);
	a->answer =
		(struct decide_answer){ DECISION_FAIL, false, NAN, NAN, NAN, DECIDED_REGRESSION };
	const char *ranks = has_less ? missing_ranks(g, what) : NULL;
	a->since = ranks                            ? ranks
		: has_less                          ? "of fewer ranks"
		: !is_step                          ? why_lost(g)
		: strcmp(what, METRIC_RECORDS) == 0 ? "fewer records"
						    : "the log ends early";
	bool may_lack = gate_may_lack(g, what) || (has_less && gate_may_lack(g, "ranks"));
	a->state = may_lack ? VERDICT_IS_NOTE : VERDICT_IS_FAIL;
	g->is_partial = true;
	g->n++;
}

void gate_judge_made(struct gate *g)
{
	for (size_t i = 0; i < g->base_parts.n; i++) {
		const struct metric *base = &g->base_parts.v[i];

		if (strcmp(base->id, METRIC_LAST_STEP) == 0 ||
			strcmp(base->id, METRIC_RECORDS) == 0 || is_artifact(base))
			judge_made(g, base, metricset_find(&g->now_parts, base->id));
	}
}

/* ---- series ---- */

/* What trainers and servers are watched by. */
static bool is_watched(enum metric_role role)
{
	return role == ROLE_LOSS || role == ROLE_REWARD || role == ROLE_ACCURACY ||
		role == ROLE_STEP_TIME || role == ROLE_SAMPLES_PER_S || role == ROLE_TOKENS_PER_S ||
		role == ROLE_THROUGHPUT || role == ROLE_ALLOCATED;
}

static enum metric_role role_of(const struct metric *m)
{
	struct span name = span_of(metric_quantity(m));
	const char *at = strchr(name.p, '@');

	if (at)
		name.n = (size_t)(at - name.p);
	return strcmp(name.p, "peak_memory") == 0 ? ROLE_ALLOCATED : metric_role(name);
}

/* Of kinds that say how good a run is; other times and sizes come and go with what is timed. */
static bool is_watched_kind(const struct figure_kind *k)
{
	return k && span_in(span_of(k->word), "accuracy|reward|loss");
}

/* What all work of the devices took: without it nothing was recorded. */
static bool is_device_total(const struct metric *m)
{
	return span_has_in_nocase(span_of(metric_quantity(m)),
		"op/all/self_device|cuda_time_total|cuda time total|device_time_total");
}

/* New has a figure of the role, or of the kind, by another name. */
static bool is_renamed(const struct gate *g, const struct metric *base, enum metric_role role)
{
	return ANY(i, g->pairs.n,
		!g->pairs.v[i].base &&
			(role == ROLE_OTHER ? g->pairs.v[i].now->kind == base->kind
					    : role_of(g->pairs.v[i].now) == role));
}

bool gate_is_lost(const struct gate *g, const struct metric *base)
{
	enum metric_role role = role_of(base);
	const char *artifact = base->source && base->is_log
		? arena_printf(&g->out->mem, METRIC_ARTIFACT "%s", base->source)
		: NULL;

	bool is_total = is_device_total(base);

	return !base->is_exact && (is_watched(role) || is_watched_kind(base->kind) || is_total) &&
		is_usual(g, base) && (is_total || !is_renamed(g, base, role)) &&
		/* what is lost with its file, or its trace, is said of that */
		(!artifact || metricset_find(&g->now_parts, artifact)) &&
		(base->is_log || g->has_traces || !metricset_find(&g->base_parts, "ranks")) &&
		!gate_may_lack(g, base->id);
}
