/* The cut command: a smaller trace of a large one. */
#include <errno.h>
#include <sys/stat.h>

#include "cmd/command.h"
#include "cmd/edit/edited.h"
#include "cmd/edit/known.h"
#include "cmd/inquiry.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/stream.h"
#include "report/format/renderer.h"

/* A file of calls. */
struct calls {
	const struct analysis *stacks; /* which answers */
	const struct renderer *format;
	const char *name;     /* of the trace, as the file has it */
	const char **where;   /* what an error is about, the trace at first */
	struct result result; /* with notes about it; result_clear */
	int64_t bytes;        /* written */
};

/* ---- calls in place of a trace ---- */

enum { PIECE = 1 << 20 };

/* ---- which ---- */

static bool is_gzip(const struct edited_options *o)
{
	return o->path && span_ends(span_of(o->path), ".gz");
}

/* What the options say is sound for such a format: E_USAGE for those that mean nothing to it. */
static enum status calls_check(const struct renderer *format, const struct wants *w, struct err *e)
{
	const char *odd = w->annotate ? "annotate"
		: w->sample           ? "sample"
		: w->no_args          ? "no-args"
		: w->lanes            ? "lanes"
		: w->anonymizes       ? "anonymize"
				      : NULL;

	if (odd)
		return err_hinted(e, E_USAGE, "it holds names of calls and their times alone",
			"--%s does not apply to %s", odd, format->name);
	return OK;
}

/* ---- asking ---- */

/* By what stacks are: where nothing but devices was recorded, by their time. */
static const char *words_of(const struct renderer *format, const struct run *r)
{
	int64_t host = r->kind_count[KIND_OP] + r->kind_count[KIND_PYTHON] +
		r->kind_count[KIND_ANNOTATION] + r->kind_count[KIND_RUNTIME];
	int64_t device = r->kind_count[KIND_KERNEL] + r->kind_count[KIND_MEMCPY] +
		r->kind_count[KIND_MEMSET];

	return !format->is_of_calls && host == 0 && device > 0 ? "stacks --metric=device"
							       : "stacks";
}

static enum status ask(
	struct calls *c, const struct run *run, unsigned threads, FILE *out, struct err *e)
{
	static const struct filter everything;
	const struct render how = { 0 };
	const struct analysis *stacks = c->stacks;
	struct inquiry_ask question = { .analysis = stacks };
	struct stream stream = { 0 };
	struct query q = { .run = &run, .nrun = 1, .filter = &everything, .threads = threads };
	int exit_code = 0;

	question.opts = analysis_options(stacks, words_of(c->format, run), &c->result.mem);
	q.opts = question.opts;
	stream_take(&stream, &question, c->format);
	stream.to.out = out;
	enum status st = analysis_answer(question.analysis, &q, &c->result, &exit_code, e);
	if (st == OK && !stream.to.is_written)
		st = c->format->put(out, &c->result, &how, e);
	return st;
}

/* ---- the file ---- */

static enum status failed(struct err *e)
{
	return err_set(e, E_IO, -1, "cannot write: %s", strerror(errno));
}

static enum status put(FILE *out, const struct str *bytes, struct err *e)
{
	if (fwrite(bytes->s, 1, bytes->n, out) != bytes->n) /* lint: allow text: compressed */
		return failed(e);
	return OK;
}

/* All of in, compressed. */
static enum status squeeze(FILE *in, FILE *out, int level, struct err *e)
{
	char *piece = zeroed(PIECE, 1);
	struct deflate_sum sum = { 0 };
	SCOPED_STR bytes = { 0 };
	size_t n;

	deflate_head(&bytes);
	enum status st = put(out, &bytes, e);
	rewind(in);
	while (st == OK && (n = fread(piece, 1, PIECE, in)) > 0) {
		str_reset(&bytes);
		struct deflated d = deflate_piece((struct span){ piece, n }, level, &bytes);
		deflate_add(&sum, &d);
		st = put(out, &bytes, e);
	}
	str_reset(&bytes);
	deflate_tail(&sum, &bytes);
	THEN(st, ferror(in) ? failed(e) : put(out, &bytes, e));
	free(piece);
	return st;
}

/* The calls, compressed where that is wanted: first as they are, in a file that has no name. */
static enum status put_calls(struct calls *c, const struct run *run, const struct edited_options *o,
	FILE *out, struct err *e)
{
	struct io_temp temp = { 0 };
	FILE *plain = out;
	enum status st = OK;

	if (is_gzip(o)) {
		char *folder = edited_folder(o);

		st = io_temp_make(&temp, folder, e);
		free(folder);
		TRY(st);
		plain = fopen(temp.path, "w+b"); /* lint: allow fopen: our own */
		st = plain ? OK : failed(e);
	}
	THEN(st, ask(c, run, (unsigned)o->threads, plain, e));
	if (st == OK && is_gzip(o))
		st = squeeze(plain, out, o->level ? o->level[0] - '0' : DEFLATE_FAST, e);
	if (plain && plain != out)
		(void)fclose(plain);
	io_temp_drop(&temp);
	return st;
}

