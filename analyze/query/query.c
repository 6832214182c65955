/*
 * The runs of a query: loaded all of them, or one after the other as an analysis asks for them.
 */
#include "analyze/query/analysis.h"

enum status query_open(const struct query *q, size_t i, const struct run **run, struct err *e)
{
	if (q->source)
		return q->source->open(q->source->ctx, i, run, e);
	*run = q->run[i];
	return OK;
}

void query_close(const struct query *q, size_t i)
{
	if (q->source)
		q->source->close(q->source->ctx, i);
}
