/*
 * Any analysis as a command.
 *
 * The order is load everything, compute, render, warn: an error in the last file leaves stdout
 * empty. Files are read one after the other, each by all threads.
 */
#include "cmd/answer.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/query/analysis.h"
#include "analyze/query/notes.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "cmd/clock.h"
#include "cmd/command.h"
#include "cmd/config.h"
#include "cmd/config_tell.h"
#include "cmd/help/help.h"
#include "cmd/load/history.h"
#include "cmd/load/inputs.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/load/operands.h"
#include "cmd/say.h"
#include "cmd/load/sides.h"
#include "cmd/sinks.h"
#include "cmd/load/thresholds.h"
#include "report/format/renderer.h"

enum { THREADS_MAX = 1024 };

/* One invocation. */
struct job {
	const struct analysis *analysis;
	struct common_options common;
	void *opts; /* of the analysis */
	struct config_options config_options;
	struct config config;
	const char **path;
	size_t npath;
	struct inputs inputs;
	struct operands operands; /* analyses of sides */
	struct sides sides;
	struct sink_options sinks; /* of analyses that give a verdict */
	struct output_file written[SINK_FILES + 1];
	struct history history;
	bool has_history;
	enum missing missing;
	bool is_parsed;    /* the options are right: reports may be written */
	const char *where; /* what j->err is about; NULL: goes without saying */
	size_t nopened;    /* inputs that were waiting, so far */
	bool is_unread;    /* j->err is about an input that was waiting */
	struct result odd; /* notes about inputs, those of the answer come behind them */
	const struct renderer *renderer;
	struct result result;
	struct arena mem;
	struct err err;
};

/* Sides, by the words that stand between them; the files are found when they are read. */
static enum status check_sides(struct job *j)
{
	const struct analysis *a = j->analysis;

	if (j->npath == 0) {
		(void)err_set(&j->err, E_USAGE, -1, "no file or folder given");
		return err_hint(
			&j->err, "usage: traceq %s [options] %s", a->name, verb_operands(a));
	}
	return operands_split(
		&j->operands, j->path, j->npath, a->min_sides, a->max_sides, &j->mem, &j->err);
}

static enum status check_operands(struct job *j)
{
	const struct analysis *a = j->analysis;
	size_t i;
	int nstdin = 0;

	if (j->common.read.threads < 0 || j->common.read.threads > THREADS_MAX)
		return err_set(&j->err, E_USAGE, -1,
			"--threads wants 1 to %d, or 0 for one per core", THREADS_MAX);
	if (a->max_sides > 0)
		return check_sides(j);
	TRY(operands_count(
		j->npath, a->is_one_by_one ? OPERANDS_MAX : OPERANDS_TOGETHER_MAX, &j->err));
	if (j->npath == 0 && a->min_runs > 0) {
		(void)err_set(&j->err, E_USAGE, -1, "no file given");
		return err_hint(&j->err, "usage: traceq %s [options] %s ('-' is standard input)",
			a->name, verb_operands(a));
	}
	if (j->npath < a->min_runs)
		return err_set(
			&j->err, E_USAGE, -1, "needs %u files, got %zu", a->min_runs, j->npath);
	if (a->max_runs && j->npath > a->max_runs)
		return err_set(&j->err, E_USAGE, -1, "takes at most %u file%s, got %zu",
			a->max_runs, a->max_runs == 1 ? "" : "s", j->npath);
	for (i = 0; i < j->npath; i++)
		nstdin += strcmp(j->path[i], "-") == 0;
	if (nstdin > 1)
		return err_set(&j->err, E_USAGE, -1, "'-' (standard input) can be given once");
	return OK;
}

/* Filters that mean nothing to the analysis. */
static enum status check_filters(struct job *j)
{
	const struct analysis *a = j->analysis;
	const char *given = options_ignored(&j->common.filter, a->ignores);
	struct opt takes[FILTER_COUNT];
	size_t n = options_filters(takes, a->ignores), i;
	struct str list = { 0 };

	if (!given)
		return OK;
	for (i = 0; i < n; i++)
		str_addf(&list, " --%s", takes[i].name);
	(void)err_set(&j->err, E_USAGE, -1, "--%s does not apply to %s", given, a->name);
	if (n)
		(void)err_hint(&j->err, "of the filters it takes%s", list.s);
	else
		(void)err_hint(&j->err, "it takes no filters");
	str_free(&list);
	return E_USAGE;
}

/* What is written must not be one of the inputs. */
static enum status check_output(struct job *j)
{
	size_t i;

