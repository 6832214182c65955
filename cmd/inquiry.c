/*
 * Asks gathered, inputs loaded once with the union of what they need, answers kept side by side.
 */
#include "cmd/inquiry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/input/load.h"
#include "analyze/query/analysis.h"
#include "analyze/query/notes.h"
#include "analyze/query/shared.h"
#include "analyze/trace/record.h"
#include "analyze/trace/run.h"
#include "base/opt.h"
#include "cmd/config_tell.h"
#include "cmd/inquiry_work.h"
#include "cmd/load/history.h"
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
	arena_init(&g->inputs.mem);
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
	for (i = 0; g->shared && i < g->inputs.n; i++)
		shared_free(g->shared[i]);
	inputs_clear(&g->inputs);
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

	assert(g->ask || g->nask == 0);
	for (i = 0; i < g->nask; i++) {
		const struct analysis *a = g->ask[i].analysis;

		needs |= a->needs;
		if (a->needs_more)
			needs |= a->needs_more(g->ask[i].opts, &g->filter);
	}
	return needs;
}

static enum status load_runs(struct inquiry *g, const char **where, struct err *e)
{
	const struct common_options how = { .read = g->read, .output.is_quiet = g->is_quiet };

	TRY(inputs_load_whole(&g->inputs, needs_of(g), &how, g->path, g->npath, where, e));
	*where = NULL;
	return OK;
}

/* The first ask that takes the paths for that; NULL: there is none. */
static const struct inquiry_ask *find_ask(const struct inquiry *g, enum inquiry_form form)
{
	size_t i;

	for (i = 0; i < g->nask; i++)
		if (inquiry_form_of(&g->ask[i]) == form)
			return &g->ask[i];
	return NULL;
}

static enum status load_sides(struct inquiry *g, const char **where, struct err *e)
{
	const struct inquiry_ask *a = find_ask(g, INQUIRY_SIDES);
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

/* What the paths are runs for; a history is none, and what holds a run is no history. */
static enum status load_runs_or_history(struct inquiry *g, const char **where, struct err *e)
{
	enum status st = load_runs(g, where, e);

	if (!g->has_history || g->history_why)
		return st;
	if (st == OK) {
		g->history_why =
			"it is read as a run; 'traceq plot history' takes its rows as runs";
		return OK;
	}
	g->is_history_only = true;
	*where = NULL;
	err_clear(e);
	return OK;
}

static void tell_settings(struct inquiry *g)
{
	const struct analysis **user = arena_array(&g->mem, g->nask, sizeof(*user));
	size_t i;

	for (i = 0; i < g->nask; i++)
		user[i] = g->ask[i].analysis;
	config_tell(&g->config, user, g->nask);
}

/*
 * Where something else was asked for, too, it is no failure that the paths are no sides or no
 * history.
 */
static enum status load_all(struct inquiry *g, const char **where, struct err *e)
{
	enum status st = OK;

	*where = NULL;
	TRY(operands_count(g->npath, OPERANDS_TOGETHER_MAX, e));
	TRY(config_read(&g->config, &g->config_options, e));
	if (!g->is_quiet)
		tell_settings(g);
	if (find_ask(g, INQUIRY_HISTORY)) {
		st = load_history(g, e);
		if (st != OK)
			g->history_why = arena_copy(&g->mem, e->text, strlen(e->text));
	}
	if (find_ask(g, INQUIRY_SIDES)) {
		st = load_sides(g, where, e);
		if (st != OK)
			g->sides_why = arena_copy(&g->mem, e->text, strlen(e->text));
	}
	return find_ask(g, INQUIRY_RUNS) ? load_runs_or_history(g, where, e) : st;
}

/* The runs an analysis can look at become inputs of its answer. */
static void list_runs(struct inquiry *g, struct inquiry_ask *a)
{
	size_t i;

	a->run = arena_array(&g->mem, g->inputs.n, sizeof(*a->run));
	a->shared = arena_array(&g->mem, g->inputs.n, sizeof(struct shared *));
	for (i = 0; i < g->inputs.n; i++) {
		const struct run *run = g->inputs.run[i];
		int input;

		if (!a->analysis->takes_records && !run->has_trace)
			continue;
		/* Of a folder's ranks one that takes one run gets the first. */
		if (a->analysis->max_runs && a->nrun == a->analysis->max_runs &&
			g->npath <= a->analysis->max_runs)
			break;
		input = result_input(&a->result, g->inputs.path[i]);
		notes_add_tally(&a->result, &run->tally, input);
		notes_add_record(&a->result, run, input);
		a->shared[a->nrun] = g->shared[i];
		a->run[a->nrun++] = run;
	}
	inputs_list(&g->inputs, &a->result);
}

/* Refused because of what the person asked, or not answered because of what is there. */
enum status inquiry_run(struct inquiry *g, const char **where, struct err *e)
{
	size_t i;

	TRY(load_all(g, where, e));
	inquiry_share(g);
	for (i = 0; i < g->nask; i++) {
		if (inquiry_form_of(&g->ask[i]) == INQUIRY_SIDES)
			sides_list(&g->sides, &g->ask[i].result);
		else if (inquiry_form_of(&g->ask[i]) == INQUIRY_RUNS)
			list_runs(g, &g->ask[i]);
		else
			(void)result_input(&g->ask[i].result, g->path[0]);
	}
	inquiry_answer(g);
	g->answer = arena_array(&g->mem, g->nask, sizeof(*g->answer));
	for (i = 0; i < g->nask; i++) {
		struct inquiry_ask *a = &g->ask[i];

		if (a->status == E_USAGE) {
			*e = a->err;
			return a->status;
		}
		g->answer[i].ask = a->text;
		if (a->status == OK) {
			g->answer[i].result = &a->result;
			continue;
		}
		g->answer[i].why = arena_copy(&g->mem, a->err.text, strlen(a->err.text));
		if (a->err.hint[0])
			g->answer[i].hint = arena_copy(&g->mem, a->err.hint, strlen(a->err.hint));
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

/* Of what the readers note, what of a folder is in no figure. */
static void add_unseen(struct result *r, const struct run *run, int input)
{
	size_t i;

	for (i = 0; run->record && i < run->record->nnote; i++) {
		const struct note *n = &run->record->note[i];

		if (n->level == NOTE_WARNING && strcmp(n->id, "not_looked_at") == 0)
			result_note(r, n->level, n->id, input, n->count, "%s", n->text);
	}
}

void inquiry_say_notes(const struct inquiry *g)
{
	struct result r;
	size_t i;

	if (g->is_quiet)
		return;
	result_init(&r, "");
	for (i = 0; i < g->inputs.n; i++) {
		int input = result_input(&r, g->inputs.path[i]);

		notes_add_tally(&r, &g->inputs.run[i]->tally, input);
		add_unseen(&r, g->inputs.run[i], input);
	}
	inputs_list(&g->inputs, &r);
	say_notes(&r, false);
	result_clear(&r);
}
