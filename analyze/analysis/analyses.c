/*
 * The list of analyses: what ANALYSES names, as data; and how one of them is asked.
 */
#include "analyze/analysis/analysis.h"

#include <string.h>

#include "analyze/analysis/pages.h"
#include "analyze/analysis/perrun.h"
#include "analyze/trace/run.h"
#include "base/search.h"

#define X(name) &analysis_##name,
static const struct analysis *const all[] = { ANALYSES(X) };
#undef X

const struct analysis *const *analysis_all(size_t *n)
{
	*n = COUNT_OF(all);
	return all;
}

const struct analysis *analysis_find(const char *name)
{
	return FIND_NAMED(all, COUNT_OF(all), name, name);
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
