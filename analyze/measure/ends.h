/*
 * Ends: what runs at the moment of a sweep, the next to end first.  A binary heap.
 */
#ifndef ANALYZE_MEASURE_ENDS_H
#define ANALYZE_MEASURE_ENDS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/events.h"

struct ends_item {
	nsec end;
	uint32_t id; /* the sweep's own two */
	double value;
};

/* v[0] ends first; of equal ends any.  Zero-initialise; memory is freed by ends_clear. */
struct ends {
	struct ends_item *v;
	size_t n, cap;
};

/* O(log n). */
void ends_push(struct ends *e, struct ends_item item);
/* Takes the first out; n > 0. */
struct ends_item ends_pop(struct ends *e);
void ends_clear(struct ends *e);

#endif
