/*
 * Loading what the command line names.
 */
#include "cmd/load/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/folder.h"
#include "analyze/input/load.h"
#include "analyze/input/load_twice.h"
#include "analyze/input/parts.h"
#include "base/zeroed.h"
#include "cmd/load/operands.h"
#include "cmd/load/progress.h"
#include "cmd/say.h"

enum { TRACES_MAX = 64 }; /* of one run; more are left out with a word */

/* One call of inputs_load. */
struct loading {
	struct inputs *in;
	const char *at; /* what was read last */
	struct err *e;
};

enum { FIRST = 16 };

/* Loads into a new run; reads only what the caller says. */
typedef enum status loader(struct loading *l, const void *what, struct run *run);

/* Runs of one answer: those that stay are fewer. */
static enum status check_count(const struct inputs *in, struct err *e)
{
	size_t max = in->want.is_one_by_one ? OPERANDS_MAX : OPERANDS_TOGETHER_MAX;

	if (in->n < max)
		return OK;
	return err_set(
		e, E_LIMIT, -1, "an answer is about at most %zu runs; give fewer at a time", max);
}

/* run: NULL when it is waiting. */
static void add_input(struct inputs *in, const char *path, struct run *run)
{
	size_t path_cap = in->cap, run_cap = in->cap;

	in->path = arena_grow(&in->mem, in->path, in->n, &path_cap, FIRST, sizeof(*in->path));
	in->run = arena_grow(&in->mem, in->run, in->n, &run_cap, FIRST, sizeof(*in->run));
	in->own = arena_grow(&in->mem, in->own, in->n, &in->cap, FIRST, sizeof(*in->own));
	in->path[in->n] = path;
	in->run[in->n] = in->own[in->n] = run;
	in->n++;
}

static void drop_last(struct inputs *in)
{
	if (in->own[--in->n])
		run_clear(in->own[in->n]);
}

/* name: what people see it under. */
static enum status read_one(
	struct loading *l, const char *name, loader *load, const void *what, struct run *run)
{
	struct inputs *in = l->in;
	struct progress progress;
	enum status st;

	in->options.progress = progress_tick;
	in->options.progress_ctx = &progress;
	progress_begin(&progress, name, in->is_quiet);
	st = load(l, what, run);
	progress_end(&progress);
	return st;
}

static enum status want_trace(const struct inputs *in, const struct run *run, struct err *e)
{
	return in->want.takes_records ? OK : load_want_trace(run, e);
}

static enum status load_one(struct loading *l, const char *name, loader *load, const void *what)
{
	struct inputs *in = l->in;
	struct run *run = arena_alloc(&in->mem, sizeof(*run));

	l->at = arena_copy(&in->mem, name, strlen(name));
	TRY(check_count(in, l->e));
	TRY(read_one(l, name, load, what, run));
	add_input(in, l->at, run);
	return want_trace(in, run, l->e);
}

static enum status by_path(struct loading *l, const void *what, struct run *run)
{
	return load_path(what, &l->in->options, run, l->e);
}

static enum status by_nothing(struct loading *l, const void *what, struct run *run)
{
	return load_missing(what, &l->in->options, run, l->e);
}

static enum status by_file(struct loading *l, const void *what, struct run *run)
{
	return load_single(what, &l->in->options, run, l->e);
}

/* --- folders --- */

struct found {
	const struct folder *f;
	const struct part *part;
};

static enum status by_part(struct loading *l, const void *what, struct run *run)
{
	const struct found *found = what;

	return load_part(found->f, found->part, &l->in->options, run, l->e);
}

static void add_left(struct inputs *in, const char *path, const char *why, bool is_error)
{
	in->left =
		arena_grow(&in->mem, in->left, in->nleft, &in->left_cap, FIRST, sizeof(*in->left));
	in->left[in->nleft++] = (struct inputs_left){ arena_copy(&in->mem, path, strlen(path)),
		arena_copy(&in->mem, why, strlen(why)), is_error };
}

static void leave(struct loading *l, const char *path, const char *why)
{
	add_left(l->in, path, why, false);
}

void inputs_fail(struct inputs *in, const char *path, const struct err *e)
{
	(void)say_error(path, e);
	add_left(in, path, e->text, true);
	in->nfailed++;
}

/* The other traces of a run: one that cannot be read is left out, unless strict. */
static enum status load_traces(struct loading *l, const struct part *part)
{
	size_t i;

	for (i = 0; i < part->ntrace; i++) {
		const char *path = part->trace[i]->path;

		if (i + 1 >= TRACES_MAX && !part->trace[i]->is_record)
			leave(l, path, "a folder is at most 64 traces; give it by itself");
		else if (load_one(l, path, by_file, path) == OK)
			continue;
		else if (l->in->options.strict)
			return l->e->status;
		else
			leave(l, path, l->e->text);
		err_clear(l->e);
	}
	return OK;
}

/* Where events are asked for, a run without a trace is left out when there are others. */
static enum status load_run(
	struct loading *l, const struct folder *f, const struct part *part, bool is_one_of_many)
{
	const struct found found = { f, part };
	struct inputs *in = l->in;
	size_t before = in->n;
	bool is_named = part->ntrace && in->want.is_of_events && !in->want.is_of_folders;
	enum status st = load_one(l, is_named ? part->first->path : part->path, by_part, &found);

