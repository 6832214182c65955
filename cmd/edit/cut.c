/*
 * The cut command: a smaller trace of a large one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/door.h"
#include "base/opt.h"
#include "cmd/command.h"
#include "cmd/edit/callformat.h"
#include "cmd/edit/calls.h"
#include "cmd/edit/edited.h"
#include "cmd/edit/known.h"
#include "cmd/edit/wants.h"
#include "cmd/load/progress.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "edit/cut.h"

struct cut_given {
	const char *time, *around, *margin;
};

#define AT(field) offsetof(struct cut_given, field)
static const struct opt own_opts[] = {
	OPT("time", 0, OPT_TEXT, "FROM-TO",
		"only this stretch of time, from the first event on: 1.2s-1.5s, 300ms-, -20us",
		AT(time), NULL, NULL),
	OPT("around", 0, OPT_TEXT, "ID",
		"only what is around that: an id of idle, critical or diagnose (gap:0@31294811, "
		"path@31294811+4821, G07@31294811+4821), the worst place of a rule (G07), or a "
		"step (step:7)",
		AT(around), NULL, NULL),
	OPT("margin", 0, OPT_TEXT, "TIME",
		"how much before and behind it is kept [a tenth of its length, 50 us at least]",
		AT(margin), NULL, NULL),
};
#undef AT

enum { CUT_GROUPS = 4, CUT_IGNORES = FILTER_RANK | FILTER_COMM };

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

struct cutting {
	struct cut_given given;
	struct wants wants;
	struct cut_want want;
	struct interval stretch; /* of --around */
	struct known known;
	struct edited_options out;
	struct opt filter[FILTER_COUNT];
	struct opt_group group[CUT_GROUPS];
	const char **path;
	size_t npath;
	struct progress progress;
	struct err err;
	const char *where;  /* what err is about; NULL */
	struct calls calls; /* in place of a trace, with a format */
};

static void set_groups(struct cutting *c)
{
	size_t n = options_filters(c->filter, CUT_IGNORES);

	c->group[0] = groups[0];
	c->group[0].into = &c->given;
	c->group[1] = (struct opt_group){ "What to keep", c->filter, n, &c->want.filter };
	c->group[2] = wants_group;
	c->group[2].into = &c->wants;
	c->group[3] = edited_group;
	c->group[3].into = &c->out;
}

/* The groups that need more than constants, for help. */
static size_t help_groups(struct opt_group *to, struct opt *filter)
{
	size_t n = options_filters(filter, CUT_IGNORES);

	to[0] = (struct opt_group){ "What to keep", filter, n, NULL };
	to[1] = wants_group;
	to[2] = edited_group;
	return 3;
}

static enum status check(struct cutting *c)
{
	struct edited_options trace = c->out;
	const struct writer_kind *kind;
	bool is_gzip;
	struct stat at;
	int level;

	if (c->npath != 1) {
		(void)err_set(&c->err, E_USAGE, -1,
			c->npath ? "more than one trace given" : "no trace given");
		return err_hint(&c->err, "usage: traceq cut FILE -o OUT [--steps LIST]");
	}
	if (c->given.margin && !c->given.around) {
		(void)err_set(&c->err, E_USAGE, -1, "--margin without --around");
		return err_hint(&c->err, "it is the margin around what --around names");
	}
	if (stat(c->path[0], &at) == 0 && S_ISDIR(at.st_mode)) {
		(void)err_set(
			&c->err, E_USAGE, -1, "%s is a folder, and one trace is cut", c->path[0]);
		return err_hint(
			&c->err, "name a file in it, or 'traceq merge' its traces into one");
	}
	c->calls.format = callformat_pick(c->out.to, c->out.path);
	c->calls.name = c->path[0];
	if (c->calls.format) {
		trace = calls_trace(&c->out, NULL);
		TRY(calls_check(c->calls.format, &c->wants, &c->err));
	}
	TRY(edited_check(&trace, &kind, &is_gzip, &level, &c->err));
	TRY(wants_check(&c->wants, kind, &c->err));
	output_spares(c->path, c->npath);
	return output_plan_named(c->out.path, &c->err);
}

/* The line about what was written. */
static int say_done(const struct cutting *c, const struct cut *cut, const struct edited *x)
{
	bool is_stdout = !c->out.path || strcmp(c->out.path, "-") == 0;

	if (c->calls.format)
		say_notes(&c->calls.result, false);
	if (c->out.is_quiet || is_stdout)
		return EXIT_ANSWERED;
	if (cut->nmore)
		return output_line("%s: %" PRId64 " of %" PRId64 " events, %" PRId64
				   " added, %" PRId64 " bytes",
			c->out.path, cut->kept, cut->survey.nevent, cut->nmore, x->w.bytes);
	return output_line("%s: %" PRId64 " of %" PRId64 " events, %" PRId64 " bytes", c->out.path,
		cut->kept, cut->survey.nevent, c->calls.format ? c->calls.bytes : x->w.bytes);
}

