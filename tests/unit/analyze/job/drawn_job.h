/*
 * Jobs drawn by hand: what ranks do for themselves in each step, and when they come to the meets.
 */
#ifndef TESTS_UNIT_DRAWN_JOB_H
#define TESTS_UNIT_DRAWN_JOB_H

#include "analyze/job/job.h"
#include "base/arena.h"

enum { DRAWN_MEETS = 4096, DRAWN_GROUPS = 32 };

struct drawn_job {
	struct arena mem;
	struct job j;
	struct digest *digest;    /* by rank */
	struct collectives *coll; /* by rank; kinds are by op */
};

/* All ranks are in group 0, called "world". */
void drawn_init(struct drawn_job *d, size_t nrank, size_t nstep);
void drawn_clear(struct drawn_job *d);

/* A further group; its number. */
uint32_t drawn_group(struct drawn_job *d, const char *name, const uint32_t *member, size_t n);

/* Adds to what a rank's device does in a step; parts of idle are idle, too. */
void drawn_part(struct drawn_job *d, size_t step, size_t rank, enum digest_part part, nsec ns);

/* Adds a kernel: calls and time are of all steps. */
struct digest_op *drawn_kernel(
	struct drawn_job *d, size_t rank, const char *name, int64_t calls, nsec ns);

/* The group meets in a step; late: by member, when it comes.  All waiting is exposed. */
struct job_meet *drawn_meet(struct drawn_job *d, uint32_t group, enum comm_op op, int64_t bytes,
	size_t step, const nsec *late, nsec transfer);

/* A message in group 0: the other one waits for who comes later. */
struct job_meet *drawn_message(struct drawn_job *d, size_t step, uint32_t from, uint32_t to,
	nsec from_late, nsec to_late, nsec transfer);

/* The parts of an all_to_all that a member of the meet sends and receives. */
void drawn_split(struct drawn_job *d, struct job_meet *m, size_t arrival, const int64_t *in,
	const int64_t *out, size_t n);

/* The job, with its sums. */
const struct job *drawn_done(struct drawn_job *d);

#endif
