/* Asks gathered, inputs loaded once with the union of what they need, answers kept side by side. */
#include "cmd/inquiry.h"
#include "cmd/picture.h"

#include <assert.h>

#include "analyze/input/load_kept.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/regex.h"
#include "base/door.h"
#include "cmd/output.h"
#include "cmd/say.h"

size_t inquiry_groups(struct opt_group *group, struct inquiry *g)
{
	struct opt_group common[COMMON_GROUPS];

	(void)options_common(common, g ? &g->filter : NULL, NULL, g ? &g->read : NULL);
	group[0] = common[0];
	group[1] = (struct opt_group){ CONFIG_TITLE, config_opts, CONFIG_OPTS,
		g ? &g->config_options : NULL };
	group[2] = options_capture;
	group[2].into = g ? &g->capture : NULL;
	group[3] = options_exectrace;
	group[3].into = g ? &g->exectrace : NULL;
	group[4] = common[2];
	return INQUIRY_GROUPS;
}

void inquiry_init(struct inquiry *g, const struct analyses *all)
{
	*g = (struct inquiry){ .all = all };
	door_begin();
}

void inquiry_clear(struct inquiry *g)
{
	for (EACH(struct inquiry_ask, a, g->ask, g->nask)) {
		const struct opt_group own = { "Options", a->analysis->options.opt,
			a->analysis->options.n, a->opts };

		opt_free_lists(&own, 1);
		result_clear(&a->result);
		result_clear(&a->odd);
	}
	for (size_t i = 0; g->shared && i < g->inputs.n; i++)
		shared_free(g->shared[i]);
	inputs_clear(&g->inputs);
	captures_clear(&g->captures);
	free(g->capture.v);
	exectraces_clear(&g->exectraces);
	free(g->exectrace.v);
	sides_clear(&g->sides);
	sides_clear(&g->job);
	if (g->has_history)
		history_clear(&g->history);
	config_clear(&g->config);
	FREE_ALL(g->path, g->ask);
	arena_clear(&g->mem);
	*g = (struct inquiry){ 0 };
}

static struct inquiry_ask *add_ask(
	struct inquiry *g, const char *text, const struct analysis *analysis, void *opts)
{
	struct inquiry_ask *a = PUSH(g->ask, g->nask, g->cap,
		(struct inquiry_ask){ .text = text, .analysis = analysis, .opts = opts });
	err_clear(&a->err);
	result_init(&a->odd, "");
	result_init(&a->result, arena_printf(&g->mem, "traceq.%s/1", analysis->name));
	return a;
}

/* What the command was told for all of its asks, behind an ask's own words. */
static void add_told(struct str *words, const struct inquiry *g, const struct analysis *a)
{
	static const char allow_env[] = "allow-env";

	if (g->allow_env && ANY(i, a->options.n, strcmp(a->options.opt[i].name, allow_env) == 0))
		str_addf(words, " --%s=%s", allow_env, g->allow_env);
}

void inquiry_tell(struct inquiry *g, struct inquiry_ask *a, const char *text)
{
	analysis_tell(a->analysis, a->opts, text, &g->mem);
	a->text = text;
}

void inquiry_ask(struct inquiry *g, const char *text)
{
	const char *name = arena_copy(&g->mem, text, strcspn(text, " "));
	const struct analysis *a = analysis_find(g->all, name);
	SCOPED_STR words = { 0 };

	for (size_t i = 0; i < g->nask; i++)
		if (strcmp(g->ask[i].text, text) == 0)
			return;
	assert(a);
	look_ask(&words, text, g->limit);
	add_told(&words, g, a);
	(void)add_ask(g, text, a, analysis_options(a, words.s, &g->mem));
}

void inquiry_ask_whole(struct inquiry *g, const char *text)
{
	size_t before = g->nask;

	inquiry_ask(g, text);
	if (g->nask > before)
		g->ask[before].is_whole = true;
}

struct inquiry_ask *inquiry_ask_alone(struct inquiry *g, const struct analysis *a)
{
	assert(g->nask == 0);
	g->is_alone = true;
	return add_ask(g, a->name, a, analysis_options(a, a->name, &g->mem));
}

enum status inquiry_will_write(
	const struct inquiry *g, const struct door_output *file, size_t n, struct err *e)
{
	output_spares(g->path, g->npath);
	for (EACH(const struct operand_side, side, g->operands.side, g->operands.n))
		output_spares(side->path, side->npath);
	output_spares(g->capture.v, g->capture.n);
	output_spares(g->exectrace.v, g->exectrace.n);
	if (g->config_options.path)
		door_input(g->config_options.path);
	return output_plan(file, n, e);
}

static void know_folders(const char *const *path, size_t n)
{
	struct folder f;
	struct err ignored;

	for (size_t i = 0; i < n; i++)
		if (folder_is(path[i])) {
			if (folder_read(&f, path[i], NULL, &ignored) != OK)
				err_clear(&ignored); /* what was found is known */
			folder_clear(&f);
		}
}

void inquiry_know_inputs(const struct inquiry *g)
{
	know_folders(g->path, g->npath);
	for (EACH(const struct operand_side, side, g->operands.side, g->operands.n))
		know_folders(side->path, side->npath);
}