static enum status to_file(
	struct calls *c, const struct run *run, const struct edited_options *o, struct err *e)
{
	struct io_file file;

	TRY(edited_create(&file, o, e));
	enum status st = put_calls(c, run, o, file.out, e);
	if (st != OK) {
		io_abandon(&file);
		return st == E_IO ? io_named(o->path, st, e) : st;
	}
	c->bytes = ftell(file.out);
	return io_named(o->path, io_commit(&file, e), e);
}

static enum status to_stdout(
	struct calls *c, const struct run *run, const struct edited_options *o, struct err *e)
{
	TRY(put_calls(c, run, o, stdout, e));
	return fflush(stdout) == 0 ? OK : failed(e);
}

/* The calls of a trace. */
static enum status write_calls(struct calls *c, const struct edited_options *o, const char *path,
	const struct load_options *load, struct err *e)
{
	static const struct filter everything;
	const struct analysis *stacks = c->stacks;
	bool is_stdout = !o->path || strcmp(o->path, "-") == 0;
	struct load_options all = *load;
	const void *opts = analysis_options(stacks, "stacks", &c->result.mem);
	struct run run;

	all.needs = stacks->runs.needs | stacks->runs.needs_more(opts, &everything);
	TRY(load_single(path, &all, &run, e));
	run.path = c->name;
	(void)result_input(&c->result, c->name);
	enum status st = is_stdout ? to_stdout(c, &run, o, e) : to_file(c, &run, o, e);
	if (st == E_IO)
		*c->where = is_stdout ? "standard output" : NULL;
	run_clear(&run);
	return st;
}

/* How the trace is written that the calls are of, for edited_check and edited_begin; path NULL:
 * nobody knows as yet. */
static struct edited_options calls_trace(const struct edited_options *o, const char *path)
{
	struct edited_options trace = *o;

	trace.path = path ? path : o->path;
	trace.is_new = o->is_new && !path; /* a temporary file is there, and ours */
	trace.to = "json";
	trace.level = path ? NULL : o->level;
	return trace;
}

/* What is kept, as a trace in that file; *x: what it became. */
static enum status write_trace(const struct edited_options *o, struct cut *cut,
	const struct cut_want *want, const char *path, const struct load_options *load,
	struct edited *x, const char **where, struct err *e)
{
	const struct document d = cut_document(cut);
	const char *input = *where;

	*where = NULL;
	TRY(edited_begin(x, o, &d, e));
	if (cut_write(cut, path, want, load, &x->w, e) != OK) {
		*where = edited_blamed(x, input);
		edited_drop(x);
		return e->status;
	}
	TRY(edited_end(x, e));
	*where = input;
	return OK;
}

/*
 * Behind cut_survey of the trace at path: writes the calls of what is kept where the options say,
 * through a trace beside it.  As cut_write, as `stacks` answers, and E_IO; nothing is there then.
 */
static enum status calls_write(struct calls *c, const struct edited_options *o, struct cut *cut,
	const struct cut_want *want, const char *path, const struct load_options *load,
	struct err *e)
{
	const char *input = *c->where;
	struct edited x;
	struct io_temp temp;
	char *folder = edited_folder(o);
	enum status st = io_temp_make(&temp, folder, e);

	free(folder);
	if (st != OK) {
		*c->where = o->path;
		return st;
	}
	struct edited_options trace = calls_trace(o, temp.path);
	st = write_trace(&trace, cut, want, path, load, &x, c->where, e);
	if (st != OK && *c->where != input)
		*c->where = o->path; /* rather than the file beside it */
	THEN(st, write_calls(c, o, temp.path, load, e));
	io_temp_drop(&temp);
	return st;
}

struct cut_given {
	const char *time, *around, *margin;
};

#define AT(field) offsetof(struct cut_given, field)
static const struct opt own_opts[] = {
	TEXT_OPT("time", 0, "FROM-TO", AT(time),
		"only this time range, from the first event on: 1.2s-1.5s, 300ms-, -20us"),
	TEXT_OPT("around", 0, "ID", AT(around),
		"only what is around that: an id of idle, critical or diagnose (gap:0@31294811, "
		"path@31294811+4821, G07@31294811+4821), the worst place of a rule (G07), or a "
		"step (step:7)"),
	TEXT_OPT("margin", 0, "TIME", AT(margin),
		"how much before and behind it is kept [a tenth of its length, 50 us at least]"),
};
#undef AT

enum { CUT_IGNORES = FILTER_RANK | FILTER_COMM };

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
	const char **path;
	size_t npath;
	struct progress progress;
	struct err err;
	const char *where;  /* what err is about; NULL */
	struct calls calls; /* in place of a trace, with a format */
};

static size_t help_groups(struct opt_group *to, struct opt *filter)
{
	return wants_groups(to, filter, CUT_IGNORES, NULL, NULL, NULL);
}

static enum status check(struct cutting *c)
{
	struct edited_options trace = c->out;
	const struct writer_kind *kind;
	bool is_gzip;
	struct stat at;
	int level;

