/*
 * Asks gathered, inputs loaded once with the union of what they need, answers kept side by side.
 */
#include "cmd/inquiry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/analysis.h"
#include "analyze/input/load.h"
#include "analyze/notes.h"
#include "analyze/store/run.h"
#include "base/opt.h"
#include "base/parallel.h"
#include "cmd/history.h"
#include "cmd/progress.h"
#include "cmd/say.h"

enum { ASK_WORDS_MAX = 8 };

size_t inquiry_groups(struct opt_group *group, struct inquiry *g, struct help_options *help)
{
	struct opt_group common[COMMON_GROUPS];

	(void)options_common(common, NULL);
	group[0] = common[0];
	group[1] = (struct opt_group){ CONFIG_TITLE, config_opts, CONFIG_OPTS, NULL };
	group[2] = common[2];
	group[3] = options_help;
	if (g) {
		group[0].into = &g->filter;
		group[1].into = &g->config_options;
		group[2].into = &g->read;
		group[3].into = help;
	}
	return INQUIRY_GROUPS;
}

void inquiry_init(struct inquiry *g)
{
	*g = (struct inquiry){ 0 };
	arena_init(&g->mem);
}

void inquiry_clear(struct inquiry *g)
{
	size_t i;

	for (i = 0; i < g->nask; i++) {
		const struct inquiry_ask *a = &g->ask[i];
		const struct opt_group own = { "Options", a->analysis->opt, a->analysis->nopt,
			a->opts };

		opt_free_lists(&own, 1);
		result_clear(&g->ask[i].result);
	}
	for (i = 0; i < g->nrun; i++)
		run_clear(&g->run[i]);
	sides_clear(&g->sides);
	if (g->has_history)
		history_clear(&g->history);
	config_clear(&g->config);
	free(g->path);
	free(g->ask);
	arena_clear(&g->mem);
	*g = (struct inquiry){ 0 };
}

/* "memory --points=4000" into its words; the text is copied. */
static int split(struct arena *mem, const char *text, char **word)
{
	char *p = arena_copy(mem, text, strlen(text));
	int n = 0;

	while (*p && n < ASK_WORDS_MAX) {
		word[n++] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = '\0';
	}
	return n;
}

void inquiry_ask(struct inquiry *g, const char *text)
{
	char *word[ASK_WORDS_MAX + 1] = { NULL };
	struct inquiry_ask *a;
	struct opt_group own;
	const char **operand;
	size_t noperand, i;
	struct err e;
	int n;

	for (i = 0; i < g->nask; i++)
		if (strcmp(g->ask[i].text, text) == 0)
			return;
	g->ask = array_grow(g->ask, &g->cap, g->nask + 1, sizeof(*g->ask));
	a = &g->ask[g->nask++];
	n = split(&g->mem, text, word);
	*a = (struct inquiry_ask){ .text = text, .analysis = analysis_find(word[0]) };
	assert(a->analysis);
	a->opts = arena_alloc(&g->mem, a->analysis->opts_size);
	if (a->analysis->set_defaults)
		a->analysis->set_defaults(a->opts);
	own = (struct opt_group){ "Options", a->analysis->opt, a->analysis->nopt, a->opts };
	n = opt_parse(&own, 1, n, word, &operand, &noperand, &e) == OK && noperand == 0;
	assert(n);
	free(operand);
	result_init(&a->result, arena_printf(&g->mem, "traceq.%s/1", a->analysis->name));
}

static unsigned needs_of(const struct inquiry *g)
{
	unsigned needs = 0;
	size_t i;

	for (i = 0; i < g->nask; i++) {
		const struct analysis *a = g->ask[i].analysis;

		needs |= a->needs;
		if (a->needs_more)
			needs |= a->needs_more(g->ask[i].opts, &g->filter);
	}
	return needs;
}