	if (st == E_FORMAT && in->n > before && (is_one_of_many || part->ntrace) &&
		!in->options.strict) {
		leave(l, part->path, "no trace in it");
		err_clear(l->e);
		drop_last(in);
		st = OK;
	}
	TRY(st);
	return in->want.is_of_events ? load_traces(l, part) : OK;
}

static enum status load_folder_runs(struct loading *l, const char *path, const char **where)
{
	struct part *part;
	struct folder f;
	enum status st;
	size_t i, n, before = l->in->n;

	st = folder_read(&f, path, NULL, l->e);
	if (st == OK) {
		n = parts_of(&f, path, &part);
		twice_settle(&f, l->in->options.inflate);
		for (i = 0; i < n && st == OK; i++)
			st = load_run(l, &f, &part[i], n > 1);
		if (st != OK)
			*where = l->at;
		else if (l->in->n == before)
			st = err_set(l->e, E_NODATA, -1, "no run in it has a trace");
	}
	folder_clear(&f);
	return st;
}

/* A folder that is one run with traces of several ranks. */
static bool has_ranks(struct folder *f, const char *path, struct part **part, struct err *e)
{
	bool is_read = folder_read(f, path, NULL, e) == OK;

	if (!is_read)
		err_clear(e);
	return is_read && parts_of(f, path, part) == 1 && (*part)->ntrace > 0;
}

static enum status load_ranks(struct loading *l, const char *path)
{
	struct part *part;
	struct folder f;
	enum status st;

	if (has_ranks(&f, path, &part, l->e)) {
		twice_settle(&f, l->in->options.inflate);
		st = load_run(l, &f, part, false);
	} else {
		st = load_one(l, path, by_path, path);
	}
	folder_clear(&f);
	return st;
}

static enum status load_operand(struct loading *l, const char *path, const char **where)
{
	bool is_folder = folder_is(path);
	enum inputs_folder how = is_folder ? l->in->want.folder : FOLDER_AS_ONE;

	if (!is_folder && l->in->want.takes_missing && folder_is_missing(path))
		return load_one(l, path, by_nothing, path);
	if (how == FOLDER_EACH_RUN)
		return load_folder_runs(l, path, where);
	if (how == FOLDER_RANKS)
		return load_ranks(l, path);
	if (!l->in->is_waiting)
		return load_one(l, path, is_folder ? by_path : by_file, path);
	TRY(check_count(l->in, l->e));
	add_input(l->in, path, NULL);
	return OK;
}

enum status inputs_load(struct inputs *in, const struct inputs_want *want,
	const struct read_options *read, bool is_quiet, const char *const *path, size_t npath,
	const char **where, struct err *e)
{
	struct loading l = { in, NULL, e };
	size_t i;

	*in = (struct inputs){ .want = *want, .is_quiet = is_quiet };
	arena_init(&in->mem);
	in->options.needs = want->needs;
	in->options.comm = want->comm;
	in->options.threads = (unsigned)read->threads;
	in->options.strict = read->is_strict;
	in->is_waiting = want->is_one_by_one && npath > 1;
	for (i = 0; i < npath; i++) {
		size_t before = in->n;

		*where = path[i];
		if (load_operand(&l, path[i], where) == OK)
			continue;
		if (!want->goes_on || npath < 2)
			return e->status;
		while (in->n > before)
			drop_last(in);
		inputs_fail(in, *where, e);
		err_clear(e);
	}
	if (npath == 0 || in->nfailed < npath)
		return OK;
	*where = NULL;
	return err_set(e, E_NODATA, -1, "none of the %zu inputs can be read", npath);
}

enum status inputs_open(struct inputs *in, size_t i, const struct run **run, struct err *e)
{
	struct loading l = { in, in->path[i], e };
	struct run *new;

	*run = in->own[i];
	if (*run)
		return OK;
	new = i == 0 ? arena_alloc(&in->mem, sizeof(*new)) : zeroed(1, sizeof(*new));
	if (i > 0)
		in->open = new;
	if (read_one(&l, in->path[i], by_path, in->path[i], new) != OK)
		return e->status;
	if (i == 0)
		in->run[0] = in->own[0] = new;
	*run = new;
	return want_trace(in, new, e);
}

void inputs_close(struct inputs *in)
{
	if (!in->open)
		return;
	run_clear(in->open);
	free(in->open);
	in->open = NULL;
}

void inputs_list(const struct inputs *in, struct result *out)
{
	size_t i;

	for (i = 0; i < in->nleft; i++) {
		const struct inputs_left *left = &in->left[i];

		result_note(out, left->is_error ? NOTE_ERROR : NOTE_WARNING, "left_out", -1, 1,
			"%s is left out: %s", left->path, left->why);
		out->note[out->nnote - 1].is_said = left->is_error;
	}
}

void inputs_clear(struct inputs *in)
{
	size_t i;

	inputs_close(in);
	for (i = 0; i < in->n; i++)
		if (in->own[i])
			run_clear(in->own[i]);
	arena_clear(&in->mem);
	*in = (struct inputs){ 0 };
}
