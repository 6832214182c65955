/*
 * One record after the other.
 */
#include "analyze/query/eachrecord.h"

#include "analyze/trace/record.h"
#include "analyze/trace/run.h"

static enum status each_one(struct each_record *at, each_record_fn *fn, void *ctx, size_t *n)
{
	enum status st;

	if (!at->record || !filter_takes_run(at->set, at->run))
		return OK;
	++*n;
	arena_init(&at->mem);
	st = fn(at, ctx);
	arena_clear(&at->mem);
	return st;
}

static enum status each_of(struct each_record *at, each_record_fn *fn, void *ctx, size_t *n)
{
	size_t i;

	for (i = 0; i < at->q->nrun; i++) {
		enum status st;

		TRY(query_open(at->q, i, &at->run, at->e));
		at->record = at->run->record;
		at->input = (int)i;
		st = each_one(at, fn, ctx, n);
		query_close(at->q, i);
		TRY(st);
	}
	return OK;
}

/* run: the first, or NULL. */
static enum status say_nothing(
	const struct query *q, const struct run *run, const char *wanted, struct err *e)
{
	const struct record *r = run ? run->record : NULL;

	if (q->nrun > 1)
		err_set(e, E_NODATA, -1, "none of the %zu inputs holds any %s", q->nrun, wanted);
	else
		err_set(e, E_NODATA, -1, "%s has no %s", run && run->path ? run->path : "it",
			wanted);
	if (r && r->nartifact)
		return record_hint(r, run->has_trace, e);
	if (run && !run->has_trace && r)
		return record_hint(r, false, e);
	return err_hint(e, "it is a trace; 'traceq help' lists what answers about traces");
}

enum status each_record_nothing(const struct query *q, const char *wanted, struct err *e)
{
	const struct run *run = NULL;
	enum status st;

	if (q->nrun)
		TRY(query_open(q, 0, &run, e));
	st = say_nothing(q, run, wanted, e);
	if (q->nrun)
		query_close(q, 0);
	return st;
}

enum status each_record(const struct query *q, struct result *out, each_record_fn *fn, void *ctx,
	const char *wanted, struct err *e)
{
	struct filter_set set = { 0 };
	struct each_record at = { .q = q, .out = out, .e = e, .set = &set };
	enum status st = filter_parse(&set, q->filter, e);
	size_t n = 0;

	if (st == OK)
		st = each_of(&at, fn, ctx, &n);
	filter_free(&set);
	TRY(st);
	return n ? OK : each_record_nothing(q, wanted, e);
}

struct table *each_record_table(const struct each_record *at, const struct table_doc *doc)
{
	struct table *t = result_table(at->out, doc->id, doc->title, doc->col, doc->ncol);

	t->input = at->input;
	return t;
}

enum status each_record_name(const struct each_record *at, struct span name, bool *yes)
{
	return filter_text(at->set, name, yes, at->e);
}
