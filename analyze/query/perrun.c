/*
 * One run after the other, through the filters.
 */
#include "analyze/query/perrun.h"

#include <string.h>

#include "analyze/trace/record.h"
#include "analyze/trace/run.h"

bool perrun_is_record(const struct perrun *at)
{
	return at->record && !at->run->has_trace;
}

static enum status answer_view(struct perrun *at, const struct perrun_how *how)
{
	if (!(how->needs & PERRUN_VIEW) &&
		(!(how->needs & PERRUN_TRACE_VIEW) || perrun_is_record(at)))
		return how->answer(at);
	TRY(filter_view_init(&at->view, at->set, at->run, &at->mem, at->e));
	TRY(how->answer(at));
	return at->view.status;
}

/* A run without a trace that has no answer is none for all, where there are others. */
static enum status excuse(const struct perrun *at, const struct perrun_how *how, size_t *excused)
{
	if (at->e->status != E_NODATA || at->q->nrun < 2 || at->run->has_trace ||
		how->needs & PERRUN_RECORD)
		return at->e->status;
	result_note(
		at->out, NOTE_WARNING, "no_answer", at->input, -1, "no answer: %s", at->e->text);
	++*excused;
	err_clear(at->e);
	return OK;
}

/* run: the first, or NULL. */
static enum status say_no_record(
	const struct query *q, const struct run *run, const char *wanted, struct err *e)
{
	const struct record *r = run ? run->record : NULL;

	if (q->nrun > 1)
		err_set(e, E_NODATA, -1, "none of the %zu inputs holds any %s", q->nrun, wanted);
	else
		err_set(e, E_NODATA, -1, "%s has no %s", run && run->path ? run->path : "it",
			wanted);
	if (r && (r->nartifact || !run->has_trace))
		return record_hint(r, run->has_trace, e);
	return err_hint(e, "it is a trace; 'traceq help' lists what answers about traces");
}

/* None of the files has what is wanted; says what kinds of files they are. */
static enum status no_record(const struct query *q, const char *wanted, struct err *e)
{
	const struct run *run = NULL;
	enum status st;

	if (q->nrun == 0)
		return say_no_record(q, NULL, wanted, e);
	TRY(query_open(q, 0, &run, e));
	st = say_no_record(q, run, wanted, e);
	query_close(q, 0);
	return st;
}

static enum status no_rank(const struct query *q, struct err *e)
{
	err_set(e, E_NODATA, -1, "no trace is of --rank '%s'", q->filter->rank);
	return err_hint(e, "the rank is distributedInfo.rank of the trace; 'traceq info' shows it");
}

/* How many runs there were, and how many have no answer. */
struct tried {
	size_t n, excused;
};

static enum status run_one(struct perrun *at, const struct perrun_how *how, struct tried *tried)
{
	enum status st;

	at->record = at->run->record;
	if (!filter_takes_run(at->set, at->run) || (how->needs & PERRUN_RECORD && !at->record))
		return OK;
	tried->n++;
	arena_init(&at->mem);
	st = answer_view(at, how);
	arena_clear(&at->mem);
	return st == OK ? OK : excuse(at, how, &tried->excused);
}

static enum status run_all(struct perrun *at, const struct perrun_how *how)
{
	size_t i, before = at->out->ntable;
	struct tried tried = { 0 };

	for (i = 0; i < at->q->nrun; i++) {
		enum status st;

		TRY(query_open(at->q, i, &at->run, at->e));
		at->input = (int)i;
		at->shared = at->q->shared ? at->q->shared[i] : NULL;
		st = run_one(at, how, &tried);
		query_close(at->q, i);
		TRY(st);
	}
	if (how->needs & PERRUN_RECORD)
		return at->out->ntable > before ? OK : no_record(at->q, how->wanted, at->e);
	if (tried.n == 0)
		return no_rank(at->q, at->e);
	if (tried.excused == tried.n)
		return err_set(
			at->e, E_NODATA, -1, "none of the %zu inputs has an answer", tried.n);
	return OK;
}

enum status perrun_all(const struct query *q, const struct perrun_how *how, void *ctx,
	struct result *out, struct err *e)
{
	struct filter_set set = { 0 };
	struct perrun at = { .q = q, .out = out, .e = e, .ctx = ctx, .set = &set };
	enum status st = filter_parse(&set, q->filter, e);

	if (st == OK)
		st = run_all(&at, how);
	filter_free(&set);
	return st;
}

struct table *perrun_table(const struct perrun *at, const struct table_doc *doc)
{
	struct table *t = result_table(at->out, doc->id, doc->title, doc->col, doc->ncol);

	t->input = at->input;
	return t;
}

struct table *perrun_table_seen(
	const struct perrun *at, const struct table_doc *doc, uint64_t visible)
{
	struct column *col = arena_array(&at->out->mem, doc->ncol, sizeof(*col));
	struct table_doc seen = *doc;
	size_t i;

	memcpy(col, doc->col, doc->ncol * sizeof(*col));
	for (i = 0; i < doc->ncol; i++) {
		col[i].flags &= ~(unsigned)COLUMN_HIDDEN;
		if (!(visible >> i & 1))
			col[i].flags |= COLUMN_HIDDEN;
	}
	seen.col = col;
	return perrun_table(at, &seen);
}

struct table *lazy_table(struct lazy_table *l)
{
	if (!l->t)
		l->t = perrun_table(l->at, l->doc);
	return l->t;
}
