/*
 * `gate`: is all of the run there?  A rank, a device or steps that are missing make it faster, and
 * are no improvement.
 */
#include <math.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"
#include "base/minmax.h"
#include "base/plural.h"
#include "base/search.h"

/* ---- which ones ---- */

static bool has_rank(const struct side_run *run, int64_t rank)
{
	return ANY(i, run->nrank, run->part[i].rank == rank);
}

static bool all_have_rank(const struct side *s, int64_t rank)
{
	return ALL(i, s->nrun, has_rank(&s->run[i], rank));
}

/* "rank 3 of base is not in new"; NULL where traces do not say their ranks. */
static const char *missing_ranks(const struct gate *g)
{
	const struct side_run *run = &g->base_side->run[0];
	struct str b = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < run->nrank; i++)
		if (run->part[i].rank >= 0 && !all_have_rank(g->now_side, run->part[i].rank))
			str_addf(&b, "%s%lld", n++ ? ", " : "", (long long)run->part[i].rank);
	const char *text = n ? arena_printf(&g->out->mem, "rank%s %s of base %s not in new",
				       plural_s(n), b.s, plural(n, "is", "are"))
			     : NULL;
	str_free(&b);
	return text;
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
	if (!g->base_side || g->base_side->nrun == 0 || g->now_side->nrun == 0)
		return NULL;
	if (strcmp(id, "ranks") == 0)
		return missing_ranks(g);
	return strcmp(id, "steps") == 0 ? missing_steps(g) : NULL;
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

bool gate_judge_parts(struct gate *g, struct gate_answer *a)
{
	a->change = (struct change){
		.base = NAN, .now = NAN, .lo = NAN, .hi = NAN, .ratio = NAN, .p = NAN
	};
	a->answer =
		(struct decide_answer){ DECISION_PASS, false, NAN, NAN, NAN, DECIDED_NO_CHANGE };
	if (!a->base || (!a->now && !g->has_traces))
		return false;
	/* what already one run of base lacks is not missed in new */
	double base = least_of(a->base);
	double now = a->now ? least_of(a->now) : 0;
	double missing = gate_parts_missing(a->rule, base, now);
	a->change.base = base;
	a->change.now = now;
	a->change.delta = now - base;
	a->change.is_difference = true;
	a->tolerance = a->rule->tolerance * base;
	const char *odd = strcmp(a->rule->id, "ranks") == 0 ? odd_ranks(g) : NULL;
	a->answer.decision = missing > 0 || odd ? DECISION_FAIL : DECISION_PASS;
	a->since = odd ? odd : missing > 0 ? which(g, a->rule->id) : NULL;
	if (missing > 0 && !a->since)
		a->since = arena_printf(&g->out->mem, "%.0f of %.0f missing", missing, base);
	g->is_partial = g->is_partial || missing > 0 || odd;
	return true;
}
