/*
 * Ranks that do the same in a job: whose collectives in the steps, stream by stream, are the same
 * kinds in the same order.  The stages of a pipeline differ, the data parallel ranks of a stage do
 * not.
 */
#ifndef ANALYZE_JOB_PATH_JOBALIKE_H
#define ANALYZE_JOB_PATH_JOBALIKE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/job/job.h"
#include "base/arena.h"

struct jobalike_rank {
	uint32_t rank;        /* place in job.rank */
	uint32_t *collective; /* those in the job's steps, by stream, then time */
	uint32_t *place;      /* by collective of the rank: 1 + its place among those, or 0 */
	size_t n;
	uint64_t hash; /* of their streams and kinds */
};

struct jobalike {
	struct jobalike_rank *v; /* by class, then rank */
	size_t n;
};

/* Memory is the arena's.  O(n log n) in collectives. */
void jobalike_init(struct jobalike *a, const struct job *j, struct arena *mem);

/* Behind the last rank of the class that begins at `from`. */
size_t jobalike_end(const struct jobalike *a, size_t from);

#endif