static enum status load_one(struct inquiry *g, const char *path, struct err *e)
{
	struct progress progress;
	const struct load_options o = {
		.needs = needs_of(g),
		.threads = (unsigned)g->read.threads,
		.strict = g->read.is_strict,
		.progress = progress_tick,
		.progress_ctx = &progress,
	};
	enum status st;

	progress_begin(&progress, path, g->is_quiet);
	st = load_path(path, &o, &g->run[g->nrun], e);
	progress_end(&progress);
	if (st != OK)
		return st;
	g->run_list[g->nrun] = &g->run[g->nrun];
	g->nrun++;
	return OK;
}

static enum status load_runs(struct inquiry *g, const char **where, struct err *e)
{
	size_t i;

	g->run = arena_array(&g->mem, g->npath, sizeof(*g->run));
	g->run_list = arena_array(&g->mem, g->npath, sizeof(*g->run_list));
	for (i = 0; i < g->npath; i++) {
		*where = g->path[i];
		TRY(load_one(g, g->path[i], e));
	}
	*where = NULL;
	return OK;
}

/* What an analysis takes the paths for. */
enum form { RUNS, SIDES, HISTORY };

static enum form form_of(const struct inquiry_ask *a)
{
	if (a->analysis->wants_history && a->analysis->wants_history(a->opts))
		return HISTORY;
	return a->analysis->max_sides > 0 ? SIDES : RUNS;
}

/* The first ask that takes the paths for that; NULL: there is none. */
static const struct inquiry_ask *find_ask(const struct inquiry *g, enum form form)
{
	size_t i;

	for (i = 0; i < g->nask; i++)
		if (form_of(&g->ask[i]) == form)
			return &g->ask[i];
	return NULL;
}

static enum status load_sides(struct inquiry *g, const char **where, struct err *e)
{
	const struct inquiry_ask *a = find_ask(g, SIDES);
	struct sides_options how = {
		.digest.filter = &g->filter,
		.threads = (unsigned)g->read.threads,
		.is_strict = g->read.is_strict,
		.is_quiet = g->is_quiet,
		.written = &g->written,
		.nwritten = 1,
	};

	a->analysis->digest_options(a->opts, &how.digest);
	TRY(operands_split(&g->operands, g->path, g->npath, a->analysis->min_sides,
		a->analysis->max_sides, &g->mem, e));
	return sides_read(&g->sides, &g->operands, &how, where, e);
}

static enum status load_history(struct inquiry *g, struct err *e)
{
	if (g->npath != 1)
		return err_set(e, E_USAGE, -1, "a history is one store or CSV file");
	g->has_history = true;
	return history_load(&g->history, g->path[0], g->is_quiet, e);
}

/*
 * Where something else was asked for, too, it is no failure that the paths are no sides or no
 * history.
 */
static enum status load_all(struct inquiry *g, const char **where, struct err *e)
{
	enum status st = OK;

	*where = NULL;
	TRY(config_read(&g->config, g->config_options.path, e));
	if (find_ask(g, HISTORY)) {
		st = load_history(g, e);
		if (st != OK)
			g->history_why = arena_copy(&g->mem, e->text, strlen(e->text));
	}
	if (find_ask(g, SIDES)) {
		st = load_sides(g, where, e);
		if (st != OK)
			g->sides_why = arena_copy(&g->mem, e->text, strlen(e->text));
	}
	return find_ask(g, RUNS) ? load_runs(g, where, e) : st;
}

/* Inputs and notes of an answer about sides. */
static void list_sides(struct inquiry *g, struct inquiry_ask *a)
{
	size_t i;

	for (i = 0; i < g->sides.nfile; i++)
		if (g->sides.file[i].digest)
			notes_add_tally(&a->result, &g->sides.file[i].digest->tally,
				result_input(&a->result, g->sides.file[i].placed.path));
}