	for (i = 0; i < SINK_FILES; i++)
		j->written[i] = (struct output_file){ "a report to", sinks_path(&j->sinks, i) };
	j->written[SINK_FILES] = (struct output_file){ "-o", j->common.output.path };
	for (i = 0; i < COUNT_OF(j->written); i++)
		TRY(output_spares(&j->written[i], j->path, j->npath, &j->err));
	return OK;
}

static enum status parse(struct job *j, int argc, char **argv)
{
	const struct analysis *a = j->analysis;
	struct opt_group group[3 + COMMON_GROUPS];
	size_t n = 1;

	j->opts = arena_alloc(&j->mem, a->opts_size);
	if (a->set_defaults)
		a->set_defaults(j->opts);
	group[0] = (struct opt_group){ "Options", a->opt, a->nopt, j->opts };
	if (a->setting)
		group[n++] = (struct opt_group){ CONFIG_TITLE, config_opts, CONFIG_OPTS,
			&j->config_options };
	if (a->has_verdict)
		group[n++] = (struct opt_group){ SINKS_TITLE, sink_opts, SINK_OPTS, &j->sinks };
	n += options_common(group + n, &j->common);
	TRY(opt_parse(group, n, argc, argv, &j->path, &j->npath, &j->err));
	if (j->common.help.brief || j->common.help.full)
		return OK;
	TRY(check_filters(j));
	TRY(output_renderer(&j->common.output, &j->renderer, &j->err));
	TRY(check_operands(j));
	return check_output(j);
}

/* All sides; says what goes wrong.  EXIT_ANSWERED, or what ends the program. */
static int load_sides(struct job *j)
{
	struct sides_options how = {
		.digest.filter = &j->common.filter,
		.threads = (unsigned)j->common.read.threads,
		.is_strict = j->common.read.is_strict,
		.is_quiet = j->common.output.is_quiet,
		.written = j->written,
		.nwritten = COUNT_OF(j->written),
	};
	const char *where = NULL;

	j->analysis->digest_options(j->opts, &how.digest);
	if (sides_read(&j->sides, &j->operands, &how, &where, &j->err) == OK)
		return EXIT_ANSWERED;
	j->where = where;
	j->is_parsed = j->err.status != E_USAGE;
	return j->err.status == E_USAGE ? say_usage(j->analysis->name, &j->err)
					: say_error(where, &j->err);
}

static int load_runs(struct job *j)
{
	const char *where = NULL;

	if (inputs_load(&j->inputs, j->analysis, j->opts, &j->common, j->path, j->npath, &where,
		    &j->err) == OK)
		return EXIT_ANSWERED;
	return say_error(where, &j->err);
}

static void note_odd(struct job *j, const struct run *run, int input)
{
	notes_add_tally(&j->odd, &run->tally, input);
	notes_add_record(&j->odd, run, input);
}

static void list_inputs(struct job *j)
{
	size_t i;

	for (i = 0; i < j->inputs.n; i++) {
		int input = result_input(&j->result, j->inputs.path[i]);

		if (!j->inputs.is_waiting)
			note_odd(j, j->inputs.run[i], input);
	}
	sides_list(&j->sides, &j->result);
}

/* Inputs that are waiting: loaded for their part of the answer, which is then all that is kept. */
static enum status open_run(void *ctx, size_t i, const struct run **run, struct err *e)
{
	struct job *j = ctx;
	enum status st = inputs_open(&j->inputs, i, run, e);

	if (st == OK && i == j->nopened) {
		note_odd(j, *run, (int)i);
		j->nopened++;
	}
	j->is_unread = st != OK;
	j->where = j->is_unread ? j->inputs.path[i] : NULL;
	return st;
}

static void close_run(void *ctx, size_t i)
{
	struct job *j = ctx;

	(void)i;
	result_pack(&j->result);
	inputs_close(&j->inputs);
}

static const struct settings *settings_of(const struct job *j)
{
	return j->analysis->setting ? &j->config.settings : NULL;
}

static enum status compute(struct job *j, int *exit_code)
{
	const struct run_source source = { open_run, close_run, j };
	const struct query q = {
		.run = j->inputs.run,
		.source = j->inputs.is_waiting ? &source : NULL,
		.nrun = j->inputs.n,
		.side = j->sides.side,
		.nside = j->sides.nside,
		.filter = &j->common.filter,
		.opts = j->opts,
		.layout = j->renderer->layout,
		.for_people = j->renderer->for_people,
		.threads = (unsigned)j->common.read.threads,
		.settings = settings_of(j),
		.now_s = clock_now(),
		.missing = j->missing,
		.history = j->has_history ? &j->history : NULL,
	};
	enum status st;