static enum status find_around(
	struct cutting *c, const struct plain *plain, const struct load_options *load)
{
	enum status st;

	if (!c->given.around)
		return OK;
	st = known_around(&c->known, plain->path, c->given.around, c->given.margin, &c->want.filter,
		load, &c->stretch, &c->err);
	c->want.stretch = &c->stretch;
	known_clear(&c->known);
	return st;
}

static enum status write_cut(
	struct cutting *c, struct cut *cut, struct plain *plain, struct edited *x)
{
	struct load_options load;
	struct document d;

	edited_load(&c->out, &load);
	load.progress = progress_tick;
	load.progress_ctx = &c->progress;
	c->where = c->path[0];
	TRY(edited_plain(plain, &c->out, c->path[0], &load, &c->err));
	TRY(find_around(c, plain, &load));
	TRY(cut_survey(cut, plain->path, &c->want, &load, &c->err));
	TRY(wants_annotate(&c->wants, &c->want, cut, &c->known, plain->path, &load, &c->err));
	known_clear(&c->known);
	c->calls.where = &c->where;
	if (c->calls.format)
		return calls_write(&c->calls, &c->out, cut, &c->want, plain->path, &load, &c->err);
	d = cut_document(cut);
	c->where = NULL;
	TRY(edited_begin(x, &c->out, &d, &c->err));
	if (cut_write(cut, plain->path, &c->want, &load, &x->w, &c->err) != OK) {
		c->where = edited_blamed(x, c->path[0]);
		edited_drop(x);
		return c->err.status;
	}
	return edited_end(x, &c->err);
}

static int answer(struct cutting *c)
{
	struct cut cut = { 0 };
	struct edited x = { 0 };
	struct plain plain = { 0 };
	enum status st = check(c);
	int exit_code;

	c->want.time = c->given.time;
	if (st == OK)
		st = wants_take(&c->wants, &c->want, &cut, &c->err);
	if (st != OK) {
		wants_clear(&cut);
		return say_usage("cut", &c->err);
	}
	result_init(&c->calls.result, "");
	progress_begin(&c->progress, c->path[0], c->out.is_quiet);
	st = write_cut(c, &cut, &plain, &x);
	progress_end(&c->progress);
	if (st == E_USAGE)
		exit_code = say_usage("cut", &c->err);
	else
		exit_code = st == OK ? say_done(c, &cut, &x) : say_error(c->where, &c->err);
	if (st == OK && !c->calls.format)
		edited_say_odd(&c->out, c->path[0], &cut.survey.tally);
	if (st == OK && !c->out.is_quiet)
		wants_say(&c->wants, cut.nunreadable);
	result_clear(&c->calls.result);
	known_clear(&c->known);
	wants_clear(&cut);
	plain_close(&plain);
	return exit_code;
}

static int run(const struct command_line *line)
{
	const struct analyses *all = &line->all->analyses;
	struct cutting c = { .known.all = all, .calls.stacks = analysis_find(all, "stacks") };
	int exit_code;

	door_begin();
	err_clear(&c.err);
	set_groups(&c);
	c.out.is_new = line->given != NULL; /* what is written for a program is a new file */
	if (options_parse(c.group, CUT_GROUPS, NULL, line, &c.path, &c.npath, &c.err) != OK)
		exit_code = say_usage("cut", &c.err);
	else
		exit_code = answer(&c);
	wants_free(&c.wants);
	free(c.path);
	return exit_code;
}

COMMAND(cut) = {
	.name = "cut",
	.summary = "a smaller trace of a large one, for any viewer",
	.operands = "FILE -o OUT",
	.doc = "Writes what happens in some steps or in a stretch of time, with the work that is "
	       "launched there and the launches of work that runs there: arrows, names and metadata "
	       "stay whole, and so do all arguments. Other tools open the file, and an analysis of it "
	       "gives the figures that --steps gives of the whole trace.\n\n"
	       "FILE is read twice, a window at a time: a trace of any size can be cut. For --around "
	       "it is loaded before that, as the answer that prints the id loads it.\n\n"
	       "Of what is kept the calls can be written in place of a trace: for speedscope.app by "
	       "thread, stream and time, or folded, as 'stacks' does; what is cut is loaded for it.",
	.examples = "traceq cut trace.json.gz --steps 10-12 -o cut.json.gz\n"
		    "traceq cut trace.json.gz --time 1.2s-1.5s -o cut.json\n"
		    "traceq cut trace.json.gz --around gap:0@31294811 --margin 1ms -o gap.json\n"
		    "traceq cut trace.json.gz --steps 10 --annotate critical,idle -o step.json.gz\n"
		    "traceq cut trace.json.gz --steps 3-5 -o steps.speedscope.json\n"
		    "traceq cut trace.json.gz --no-python --no-args -o small.json.gz",
	.group = groups,
	.ngroup = COUNT_OF(groups),
	.more_groups = help_groups,
	.run = run,
};
