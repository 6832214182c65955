/*
 * How an analysis is found, and asked.
 */
#include "analyze/query/analysis.h"

#include <string.h>

#include "analyze/query/pages.h"
#include "analyze/query/perrun.h"
#include "analyze/trace/run.h"

const struct analysis *analysis_find(const struct analyses *all, const char *name)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (strcmp(all->v[i]->name, name) == 0)
			return all->v[i];
	return NULL;
}

enum status analysis_answer(const struct analysis *a, const struct query *q, struct result *out,
	int *exit_code, struct err *e)
{
	struct query asked = *q;
	size_t i;

	asked.analysis = a;
	*exit_code = 0;
	for (i = 0; i < q->nrun && !a->per_run.answer; i++)
		if (q->run && q->run[i] && q->run[i]->kept)
			return pages_refuse(a, e);
	TRY(a->compute ? a->compute(&asked, out, exit_code, e)
		       : perrun_all(&asked, &a->per_run, NULL, out, e));
	*exit_code |= out->says_no;
	return OK;
}
