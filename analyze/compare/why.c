/* Why: sentences of a contrast's ledger, work and conditions. */
#include "analyze/compare/why.h"

#include "analyze/compare/contrast.h"
#include "analyze/job/sides.h"
#include "base/unit.h"

enum { LISTED_MAX = 5 }; /* settings or names that are listed */

struct talk {
	struct why *w;
	const struct contrast *c;
	struct arena *mem;
};

static void say(struct talk *t, struct str *b)
{
	t->w->text[t->w->n++] = (struct span){ arena_copy(t->mem, b->s, b->n), b->n };
	str_free(b);
}

/* "+9.62 ms" */
static void add_delta(struct str *b, double ns)
{
	str_addc(b, ns < 0 ? '-' : '+');
	unit_put_time(b, fabs(ns));
}

/* The part that grew most, or shrank most; or details of parts. */
static const struct contrast_part *largest_part(
	const struct contrast_ledger *l, bool details, bool grows)
{
	const struct contrast_part *best = NULL;
	int64_t best_delta = 0;

	for (EACH(const struct contrast_part, part, l->part, l->n)) {
		int64_t delta = part->now - part->base;

		if (part->is_detail != details || (delta > 0) != grows)
			continue;
		if (llabs(delta) > llabs(best_delta)) {
			best = part;
			best_delta = delta;
		}
	}
	return best;
}

/* The part that explains most of the step's change, details before what they are details of. */
static const struct contrast_part *main_part(const struct contrast_ledger *l, bool details)
{
	return largest_part(l, details, l->now > l->base);
}

/* "rank 3 is the slowest in 12 of 12 steps (rank 1 in 7 of 12 before)" */
static void add_slowest(struct talk *t, struct str *b)
{
	const struct contrast_rank *now = contrast_slowest(&t->c->ranks, true);
	const struct contrast_rank *base = contrast_slowest(&t->c->ranks, false);

	str_addf(b, "rank %lld is the slowest in %zu of %zu steps", (long long)now->rank,
		now->now.slowest, now->now.steps);
	if (base)
		str_addf(b, " (before: rank %lld in %zu of %zu)", (long long)base->rank,
			base->base.slowest, base->base.steps);
}

/* All ranks take as long, to a thousandth of the step: none is the slowest. */
static bool is_even(const struct contrast *c, const struct contrast_rank *slowest)
{
	const struct contrast_ranks *r = &c->ranks;

	return !ANY(i, r->n,
		r->v[i].now.runs > 0 && slowest->now.ns - r->v[i].now.ns > slowest->now.ns / 1000);
}

/* Who sets the step, by how much more than before, and what of its own step that is. */
static void say_rank(struct talk *t)
{
	const struct contrast_rank *now = contrast_slowest(&t->c->ranks, true);
	struct contrast_ledger own;
	struct str b = { 0 };

	if (!now || is_even(t->c, now))
		return;
	add_slowest(t, &b);
	contrast_rank_ledger(t->c, now->rank, &own, t->mem);
	const struct contrast_part *part =
		own.n > 0 && own.now != own.base ? main_part(&own, false) : NULL;
	if (part) {
		str_adds(&b, "; its step changed by ");
		add_delta(&b, (double)(own.now - own.base));
		str_addf(&b, ", %s by ", part->word);
		add_delta(&b, (double)(part->now - part->base));
	}
	say(t, &b);
}

/* A rank's own work: its step without the time it waits for the others. */
static double own_growth(const struct contrast_ledger *l)
{
	const struct contrast_part *comm = &l->part[PART_COMM];

	return (double)((l->now - l->base) - (comm->now - comm->base));
}

/*
 * Where ranks wait for each other in every step, all steps are equally long, and what is longer is
 * everybody's exposed communication but one's: who works that much longer is said.  False: nobody.
 */
static bool say_waited_for(struct talk *t)
{
	const struct contrast_ledger *l = &t->c->ledger;
	double most = 0, sum = 0;
	struct str b = { 0 };
	int64_t rank = 0;
	size_t n = 0;

	if (!l->is_device || main_part(l, false) != &l->part[PART_COMM] || l->now < l->base)
		return false;
	for (size_t i = 0; i < t->c->ranks.n; i++) {
		struct arena_mark mark = arena_mark(t->mem);
		struct contrast_ledger own;

		contrast_rank_ledger(t->c, t->c->ranks.v[i].rank, &own, t->mem);
		arena_reset(t->mem, mark);
		if (own.n == 0)
			continue;
		n++;
		sum += own_growth(&own);
		if (own_growth(&own) > most) {
			most = own_growth(&own);
			rank = t->c->ranks.v[i].rank;
		}
	}
	if (n < 2 || most < 0.5 * (double)(l->now - l->base) || most < 2 * sum / (double)n)
		return false;
	str_addf(&b, "rank %lld works ", (long long)rank);
	unit_put_time(&b, most);
	str_adds(&b, " longer per step, and the others wait for it");
	say(t, &b);
	return true;
}

