/* What a job without imbalance would take: which work and transfers take how long then. */
#include "analyze/job/path/job_bounds.h"

#include "analyze/job/path/job_timing.h"
#include "analyze/stat/quantile.h"
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

static bool is_even(const struct job_bounds *b, const struct timing *t, uint32_t rank,
	enum job_repair repair, const bool *slow)
{
	switch (repair) {
	case JOB_REPAIR_SLOW: return slow[rank];
	case JOB_REPAIR_STAGE: return t->f->stages.of[rank] == b->stage;
	case JOB_REPAIR_RANKS:
	case JOB_REPAIR_ALL: return true;
	default: return false;
	}
}

static nsec keep(const struct job_bounds *b, struct timing *t, enum job_repair r, const bool *slow)
{
	for (size_t i = 0; i < t->n; i++) {
		struct timing_piece *p = &t->v[i];
		bool is = is_even(b, t, p->rank, r, slow), by_part = is && r == JOB_REPAIR_SLOW;
		double part = by_part && !isnan(p->part) ? p->part : 1;
		double runs = is && !by_part && !p->collective ? p->mean : p->runs;

		p->lag = part * (double)p->gap;
		p->takes = p->collective ? runs : part * (runs + (double)p->inner);
	}
	return timing_take(t, false);
}

static nsec drop(const struct job_bounds *b, struct timing *t, enum job_repair r, const bool *slow)
{
	for (size_t i = 0; i < t->n; i++) {
		struct timing_piece *p = &t->v[i];

		p->lag = 0;
		p->takes = is_even(b, t, p->rank, r, slow) && !p->collective ? p->mean : p->runs;
	}
	return timing_take(t, true);
}

/* Ranks are as fast as the others of their stage, gaps are kept. */
static void find_as_fast(
	struct job_as_fast *a, const struct job_bounds *b, struct timing *t, const bool *slow)
{
	a->compared = timing_find_parts(t, slow);
	a->then = keep(b, t, JOB_REPAIR_SLOW, slow);
}

void job_bounds(struct job_bounds *b, const struct job_facts *f, const struct rankpath *const *path,
	const bool *slow, uint32_t rank, struct arena *mem)
{
	bool *alone = arena_array(mem, f->job->nrank, sizeof(*alone));
	struct timing t;

	*b = (struct job_bounds){ .stage = JOB_NO_STAGE };
	if (!timing_init(&t, f, path, mem))
		return;
	find_stage(b, &t);
	timing_find_usual(&t);
	for (size_t i = 0; i < t.njoint; i++)
		t.joint[i].takes = t.joint[i].transfer;
	alone[rank] = true;
	find_as_fast(&b->alone, b, &t, alone);
	find_as_fast(&b->slow, b, &t, slow);
	for (int r = 0; r < JOB_REPAIR_COUNT; r++) {
		bool is_even = r == JOB_REPAIR_LINKS || r == JOB_REPAIR_ALL;

		for (size_t i = 0; i < t.njoint; i++)
			t.joint[i].takes = is_even ? t.joint[i].usual : t.joint[i].transfer;
		b->kept[r] = keep(b, &t, (enum job_repair)r, slow);
		b->dropped[r] = MIN(drop(b, &t, (enum job_repair)r, slow), b->kept[r]);
	}
	b->is_known = b->dropped[JOB_REPAIR_NONE] > 0;
	b->now = b->kept[JOB_REPAIR_NONE];
}

WORDS(job_repair_word, enum job_repair, JOB_REPAIRS, 2)

WORDS(job_repair_what, enum job_repair, JOB_REPAIRS, 3)
