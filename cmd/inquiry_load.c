/* Loading what is asked about: as runs, as sides of a comparison, as a history. */
#include <assert.h>
#include <errno.h>
#include <sys/stat.h>

#include "analyze/input/load_kept.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/trace/links/etjoin.h"
#include "cmd/inquiry.h"
#include "cmd/load/load_history.h"

static unsigned needs_of(const struct inquiry *g)
{
	unsigned needs = 0;

	assert(g->ask || g->nask == 0);
	for (EACH(const struct inquiry_ask, ask, g->ask, g->nask)) {
		const struct analysis *a = ask->analysis;

		needs |= a->runs.needs;
		if (a->runs.needs_more)
			needs |= a->runs.needs_more(ask->opts, &g->filter);
	}
	return needs;
}

/* What their job is told by, where the paths may be ranks of one. */
static unsigned job_needs(const struct inquiry *g)
{
	if (g->is_per_run || (g->npath == 1 && !folder_is(g->path[0])))
		return 0;
	return FIND_VALUE(i, g->nask, g->ask[i].analysis->per_run.folds, jobpage_needs(), 0);
}

/* Before the runs that they name the replays of. */
static enum status load_captures(struct inquiry *g, const char **where, struct err *e)
{
	if (g->capture.n == 0)
		return OK;
	return captures_load(
		&g->captures, &g->capture, needs_of(g), &g->read, g->is_quiet, where, e);
}

/* Before the runs, too: those that are named, else those beside the runs where one is asked of. */
static enum status load_exectraces(struct inquiry *g, const char **where, struct err *e)
{
	if (g->exectrace.n > 0)
		return exectraces_load(&g->exectraces, &g->exectrace, where, e);
	for (size_t i = 0; i < g->nask; i++)
		if (g->ask[i].analysis->runs.takes_exectrace) {
			exectraces_find(&g->exectraces, g->path, g->npath);
			return OK;
		}
	return OK;
}

static enum status load_runs(struct inquiry *g, const char **where, struct err *e)
{
	const struct analysis *a = g->is_alone ? g->ask[0].analysis : NULL;
	const unsigned own = needs_of(g), needs = own | job_needs(g);
	/* What an export keeps of a job is of all its steps. */
	const unsigned of_job = g->filter.steps || g->filter.comm ? 0 : needs & ~own;
	const char *comm = g->filter.comm;
	struct inputs_want want = { .needs = needs,
		.job_needs = of_job,
		.comm = comm,
		.folder = FOLDER_RANKS,
		.first = g->first,
		.nfirst = g->nfirst,
		.is_of_events = needs != 0,
		.takes_records = true };

	if (a)
		want = (struct inputs_want){ .needs = needs,
			.job_needs = of_job,
			.comm = comm,
			.folder = a->runs.max == 1 ? FOLDER_AS_ONE : FOLDER_EACH_RUN,
			.is_of_events = a->runs.needs != 0,
			.is_of_folders = a->runs.is_of_folders,
			.takes_records = a->runs.takes_records,
			.takes_missing = a->runs.takes_missing,
			.is_one_by_one = a->runs.is_one_by_one && g->nask == 1,
			.goes_on = true };
	TRY(load_captures(g, where, e));
	if (g->captures.n > 0) {
		want.needs |= CAPTURED_NEEDS;
		want.captured = g->captures.v;
		want.ncaptured = g->captures.n;
	}
	TRY(load_exectraces(g, where, e));
	if (g->exectraces.n > 0) {
		want.needs |= ETJOIN_NEEDS;
		want.exectrace = g->exectraces.v;
		want.nexectrace = g->exectraces.n;
	}
	TRY(inputs_load(&g->inputs, &want, &g->read, g->is_quiet, g->path, g->npath, where, e));
	*where = NULL;
	return OK;
}

/* The first ask that takes the paths for that; NULL: there is none. */
static const struct inquiry_ask *find_ask(const struct inquiry *g, enum inquiry_form form)
{
	return FIND(i, g->ask, g->nask, inquiry_form_of(g, &g->ask[i]) == form);
}

static enum status load_sides(struct inquiry *g, const struct inquiry_ask *a, struct sides *to,
	const struct operands *operands, const char **where, struct err *e)
{
	struct sides_options how = {
		.digest.filter = &g->filter,
		.threads = (unsigned)g->read.threads,
		.is_strict = g->read.is_strict,
		.is_quiet = g->is_quiet,
		/* of what is held against a base that is there */
		.takes_broken = a->analysis->sides.takes_broken && operands->n + g->has_history > 1,
	};

	for (size_t i = 0; i < g->operands.n; i++)
		g->operands.side[i].npath = load_kept_join(
			g->operands.side[i].path, g->operands.side[i].npath, &g->mem);
	a->analysis->sides.digest_options(a->opts, &how.digest);
	return sides_read(to, operands, &how, where, e);
}