/* "rank 3 became the straggler: ..."; false: nothing new is known of who waits for whom. */
static bool say_job(struct talk *t)
{
	const struct contrast_job *base = &t->c->base_job, *now = &t->c->now_job;
	bool is_new = base->text && (base->state != now->state || base->rank != now->rank);
	struct str b = { 0 };

	if (!now->text || now->state == JOB_UNJUDGED)
		return false;
	if (now->state == JOB_STRAGGLER && is_new)
		str_addf(&b, "rank %lld became the straggler: %s", (long long)now->rank, now->text);
	else if (now->state == JOB_STRAGGLER && base->text) {
		str_addf(&b, "%s (before: ", now->text);
		unit_put_time(&b, (double)base->wait);
		str_addc(&b, ')');
	} else if (is_new && base->state == JOB_STRAGGLER)
		str_addf(&b, "rank %lld is no longer the straggler: %s", (long long)base->rank,
			now->text);
	else if (is_new && now->state != JOB_BALANCED)
		str_adds(&b, now->text);
	else
		return false;
	say(t, &b);
	return true;
}

/* What is longer is waiting in collectives, and ranks have no trace that may be waited for.  False:
 * it is not so. */
static bool say_absent(struct talk *t)
{
	const struct contrast_ledger *l = &t->c->ledger;
	const struct side_run *run = &t->c->now->run[0];
	int64_t world = -1, lacking;
	struct str b = { 0 };

	for (size_t k = 0; k < run->nrank; k++)
		world = MAX(run->part[k].digest->world, world);
	lacking = world - (int64_t)run->nrank;
	if (!l->is_device || main_part(l, false) != &l->part[PART_COMM] || l->now < l->base ||
		run->nrank == 0 || lacking <= 0)
		return false;
	if (t->c->now_job.text && t->c->now_job.cause == JOB_CAUSE_NO_TRACE)
		str_adds(&b, t->c->now_job.text);
	else
		str_addf(&b, "no trace of %lld of %lld ranks: %s may be waited for",
			(long long)lacking, (long long)world,
			plural((size_t)lacking, "that one", "one of these"));
	say(t, &b);
	return true;
}

static const char *change_word(const struct contrast *c)
{
	switch (c->step.answer.verdict) {
	case DECIDED_REGRESSION: return "slowdown";
	case DECIDED_IMPROVEMENT: return "speedup";
	default: return "difference";
	}
}

/* "68% of the slowdown is compute (+3 ms per step)".  Of parts that cancel each other the share
 * would be many times the whole: "compute -27 ms per step, against GPU idle +23 ms". */
static void add_part(struct talk *t, struct str *b, const struct contrast_part *part)
{
	enum { SHARE_SAID = 2 }; /* at most so many times the whole */
	const struct contrast_ledger *l = &t->c->ledger;
	const struct contrast_part *counter = largest_part(l, false, l->now <= l->base);
	double delta = (double)(part->now - part->base);

	if (!counter || fabs(delta) <= SHARE_SAID * fabs((double)(l->now - l->base))) {
		str_addf(b, "%.0f%% of the %s is %s (", 100 * delta / (double)(l->now - l->base),
			change_word(t->c), part->word);
		add_delta(b, delta);
		str_adds(b, " per step)");
		return;
	}
	str_addf(b, "%s ", part->word);
	add_delta(b, delta);
	str_addf(b, " per step, against %s ", counter->word);
	add_delta(b, (double)(counter->now - counter->base));
}

static void say_cause(struct talk *t)
{
	const struct contrast_ledger *l = &t->c->ledger;
	const struct contrast_part *part = main_part(l, false), *detail = NULL;
	struct str b = { 0 };

	if (!part || l->now == l->base)
		return;
	if (l->is_device && part == &l->part[PART_IDLE])
		detail = main_part(l, true);
	add_part(t, &b, part);
	if (detail) {
		str_addf(&b, ", while the host is in: %s (", detail->word);
		add_delta(&b, (double)(detail->now - detail->base));
		str_addc(&b, ')');
	}
	if (part != contrast_imbalance(l))
		why_add_cause(&b, t->c, part, t->mem);
	say(t, &b);
}

