/* Calls over time: lane by lane, as they open and close, each inside those that are open.
 *
 * Threads have what frames.h walks, streams their kernels, copies and sets.  Two that cross cannot
 * be drawn inside of each other: the shorter one goes to a further lane, where the same holds.
 *
 *	  A [------------------)
 *	  B    [-----------)                lane: A B C F
 *	  C      [--)                       further: D
 *	  D            [-----------)
 *	  F                          [--) */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;
struct run;

struct nesting_visitor {
	void *ctx;
	/* Before the first call of a lane that has one; part 0, then 1, 2, ... for further ones. */
	void (*lane)(void *ctx, uint32_t lane, size_t part);
	void (*open)(void *ctx, uint32_t row, size_t depth);
	void (*close)(void *ctx, uint32_t row, size_t depth);
};

/* What there is to walk. */
struct nesting_extent {
	size_t n;         /* calls */
	nsec first, last; /* first start, last end; first > last where there are none */
};

/* Walks rows of `kinds` (KINDS_HOST_TREE, KIND_PYTHON, KINDS_DEVICE) that the view takes, names
 * looked at: threads in the order of their lanes, then streams.  Times of opens and closes do not
 * fall within a lane.  Needs r->order.  Returns how many are in further lanes.  O(n log n), times
 * the further lanes of a lane for what is left for them.  Memory: 16 bytes a row of the widest lane
 * or a Python function. */
size_t nesting_walk(const struct run *r, struct filter_view *view, unsigned kinds,
	const struct nesting_visitor *v);

/* Of the same rows.  O(n log n). */
struct nesting_extent nesting_extent(const struct run *r, struct filter_view *view, unsigned kinds);

/* Appends "GPU 0, stream 7" or "process 2345, thread 2345 (python)"; of a further lane " (2)"
 * behind it. */
void nesting_name(struct str *b, const struct run *r, uint32_t lane, size_t part);