static enum status load_history(struct inquiry *g, struct err *e)
{
	if (g->npath != 1)
		return err_set(e, E_USAGE, -1, "a history is one store or CSV file");
	g->has_history = true;
	return history_load(&g->history, g->path[0], g->is_quiet, e);
}

/* What the paths are runs for.  A history is none, and what holds a run is no history; a store is
 * one, whatever else can be read from it. */
static enum status load_runs_or_history(struct inquiry *g, const char **where, struct err *e)
{
	enum status st = load_runs(g, where, e);

	if (!g->has_history || g->history_why)
		return st;
	if (st == OK && !history_is_at(g->path[0])) {
		g->history_why =
			"it is read as a run; 'traceq plot history' takes its rows as runs";
		return OK;
	}
	g->is_history_only = true;
	*where = NULL;
	err_clear(e);
	return OK;
}

/* A base may be missing.  What is to be judged may not. */
static enum status check_judged(const struct operands *o, const char **where, struct err *e)
{
	struct stat st;

	for (size_t i = 1; i < o->n; i++)
		for (size_t k = 0; k < o->side[i].npath; k++) {
			*where = o->side[i].path[k];
			if (strcmp(*where, "-") == 0 || folder_is(*where))
				continue;
			if (stat(*where, &st) != 0)
				return err_set(e, E_IO, -1, "cannot open: %s", strerror(errno));
		}
	*where = NULL;
	return OK;
}

/* The paths are what the analysis takes, or that is the answer. */
static enum status load_alone(struct inquiry *g, const char **where, struct err *e)
{
	const struct inquiry_ask *a = &g->ask[0];

	if (g->missing != MISSING_NOTHING)
		return check_judged(&g->operands, where, e);
	if (a->analysis->sides.wants_history) {
		TRY(history_take(&g->operands, a->analysis->sides.wants_history(a->opts),
			&g->history, &g->has_history, g->is_quiet, e));
		if (g->has_history && g->operands.n == 0)
			return OK;
	}
	return a->analysis->sides.max > 0 ? load_sides(g, a, &g->sides, &g->operands, where, e)
					  : load_runs(g, where, e);
}

/* All paths as the traces of one job; a run alone, which is read as a run, is none. */
static enum status load_job(struct inquiry *g, const struct inquiry_ask *a, bool has_runs,
	const char **where, struct err *e)
{
	struct operands operands = { 0 };
	enum status st = OK;

	if (has_runs && g->inputs.n < 2) {
		g->job_why = "one rank alone: whom it waits for is in others' traces";
		return OK;
	}
	st = operands_split(&operands, g->path, g->npath, a->analysis->sides.min,
		a->analysis->sides.max, &g->mem, e);
	THEN(st, load_sides(g, a, &g->job, &operands, where, e));
	if (st == OK)
		return OK;
	g->job_why = arena_copy(&g->mem, e->text, strlen(e->text));
	if (!has_runs)
		return st;
	*where = NULL;
	err_clear(e);
	return OK;
}

/* Where something else was asked for, too, it is no failure that the paths are no sides or no
 * history. */
static enum status load_gathered(struct inquiry *g, const char **where, struct err *e)
{
	const struct inquiry_ask *a = find_ask(g, INQUIRY_SIDES);
	enum status st = OK;

	TRY(operands_count(g->npath, OPERANDS_TOGETHER_MAX, e));
	if (g->capture.n > 0 && !find_ask(g, INQUIRY_RUNS))
		return err_set(e, E_USAGE, -1,
			"--capture names the kernels of runs, and nothing here is asked of a run");
	if (find_ask(g, INQUIRY_HISTORY)) {
		st = load_history(g, e);
		if (st != OK)
			g->history_why = arena_copy(&g->mem, e->text, strlen(e->text));
	}
	if (a) {
		st = operands_split(&g->operands, g->path, g->npath, a->analysis->sides.min,
			a->analysis->sides.max, &g->mem, e);
		THEN(st, load_sides(g, a, &g->sides, &g->operands, where, e));
		if (st != OK)
			g->sides_why = arena_copy(&g->mem, e->text, strlen(e->text));
	}
	if (find_ask(g, INQUIRY_RUNS))
		st = load_runs_or_history(g, where, e);
	const struct inquiry_ask *job = find_ask(g, INQUIRY_JOB);
	return job && st == OK ? load_job(g, job, find_ask(g, INQUIRY_RUNS), where, e) : st;
}

enum status inquiry_load(struct inquiry *g, const char **where, struct err *e)
{
	/* Digests are the traces they are of, in whichever files they lie. */
	if (!find_ask(g, INQUIRY_SIDES))
		g->npath = load_kept_join(g->path, g->npath, &g->mem);
	*where = NULL;
	return g->is_alone ? load_alone(g, where, e) : load_gathered(g, where, e);
}
