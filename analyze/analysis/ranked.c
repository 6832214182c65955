/* The largest first. */
#include "analyze/analysis/ranked.h"

#include <stdlib.h>

#include "base/compare3.h"

static int by_value(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	return COMPARE_BY(
		compare3(b->value, a->value), span_cmp(a->name, b->name), compare3(a->at, b->at));
}

void ranked_sort(struct ranked *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), by_value);
}
