/* Answering what was asked: on several threads, what several asks need made once. */
#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/shared.h"
#include "base/parallel.h"
#include "cmd/clock.h"
#include "cmd/inquiry.h"

enum inquiry_form inquiry_form_of(const struct inquiry *g, const struct inquiry_ask *a)
{
	if (a->analysis->sides.wants_history && a->analysis->sides.wants_history(a->opts))
		return INQUIRY_HISTORY;
	if (a->analysis->sides.max == 1 && !g->is_alone)
		return INQUIRY_JOB;
	return a->analysis->sides.max > 0 ? INQUIRY_SIDES : INQUIRY_RUNS;
}

static enum status check_inputs(const struct inquiry *g, struct inquiry_ask *a)
{
	const enum inquiry_form form = inquiry_form_of(g, a);
	const char *why = form == INQUIRY_HISTORY ? g->history_why
		: form == INQUIRY_JOB             ? g->job_why
						  : g->sides_why;

	if (form != INQUIRY_RUNS)
		return why ? err_set(&a->err, E_NODATA, -1, "%s", why) : OK;
	if (g->is_history_only)
		return err_set(&a->err, E_NODATA, -1, "a history of runs, no run");
	if (a->nrun == 0)
		return load_want_trace(g->inputs.run[0], &a->err);
	if (a->analysis->runs.max && a->nrun > a->analysis->runs.max)
		return err_set(&a->err, E_NODATA, -1, "%s takes %u run%s at a time",
			a->analysis->name, a->analysis->runs.max, plural_s(a->analysis->runs.max));
	return OK;
}

void inquiry_note_odd(struct inquiry_ask *a, const struct run *run, int input)
{
	notes_add_tally(&a->odd, &run->tally, input);
	notes_add_record(&a->odd, run, input);
}

/* Inputs that are waiting: loaded for their part of the answer, which is then all that is kept. */
struct waiting_inputs {
	struct inquiry *g;
	struct inquiry_ask *a;
	size_t ntried; /* what is odd about them is said once, however often they are opened */
};

static enum status open_run(void *ctx, size_t i, const struct run **run, struct err *e)
{
	struct waiting_inputs *w = ctx;
	enum status st = inputs_open(&w->g->inputs, i, run, e);

	if (st != OK) {
		if (i >= w->ntried)
			inputs_miss(&w->g->inputs, i, e);
		inputs_close(&w->g->inputs);
		err_clear(e);
		*run = NULL;
	} else if (i >= w->ntried) {
		inquiry_note_odd(w->a, *run, (int)i);
	}
	w->ntried = i < w->ntried ? w->ntried : i + 1;
	return OK;
}

static void close_run(void *ctx, size_t i UNUSED)
{
	struct waiting_inputs *w = ctx;

	result_pack(&w->a->result);
	inputs_close(&w->g->inputs);
}

/* Of several asks the first that judges carries the job that the runs are ranks of; where none
 * does, the first that can.  Who says more of a job than its figures needs it, too. */
static bool carries_job(const struct inquiry *g, const struct inquiry_ask *a)
{
	const struct folds *own = a->analysis->per_run.folds;
	size_t first = FIRST(i, g->nask,
		g->ask[i].analysis->per_run.folds && g->ask[i].analysis->per_run.folds->is_verdict);

	if (first == g->nask)
		first = FIRST(i, g->nask, g->ask[i].analysis->per_run.folds);
	return own && (own->put || (first < g->nask && &g->ask[first] == a));
}

void inquiry_list_left(const struct inquiry *g, struct result *out)
{
	inputs_list(&g->inputs, out);
	if (g->absent)
		result_note(out, NOTE_WARNING, "ranks_missing", -1, -1, "%s", g->absent);
}

/* Of several answers each has threads of its own: at the end one alone would be worked on. */
static unsigned threads_of(const struct inquiry *g)
{
	unsigned all = parallel_cores((unsigned)g->read.threads);

	return g->is_alone ? all : MIN(all, MAX(all / (unsigned)g->nask, 2u));
}

