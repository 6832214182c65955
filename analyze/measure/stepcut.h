/*
 * Stretches of time cut where the steps of a window begin and end.
 *
 * Steps ascend by start, and may overlap: what lies in two of them is given with each.
 */
#ifndef ANALYZE_MEASURE_STEPCUT_H
#define ANALYZE_MEASURE_STEPCUT_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/interval.h"
#include "analyze/trace/columns/events.h"
#include "base/arena.h"

struct window;

struct stepcut {
	const struct interval *time; /* the window's, by step */
	size_t n;
	nsec *latest;    /* by step: the latest end of those up to it */
	nsec start, end; /* of all of them; 0 without any */
};

/* Borrows the window's steps; memory is the arena's.  O(steps). */
void stepcut_init(struct stepcut *c, const struct window *w, struct arena *mem);

/* Called with what of a stretch is in a step (index in time). */
typedef void stepcut_fn(void *ctx, uint32_t step, nsec start, nsec end);

/*
 * Calls fn for each step with what of [start, end) is in it, the last step first.  *near is 0 at
 * first, and kept by one who asks for what lies close together.  O(log steps).
 */
void stepcut_each(
	const struct stepcut *c, size_t *near, nsec start, nsec end, stepcut_fn *fn, void *ctx);

#endif
