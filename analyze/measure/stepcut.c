/*
 * Cutting at the borders of steps: the steps that begin before an end, from the last one backwards.
 */
#include "analyze/measure/stepcut.h"

#include "analyze/measure/window.h"
#include "base/minmax.h"
#include "base/search.h"

void stepcut_init(struct stepcut *c, const struct window *w, struct arena *mem)
{
	*c = (struct stepcut){ .time = w->time, .n = w->nstep };
	c->latest = arena_array(mem, c->n, sizeof(*c->latest));
	for (size_t i = 0; i < c->n; i++) {
		c->latest[i] = c->time[i].end;
		if (i > 0 && c->latest[i - 1] > c->latest[i])
			c->latest[i] = c->latest[i - 1];
	}
	if (c->n == 0)
		return;
	c->start = c->time[0].start;
	c->end = c->latest[c->n - 1];
}

/* How many steps begin before t; `near`: how many did when it was asked last. */
static size_t begun_by(const struct stepcut *c, nsec t, size_t near)
{
	if ((near == 0 || c->time[near - 1].start < t) &&
		(near == c->n || c->time[near].start >= t))
		return near;
	return PARTITION_POINT(i, 0, c->n, c->time[i].start < t);
}

void stepcut_each(
	const struct stepcut *c, size_t *near, nsec start, nsec end, stepcut_fn *fn, void *ctx)
{
	size_t lo = *near = begun_by(c, end, *near);

	while (lo-- > 0 && c->latest[lo] > start) {
		nsec from = MAX(c->time[lo].start, start);
		nsec to = MIN(c->time[lo].end, end);

		if (from < to)
			fn(ctx, (uint32_t)lo, from, to);
	}
}
