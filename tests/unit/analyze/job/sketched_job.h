/* Matched jobs drawn by hand: what ranks do for themselves in each step, and when they come to the
 * meets. */
#pragma once

#include "analyze/job/job.h"
#include "base/arena.h"

enum { SKETCHED_MEETS = 4096, SKETCHED_GROUPS = 32 };

struct sketched_job {
	struct arena mem;
	struct job j;
	struct digest *digest;    /* by rank */
	struct collectives *coll; /* by rank; kinds are by op */
};

/* All ranks are in group 0, called "world". */
void sketched_init(struct sketched_job *d, size_t nrank, size_t nstep);
void sketched_clear(struct sketched_job *d);

/* A further group; its number. */
uint32_t sketched_group(struct sketched_job *d, const char *name, const uint32_t *member, size_t n);

/* Adds to what a rank's device does in a step; parts of idle are idle, too. */
void sketched_part(
	struct sketched_job *d, size_t step, size_t rank, enum digest_part part, nsec ns);

/* Adds a kernel: calls and time are of all steps. */
struct digest_op *sketched_kernel(
	struct sketched_job *d, size_t rank, const char *name, int64_t calls, nsec ns);

/* The group meets in a step; late: by member, when it comes.  All waiting is exposed. */
struct collective_instance *sketched_meet(struct sketched_job *d, uint32_t group, enum comm_op op,
	int64_t bytes, size_t step, const nsec *late, nsec transfer);

/* A message in group 0: the other one waits for who comes later. */
struct collective_instance *sketched_message(struct sketched_job *d, size_t step, uint32_t from,
	uint32_t to, nsec from_late, nsec to_late, nsec transfer);

/* The parts of an all_to_all that a member of the meet sends and receives. */
void sketched_split(struct sketched_job *d, struct collective_instance *m, size_t arrival,
	const int64_t *in, const int64_t *out, size_t n);

/* The job, with its sums. */
const struct job *sketched_done(struct sketched_job *d);
