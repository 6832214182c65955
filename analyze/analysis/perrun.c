/* One run after the other, through the filters. */
#include "analyze/analysis/perrun.h"

#include "analyze/analysis/notes.h"
#include "analyze/analysis/pages.h"
#include "analyze/analysis/shared.h"
#include "analyze/analysis/together.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run_steps.h"

enum { RANKS_NAMED = 32 }; /* in an error */

bool perrun_is_record(const struct perrun *at)
{
	return at->record && !at->run->has_trace;
}

/* How many runs there were, how many have no answer, and what else is said then. */
struct tried {
	size_t unread;
	size_t n, excused, missed; /* missed: excused, as the filters take nothing of them */
	struct err first;          /* of the missed */
	int64_t rank[RANKS_NAMED]; /* of runs that --rank leaves out */
	size_t nrank;
};

static enum status answer_view(struct perrun *at, const struct perrun_how *how, struct tried *tried)
{
	notes_add_replay(at->out, at->run->replay, at->input);
	if (!(how->needs & PERRUN_VIEW) &&
		(!(how->needs & PERRUN_TRACE_VIEW) || perrun_is_record(at)))
		return how->answer(at);
	enum status st = filter_view_init(&at->view, at->set, at->run, &at->mem, at->e);
	if (st == E_NODATA && tried->missed++ == 0)
		tried->first = *at->e;
	TRY(st);
	TRY(how->answer(at));
	return at->view.status;
}

/* One of several runs that has no answer is none for all: without a trace, or left by filters. */
static enum status excuse(
	const struct perrun *at, const struct perrun_how *how, struct tried *tried, bool is_missed)
{
	if (at->e->status != E_NODATA || at->q->nrun < 2 ||
		(!is_missed && (at->run->has_trace || how->needs & PERRUN_RECORD)))
		return at->e->status;
	result_note(at->out, is_missed ? NOTE_INFO : NOTE_WARNING, "no_answer", at->input, -1,
		"no answer: %s", at->e->text);
	tried->excused++;
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

	if (q->nrun == 0)
		return say_no_record(q, NULL, wanted, e);
	TRY(query_open(q, 0, &run, e));
	enum status st = say_no_record(q, run, wanted, e);
	query_close(q, 0);
	return st;
}

ORDER(by_number, int64_t, compare3(*a, *b))

static enum status no_rank(const struct query *q, struct tried *t, struct err *e)
{
	SCOPED_STR text = { 0 };

	(void)err_set(e, E_NODATA, -1, "--rank '%s' matches no trace", q->filter->rank);
	qsort(t->rank, t->nrank, sizeof(*t->rank), by_number);
	for (size_t i = 0; i < t->nrank; i++)
		if (t->rank[i] >= 0 && (i == 0 || t->rank[i] != t->rank[i - 1]))
			str_addf(&text, "%s%" PRId64, text.n ? ", " : "", t->rank[i]);
	if (text.n)
		(void)err_hint(e, "there %s %s%s", strchr(text.s, ',') ? "are ranks" : "is rank",
			text.s, t->nrank == RANKS_NAMED ? " and others" : "");
	else
		(void)err_hint(
			e, "the rank is distributedInfo.rank of the trace; 'traceq info' shows it");
	return E_NODATA;
}

static enum status run_one(struct perrun *at, const struct perrun_how *how, struct tried *tried)
{
	size_t missed = tried->missed;

	at->record = at->run->record;
	if (how->needs & PERRUN_RECORD && !at->record)
		return OK;
	if (!filter_takes_run(at->set, at->run)) {
		if (tried->nrank < RANKS_NAMED)
			tried->rank[tried->nrank++] = at->run->meta.rank;
		return OK;
	}
	tried->n++;
	arena_init(&at->mem);
	/* Of a run that is read from a digest; what is about its other files goes by these. */
	bool is_kept = at->run->kept && !(how->needs & PERRUN_RECORD && at->record->nartifact > 0);
	enum status st = is_kept ? pages_answer(at->q, at->run, at->input, at->out, at->e)
				 : answer_view(at, how, tried);
	if (st == OK && at->run->kept && at->record && how->beside)
		how->beside(at);
	arena_clear(&at->mem);
	return st == OK ? OK : excuse(at, how, tried, tried->missed > missed);
}

/* What is shared of the run: among several answers, else between the answer and the job's page,
 * which is returned. */
static struct shared *begin_sharing(struct perrun *at, const struct together *g)
{
	struct shared *own = NULL;

	at->shared = at->q->shared ? at->q->shared[at->input] : NULL;
	if (!at->shared && g && g->has_job && filter_takes_run(at->set, at->run))
		at->shared = own = jobpage_share(at->run, at->q->filter);
	return own;
}

/* The runs from..to of the query. */
static enum status run_some(
	struct perrun *at, const struct perrun_how *how, struct together *g, size_t from, size_t to)
{
	size_t before = at->out->ntable;
	struct tried tried = { 0 };

