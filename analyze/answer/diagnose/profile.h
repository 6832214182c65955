/*
 * A run's profile: where time and memory of its steps go, which the rules of `diagnose` look at;
 * gathered in one pass each over device, gaps and host.
 *
 * All of it is about the steps that count (stepstat.h: first and last set aside when enough remain)
 * and, where the trace has several devices, about the one that was busy longest.  A trace without
 * steps is one step, from its first to its last slice.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_PROFILE_H
#define ANALYZE_ANSWER_DIAGNOSE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/classes.h"
#include "analyze/measure/copyclass.h"
#include "analyze/measure/gaps.h"
#include "analyze/measure/ledger.h"
#include "analyze/measure/memcurve.h"
#include "analyze/measure/stepstat.h"
#include "analyze/trace/events.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/strings.h"
#include "base/arena.h"
#include "base/saturate.h"

struct shared;

/* Thresholds that decide what is counted. */
struct profile_limits {
	nsec long_gap; /* gaps of this length or more are listed */
	nsec long_op;  /* ops, too */
};

/* Sums of one kind of event; row: the longest of them, or NO_ROW. */
struct profile_sum {
	int64_t count;
	nsec ns;
	uint32_t row;
};

/* Copies of one direction. */
struct profile_copies {
	struct profile_sum all;
	int64_t bytes;         /* ARG_UNKNOWN when one does not say */
	nsec pageable, pinned; /* of all.ns: one end is pageable, pinned memory of the host */
};

/* Work of one name. */
struct profile_name {
	sym name; /* 0: none */
	struct profile_sum sum;
};

/* The work of a device, by the launch's step. */
struct profile_device {
	nsec sum[CLASS_COUNT];
	int64_t count[CLASS_COUNT];
	nsec median_kernel; /* of kernels that compute; 0 without any */
	struct profile_copies copies[COPY_DIRECTION_COUNT];
	nsec annotations;               /* on its timeline: torch's table has them as device rows */
	struct profile_sum casts;       /* kernels that change the type of a tensor */
	struct profile_name top_kernel; /* most time among kernels that compute */
	struct profile_name top_comm;
	struct profile_name top_copy;
	nsec top10_copies, top10; /* the seed's formula: see rule Q02 */
};

/* Gaps of the device, see gaps.h; they add up to its idle time in the steps. */
struct profile_gaps {
	struct gap_sums sums;
	nsec unseen; /* idle time that is in no gap: before the first and behind the last
	                work, where there are no steps */
	struct profile_sum many; /* long gaps; row: what the host did in the longest, or NO_ROW */
	struct profile_name doing[3];   /* what the host did in long gaps; most time first */
	struct profile_name waiting[2]; /* the same in gaps of class HOST and SYNC, of any length:
	                                 [0] HOST */
};

struct profile_host {
	nsec cpu_total;    /* sum of durations of all rows of the tree, nested ones too */
	nsec cpu_self;     /* sum of self times: what threads really spent */
	nsec device_total; /* the sums of device time that torch's table has for the same rows */
	struct profile_sum launches; /* calls that launch kernels and graphs */
	struct profile_sum mallocs;  /* cudaMalloc, cudaFree and their like */
	struct profile_sum long_ops; /* ops of limits.long_op or more that have no such op inside */
	struct profile_name long_op; /* the name among them with most time */
	struct profile_sum loader;   /* the data loader's calls on the main thread, nested once */
	nsec loader_exposed;         /* of their time: the device did nothing */
	bool has_loader;             /* anywhere in the trace */
};

struct profile {
	const struct run *run;
	struct shared *shared; /* of it; NULL: nothing is */
	struct arena *mem;
	struct profile_limits limits;
	const struct filter_view *query_view; /* borrowed */
	struct filter_view view;              /* the same, its steps only those that count */
	struct stepstat stat;
	bool has_steps, has_device, has_host, has_runtime;
	size_t nstep; /* steps that count */
	nsec step_ns; /* their time */
	struct classes classes;
	struct ledgers ledgers;
	size_t main;          /* the device's index in ledgers; only with has_device */
	struct ledger ledger; /* its time in the steps that count */
	struct profile_device device;
	struct profile_gaps gaps;
	struct profile_host host;
	struct memcurves memory;      /* all curves; released by profile_clear */
	const struct memcurve *curve; /* the main device's, else that of most records; or NULL */
};

/*
 * Gathers everything.  Needs order, links, steps, bytes and memory.  view is borrowed; shared may
 * be NULL.  Memory is the arena's: about 100 bytes a distinct name and 8 a kernel.  O(n log n).
 */
void profile_init(struct profile *p, const struct run *r, struct shared *shared,
	const struct filter_view *view, struct profile_limits limits, struct arena *mem);
void profile_clear(struct profile *p);

/* ---- its parts, in the order they are gathered; private to profile*.c ---- */
void profile_of_device(struct profile *p);
void profile_of_host(struct profile *p, uint32_t main_lane);

/* Adds an event to a sum. */
static inline void profile_sum_add(struct profile_sum *s, const struct run *r, uint32_t row)
{
	nsec dur = r->events.dur[row];

	if (s->count == 0 || dur > r->events.dur[s->row])
		s->row = row;
	s->count++;
	saturate_onto(&s->ns, dur);
}

#endif