/* "; 12 runs a side would decide" */
static void add_needed(struct str *b, const struct change *c)
{
	if (c->answer.verdict != DECIDED_UNKNOWN || isnan(c->answer.needed))
		return;
	str_adds(b, "; ");
	unit_put_count(b, saturate_whole(fmin(c->answer.needed, 1e6)));
	str_adds(b, " runs a side would decide");
}

static void say_verdict(struct talk *t)
{
	const struct change *c = &t->c->step;
	struct str b = { 0 };

	str_addf(&b, "step time: %s", change_verdict(c));
	if (c->delta != 0 && !isnan(c->ratio)) {
		str_adds(&b, ", ");
		add_delta(&b, c->delta);
		str_addf(&b, " (%+.1f%%", 100 * c->ratio);
		if (!isnan(c->lo))
			str_addf(&b, ", %+.1f%% to %+.1f%%", 100 * c->lo, 100 * c->hi);
		str_addc(&b, ')');
	}
	add_needed(&b, c);
	say(t, &b);
}

/* What is judged are usual steps: odd ones may tell something else. */
static void say_all_steps(struct talk *t)
{
	const struct change *all = &t->c->all, *step = &t->c->step;
	struct str b = { 0 };

	if (!t->c->has_median || isnan(all->ratio) ||
		fabs(all->delta - step->delta) <= t->c->o.threshold * step->base)
		return;
	str_adds(&b, "with odd steps, which are not judged: ");
	add_delta(&b, all->delta);
	str_addf(&b, " (%+.1f%%); 'traceq steps' says which they are", 100 * all->ratio);
	say(t, &b);
}

/* Some trace of it marks steps. */
static bool has_steps(const struct side *s)
{
	return ANY(i, s->nrun, ANY(k, s->run[i].nrank, s->run[i].part[k].digest->has_steps));
}

/* A whole trace against a step.  False: both sides mark steps, or none does. */
static bool say_unmarked(struct talk *t)
{
	bool base = has_steps(t->c->base), now = has_steps(t->c->now);
	struct str b = { 0 };

	if (base == now || !t->c->has_median)
		return false;
	str_addf(&b, "nothing marks the steps of %s: its whole trace is held against a step of %s",
		base ? "new" : "base", base ? "base" : "new");
	say(t, &b);
	return true;
}

/* Nothing else is new of its op, so that what is gone of that, as often or some times as often, is
 * in it. */
static bool is_in(const struct contrast_rows *r, const struct contrast_row *gone, size_t pair)
{
	const struct contrast_row *first = &r->v[pair], *to = &r->v[first->partner];
	double times = gone->base_calls / to->now_calls;

	return gone == first ||
		(gone->status == first->status && gone->partner == SIZE_MAX &&
			gone->key.kind == first->key.kind && span_eq(gone->key.op, first->key.op) &&
			times > 0.5 && fabs(times - round(times)) < 1e-6 &&
			SUM(size_t, i, r->n,
				r->v[i].status == to->status &&
					span_eq(r->v[i].key.op, to->key.op)) == 1);
}

/* "aten::gelu and aten::layer_norm were replaced by CompiledFunction (-150 us per step)" */
static void say_replacement(struct talk *t, const struct contrast_rows *r, size_t pair, bool *said)
{
	const struct contrast_row *to = &r->v[r->v[pair].partner];
	size_t all = SUM(size_t, i, r->n, is_in(r, &r->v[i], pair)), n = 0;
	int64_t delta = to->a.delta;
	struct str b = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		if (!is_in(r, &r->v[i], pair))
			continue;
		said[i] = true;
		saturate_onto(&delta, r->v[i].a.delta);
		if (n < LISTED_MAX) {
			str_adds(&b, n == 0 ? "" : n + 1 == all ? " and " : ", ");
			why_add_name(&b, &r->v[i].key, t->mem);
		}
		n++;
	}
	if (n > LISTED_MAX)
		str_addf(&b, " and %zu more", n - LISTED_MAX);
	str_adds(&b, plural(n, " was replaced by ", " were replaced by "));
	why_add_name(&b, &to->key, t->mem);
	str_adds(&b, " (");
	add_delta(&b, (double)delta);
	str_adds(&b, " per step)");
	say(t, &b);
}

/* The largest replacements, by what was removed, `most` of them; those of that status. */
static void say_replaced(
	struct talk *t, const struct contrast_rows *r, enum contrast_status removed, size_t *most)
{
	bool *said = arena_array(t->mem, r->n, sizeof(*said));
	size_t best;

	for (; *most > 0; --*most) {
		best = SIZE_MAX;
		for (size_t i = 0; i < r->n; i++)
			if (r->v[i].status == removed && r->v[i].partner != SIZE_MAX && !said[i] &&
				(best == SIZE_MAX || r->v[i].base_ns > r->v[best].base_ns))
				best = i;
		if (best == SIZE_MAX)
			return;
		say_replacement(t, r, best, said);
	}
}

