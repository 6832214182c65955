/* How an analysis is found, and asked. */

#include <assert.h>

#include "analyze/analysis/pages.h"
#include "analyze/analysis/perrun.h"
#include "base/opt.h"

const struct analysis *analysis_find(const struct analyses *all, const char *name)
{
	return FIND_NAMED(all->v, all->n, name, name);
}

void analysis_tell(const struct analysis *a, void *opts, const char *words, struct arena *mem)
{
	enum { WORDS_MAX = 12 };
	char *word[WORDS_MAX + 1] = { NULL }, *p = arena_copy(mem, words, strlen(words));
	const struct opt_group own = { "Options", a->options.opt, a->options.n, opts };
	const char **operand;
	size_t noperand;
	struct err e;
	int n = 0;

	for (; *p && n < WORDS_MAX; n++) {
		word[n] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = '\0';
	}
	n = opt_parse(&own, 1, n, word, &operand, &noperand, &e) == OK && noperand == 0;
	assert(n);
	free(operand);
}

void *analysis_options(const struct analysis *a, const char *words, struct arena *mem)
{
	void *opts = arena_alloc(mem, a->options.size);

	memcpy(opts, a->options.defaults, a->options.size);
	analysis_tell(a, opts, words, mem);
	return opts;
}

enum status analysis_answer(const struct analysis *a, const struct query *q, struct result *out,
	int *exit_code, struct err *e)
{
	struct query asked = *q;

	asked.analysis = a;
	*exit_code = 0;
	for (size_t i = 0; i < q->nrun && !a->per_run.answer; i++)
		if (q->run && q->run[i] && q->run[i]->kept)
			return pages_refuse(a, e);
	TRY(a->compute ? a->compute(&asked, out, exit_code, e)
		       : perrun_all(&asked, &a->per_run, NULL, out, e));
	*exit_code |= out->says_no;
	return OK;
}
