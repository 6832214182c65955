/*
 * Whole files: the loop over runs that info and check share.
 */
#include "analyze/query/whole.h"

#include "analyze/trace/filter.h"

enum status whole_each(const struct query *q, whole_fn *fn, void *ctx, struct err *e)
{
	struct filter_set set = { 0 };
	enum status st = filter_parse(&set, q->filter, e);
	size_t i, n = 0;

	for (i = 0; st == OK && i < q->nrun; i++) {
		const struct run *run;

		st = query_open(q, i, &run, e);
		if (st != OK)
			break;
		if (filter_takes_run(&set, run)) {
			fn(ctx, run, (int)i);
			n++;
		}
		query_close(q, i);
	}
	filter_free(&set);
	if (st != OK)
		return st;
	if (n == 0) {
		err_set(e, E_NODATA, -1, "no trace is of --rank '%s'", q->filter->rank);
		return err_hint(
			e, "the rank is distributedInfo.rank of the trace; 'traceq info' shows it");
	}
	return OK;
}
