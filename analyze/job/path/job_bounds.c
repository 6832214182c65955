/* What a job without imbalance would take: which work and transfers take how long then. */
#include "analyze/job/path/job_bounds.h"

#include "analyze/job/path/job_timing.h"
#include "analyze/stat/quantile.h"
#include "base/parallel.h"
#include "base/words.h"

/* By its median rank: one slow rank makes no slow stage. */
static void find_stage(struct job_bounds *b, const struct timing *t)
{
	double *v = arena_array(t->mem, t->j->nrank, sizeof(*v)), most = 0;

	b->stage = JOB_NO_STAGE;
	for (uint32_t s = 0; t->f->stages.n > 1 && s < t->f->stages.n; s++) {
		size_t n = 0;

		for (size_t i = 0; i < t->j->nrank; i++)
			if (t->f->stages.of[i] == s)
				v[n++] = t->f->ledgers.v[i].part[PART_COMPUTE];
		double middle = n > 0 ? quantile_select(v, n, 0.5) : 0;
		if (middle <= most)
			continue;
		most = middle;
		b->stage = s;
	}
}

/* The repairs of a rank's work, as bits. */
static unsigned *find_evens(const struct job_bounds *b, const struct timing *t, const bool *slow)
{
	unsigned *evens = arena_array(t->mem, t->j->nrank, sizeof(*evens));

	for (size_t i = 0; i < t->j->nrank; i++)
		evens[i] = 1U << JOB_REPAIR_RANKS | 1U << JOB_REPAIR_ALL |
			(unsigned)slow[i] << JOB_REPAIR_SLOW |
			(unsigned)(t->f->stages.of[i] == b->stage) << JOB_REPAIR_STAGE;
	return evens;
}

struct timed {
	const bool *slow;
	const unsigned *evens; /* by rank */
};

/* As fast as the others of its stage, gaps and all; NaN is not known. */
static void look_as_fast(
	const struct timed *d, const struct timing_piece *p, double *lag, double *takes)
{
	double part = d->slow[p->rank] && !isnan(p->part) ? p->part : 1;

	*lag = part * (double)p->gap;
	*takes = p->collective ? p->runs : part * (p->runs + (double)p->inner);
}

/* timing_scenarios.look, ctx is a struct timed: one repair after the other, gaps kept. */
static void look_kept(void *ctx, const struct timing_piece *p, double *lag, double *takes)
{
	const struct timed *d = ctx;

	const unsigned evens = p->collective ? 0 : d->evens[p->rank];
	const double inner = p->collective ? 0 : (double)p->inner;

	for (int r = 0; r < JOB_REPAIR_COUNT; r++) {
		lag[r] = (double)p->gap;
		takes[r] = (evens >> r & 1 ? p->mean : p->runs) + inner;
	}
	look_as_fast(d, p, &lag[JOB_REPAIR_SLOW], &takes[JOB_REPAIR_SLOW]);
}

/* The same, gaps dropped. */
static void look_dropped(void *ctx, const struct timing_piece *p, double *lag, double *takes)
{
	const struct timed *d = ctx;

	const unsigned evens = p->collective ? 0 : d->evens[p->rank];

	for (int r = 0; r < JOB_REPAIR_COUNT; r++) {
		lag[r] = 0;
		takes[r] = evens >> r & 1 ? p->mean : p->runs;
	}
}

static void look_alone(void *ctx, const struct timing_piece *p, double *lag, double *takes)
{
	look_as_fast(ctx, p, lag, takes);
	for (int r = 1; r < TIMING_SCENARIOS; r++) {
		lag[r] = lag[0];
		takes[r] = takes[0];
	}
}

/* One rank is as fast as the others of its stage, gaps are kept. */
static void find_alone(struct job_bounds *b, struct timing *t, uint32_t rank)
{
	bool *alone = arena_array(t->mem, t->j->nrank, sizeof(*alone));
	struct timed d = { alone, NULL };
	nsec then[TIMING_SCENARIOS];

	alone[rank] = true;
	b->alone.compared = timing_find_parts(t, alone);
	b->is_known &=
		timing_take(t, &(struct timing_scenarios){ .look = look_alone, .ctx = &d }, then);
	b->alone.then = then[0];
}

/* What is worked out side by side. */
struct bounding {
	struct job_bounds *b;
	struct timing *t;
	struct timed d;
	uint32_t rank;
	bool is_timed[2];
};

static void prepare(void *ctx, size_t i)
{
	struct bounding *g = ctx;

	if (i == 0) {
		timing_find_usual(g->t);
		return;
	}
	if (g->rank < g->t->j->nrank)
		find_alone(g->b, g->t, g->rank);
	g->b->slow.compared = timing_find_parts(g->t, g->d.slow);
}

/* Gaps kept, gaps dropped. */
static void take(void *ctx, size_t i)
{
	struct bounding *g = ctx;
	struct timing_scenarios s = {
		.dropped = i > 0, .look = i > 0 ? look_dropped : look_kept, .ctx = &g->d
	};

	s.evens[JOB_REPAIR_LINKS] = s.evens[JOB_REPAIR_ALL] = true;
	g->is_timed[i] = timing_take(g->t, &s, i > 0 ? g->b->dropped : g->b->kept);
}

void job_bounds(struct job_bounds *b, const struct job_facts *f, const struct rankwork *const *work,
	const bool *slow, uint32_t rank, unsigned threads, struct arena *mem)
{
	struct timing t;
	struct bounding g = { .b = b, .t = &t, .d = { .slow = slow }, .rank = rank };

	_Static_assert((int)JOB_REPAIR_COUNT == (int)TIMING_SCENARIOS, "all repairs at once");
	*b = (struct job_bounds){ .stage = JOB_NO_STAGE };
	threads = parallel_cores(threads);
	if (!timing_init(&t, f, work, threads, mem))
		return;
	b->is_known = true;
	b->now = t.now;
	b->nstep = t.nstep;
	find_stage(b, &t);
	g.d.evens = find_evens(b, &t, slow);
	parallel_run(2, threads, prepare, &g);
	parallel_run(2, threads, take, &g);
	b->is_known = b->is_known && g.is_timed[0] && g.is_timed[1];
	b->slow.then = b->kept[JOB_REPAIR_SLOW];
	for (int r = 0; r < JOB_REPAIR_COUNT; r++)
		b->dropped[r] = MIN(b->dropped[r], b->kept[r]);
}

WORDS(job_repair_word, enum job_repair, JOB_REPAIRS, 2)

WORDS(job_repair_what, enum job_repair, JOB_REPAIRS, 3)
