/*
 * `metrics`: tables that are made with their first row.
 */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/query/perrun.h"

struct table *lazy_table(struct lazy_table *l)
{
	if (!l->t)
		l->t = perrun_table(l->at, l->doc);
	return l->t;
}
