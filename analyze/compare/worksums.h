/*
 * Work sums: what the ops of a side do per step, over all its traces.  Collectives are none of it:
 * how long they take says more of others than of work.
 *
 * Beside opsums.h, whose rows are of the op that launched: here the work is that of its owner
 * (analyze/costmodel/owners.h), and the time of a call the union of its kernels.
 */
#ifndef ANALYZE_COMPARE_WORKSUMS_H
#define ANALYZE_COMPARE_WORKSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/worksplit.h"
#include "analyze/job/digest/digest.h"
#include "base/arena.h"

struct metric_sample;
struct side;

/* An amount of work per step, and the time of the calls that it is known of. */
struct work_amount {
	double v, ns; /* FLOP or bytes; both 0 where nothing is known */
};

struct worksum {
	struct span op;
	struct work_side does;
	double calls; /* per step */
	struct work_amount flop, bytes;
	double bytes_ns, known_ns;       /* time of calls that bytes bound; of known ones */
	int64_t all_calls;               /* in counted steps of all traces */
	const struct digest_work **work; /* by trace; NULL: it has none of it */
	int64_t *ns, *ncalls;            /* by trace, in counted steps */
};

struct worksums {
	struct worksum *v; /* by op */
	size_t n;
	const struct side *side;
	const struct digest **trace; /* by run, then rank */
	size_t *run, *nrank;         /* by trace: its run, and that run's traces */
	size_t ntrace, nrun;         /* nrun: that have traces */
	double comm_ns;              /* time of collectives, per step */
	bool is_known; /* of each trace with device work some work is, and there is one */
};

/* Memory is the arena's.  O(costs log costs). */
void worksums_init(struct worksums *o, const struct side *s, struct arena *mem);

/*
 * The time per step of an op, NULL: of all ops, in run `at` of the side, as a sample of a metric
 * whose centre is the mean; by the job's steps where they are kept.  False: the run has no steps.
 */
bool worksums_sample(const struct worksums *o, const struct worksum *op, size_t at,
	struct metric_sample *x, struct arena *mem);

/* Bytes bound most of its time on the sides that have it (NULL: one has it not). */
bool worksum_is_by_bytes(const struct worksum *a, const struct worksum *b);

/* It is called as often in each trace of the side, a whole number of times in a step. */
bool worksum_is_steady(const struct worksums *o, const struct worksum *op);

#endif