/* Names of the run itself and where it puts things: they always differ. */
static bool is_label(struct span key)
{
	return span_in(key, "run_id|name|description|output_dir|timestamp|log_dir");
}

const char *why_settings(const struct contrast *c, struct arena *mem)
{
	const char *text = NULL;
	SCOPED_STR b = { 0 };
	size_t n = 0;

	for (EACH(const struct contrast_condition, f, c->condition, c->ncondition)) {
		struct span base = f->base.n > 0 ? f->base : SPAN("-");
		struct span now = f->now.n > 0 ? f->now : SPAN("-");

		if (!f->is_config || is_label(span_of(f->key)) || n++ >= LISTED_MAX)
			continue;
		str_adds(&b, n == 1 ? "configured differently: " : ", "); /* lint: allow byhand */
		str_addf(&b, "%s %.*s -> %.*s", f->key, (int)base.n, base.p, (int)now.n, now.p);
	}
	if (n > LISTED_MAX)
		str_addf(&b, " and %zu more", n - LISTED_MAX);
	if (n > 0)
		text = arena_copy(mem, b.s, b.n);
	return text;
}

/* Times of both sides; NaN: they are none. */
static double time_ratio(const struct metric_pair *p)
{
	bool are_times = p->base && p->now && p->base->unit == UNIT_NS && p->now->unit == UNIT_NS;

	return are_times && metric_centre(p->base) > 0
		? metric_centre(p->now) / metric_centre(p->base)
		: NAN;
}

/* What the step's times are of base's, else the first ones, where units may explain it: 1000, 1e6,
 * or one over these; else NaN. */
static double unit_factor(const struct metric_pairs *p)
{
	static const double NEAR = 0.05, factor[] = { 1e3, 1e6, 1e-3, 1e-6 };
	double ratio = NAN;

	for (EACH(const struct metric_pair, pair, p->v, p->n)) {
		double r = time_ratio(pair);
		bool is_step = strcmp(metric_quantity(metric_pair_any(pair)), "step_time") == 0;

		if (!isnan(r) && (isnan(ratio) || is_step))
			ratio = r;
		if (!isnan(r) && is_step)
			break;
	}
	for (EACH(const double, f, factor, COUNT_OF(factor)))
		if (fabs(ratio / *f - 1) < NEAR)
			return *f;
	return NAN;
}

const char *why_unit(const struct metric_pairs *p, struct arena *mem)
{
	static const double NEAR = 0.5; /* times of single parts differ by more than the step's */
	double factor = unit_factor(p);
	size_t n = SUM(size_t, i, p->n, time_ratio(&p->v[i]) > 0);
	size_t near = SUM(size_t, i, p->n, fabs(log(time_ratio(&p->v[i]) / factor)) < NEAR);
	const char *which = near < n ? "most" : "all";

	if (2 * near <= n)
		return NULL;
	return factor > 1
		? arena_printf(mem, "%s times are %.0f times those of base: another unit?", which,
			  factor)
		: arena_printf(mem, "%s times are a %.0fth of those of base: another unit?", which,
			  1 / factor);
}

/* NULL: there is nothing to say. */
static void say_text(struct talk *t, const char *text)
{
	if (text)
		t->w->text[t->w->n++] = span_of(text);
}

void why_init(struct why *w, const struct contrast *c, struct arena *mem)
{
	struct talk t = { w, c, mem };
	size_t replaced = WHY_REPLACED_MAX;

	w->n = 0;
	if (c->has_step)
		say_verdict(&t);
	say_text(&t, why_unit(&c->pairs, mem));
	if (c->has_step && say_unmarked(&t))
		return;
	if (c->has_step)
		say_all_steps(&t);
	if (c->ledger.n == 0) {
		say_text(&t, why_settings(c, mem));
		return;
	}
	bool is_said = say_job(&t);
	if (c->has_step && c->step.answer.verdict != DECIDED_NO_CHANGE &&
		c->step.answer.verdict != DECIDED_BELOW) {
		say_cause(&t);
		if (!is_said && !say_waited_for(&t) && !say_absent(&t))
			say_rank(&t);
	}
	say_text(&t, why_more_work(c, mem));
	say_text(&t, why_alike(c, mem));
	say_text(&t, why_settings(c, mem));
	if (c->ledger.is_device) {
		say_replaced(&t, &c->device, CONTRAST_REMOVED, &replaced);
		say_replaced(&t, &c->kernels, CONTRAST_OLD_KERNEL, &replaced);
	}
}