	result_init(&j->result, arena_printf(&j->mem, "traceq.%s/1", j->analysis->name));
	list_inputs(j);
	st = analysis_answer(j->analysis, &q, &j->result, exit_code, &j->err);
	inputs_list(&j->inputs, &j->odd);
	result_notes_before(&j->result, &j->odd);
	return st;
}

/* There is no base, and that is allowed. */
static bool does_without(struct job *j)
{
	const struct analysis *a = j->analysis;
	char how;

	if (!a->has_verdict || a->max_sides == 0 || !sinks_base_is_missing(&j->operands))
		return false;
	how = sinks_missing(&j->sinks, settings_of(j), a->name);
	j->missing = how == 'e' ? MISSING_NOTHING : how == 'w' ? MISSING_WARN : MISSING_PASS;
	return j->missing != MISSING_NOTHING;
}

static int load(struct job *j)
{
	if (j->analysis->setting && config_read(&j->config, &j->config_options, &j->err) != OK)
		return say_error(NULL, &j->err);
	if (j->sinks.thresholds && j->analysis->setting &&
		thresholds_read(&j->config.settings, j->sinks.thresholds, &j->err) != OK)
		return say_error(NULL, &j->err);
	if (!j->common.output.is_quiet)
		config_tell(&j->config, &j->analysis, 1);
	if (j->analysis->check && j->analysis->check(j->opts, settings_of(j), &j->err) != OK)
		return say_usage(j->analysis->name, &j->err);
	if (does_without(j))
		return EXIT_ANSWERED;
	if (j->analysis->wants_history &&
		history_take(&j->operands, j->analysis->wants_history(j->opts), &j->history,
			&j->has_history, j->common.output.is_quiet, &j->err) != OK)
		return j->err.status == E_USAGE ? say_usage(j->analysis->name, &j->err)
						: say_error(NULL, &j->err);
	if (j->has_history && j->operands.n == 0)
		return EXIT_ANSWERED;
	return j->analysis->max_sides > 0 ? load_sides(j) : load_runs(j);
}

static enum status put(struct job *j)
{
	TRY(output_put(&j->common.output, j->renderer, &j->result, &j->err));
	return j->analysis->has_verdict ? sinks_put(&j->sinks, &j->result, &j->err) : OK;
}

static int answer(struct job *j)
{
	int exit_code;
	enum status st;

	j->is_parsed = true;
	exit_code = load(j);
	if (exit_code != EXIT_ANSWERED)
		return exit_code;
	st = compute(j, &exit_code);
	if (st != OK && j->is_unread)
		return say_error(j->where, &j->err);
	if (st == E_USAGE)
		return say_usage(j->analysis->name, &j->err);
	if (st != OK) {
		if (!j->common.output.is_quiet)
			say_notes(&j->result, false);
		return say_error(j->analysis->name, &j->err);
	}
	if (put(j) != OK)
		return say_error(NULL, &j->err);
	if (!j->common.output.is_quiet)
		say_notes(&j->result, !j->renderer->shows_notes);
	return exit_code;
}

static void clear(struct job *j)
{
	const struct opt_group own = { "Options", j->analysis->opt, j->analysis->nopt, j->opts };

	opt_free_lists(&own, 1);
	config_clear(&j->config);
	result_clear(&j->result);
	result_clear(&j->odd);
	inputs_clear(&j->inputs);
	sides_clear(&j->sides);
	if (j->has_history)
		history_clear(&j->history);
	free(j->path);
	arena_clear(&j->mem);
}

int answer_run(const struct analysis *a, int argc, char **argv)
{
	struct job j = { .analysis = a };
	int exit_code;

	arena_init(&j.mem);
	err_clear(&j.err);
	result_init(&j.result, "");
	result_init(&j.odd, "");
	if (parse(&j, argc, argv) != OK)
		exit_code = say_usage(j.analysis->name, &j.err);
	else if (j.common.help.brief || j.common.help.full)
		exit_code = help_verb(a->name, j.common.help.full);
	else
		exit_code = answer(&j);
	if (exit_code == EXIT_NO_ANSWER && a->has_verdict && j.is_parsed)
		sinks_fail(&j.sinks, a->name, j.where, &j.err);
	clear(&j);
	return exit_code;
}
