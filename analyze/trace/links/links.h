/* Launch links: which runtime call launched a device event, and which CPU op it belongs to.
 *
 * Join by args.correlation; of several calls of a process with one correlation the earliest counts,
 * of several processes' the one whose stream it is (links_processes.c).  A call that launched
 * several events is a graph launch, unless it is a wait: XLA's traces give hipStreamWaitEvent the
 * correlation of device rows.  Source: CUPTI activity correlation ids. */
#pragma once

#include "analyze/trace/columns/strings.h"
#include "base/base.h"

struct run;

struct links {
	uint32_t *launch; /* by device side row (0-based): row of the launching event, or NO_ROW */
	uint32_t *op; /* by device side row: row of the CPU op, or NO_ROW: the innermost op around
	                 the launch on its thread; without a launch, that of the same External id */
	uint32_t *op_of_launch; /* by launch side row: row of the innermost op around it, else of
	                       the innermost annotation, else NO_ROW */
	/* Counts over device events (kernels, copies, sets). */
	int64_t linked;           /* by a call that launched just this one, or waits */
	int64_t graph;            /* launched by a call that launched several */
	int64_t unlinked;         /* no launching call in the trace */
	int64_t by_external_id;   /* of the unlinked: op known by External id */
	int64_t launching;        /* calls that launched any */
	int64_t graph_launches;   /* calls that launched several, and do not wait */
	uint32_t *without_device; /* rows of calls named as launches whose correlation no device
	                             event has */
	size_t nwithout_device, without_device_cap;
	int64_t duplicate_correlations; /* runtime calls whose correlation an earlier one has */
	struct links_work *work;        /* while it is being built */
};

/* Of a row of device work, in a run that has links: the event that launched it, its op; of one with
 * steps, its step's index.  NO_ROW: none is known. */
uint32_t launch_of_row(const struct run *r, uint32_t row);
uint32_t op_of_row(const struct run *r, uint32_t row);
uint32_t step_of_row(const struct run *r, uint32_t row);
/* The name of its op in any run; 0: none is known. */
sym op_name_of_row(const struct run *r, uint32_t row);

/* Whether a runtime or driver call puts work on a device, by its name, whatever the vendor's
 * prefix. */
bool links_is_launch(struct span name);

/* How many calls of a run without any device work put such work on a device; 0 of others.  O(n). */
int64_t links_lost_work(const struct run *r);

/* Whether a call makes a stream wait, by its name: what it shares its correlation with is no graph.
 */
bool links_is_wait(struct span name);

/* NULL is none. */
void links_free(struct links *l);

/* Ops whose External id an earlier one has.  O(n); needs the External id column only. */
int64_t links_duplicate_external_ids(const struct run *r);

/* Building takes three parts, in this order; correlation and External id columns are needed.
 * links_join gives `launch` and needs no order.  links_walk gives op_of_launch for the calls of one
 * lane, and the quiet places of the order there; lanes know nothing of each other.  It needs the
 * host order.  links_finish gives the rest and needs the device order.  Freed by links_free. */
struct links *links_join(const struct run *r);
void links_walk(struct links *l, const struct run *r, size_t lane);
void links_finish(struct links *l, const struct run *r);