static void answer_one(struct inquiry *g, struct inquiry_ask *a)
{
	struct waiting_inputs waiting = { g, a, 0 };
	const struct run_source source = { open_run, close_run, &waiting };
	const bool is_history = g->is_alone || inquiry_form_of(g, a) == INQUIRY_HISTORY;
	const struct sides *sides = inquiry_form_of(g, a) == INQUIRY_JOB ? &g->job : &g->sides;
	const struct query q = {
		.run = a->run,
		.source = g->inputs.is_waiting ? &source : NULL,
		.nrun = a->nrun,
		.shared = g->is_alone ? NULL : a->shared,
		.findings = analysis_find(g->all, "diagnose"),
		.logs = analysis_find(g->all, "metrics"),
		.side = sides->side,
		.nside = sides->nside,
		.history = g->has_history && is_history ? &g->history : NULL,
		.filter = &g->filter,
		.opts = a->opts,
		.layout = g->layout,
		.for_people = g->for_people,
		.is_per_run = g->is_per_run || (!g->is_alone && !carries_job(g, a)),
		/* No chart and no section shows those of top and kernels. */
		.no_quantiles = !g->is_alone,
		.no_rows = a->is_whole,
		.threads = threads_of(g),
		.settings = a->analysis->options.setting ? &g->config.settings : NULL,
		.now_s = clock_now(),
		.missing = g->missing,
	};

	a->status = g->is_alone ? OK : check_inputs(g, a);
	if (a->status == OK)
		a->status = analysis_answer(a->analysis, &q, &a->result, &a->exit_code, &a->err);
	inquiry_list_left(g, &a->odd);
	if (a->analysis->runs.takes_exectrace)
		exectraces_list(&g->exectraces, &a->odd);
	result_notes_before(&a->result, &a->odd);
}

/* What asks take from what is shared, of each run that has it. */
void inquiry_share(struct inquiry *g)
{
	const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS;
	unsigned parts = 0;

	g->shared = arena_array(&g->mem, g->inputs.n, sizeof(struct shared *));
	for (size_t i = 0; i < g->nask && !g->is_alone; i++)
		parts |= g->ask[i].is_whole ? 0 : g->ask[i].analysis->shares;
	for (size_t i = 0; i < g->inputs.n && parts; i++) {
		const struct run *r = g->inputs.run[i];

		if (r->has_trace && (r->built & needs) == needs)
			g->shared[i] = shared_new(r, &g->filter, parts);
	}
}

/* What is to be done: the parts that are shared, an ask that needs none of them while they are
 * made, then the heavier asks before the lighter ones, so that no thread is left with much at the
 * end.  All at the same time, from the same runs, which nobody changes. */
struct work {
	struct inquiry *g;
	struct inquiry_ask **ask; /* in that order */
};

static void work_one(void *ctx, size_t i)
{
	const struct work *w = ctx;
	struct inquiry *g = w->g;
	size_t nparts = g->inputs.n * SHARED_COUNT;

	if (i >= nparts)
		answer_one(g, w->ask[i - nparts]);
	else if (g->shared[i % g->inputs.n])
		shared_make(g->shared[i % g->inputs.n], (enum shared_part)(i / g->inputs.n));
}

/* Moves ask[from] to ask[to], in front of it. */
static void move(struct inquiry_ask **ask, size_t from, size_t to)
{
	struct inquiry_ask *a = ask[from];

	for (; from > to; from--)
		ask[from] = ask[from - 1];
	ask[to] = a;
}

static void sort_asks(struct inquiry_ask **ask, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t to = i;

		while (to > 0 && ask[to - 1]->analysis->weight < ask[i]->analysis->weight)
			to--;
		move(ask, i, to);
	}
	size_t alone = FIRST(i, n, !ask[i]->analysis->shares);
	if (alone < n)
		move(ask, alone, 0);
}

void inquiry_answer(struct inquiry *g)
{
	for (size_t i = 0; i < g->nask && g->is_alone; i++)
		answer_one(g, &g->ask[i]);
	if (!g->is_alone) {
		size_t rows = SUM(size_t, i, g->inputs.n, g->inputs.run[i]->events.n);
		unsigned threads = parallel_threads((unsigned)g->read.threads, rows * g->nask);
		struct work w = { g, arena_array(&g->mem, g->nask, sizeof(struct inquiry_ask *)) };
		for (size_t i = 0; i < g->nask; i++)
			w.ask[i] = &g->ask[i];
		sort_asks(w.ask, g->nask);
		parallel_run(g->inputs.n * SHARED_COUNT + g->nask, threads, work_one, &w);
	}
	inputs_stop(&g->inputs);
}
