/* Meets by collective: which meet of the job a rank's collective is part of. */
#pragma once

#include "analyze/job/job.h"
#include "base/base.h"

struct collective_instances {
	const struct job *job;
	uint32_t **meet; /* by rank and collective: 1 + its meet of two ranks at least, or 0 */
};

/* Memory is the arena's.  O(collectives). */
void collective_instances_init(
	struct collective_instances *m, const struct job *j, struct arena *mem);

/* The meet of a rank's collective and its arrival there; NULL: it is in none.  O(log ranks). */
const struct collective_instance *collective_instances_find(const struct collective_instances *m,
	uint32_t rank, uint32_t collective, const struct job_arrival **arrival);