	if (c->npath != 1)
		return err_hinted(&c->err, E_USAGE, "usage: traceq cut FILE -o OUT [--steps LIST]",
			c->npath ? "more than one trace given" : "no trace given");
	if (c->given.margin && !c->given.around)
		return err_hinted(&c->err, E_USAGE, "it is the margin around what --around names",
			"--margin without --around");
	if (stat(c->path[0], &at) == 0 && S_ISDIR(at.st_mode))
		return err_hinted(&c->err, E_USAGE,
			"name a file in it, or 'traceq merge' its traces into one",
			"%s is a folder; cut takes one trace", c->path[0]);
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
	struct cutting *c, const struct rereadable *plain, const struct load_options *load)
{
	if (!c->given.around)
		return OK;
	enum status st = known_around(&c->known, plain->path, c->given.around, c->given.margin,
		&c->want.filter, load, &c->stretch, &c->err);
	c->want.stretch = &c->stretch;
	known_clear(&c->known);
	return st;
}

static enum status write_cut(
	struct cutting *c, struct cut *cut, struct rereadable *plain, struct edited *x)
{
	struct load_options load;

	edited_load(&c->out, &c->progress, &load);
	c->where = c->path[0];
	TRY(edited_plain(plain, &c->out, c->path[0], &load, &c->err));
	TRY(find_around(c, plain, &load));
	TRY(cut_survey(cut, plain->path, &c->want, &load, &c->err));
	TRY(wants_annotate(&c->wants, &c->want, cut, &c->known, plain->path, &load, &c->err));
	known_clear(&c->known);
	c->calls.where = &c->where;
	if (c->calls.format)
		return calls_write(&c->calls, &c->out, cut, &c->want, plain->path, &load, &c->err);
	return write_trace(&c->out, cut, &c->want, plain->path, &load, x, &c->where, &c->err);
}

static int answer(struct cutting *c)
{
	struct cut cut = { 0 };
	struct edited x = { 0 };
	struct rereadable plain = { 0 };
	enum status st = check(c);

	c->want.time = c->given.time;
	THEN(st, wants_take(&c->wants, &c->want, &cut, &c->err));
	if (st != OK) {
		cut_clear(&cut);
		return say_usage("cut", &c->err);
	}
	result_init(&c->calls.result, "");
	progress_begin(&c->progress, c->path[0], c->out.is_quiet);
	st = write_cut(c, &cut, &plain, &x);
	progress_end(&c->progress);
	int exit_code = st == OK ? say_done(c, &cut, &x) : say_refusal("cut", c->where, &c->err);
	if (st == OK && !c->calls.format)
		edited_say_odd(&c->out, c->path[0], &cut.survey.tally);
	if (st == OK && !c->out.is_quiet)
		wants_say(&c->wants, cut.nunreadable);
	result_clear(&c->calls.result);
	known_clear(&c->known);
	cut_clear(&cut);
	rereadable_close(&plain);
	return exit_code;
}

static int run(const struct command_line *line)
{
	const struct analyses *all = &line->all->analyses;
	struct cutting c = { .known.all = all, .calls.stacks = analysis_find(all, "stacks") };
	struct opt_group group[1 + WANTS_GROUPS] = { { "Options", own_opts, COUNT_OF(own_opts),
		&c.given } };
	struct opt filter[FILTER_COUNT];

	door_begin();
	err_clear(&c.err);
	c.out.is_new = line->given != NULL; /* what is written for a program is a new file */
	size_t n =
		1 + wants_groups(group + 1, filter, CUT_IGNORES, &c.want.filter, &c.wants, &c.out);
	int exit_code = options_parse(group, n, NULL, line, &c.path, &c.npath, &c.err) == OK
		? answer(&c)
		: say_usage("cut", &c.err);
	wants_free(&c.wants);
	free(c.path);
	return exit_code;
}

COMMAND(cut) = {
	.name = "cut",
	.summary = "a smaller trace of a large one, for any viewer",
	.operands = "FILE -o OUT",
	.doc = "Writes what happens in some steps or in a time range, with the work that is "
	       "launched there and the launches of work that runs there: arrows, names and "
	       "metadata stay whole, and so do all arguments. Other tools open the file, and an "
	       "analysis of it gives the figures that --steps gives of the whole trace.\n\n"
	       "FILE is read twice, a window at a time: a trace of any size can be cut. For "
	       "--around it is loaded before that, as the answer that prints the id loads "
	       "it.\n\n"
	       "Of what is kept the calls can be written in place of a trace: for "
	       "speedscope.app by thread, stream and time, or folded, as 'stacks' does; what is "
	       "cut is loaded for it.",
	.examples = "traceq cut trace.json.gz --steps 10-12 -o cut.json.gz\n"
		    "traceq cut trace.json.gz --time 1.2s-1.5s -o cut.json\n"
		    "traceq cut trace.json.gz --around gap:0@31294811 --margin 1ms -o gap.json\n"
		    "traceq cut trace.json.gz --steps 10 --annotate critical,idle -o step.json.gz\n"
		    "traceq cut trace.json.gz --steps 3-5 -o steps.speedscope.json\n"
		    "traceq cut trace.json.gz --no-python --no-args -o small.json.gz",
	COMMAND_HAS(group, groups),
	.more_groups = help_groups,
	.run = run,
};
