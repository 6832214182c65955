/*
 * The ledger: where a device's time goes, exactly.
 *
 * For a device, and any range of time (a step, the whole run):
 *
 *	total = compute + exposed comm + exposed memcpy + idle        in integer ns, always
 *
 * compute: at least one kernel that is no collective, or a set, runs on any of its streams; exposed
 * comm: a collective runs and nothing computes; exposed memcpy: a copy runs and neither; idle:
 * nothing runs.  A step is the time from its start to its end on the CPU; device work is clipped to
 * it, whoever launched it.  Source: TraceLens, gpu_event_analyser.py; HTA, breakdown_analysis.py.
 */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/measure/gaps/partition.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;

struct ledger {
	nsec total;
	nsec compute, exposed_comm, exposed_memcpy, idle; /* add up to total */
	nsec busy;                                        /* total - idle */
	/* Unions, which overlap each other. */
	nsec kernels;         /* all kernels, collectives too */
	nsec compute_kernels; /* without collectives */
	nsec comm, memcpy, memset;
	nsec only_memset;          /* compute - compute_kernels: sets while no kernel computes */
	nsec comm_compute;         /* collectives while something computes (sets too) */
	nsec comm_compute_kernels; /* collectives while a kernel computes */
};

struct ledger_device {
	int64_t id;
	size_t nevent;                /* device events */
	nsec first, last;             /* first start, last end */
	nsec sum[CLASS_COUNT];        /* sums of durations, not unions */
	size_t count[CLASS_COUNT];    /* events */
	struct partition_sums whole;  /* first to last */
	struct partition_sums *range; /* by step */
};

struct ledgers {
	struct ledger_device *device; /* by id; those with device work that the filter takes */
	size_t ndevice;
	size_t nstep;    /* of run->steps; 0 where steps are not built */
	size_t nwithout; /* devices at the end whose `range` is NULL: too many steps x devices */
	size_t nmore;    /* devices beyond DEVICES_MAX (devices.h), which are left out */
};

/* Sums up all device events that pass v's --cat, --device and --stream, in or out of v's steps, in
 * one sweep for each device.  Needs order; steps and links where they are to count.
 * O(n log streams).  Memory is the arena's: 128 bytes for each step and device. */
void ledgers_init(struct ledgers *l, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem);

/* From the first device event's start to the last one's end.  d < ndevice. */
struct ledger ledger_whole(const struct ledgers *l, size_t d);
/* Of that, what is busy in no step; nothing of it is idle. */
struct ledger ledger_outside(const struct ledgers *l, size_t d);
/* In a step (index in run->steps).  Not when the device has no `range`. */
struct ledger ledger_step(const struct ledgers *l, size_t d, size_t step);