/* The runs an analysis can look at become inputs of its answer. */
static void list_runs(struct inquiry *g, struct inquiry_ask *a)
{
	size_t i;

	a->run = arena_array(&g->mem, g->nrun, sizeof(*a->run));
	for (i = 0; i < g->nrun; i++) {
		int input;

		if (!a->analysis->takes_records && !g->run[i].has_trace)
			continue;
		input = result_input(&a->result, g->path[i]);
		notes_add_tally(&a->result, &g->run[i].tally, input);
		notes_add_record(&a->result, &g->run[i], input);
		a->run[a->nrun++] = &g->run[i];
	}
}

static enum status check_inputs(const struct inquiry *g, struct inquiry_ask *a)
{
	const char *why = form_of(a) == HISTORY ? g->history_why : g->sides_why;

	if (form_of(a) != RUNS)
		return why ? err_set(&a->err, E_NODATA, -1, "%s", why) : OK;
	if (a->nrun == 0)
		return load_want_trace(&g->run[0], &a->err);
	if (a->analysis->max_runs && a->nrun > a->analysis->max_runs)
		return err_set(&a->err, E_NODATA, -1, "%s takes %u run%s at a time",
			a->analysis->name, a->analysis->max_runs,
			a->analysis->max_runs == 1 ? "" : "s");
	return OK;
}

/* One ask; others are answered at the same time, from the same runs, which nobody changes. */
static void answer_one(void *ctx, size_t i)
{
	struct inquiry *g = ctx;
	struct inquiry_ask *a = &g->ask[i];
	const struct query q = {
		.run = a->run,
		.nrun = a->nrun,
		.side = g->sides.side,
		.nside = g->sides.nside,
		.history = form_of(a) == HISTORY ? &g->history : NULL,
		.filter = &g->filter,
		.opts = a->opts,
		.threads = 1,
		.settings = a->analysis->setting ? &g->config.settings : NULL,
	};
	int exit_code;

	a->status = check_inputs(g, a);
	if (a->status == OK)
		a->status = a->analysis->compute(&q, &a->result, &exit_code, &a->err);
}

static size_t rows_of(const struct inquiry *g)
{
	size_t n = 0, i;

	for (i = 0; i < g->nrun; i++)
		n += g->run[i].events.n;
	return n;
}

/* Refused because of what the person asked, or not answered because of what is there. */
enum status inquiry_run(struct inquiry *g, const char **where, struct err *e)
{
	size_t i;

	TRY(load_all(g, where, e));
	for (i = 0; i < g->nask; i++) {
		if (form_of(&g->ask[i]) == SIDES)
			list_sides(g, &g->ask[i]);
		else if (form_of(&g->ask[i]) == RUNS)
			list_runs(g, &g->ask[i]);
		else
			(void)result_input(&g->ask[i].result, g->path[0]);
	}
	parallel_run(
		g->nask, parallel_threads((unsigned)g->read.threads, rows_of(g)), answer_one, g);
	g->answer = arena_array(&g->mem, g->nask, sizeof(*g->answer));
	for (i = 0; i < g->nask; i++) {
		struct inquiry_ask *a = &g->ask[i];

		if (a->status == E_USAGE) {
			*e = a->err;
			return a->status;
		}
		g->answer[i].ask = a->text;
		if (a->status == OK)
			g->answer[i].result = &a->result;
		else
			g->answer[i].why = arena_copy(&g->mem, a->err.text, strlen(a->err.text));
	}
	return OK;
}

enum status inquiry_check_output(struct inquiry *g, const char *path, struct err *e)
{
	g->written = (struct output_file){ "-o", path };
	return output_spares(&g->written, g->path, g->npath, e);
}

struct answers inquiry_answers(const struct inquiry *g)
{
	return (struct answers){ g->answer, g->answer ? g->nask : 0 };
}

void inquiry_say_notes(const struct inquiry *g)
{
	struct result r;
	size_t i;

	if (g->is_quiet)
		return;
	result_init(&r, "");
	for (i = 0; i < g->nrun; i++)
		notes_add_tally(&r, &g->run[i].tally, result_input(&r, g->path[i]));
	say_notes(&r, false);
	result_clear(&r);
}
