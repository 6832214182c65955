/* Merging: what becomes of the events of one rank in a file that several share.
 *
 *	time      as the reference's clock has it (job.h); lengths, too, where the clocks drift
 *	process   RANK x MERGE_PIDS + pid, so that they are apart and the rank can be read
 *	ids       correlations, External ids and flows: moved behind those of the ranks before
 *	device    the same, or 1000 x RANK + device where another rank has used that number
 *	names     "rank 3: python"; processes are sorted by rank */
#pragma once

#include "analyze/job/job.h"
#include "analyze/trace/run.h"
#include "edit/event_change.h"

/* More than Linux gives processes numbers. */
enum { MERGE_PIDS = 5000000, MERGE_DEVICES = 1000 };

struct merge_rank {
	const char *path;
	int64_t number;         /* its rank, else its place among the inputs */
	struct job_clock clock; /* is_known: it tells the time; else `shift` does */
	nsec shift;             /* added to its times, by the base times that the files say */
	uint64_t ids;           /* added to its ids */
	bool moves_devices;
	uint64_t id_max;  /* the largest id in it */
	uint64_t devices; /* bit per device that it has used; those above 63 count as 63 */
	nsec base;        /* baseTimeNanoseconds, or 0 */
	nsec zero;        /* the same of the reference */
};

/* Looks at what of a run decides about the ranks behind it: id_max, devices, base.  Needs links. */
void merge_look(struct merge_rank *m, const struct run *r);

/* Decides ids and moves_devices of n ranks in their order, and shift of those without a clock;
 * reference: whose base time counts. */
void merge_settle(struct merge_rank *m, size_t n, size_t reference);

/* What becomes of its events; borrows m. */
struct change merge_change(const struct merge_rank *m);
