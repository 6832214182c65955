/*
 * The longest gaps: twice the limit are kept, so that sorting is rare.
 */
#include "analyze/measure/gaps/longgaps.h"

#include <stdlib.h>

#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { FIRST_GAPS = 1024 };

void long_gaps_clear(struct long_gaps *l)
{
	free(l->v);
	*l = (struct long_gaps){ 0 };
}

static nsec length(const struct gap *g)
{
	return saturate_sub(g->end, g->start);
}

static int by_length(const void *pa, const void *pb)
{
	const struct long_gap *a = pa, *b = pb;
	nsec x = length(&a->gap), y = length(&b->gap);

	return COMPARE_BY(compare3(y, x), compare3(a->gap.start, b->gap.start),
		compare3(a->device, b->device));
}

void long_gaps_sort(struct long_gaps *l)
{
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), by_length);
	l->n = MIN(l->n, l->limit);
}

void long_gaps_add(struct long_gaps *l, const struct gap *g, int64_t device)
{
	size_t room = l->limit > SIZE_MAX / 2 ? SIZE_MAX : 2 * l->limit + FIRST_GAPS;

	l->all++;
	if (length(g) < l->least)
		return;
	if (l->n >= room) {
		long_gaps_sort(l);
		l->least = l->n > 0 ? length(&l->v[l->n - 1].gap) : INT64_MAX;
	}
	l->v = array_grow(l->v, &l->cap, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = (struct long_gap){ *g, device };
}
