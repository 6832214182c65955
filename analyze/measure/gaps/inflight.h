/* In flight: what runs at the moment of a sweep, the next to end first.  A binary heap. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct inflight_item {
	nsec end;
	uint32_t id; /* the sweep's own two */
	double value;
};

/* v[0] ends first; of equal ends any.  Zero-initialise; memory is freed by inflight_clear. */
struct inflight {
	struct inflight_item *v;
	size_t n, cap;
};

/* O(log n). */
void inflight_push(struct inflight *e, struct inflight_item item);
/* Takes the first out; n > 0. */
struct inflight_item inflight_pop(struct inflight *e);
void inflight_clear(struct inflight *e);