	for (size_t i = from; i < to; i++) {
		size_t ntable = at->out->ntable, nnote = at->out->nnote;
		size_t answered = tried.n - tried.excused;

		TRY(query_open(at->q, i, &at->run, at->e));
		if (!at->run) {
			tried.unread++;
			continue;
		}
		at->input = (int)i;
		struct shared *own = begin_sharing(at, g);
		enum status st = run_one(at, how, &tried);
		if (st == OK && g && tried.n - tried.excused > answered)
			together_take(g, at->run, at->shared, at->input, ntable, nnote);
		shared_free(own);
		query_close(at->q, i);
		TRY(st);
	}
	if (tried.unread && tried.unread == at->q->nrun)
		return err_set(
			at->e, E_NODATA, -1, "none of the %zu inputs can be read", tried.unread);
	if (how->needs & PERRUN_RECORD)
		return at->out->ntable > before ? OK : no_record(at->q, how->wanted, at->e);
	if (tried.n == 0)
		return no_rank(at->q, &tried, at->e);
	if (tried.missed == tried.n) {
		*at->e = tried.first;
		if (tried.n > 1)
			(void)err_hint(at->e, "so in all %zu inputs; the first: %s", tried.n,
				tried.first.hint);
		return at->e->status;
	}
	if (tried.excused == tried.n)
		return err_set(
			at->e, E_NODATA, -1, "none of the %zu inputs has an answer", tried.n);
	return OK;
}

static enum status run_all(struct perrun *at, const struct perrun_how *how, struct together *g)
{
	return run_some(at, how, g, 0, at->q->nrun);
}

/* Takes back what was noted about an input, or about all of them (-1), from the note on. */
static void drop_notes(struct result *r, size_t from, int input)
{
	size_t n = from;

	for (size_t i = from; i < r->nnote; i++)
		if (input >= 0 && r->note[i].input != input)
			r->note[n++] = r->note[i];
	r->nnote = n;
}

/* Pages after all: only one of the runs has an answer, or they are no job. */
static enum status run_pages(
	struct perrun *at, const struct perrun_how *how, const struct together *g, size_t nnote)
{
	size_t only = (size_t)g->input;

	drop_notes(at->out, nnote, g->nrun == 1 ? g->input : -1);
	return g->nrun == 1 ? run_some(at, how, NULL, only, only + 1) : run_all(at, how, NULL);
}

/* What all are in is made of what machines get: all rows and columns, in base units. */
static enum status run_together(struct perrun *at, const struct perrun_how *how, struct together *g)
{
	const struct query *asked = at->q;
	struct query q = *asked;
	size_t nnote = at->out->nnote;

	q.is_folded = asked->for_people && g->has_job;
	q.no_quantiles |= asked->for_people;
	q.for_people = false;
	at->q = &q;
	g->ctx = at->ctx;
	enum status st = run_all(at, how, g);
	at->q = asked;
	if (st == OK && asked->for_people && g->nrun == 1)
		return run_pages(at, how, g, nnote);
	if (st == OK && !together_put(g) && asked->for_people)
		return run_pages(at, how, g, nnote);
	return st;
}

enum status perrun_all(const struct query *q, const struct perrun_how *how, void *ctx,
	struct result *out, struct err *e)
{
	struct filter_set set = { 0 };
	struct perrun at = { .q = q, .out = out, .e = e, .ctx = ctx, .set = &set };
	enum status st = filter_parse(&set, q->filter, e);
	struct together g;

	if (st == OK && together_init(&g, q, how, out)) {
		st = run_together(&at, how, &g);
		together_clear(&g);
	} else if (st == OK) {
		st = run_all(&at, how, NULL);
	}
	filter_free(&set);
	return st;
}

/* What titles are called where nothing marks steps, and the run counts as one; NULL: as it is. */
static const char *title_of_run(const char *title)
{
	static const struct {
		const char *of_steps, *of_run;
	} words[] = {
		{ "step", "run" },
		{ "mean step", "run" },
		{ "per step", "in all" },
		{ "exposed per step", "exposed" },
		{ "launches per step", "launches" },
		{ "where a step goes", "where the run goes" },
		{ "where the steps go, by GPU", "where the run goes, by GPU" },
		{ "the average step by role", "the run by role" },
	};

	return FIND_VALUE(i, title ? COUNT_OF(words) : 0, strcmp(title, words[i].of_steps) == 0,
		words[i].of_run, NULL);
}

struct table *perrun_table(const struct perrun *at, const struct table_doc *doc)
{
	struct table *t = result_table_of(at->out, doc);

	t->input = at->input;
	/* Columns are copied only where one is called otherwise: a report has many tables. */
	if (at->run && at->run->steps && at->run->steps->source == STEPS_WHOLE) {
		const char *title = title_of_run(t->title);
		struct column *own = NULL;
		t->title = title ? title : t->title;
		for (size_t i = 0; i < t->ncol; i++) {
			const struct column *col = &t->col[i];
			/* Numbers of steps and slopes are of steps in any case. */
			bool is_sum = col->unit == UNIT_NS ||
				(col->unit != UNIT_BYTES && strcmp(col->title, "step") != 0);
			const char *of_run = is_sum ? title_of_run(col->title) : NULL;

			if (!of_run)
				continue;
			if (!own) {
				own = arena_array(t->mem, t->ncol, sizeof(*own));
				memcpy(own, t->col, t->ncol * sizeof(*own));
				t->col = own;
			}
			own[i].title = of_run;
		}
	}
	return t;
}

struct table *perrun_table_seen(
	const struct perrun *at, const struct table_doc *doc, uint64_t visible)
{
	struct column *col = arena_array(&at->out->mem, doc->ncol, sizeof(*col));
	struct table_doc seen = *doc;

	memcpy(col, doc->col, doc->ncol * sizeof(*col));
	for (size_t i = 0; i < doc->ncol; i++) {
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
