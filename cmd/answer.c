/* Any analysis as a command: its options, the inquiry with it alone, the answer written.
 *
 * The order is load everything, compute, render, warn. Of several files as many are read side by
 * side as there are threads; one that cannot be read is an error that is said at once, and the
 * others are answered for, as grep does: the exit code is 2. */
#include "cmd/answer.h"

#include "cmd/command_formats.h"
#include "cmd/inquiry.h"
#include "cmd/output.h"
#include "cmd/screen.h"
#include "cmd/pasted.h"
#include "cmd/picture.h"
#include "cmd/say.h"
#include "cmd/sinks.h"
#include "cmd/stream.h"
#include "cmd/tables.h"
#include "cmd/verb.h"
#include "report/chart/charts.h"
#include "report/documents/layout.h"
#include "report/format/renderer.h"

enum { THREADS_MAX = 1024 };

/* One invocation. */
struct job {
	const struct analysis *analysis;
	const struct command_line *line;
	struct inquiry inquiry;
	struct inquiry_ask *ask; /* the only one */
	struct output_options output;
	struct sink_options sinks; /* of analyses that give a verdict */
	const struct renderer *renderer;
	struct stream stream;            /* in place of tables */
	const struct document *document; /* in place of tables, or NULL; what of it is wanted */
	struct document_parts parts;
	const char *picture; /* -o is one, in place of tables; NULL: it is not */
	bool is_reported;    /* -o is one of those reports, in place of the answer */
	bool is_parsed;      /* the options are right: reports may be written */
	const char *command; /* of a verdict: the line that asks it again; NULL: there is none */
	const char *where;   /* what j->err is about; NULL: goes without saying */
	struct err err;
};

/* Sides, by the words that stand between them.  The files are found when they are read. */
static enum status check_sides(struct job *j)
{
	const struct analysis *a = j->analysis;
	struct inquiry *g = &j->inquiry;

	if (g->npath == 0) {
		(void)err_set(&j->err, E_USAGE, -1, "no file or folder given");
		return err_hint(
			&j->err, "usage: traceq %s [options] %s", a->name, verb_operands(a));
	}
	if (j->line->given)
		return operands_take(&g->operands, g->path, g->npath, j->line->given->nfirst,
			a->sides.max, &g->mem, &j->err);
	return operands_split(
		&g->operands, g->path, g->npath, a->sides.min, a->sides.max, &g->mem, &j->err);
}

static enum status check_operands(struct job *j)
{
	const struct analysis *a = j->analysis;
	const struct inquiry *g = &j->inquiry;

	if (g->read.threads < 0 || g->read.threads > THREADS_MAX)
		return err_set(&j->err, E_USAGE, -1,
			"--threads wants 1 to %d, or 0 for one per core", THREADS_MAX);
	if (a->sides.max > 0)
		return check_sides(j);
	TRY(operands_count(
		g->npath, a->runs.is_one_by_one ? OPERANDS_MAX : OPERANDS_TOGETHER_MAX, &j->err));
	if (g->npath == 0 && a->runs.min > 0) {
		(void)err_set(&j->err, E_USAGE, -1, "no file given");
		return err_hint(&j->err, "usage: traceq %s [options] %s ('-' is standard input)",
			a->name, verb_operands(a));
	}
	if (g->npath < a->runs.min)
		return err_set(
			&j->err, E_USAGE, -1, "needs %u files, got %zu", a->runs.min, g->npath);
	if (a->runs.max && g->npath > a->runs.max)
		return err_set(&j->err, E_USAGE, -1, "takes at most %u file%s, got %zu",
			a->runs.max, plural_s(a->runs.max), g->npath);
	int nstdin = SUM(int, i, g->npath, strcmp(g->path[i], "-") == 0);
	if (nstdin > 1)
		return err_set(&j->err, E_USAGE, -1, "'-' (standard input) can be given once");
	return OK;
}

/* Filters that mean nothing to the analysis. */
static enum status check_filters(struct job *j)
{
	const struct analysis *a = j->analysis;
	const char *given = options_ignored(&j->inquiry.filter, a->options.ignores);
	struct opt takes[FILTER_COUNT];
	size_t n = options_filters(takes, a->options.ignores);
	SCOPED_STR list = { 0 };

	if (!given)
		return OK;
	for (size_t i = 0; i < n; i++)
		str_addf(&list, " --%s", takes[i].name);
	(void)err_set(&j->err, E_USAGE, -1, "--%s does not apply to %s", given, a->name);
	if (n)
		(void)err_hint(&j->err, "of the filters it takes%s", list.s);
	else
		(void)err_hint(&j->err, "it takes no filters");
	return E_USAGE;
}

