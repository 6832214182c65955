/* A binary heap by end. */
#include "analyze/measure/gaps/inflight.h"

#include <assert.h>

void inflight_push(struct inflight *e, struct inflight_item item)
{
	size_t i = e->n;

	e->v = array_grow(e->v, &e->cap, e->n + 1, sizeof(*e->v));
	e->n++;
	for (; i > 0 && e->v[(i - 1) / 2].end > item.end; i = (i - 1) / 2)
		e->v[i] = e->v[(i - 1) / 2];
	e->v[i] = item;
}

struct inflight_item inflight_pop(struct inflight *e)
{
	size_t i = 0, c;

	assert(e->n > 0);
	struct inflight_item first = e->v[0];
	struct inflight_item last = e->v[--e->n];
	for (; (c = 2 * i + 1) < e->n; i = c) {
		if (c + 1 < e->n && e->v[c + 1].end < e->v[c].end)
			c++;
		if (e->v[c].end >= last.end)
			break;
		e->v[i] = e->v[c];
	}
	if (e->n > 0)
		e->v[i] = last;
	return first;
}

void inflight_clear(struct inflight *e)
{
	free(e->v);
	*e = (struct inflight){ 0 };
}
