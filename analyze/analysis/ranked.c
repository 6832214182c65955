/* The largest first. */
#include "analyze/analysis/ranked.h"

ORDER(by_value, struct ranked, compare3(b->value, a->value), span_cmp(a->name, b->name),
	compare3(a->at, b->at))

void ranked_sort(struct ranked *v, size_t n)
{
	sort_rows(v, n, sizeof(*v), by_value);
}
