/*
 * Loading what the command line names.
 */
#include "cmd/inputs.h"

#include <string.h>

#include "analyze/input/folder.h"
#include "analyze/input/load.h"
#include "analyze/input/parts.h"
#include "cmd/operands.h"
#include "cmd/progress.h"

enum { TRACES_MAX = 64 }; /* of one run; more are left out with a word */

/* One call of inputs_load. */
struct loading {
	struct inputs *in;
	const struct analysis *analysis;
	const struct common_options *how;
	struct load_options options;
	const char *at; /* what was read last */
	struct err *e;
};

/* Loads into a new run; reads only what the caller says. */
typedef enum status loader(struct loading *l, const void *what, struct run *run);

static void *grown(struct arena *mem, void *old, size_t n, size_t *cap, size_t size)
{
	void *p;

	if (n < *cap)
		return old;
	*cap = *cap ? *cap * 2 : 16;
	p = arena_array(mem, *cap, size);
	if (n)
		memcpy(p, old, n * size);
	return p;
}

/* name: what people see it under. */
static enum status load_one(struct loading *l, const char *name, loader *load, const void *what)
{
	struct inputs *in = l->in;
	struct run *run = arena_alloc(&in->mem, sizeof(*run));
	struct progress progress;
	size_t path_cap = in->cap, run_cap = in->cap;
	enum status st;

	l->at = arena_copy(&in->mem, name, strlen(name));
	if (in->n == OPERANDS_MAX)
		return err_set(l->e, E_LIMIT, -1,
			"an answer is about at most %d runs; give fewer at a time", OPERANDS_MAX);
	l->options.progress = progress_tick;
	l->options.progress_ctx = &progress;
	progress_begin(&progress, name, l->how->output.is_quiet);
	st = load(l, what, run);
	progress_end(&progress);
	TRY(st);
	in->path = grown(&in->mem, in->path, in->n, &path_cap, sizeof(*in->path));
	in->run = grown(&in->mem, in->run, in->n, &run_cap, sizeof(*in->run));
	in->own = grown(&in->mem, in->own, in->n, &in->cap, sizeof(*in->own));
	in->path[in->n] = l->at;
	in->run[in->n] = in->own[in->n] = run;
	in->n++;
	return l->analysis->takes_records ? OK : load_want_trace(run, l->e);
}

static enum status by_path(struct loading *l, const void *what, struct run *run)
{
	return load_path(what, &l->options, run, l->e);
}

/* --- folders --- */

struct found {
	const struct folder *f;
	const struct part *part;
};

static enum status by_part(struct loading *l, const void *what, struct run *run)
{
	const struct found *found = what;

	return load_part(found->f, found->part, &l->options, run, l->e);
}

static void leave(struct loading *l, const char *path, const char *why)
{
	struct inputs *in = l->in;

	in->left = grown(&in->mem, in->left, in->nleft, &in->left_cap, sizeof(*in->left));
	in->left[in->nleft++] = (struct inputs_left){ arena_copy(&in->mem, path, strlen(path)),
		arena_copy(&in->mem, why, strlen(why)) };
}

/* The other traces of a run: one that cannot be read is left out, unless strict. */
static enum status load_traces(struct loading *l, const struct part *part)
{
	size_t i;

	for (i = 0; i < part->ntrace; i++) {
		const char *path = part->trace[i]->path;

		if (i + 1 >= TRACES_MAX)
			leave(l, path, "a folder is at most 64 traces; give it by itself");
		else if (load_one(l, path, by_path, path) == OK)
			continue;
		else if (l->options.strict)
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
	bool is_named = part->ntrace && l->analysis->needs && !l->analysis->is_of_folders;
	enum status st = load_one(l, is_named ? part->first->path : part->path, by_part, &found);

	if (st == E_FORMAT && in->n > before && (is_one_of_many || part->ntrace) &&
		!l->options.strict) {
		leave(l, part->path, "no trace in it");
		err_clear(l->e);
		run_clear(in->own[--in->n]);
		st = OK;
	}
	TRY(st);
	return l->analysis->needs ? load_traces(l, part) : OK;
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

enum status inputs_load(struct inputs *in, const struct analysis *a, const void *opts,
	const struct common_options *how, const char *const *path, size_t npath, const char **where,
	struct err *e)
{
	struct loading l = { in, a, how, { .needs = a->needs }, NULL, e };
	size_t i;

	*in = (struct inputs){ 0 };
	arena_init(&in->mem);
	if (a->needs_more)
		l.options.needs |= a->needs_more(opts, &how->filter);
	l.options.threads = (unsigned)how->read.threads;
	l.options.strict = how->read.is_strict;
	for (i = 0; i < npath; i++) {
		*where = path[i];
		if (folder_is(path[i]) && a->max_runs != 1)
			TRY(load_folder_runs(&l, path[i], where));
		else
			TRY(load_one(&l, path[i], by_path, path[i]));
	}
	return OK;
}

/* A folder that is one run with traces of several ranks. */
static bool has_ranks(struct folder *f, const char *path, struct part **part, struct err *e)
{
	bool is_read = folder_read(f, path, NULL, e) == OK;

	if (!is_read)
		err_clear(e);
	return is_read && parts_of(f, path, part) == 1 && (*part)->ntrace > 0;
}

static enum status load_whole(struct loading *l, const char *path)
{
	struct part *part;
	struct folder f;
	enum status st;

	if (!folder_is(path))
		return load_one(l, path, by_path, path);
	st = has_ranks(&f, path, &part, l->e) ? load_run(l, &f, part, false)
					      : load_one(l, path, by_path, path);
	folder_clear(&f);
	return st;
}

enum status inputs_load_whole(struct inputs *in, unsigned needs, const struct common_options *how,
	const char *const *path, size_t npath, const char **where, struct err *e)
{
	const struct analysis any = { .needs = needs, .takes_records = true };
	struct loading l = { in, &any, how, { .needs = needs }, NULL, e };
	size_t i;

	*in = (struct inputs){ 0 };
	arena_init(&in->mem);
	l.options.threads = (unsigned)how->read.threads;
	l.options.strict = how->read.is_strict;
	for (i = 0; i < npath; i++) {
		*where = path[i];
		TRY(load_whole(&l, path[i]));
	}
	return OK;
}

void inputs_list(const struct inputs *in, struct result *out)
{
	size_t i;

	for (i = 0; i < in->nleft; i++)
		result_note(out, NOTE_WARNING, "left_out", -1, 1, "%s is left out: %s",
			in->left[i].path, in->left[i].why);
}

void inputs_clear(struct inputs *in)
{
	size_t i;

	for (i = 0; i < in->n; i++)
		run_clear(in->own[i]);
	arena_clear(&in->mem);
	*in = (struct inputs){ 0 };
}
