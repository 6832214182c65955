/*
 * The list of analyses: what ANALYSES names, as data.
 */
#include "analyze/query/analysis.h"

#include <string.h>

#define X(name) &analysis_##name,
static const struct analysis *const all[] = { ANALYSES(X) };
#undef X

const struct analysis *const *analysis_all(size_t *n)
{
	*n = COUNT_OF(all);
	return all;
}

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

const struct analysis *analysis_find(const char *name)
{
	size_t i;

	for (i = 0; i < COUNT_OF(all); i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}
