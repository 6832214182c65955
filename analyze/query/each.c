/*
 * One run after the other, through the filters.
 */
#include "analyze/query/each.h"

#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"

static enum status look_at(struct each *at, const struct filter_set *set, each_fn *fn, void *ctx)
{
	TRY(filter_view_init(&at->view, set, at->run, &at->mem, at->e));
	TRY(fn(at, ctx));
	return at->view.status;
}

enum status each_excuse(struct result *out, const struct query *q, const struct run *run, int input,
	size_t *excused, struct err *e)
{
	if (e->status != E_NODATA || q->nrun < 2 || run->has_trace)
		return e->status;
	result_note(out, NOTE_WARNING, "no_answer", input, -1, "no answer: %s", e->text);
	++*excused;
	err_clear(e);
	return OK;
}

enum status each_excused(size_t excused, size_t n, struct err *e)
{
	if (excused < n || n == 0)
		return OK;
	return err_set(e, E_NODATA, -1, "none of the %zu inputs has an answer", n);
}

/* How many runs there were, and how many have no answer. */
struct tried {
	size_t n, excused;
};

static enum status each_one(
	struct each *at, const struct filter_set *set, each_fn *fn, void *ctx, struct tried *tried)
{
	enum status st;

	if (!filter_takes_run(set, at->run))
		return OK;
	tried->n++;
	arena_init(&at->mem);
	st = look_at(at, set, fn, ctx);
	arena_clear(&at->mem);
	if (st == OK)
		return OK;
	return each_excuse(at->out, at->q, at->run, at->input, &tried->excused, at->e);
}

static enum status each_of(struct each *at, const struct filter_set *set, each_fn *fn, void *ctx)
{
	struct tried tried = { 0 };
	size_t i;

	for (i = 0; i < at->q->nrun; i++) {
		enum status st;

		TRY(query_open(at->q, i, &at->run, at->e));
		at->input = (int)i;
		at->shared = at->q->shared ? at->q->shared[i] : NULL;
		st = each_one(at, set, fn, ctx, &tried);
		query_close(at->q, i);
		TRY(st);
	}
	if (tried.n)
		return each_excused(tried.excused, tried.n, at->e);
	err_set(at->e, E_NODATA, -1, "no trace is of --rank '%s'", at->q->filter->rank);
	return err_hint(
		at->e, "the rank is distributedInfo.rank of the trace; 'traceq info' shows it");
}

enum status each_run(
	const struct query *q, struct result *out, each_fn *fn, void *ctx, struct err *e)
{
	struct each at = { .q = q, .out = out, .e = e };
	struct filter_set set = { 0 };
	enum status st = filter_parse(&set, q->filter, e);

	if (st == OK)
		st = each_of(&at, &set, fn, ctx);
	filter_free(&set);
	return st;
}

struct table *each_table(const struct each *at, const struct table_doc *doc)
{
	struct table *t = result_table(at->out, doc->id, doc->title, doc->col, doc->ncol);

	t->input = at->input;
	return t;
}

bool each_step_at(const struct run *r, nsec t, int64_t *number)
{
	const struct steps *s = r->steps;
	uint32_t at;

	if (!s || s->source == STEPS_WHOLE)
		return false;
	at = steps_at(s, t);
	if (at == NO_ROW)
		return false;
	*number = s->step[at].number;
	return true;
}