/* What is written, before anything is read. */
static enum status check_output(struct job *j)
{
	const struct picture_to picture = { j->picture, "-o", NULL, true };
	struct door_output file[SINK_FILES + 2];
	size_t n = 0;

	door_force(j->output.is_forced);
	if (j->analysis->has_verdict)
		n = sinks_files(&j->sinks, &j->inquiry.mem, file);
	if (j->output.path && !tables_is_folder(j->output.path))
		file[n++] = (struct door_output){ .option = "-o", .path = j->output.path };
	TRY(inquiry_will_write(&j->inquiry, file, n, &j->err));
	return j->picture ? picture_plan(&picture, &j->err) : OK;
}

static enum status parse_words(struct job *j)
{
	const struct analysis *a = j->analysis;
	struct inquiry *g = &j->inquiry;
	const struct document *document = document_of(a->name);
	const struct verb_into into = { j->ask->opts, &j->output, &g->capture, &g->exectrace,
		&g->config_options, &j->sinks };
	struct opt_group group[VERB_OWN_GROUPS + 1 + COMMON_GROUPS];
	SCOPED_STR pasted = { 0 };
	size_t n = verb_groups(a, &into, group);

	if (document)
		group[n++] = (struct opt_group){ NULL, document->opt, document->nopt, &j->parts };
	n += options_common(group + n, &g->filter, &j->output, &g->read);
	TRY(options_parse(group, n, NULL, j->line, &g->path, &g->npath, &j->err));
	if (a->options.take_operand && !j->line->given)
		a->options.take_operand(j->ask->opts, g->path, &g->npath);
	if (!a->has_verdict || j->line->given)
		return OK;
	pasted_command(&pasted, group, n, j->line->argc, j->line->argv, sinks_beside);
	j->command = arena_copy(&g->mem, pasted.s, pasted.n);
	return OK;
}

/* An answer that can be drawn is, where -o is called so. */
static void take_picture(struct job *j)
{
	const struct chart_kind *kind = chart_of_answer(j->analysis->name);

	if (!kind || !j->output.path || j->output.format || j->output.is_json ||
		!picture_is(j->output.path))
		return;
	j->picture = j->output.path;
	j->ask->text = kind->ask[0];
}

/* In a document's layout it is answered as for machines, with what the document needs beside it. */
static enum status take_document(struct job *j)
{
	const char *part = j->parts.analysis ? "analysis" : j->parts.report ? "report" : NULL;
	struct inquiry *g = &j->inquiry;

	if (j->renderer->layout == TABLE_TEXT) {
		j->document = document_of(j->analysis->name);
		inquiry_tell(g, j->ask, j->document->ask);
		if (j->document->beside)
			inquiry_ask(g, j->document->beside);
		j->ask = &g->ask[0];
		g->is_per_run = true;
		return OK;
	}
	if (!part)
		return OK;
	(void)err_set(&j->err, E_USAGE, -1, "--%s is a part of --format seed", part);
	return err_hint(&j->err, "the document's layout: traceq %s --format seed --%s",
		j->analysis->name, part);
}

static enum status parse(struct job *j)
{
	struct inquiry *g = &j->inquiry;
	const struct formats formats = { j->analysis->name, j->analysis, g->all };

	TRY(parse_words(j));
	TRY(check_filters(j));
	if (j->analysis->has_verdict)
		TRY(sinks_take(&j->sinks, &j->output, &j->is_reported, &j->err));
	take_picture(j);
	if (j->is_reported || j->picture)
		j->output.path = NULL;
	TRY(output_renderer(&j->output, &formats, &j->renderer, &j->err));
	TRY(tables_check(&j->output, j->renderer, j->analysis, g->path, g->npath, &j->err));
	TRY(check_operands(j));
	if (j->output.is_unpaged)
		pager_turn_off();
	g->is_quiet = j->output.is_quiet;
	g->is_per_run = j->output.is_per_run || tables_wants_pages(&j->output, j->analysis);
	TRY(take_document(j));
	g->layout = j->picture ? TABLE_FLAME : j->document ? TABLE_GRID : j->renderer->layout;
	g->for_people = j->renderer->for_people && !j->picture;
	return check_output(j);
}

static const struct settings *settings_of(const struct job *j)
{
	return j->analysis->options.setting ? &j->inquiry.config.settings : NULL;
}

/* Where there is no base, whether that is allowed. */
static enum missing missing_base(const struct job *j)
{
	const struct analysis *a = j->analysis;

	if (!a->has_verdict || a->sides.max == 0 || !sinks_base_is_missing(&j->inquiry.operands))
		return MISSING_NOTHING;
	char how = sinks_missing(&j->sinks, settings_of(j), a->name);
	return how == 'e' ? MISSING_NOTHING : how == 'w' ? MISSING_WARN : MISSING_PASS;
}