/* What the person calls collectives: by the option, else by the setting. */
static enum status choose_comm(struct inquiry *g, bool has_settings, struct err *e)
{
	if (g->filter.comm)
		return regex_check(g->filter.comm, LOAD_COMM_OPTION, e);
	return has_settings ? config_comm(&g->config, &g->filter.comm, e) : OK;
}

enum status inquiry_configure(struct inquiry *g, const char *thresholds, struct err *e)
{
	const struct analysis **user = arena_array(&g->mem, g->nask, sizeof(*user));
	bool has_settings = false;

	for (size_t i = 0; i < g->nask; i++) {
		user[i] = g->ask[i].analysis;
		has_settings |= analysis_is_set(user[i]);
	}
	if (!has_settings)
		return choose_comm(g, false, e);
	TRY(config_read(&g->config, g->all, &g->config_options, e));
	if (thresholds)
		TRY(thresholds_read(&g->config.settings, thresholds, e));
	if (!g->is_quiet)
		config_tell(&g->config, user, g->nask);
	return choose_comm(g, true, e);
}

/* The runs an analysis can look at become inputs of its answer. */
static void list_runs(struct inquiry *g, struct inquiry_ask *a)
{
	a->run = arena_array(&g->mem, g->inputs.n, sizeof(*a->run));
	a->shared = arena_array(&g->mem, g->inputs.n, sizeof(struct shared *));
	for (size_t i = 0; i < g->inputs.n; i++) {
		const struct run *run = g->inputs.run[i]; /* NULL: it is waiting */

		if (run && !a->analysis->runs.takes_records && !run->has_trace)
			continue;
		/* Of a folder's ranks one that takes one run gets the first. */
		if (a->analysis->runs.max && a->nrun == a->analysis->runs.max &&
			g->npath <= a->analysis->runs.max)
			break;
		int input = result_input(&a->result, load_shown(g->inputs.path[i], &g->mem));
		if (!g->inputs.is_waiting) /* else when it is opened */
			inquiry_note_odd(a, run, input);
		a->shared[a->nrun] = g->shared[i];
		a->run[a->nrun++] = run;
	}
}

/* Where there are traces, the filters take something of one of them. */
static enum status check_filters(const struct inquiry *g, struct err *e)
{
	struct err first;
	size_t ntrace = 0;

	for (size_t i = 0; i < g->inputs.n; i++) {
		const struct run *run = g->inputs.run[i];
		struct err why;

		if (!run || !run->has_trace || !(run->built & NEED_STEPS))
			continue;
		err_clear(&why);
		enum status st = filter_takes_any(&g->filter, run, &why);
		if (st == OK)
			return OK;
		if (ntrace++ == 0)
			first = why;
	}
	if (ntrace == 0 || first.status != E_NODATA)
		return OK; /* bad words are the answers' own to complain about */
	*e = first;
	return E_NODATA;
}

/* Refused because of what the person asked, or not answered because of what is there. */
enum status inquiry_run(struct inquiry *g, const char **where, struct err *e)
{
	TRY(inquiry_load(g, where, e));
	TRY(door_check(e));
	if (!g->is_alone)
		TRY(check_filters(g, e));
	inquiry_share(g);
	for (size_t i = 0; i < g->nask; i++) {
		enum inquiry_form form = inquiry_form_of(g, &g->ask[i]);

		if (form == INQUIRY_RUNS)
			list_runs(g, &g->ask[i]);
		else if (form == INQUIRY_JOB)
			sides_list(&g->job, &g->ask[i].result);
		else if (form == INQUIRY_SIDES || g->is_alone)
			sides_list(&g->sides, &g->ask[i].result);
		else
			(void)result_input(&g->ask[i].result, g->path[0]);
	}
	inquiry_answer(g);
	g->answer = arena_array(&g->mem, g->nask, sizeof(*g->answer));
	for (size_t i = 0; i < g->nask; i++) {
		struct inquiry_ask *a = &g->ask[i];

		if (a->status == E_USAGE && !g->is_alone) {
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

struct answers inquiry_answers(struct inquiry *g)
{
	struct answers a = {
		.v = g->answer,
		.n = g->answer ? g->nask : 0,
		.about = inquiry_about(g),
	};

	a.main = answers_main(&a);
	return a;
}

/* Of what the readers note, what of a folder is in no figure. */
static void add_unseen(struct result *r, const struct run *run, int input)
{
	for (size_t i = 0; run->record && i < run->record->nnote; i++) {
		const struct note *n = &run->record->note[i];

		if (n->level == NOTE_WARNING && strcmp(n->id, "not_looked_at") == 0)
			result_note(r, n->level, n->id, n->input == RECORD_OF_FOLDER ? -1 : input,
				n->count, "%s", n->text);
	}
}

void inquiry_say_notes(const struct inquiry *g)
{
	struct result r;

	if (g->is_quiet)
		return;
	result_init(&r, "");
	for (size_t i = 0; i < g->inputs.n; i++) {
		int input = result_input(&r, g->inputs.path[i]);

		notes_add_tally(&r, &g->inputs.run[i]->tally, input);
		add_unseen(&r, g->inputs.run[i], input);
	}
	inquiry_list_left(g, &r);
	say_notes(&r, false);
	result_clear(&r);
}
