/* A run's profile: where time and memory of its steps go, which the rules of `diagnose` look at;
 * gathered in one pass each over device, gaps and host.
 *
 * All of it is about the window (window.h) and, where the trace has several devices, about the one
 * that the verdict is about. */
#pragma once

#include "analyze/costmodel/element.h"
#include "analyze/costmodel/owners.h"
#include "analyze/costmodel/roof.h"
#include "analyze/judge/judge.h"
#include "analyze/measure/device/classes.h"
#include "analyze/measure/comm/commclass.h"
#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/gaps/gaps.h"
#include "analyze/measure/gaps/ledger.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/measure/verdict.h"
#include "analyze/measure/window.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"
#include "base/parallel.h"

struct shared;

/* Thresholds that decide what is counted. */
struct profile_limits {
	nsec long_gap;     /* gaps of this length or more are listed */
	nsec long_op;      /* ops, too */
	nsec short_kernel; /* kernels below this are */
	double few_blocks; /* kernels with fewer blocks per SM are small */
};

/* Sums of one kind of event; row: the longest of them, or NO_ROW.  Events overlap, and what a step
 * launched may run behind its end: a share of the steps is one of in_steps. */
struct profile_sum {
	int64_t count;
	nsec ns;       /* of their durations */
	nsec in_steps; /* in which at least one of them runs, inside of the window */
	nsec end;      /* of those so far, of a device */
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

/* Its collectives. */
struct profile_comm {
	nsec ns[COMM_OP_COUNT]; /* sums of durations */
	int64_t bytes, sized;   /* messages of those that say their size, and how many do */
	nsec sized_ns;          /* their durations ... */
	double bus_bytes;       /* ... and bytes times the factor of bus bandwidth */
};

/* The work of a device, by the launch's step. */
struct profile_device {
	nsec sum[CLASS_COUNT];
	int64_t count[CLASS_COUNT];
	nsec median_kernel; /* of kernels that compute; 0 without any */
	int64_t kernels;    /* of these, how many; limits.short_kernel and few_blocks of them: */
	struct profile_sum short_kernels, small;
	nsec blocks_ns;                /* of those that say their blocks per SM */
	struct profile_sum attention;  /* fused attention kernels */
	struct profile_sum matrix;     /* matrix products and convolutions, by names ... */
	struct profile_sum fp32, tf32; /* ... in these formats */
	nsec softmax_ops, bmm_ops;     /* work of aten::_softmax, aten::bmm ... */
	struct profile_sum plain;      /* ... and of both */
	struct profile_copies copies[COPY_DIRECTION_COUNT];
	struct profile_comm comm;
	nsec annotations;               /* on its timeline: torch's table has them as device rows */
	struct profile_sum casts;       /* kernels that change the type of a tensor */
	struct profile_name top_kernel; /* most time among kernels that compute */
	struct profile_name top_comm;
	struct profile_name top_copy;
	nsec top10_copies, top10; /* the seed's formula: see rule Q02 */
};

/* The gap in which most was waited so; ns is 0: there is none. */
struct profile_worst {
	struct interval at;
	nsec ns;
};

/* Gaps of the device in the window, see gaps.h.  They add up to its idle time. */
struct profile_gaps {
	struct gap_sums sums;
	struct profile_sum many; /* long gaps; row: what the host did in the longest, or NO_ROW */
	struct profile_name doing[3];   /* what the host did in long gaps; most time first */
	struct profile_name waiting[2]; /* [0]: the same in gaps that are mostly of
	                                 GAP_CAUSES_HOST, of any length; [1]: calls that waited
	                                 for the device, by what is theirs (gap_cause_is_late) */
	struct profile_sum behind[2]; /* [0]: of gaps that are mostly DATA, [1]: of the host's: what
	                               is behind a call that had waited; row: of the longest */
	nsec longest;                 /* part of a gap that is of GAP_CAUSES_HOST */
	struct profile_worst worst;   /* less what is unrecorded */
	struct profile_worst worst_of[GAP_CAUSE_COUNT];
	struct profile_worst worst_host[2]; /* of GAP_CAUSES_HOST; [1]: in gaps of
	                                       GAP_CAUSES_LONG_NS or more, [0]: in shorter ones */
};

struct profile_host {
	nsec cpu_total;    /* sum of durations of all rows of the tree, nested ones too */
	nsec cpu_self;     /* sum of self times: what threads really spent */
	nsec device_total; /* the sums of device time that torch's table has for the same rows */
	struct profile_sum launches; /* calls that launch kernels and graphs */
	struct profile_sum mallocs;  /* cudaMalloc, cudaFree and their like, in the window */
	struct profile_sum long_ops; /* ops of limits.long_op or more that have no such op inside */
	struct profile_name long_op; /* the name among them with most time */
	struct profile_sum loader;   /* the data loader's calls on the main thread, nested once */
	bool has_loader;             /* anywhere in the trace */
	struct profile_name top; /* without a device: most self time; ns: at least one of it ran */
};

/* Matrix work in FP32 or TF32, on a device that does a format of 16 bits faster. */
struct profile_wide {
	bool is_known;      /* peaks of such a format are */
	bool is_of_roofs;   /* there are shapes; else kernels' names say what it is */
	enum roof_dtype as; /* that format: BF16, or FP16 */
	bool has_fp32;      /* some of it is FP32 */
	nsec ns;            /* own time of calls, or of kernels, that would be faster */
	double saves;       /* of it, ns, at the same share of the roof as now */
};

/* All calls of a name. */
struct profile_op {
	sym name;               /* 0: none */
	nsec own, busy;         /* busy: of the next two */
	nsec known;             /* in calls that have a roof */
	double at, above;       /* ns: at the roof of those; above it, call by call */
	nsec main_busy;         /* of the cost with most time ... */
	struct roof_limit main; /* ... a call's limits */
	struct roof_work work;  /* ... and its work */
};

struct peaks_given;

struct profile {
	const struct run *run;
	struct shared *shared; /* of it; NULL: nothing is */
	struct arena *mem;
	struct profile_limits limits;
	const struct filter_view *query_view; /* borrowed */
	struct filter_view view;              /* the same, its steps only those that count */
	struct window window;
	struct step_gap_causes waiting;
	struct verdict verdict;
	const struct judge *judge; /* of the run, or NULL */
	struct judge own_judge;    /* where it is not shared; released by profile_clear ... */
	struct arena judge_mem;    /* ... with its memory: it is made beside what else is found */
	unsigned threads;
	struct latch has_window; /* window and verdict are there */
	struct latch has_owners; /* these, where they are known before who asks for roofs: */
	const struct roof_owners *owners; /* NULL: they are not */
	struct roof_owners own_owners;    /* where they are not shared; released by profile_clear */
	const struct peaks_given *peaks;
	bool has_steps, has_device, has_host, has_runtime;
	size_t nstep; /* steps that count */
	nsec step_ns; /* what shares are of: their time, less unrecorded */
	struct classes classes;
	struct account account; /* of the device, which is account.id; only with has_device */
	struct profile_device device;
	struct profile_gaps gaps;
	struct profile_host host;
	struct memcurves memory;      /* all curves; released by profile_clear */
	const struct memcurve *curve; /* the main device's, else that of most records; or NULL */
	bool hangs_on_kernels;        /* faster ones would shorten steps: */
	bool has_roofs;               /* these were looked for: */
	struct profile_op top_op;     /* of those that compute; of it: */
	double memory_Bps;            /* of the device */
	const char *top_roof;         /* profile_say_roofs; or NULL */
	struct profile_wide wide;
	double link_Bps; /* peak of the device's links, one direction; NaN */
};

/* Gathers everything.  Needs order, links, steps, bytes and memory.  view is borrowed; shared may
 * be NULL.  Memory is the arena's: about 100 bytes a distinct name and 8 a kernel.  O(n log n). */
void profile_init(struct profile *p, const struct run *r, struct shared *shared,
	const struct filter_view *view, struct profile_limits limits,
	const struct peaks_given *peaks, unsigned threads, struct arena *mem);
void profile_clear(struct profile *p);

/* ---- its parts, in the order they are gathered; private to profile*.c ---- */
void profile_of_device(struct profile *p);
void profile_of_host(struct profile *p);

/* How far the op that computes longest is from what the device can do (roof.h): of the verdict's
 * device, in the steps that count.  Calls of one name are taken together; what could be gained is
 * the time of its calls above their roofs.  And how much of the matrix work is done in FP32 or TF32
 * where the device does formats of 16 bits faster.
 *
 * Sets p->top_op, where peaks and shapes are known, and p->wide.  O(n). */
void profile_of_roofs(struct profile *p);

/* When all else is there: p->top_roof, "aten::mm, 20.1% of that, runs at 61.7% of its roof (bf16,
 * 989 TFLOP/s): at most 1.553 ms/step to gain", in the profile's memory: NULL where the op is less
 * than a tenth of computing or more than a tenth of its time has no roof, and where it is above its
 * roof: the peaks are not those of what it runs on, then.  And p->wide, by names, without shapes.
 */
void profile_say_roofs(struct profile *p);

/* Adds an event to a sum. */
static inline void profile_sum_add(struct profile_sum *s, const struct run *r, uint32_t row)
{
	nsec dur = r->events.dur[row];

	if (s->count == 0 || dur > r->events.dur[s->row])
		s->row = row;
	s->count++;
	saturate_onto(&s->ns, dur);
}
