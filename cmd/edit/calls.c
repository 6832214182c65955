/*
 * A cut trace is loaded and asked for its stacks, as the command of that name is.
 */
#include "cmd/edit/calls.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/load.h"
#include "analyze/query/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run.h"
#include "base/opt.h"
#include "base/zeroed.h"
#include "cmd/edit/wants.h"
#include "cmd/inquiry.h"
#include "cmd/stream.h"
#include "edit/cut.h"
#include "edit/out/deflate.h"
#include "report/format/renderer.h"

enum { PIECE = 1 << 20 };

/* ---- which ---- */

static bool is_gzip(const struct edited_options *o)
{
	size_t n = o->path ? strlen(o->path) : 0;

	return n > 3 && strcmp(o->path + n - 3, ".gz") == 0;
}

enum status calls_check(const struct renderer *format, const struct wants *w, struct err *e)
{
	const char *odd = w->annotate ? "annotate"
		: w->sample           ? "sample"
		: w->no_args          ? "no-args"
		: w->lanes            ? "lanes"
		: w->anonymizes       ? "anonymize"
				      : NULL;

	if (odd) {
		(void)err_set(e, E_USAGE, -1, "--%s does not apply to %s", odd, format->name);
		return err_hint(e, "it holds names of calls and their times alone");
	}
	return OK;
}

/* ---- asking ---- */

/* The options of stacks; metric: its option, or NULL. */
static void *parse(const struct analysis *a, const char *metric)
{
	const char *word[] = { "stacks", "--metric", metric };
	void *opts = zeroed(1, a->options.size);
	const struct opt_group own = { "", a->options.opt, a->options.n, opts };
	const char **operand = NULL;
	size_t noperand;
	struct err e;
	enum status st;

	if (a->options.set_defaults)
		a->options.set_defaults(opts);
	st = opt_parse(&own, 1, metric ? 3 : 1, (char **)word, &operand, &noperand, &e);
	assert(st == OK);
	(void)st;
	free(operand);
	return opts;
}

/* By what stacks are: where nothing but devices was recorded, by their time. */
static const char *metric_of(const struct renderer *format, const struct run *r)
{
	int64_t host = r->kind_count[KIND_OP] + r->kind_count[KIND_PYTHON] +
		r->kind_count[KIND_ANNOTATION] + r->kind_count[KIND_RUNTIME];

	int64_t device = r->kind_count[KIND_KERNEL] + r->kind_count[KIND_MEMCPY] +
		r->kind_count[KIND_MEMSET];

	return !format->is_of_calls && host == 0 && device > 0 ? "device" : NULL;
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
	enum status st;

	question.opts = parse(stacks, metric_of(c->format, run));
	q.opts = question.opts;
	stream_take(&stream, &question, c->format);
	stream.to.out = out;
	st = analysis_answer(question.analysis, &q, &c->result, &exit_code, e);
	if (st == OK && !stream.to.is_written)
		st = c->format->put(out, &c->result, &how, e);
	free(question.opts);
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
	struct str bytes = { 0 };
	enum status st;
	size_t n;

	deflate_head(&bytes);
	st = put(out, &bytes, e);
	rewind(in);
	while (st == OK && (n = fread(piece, 1, PIECE, in)) > 0) {
		struct deflated d;

		str_reset(&bytes);
		d = deflate_piece((struct span){ piece, n }, level, &bytes);
		deflate_add(&sum, &d);
		st = put(out, &bytes, e);
	}
	str_reset(&bytes);
	deflate_tail(&sum, &bytes);
	if (st == OK)
		st = ferror(in) ? failed(e) : put(out, &bytes, e);
	str_free(&bytes);
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
	if (st == OK)
		st = ask(c, run, (unsigned)o->threads, plain, e);
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
	enum status st;

	TRY(edited_create(&file, o, e));
	st = put_calls(c, run, o, file.out, e);
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
	void *opts = parse(stacks, NULL);
	struct run run;
	enum status st;

	all.needs = stacks->runs.needs | stacks->runs.needs_more(opts, &everything);
	free(opts);
	TRY(load_single(path, &all, &run, e));
	run.path = c->name;
	(void)result_input(&c->result, c->name);
	st = is_stdout ? to_stdout(c, &run, o, e) : to_file(c, &run, o, e);
	if (st == E_IO)
		*c->where = is_stdout ? "standard output" : NULL;
	run_clear(&run);
	return st;
}

struct edited_options calls_trace(const struct edited_options *o, const char *path)
{
	struct edited_options trace = *o;

	trace.path = path ? path : o->path;
	trace.is_new = o->is_new && !path; /* a temporary file is there, and ours */
	trace.to = "json";
	trace.level = path ? NULL : o->level;
	return trace;
}

/* What is kept, as a trace in that file. */
static enum status write_trace(const struct edited_options *o, struct cut *cut,
	const struct cut_want *want, const char *path, const struct load_options *load,
	const char **where, struct err *e)
{
	const struct document d = cut_document(cut);
	struct edited x;

	if (edited_begin(&x, o, &d, e) != OK) {
		*where = NULL;
		return e->status;
	}
	if (cut_write(cut, path, want, load, &x.w, e) != OK) {
		*where = edited_blamed(&x, *where);
		edited_drop(&x);
		return e->status;
	}
	if (edited_end(&x, e) != OK)
		*where = NULL;
	return e->status;
}

enum status calls_write(struct calls *c, const struct edited_options *o, struct cut *cut,
	const struct cut_want *want, const char *path, const struct load_options *load,
	struct err *e)
{
	const char *input = *c->where;
	struct edited_options trace;
	struct io_temp temp;
	char *folder = edited_folder(o);
	enum status st = io_temp_make(&temp, folder, e);

	free(folder);
	if (st != OK) {
		*c->where = o->path;
		return st;
	}
	trace = calls_trace(o, temp.path);
	st = write_trace(&trace, cut, want, path, load, c->where, e);
	if (st != OK && *c->where != input)
		*c->where = o->path; /* rather than the file beside it */
	if (st == OK)
		st = write_calls(c, o, temp.path, load, e);
	io_temp_drop(&temp);
	return st;
}