/* Says why there is no answer. */
static int refuse(struct job *j)
{
	const struct inquiry_ask *a = j->ask;

	j->err = a->err;
	if (a->status == E_USAGE)
		return say_usage(j->analysis->name, &a->err);
	if (!j->output.is_quiet)
		say_notes(&a->result, false);
	return say_error(j->analysis->name, &a->err);
}

/* Files first, which wait, so that none is there when another cannot be; then stdout. */
static enum status put_all(struct job *j)
{
	if (j->analysis->has_verdict)
		TRY(sinks_put(&j->sinks, &j->ask->result, j->command, &j->err));
	if (!j->is_reported && !j->stream.to.is_written)
		TRY(tables_put(&j->output, j->renderer, j->analysis, &j->ask->result, &j->err));
	return OK;
}

static enum status put_answer(struct job *j)
{
	if (j->picture) {
		const struct answers answers = inquiry_answers(&j->inquiry);
		const struct chart_look look = { 0 };

		return picture_draw(chart_of_answer(j->analysis->name), &answers, &look, j->picture,
			true, &j->err);
	}
	io_hold();
	if (put_all(j) != OK) {
		io_drop();
		return j->err.status;
	}
	TRY(io_release(&j->err));
	return j->analysis->has_verdict
		? sinks_put_ci(&j->sinks, &j->ask->result, j->command, &j->err)
		: OK;
}

/* The document is the answer, and where it judges, its word counts. */
static void lay_out(struct job *j)
{
	const struct answers answers = inquiry_answers(&j->inquiry);
	struct inquiry_ask *a = j->ask;
	bool says_no = false;

	if (a->status != OK && (!j->document->speaks_for_nothing || a->status == E_USAGE))
		return;
	a->status = document_put(j->document, &answers, &j->parts, &a->result, &says_no, &a->err);
	if (j->document->is_judge)
		a->exit_code = says_no;
}

/* What is odd about the inputs; of the answer what a person must know, unless the document judges.
 */
static void say_document_notes(const struct document *d, const struct inquiry_ask *a)
{
	struct result part = a->result;

	part.nnote = a->odd.nnote;
	say_notes(&part, true);
	if (d->is_judge || a->result.nnote == a->odd.nnote)
		return;
	part.note += a->odd.nnote;
	part.nnote = a->result.nnote - a->odd.nnote;
	say_notes(&part, false);
}

static int answer(struct job *j)
{
	const struct analysis *a = j->analysis;
	struct inquiry *g = &j->inquiry;

	j->is_parsed = true;
	if (inquiry_configure(g, j->sinks.thresholds, &j->err) != OK)
		return say_error(NULL, &j->err);
	if (a->options.check && a->options.check(j->ask->opts, settings_of(j), &j->err) != OK)
		return say_usage(a->name, &j->err);
	g->missing = missing_base(j);
	stream_take(&j->stream, j->ask, j->renderer);
	if (stream_open(&j->stream, &j->output, &j->err) != OK)
		return say_error(NULL, &j->err);
	bool is_good = inquiry_run(g, &j->where, &j->err) == OK;
	if (stream_close(&j->stream, &j->output, is_good && j->ask->status == OK, &j->err) != OK)
		return say_error(NULL, &j->err);
	if (!is_good) {
		j->is_parsed = j->err.status != E_USAGE;
		return say_refusal(a->name, j->where, &j->err);
	}
	if (j->document)
		lay_out(j);
	if (j->ask->status != OK)
		return refuse(j);
	if (!j->output.is_quiet)
		say_notes_of(&j->ask->result, "run_broke");
	if (put_answer(j) != OK) {
		j->is_parsed = j->err.status != E_USAGE;
		return say_error(NULL, &j->err);
	}
	if (!j->output.is_quiet && j->document)
		say_document_notes(j->document, j->ask);
	else if (!j->output.is_quiet)
		say_notes(&j->ask->result, !j->renderer->shows_notes);
	return g->inputs.nfailed ? EXIT_NO_ANSWER : j->ask->exit_code;
}

int answer_run(const struct analysis *a, const struct command_line *line)
{
	struct job j = { .analysis = a, .line = line, .output.excerpt = line->excerpt };

	err_clear(&j.err);
	inquiry_init(&j.inquiry, &line->all->analyses);
	j.ask = inquiry_ask_alone(&j.inquiry, a);
	int exit_code = parse(&j) == OK ? answer(&j) : say_usage(a->name, &j.err);
	if (exit_code == EXIT_NO_ANSWER && a->has_verdict && j.is_parsed) {
		inquiry_know_inputs(&j.inquiry);
		sinks_fail(&j.sinks, a->name, j.where, &j.err);
	}
	inquiry_clear(&j.inquiry);
	return exit_code;
}
