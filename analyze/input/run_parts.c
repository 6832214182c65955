/* Files of a folder into runs. */
#include "analyze/input/run_parts.h"

#include <stdlib.h>

#include "analyze/input/folder.h"
#include "analyze/input/run_folders.h"
#include "analyze/input/superseded.h"
#include "analyze/trace/runpath.h"
#include "base/compare3.h"

/* The runs of a folder, and the files of each. */
struct parts {
	struct folder *f;
	struct places places;
	size_t *begin; /* by place, one more: its files in `file` */
	size_t *file;  /* files by place, then as walked */
	size_t *loose; /* files in places that are no runs */
	size_t nloose;
	bool *is_trace; /* by file: a trace of the run at hand that is no copy */
};

/* Files by place, and those in no run's. */
static void sort_files(struct parts *p)
{
	size_t n = p->f->n;

	p->begin = arena_array(&p->f->mem, p->places.n + 2, sizeof(*p->begin));
	p->file = arena_array(&p->f->mem, n, sizeof(*p->file));
	p->loose = arena_array(&p->f->mem, n, sizeof(*p->loose));
	p->is_trace = arena_array(&p->f->mem, n, sizeof(*p->is_trace));
	for (size_t i = 0; i < n; i++)
		p->begin[p->places.of[i] + 2]++;
	for (size_t i = 2; i < p->places.n + 2; i++)
		p->begin[i] += p->begin[i - 1];
	for (size_t i = 0; i < n; i++) {
		p->file[p->begin[p->places.of[i] + 1]++] = i;
		if (!p->places.place[p->places.of[i]].is_run)
			p->loose[p->nloose++] = i;
	}
}

ORDER(by_file, size_t, compare3(*a, *b))

static int by_rank(const void *pa, const void *pb)
{
	const struct folder_file *a = *(const struct folder_file *const *)pa;
	const struct folder_file *b = *(const struct folder_file *const *)pb;
	int64_t ra = runpath_rank(a->name), rb = runpath_rank(b->name);

	return COMPARE_BY(compare3(ra, rb), compare3(a, b));
}

/*
 * A file in no run's folder is of this run when it is aside above it, and configurations are of
 * all; what else there is is listed with the first.
 */
static bool takes(const struct parts *p, size_t file, size_t run, bool is_first)
{
	const struct place *place = p->places.place;
	enum folder_what what = p->f->file[file].what;

	return is_first || what == FOLDER_ARTIFACT ||
		(what != FOLDER_BESIDE &&
			run_folders_is_above(place[p->places.of[file]].key, place[run].key));
}

/* The files of a run, as walked: its results, and what is aside.  run: SIZE_MAX for all as one. */
static size_t *files_of(const struct parts *p, size_t run, bool is_first, size_t *n)
{
	size_t own = run == SIZE_MAX ? p->f->n : p->begin[run + 1] - p->begin[run], more = 0;
	size_t *file;

	for (size_t i = 0; run != SIZE_MAX && i < p->nloose; i++)
		more += takes(p, p->loose[i], run, is_first);
	file = arena_array(&p->f->mem, own + more, sizeof(*file));
	for (size_t i = 0; i < own; i++)
		file[i] = run == SIZE_MAX ? i : p->file[p->begin[run] + i];
	*n = own;
	for (size_t i = 0; more > 0 && i < p->nloose; i++)
		if (takes(p, p->loose[i], run, is_first))
			file[(*n)++] = p->loose[i];
	if (more > 0)
		qsort(file, *n, sizeof(*file), by_file);
	return file;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Profilers copy their trace into the run's folder: same name, same size, no rank that differs. */
static int by_content(const struct folder_file *a, const struct folder_file *b)
{
	int c = strcmp(base_name(a->name), base_name(b->name));

	if (c == 0 && a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (c)
		return c;
	int64_t x = runpath_rank(a->name);
	int64_t y = runpath_rank(b->name);
	return compare3(x, y);
}

static int by_content_and_place(const void *pa, const void *pb)
{
	const struct folder_file *a = *(const struct folder_file *const *)pa;
	const struct folder_file *b = *(const struct folder_file *const *)pb;

	return COMPARE_BY(by_content(a, b), compare3(a, b));
}

/* Of copies only the one walked first stays; those that stay by rank. */
static size_t without_copies(const struct folder_file **trace, size_t n)
{
	size_t kept = 0;

	if (n > 1)
		qsort(trace, n, sizeof(const void *), by_content_and_place);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || by_content(trace[kept - 1], trace[i]) != 0)
			trace[kept++] = trace[i];
	if (kept > 1)
		qsort(trace, kept, sizeof(const void *), by_rank);
	return kept;
}

/* The same file, named as it is below the run's folder. */
static struct folder_file *named_below(
	const struct parts *p, const struct folder_file *file, const char *folder)
{
	struct folder_file *copy = arena_alloc(&p->f->mem, sizeof(*copy));

	*copy = *file;
	if (run_folders_is_above(folder, file->name))
		copy->name += strlen(folder);
	return copy;
}

/* What is not the run's trace; a further copy of it is nothing to read. */
static const struct folder_file *listed(
	const struct parts *p, const struct folder_file *file, const char *folder, bool is_further)
{
	struct folder_file *copy = named_below(p, file, folder);

	if (is_further) {
		copy->what = FOLDER_FURTHER;
	} else if (file->what == FOLDER_TRACE) {
		copy->what = FOLDER_UNKNOWN;
		copy->why = "a copy of the trace: same name and size";
	}
	return copy;
}

/* run: SIZE_MAX for all files as one. */
static void fill_part(struct part *part, struct parts *p, size_t run)
{
	struct folder *f = p->f;
	const char *folder = run == SIZE_MAX ? "" : p->places.place[run].folder;
	size_t n, *file = files_of(p, run, part->is_first, &n), traces = 0;
	const struct folder_file **trace = arena_array(&f->mem, n + 1, sizeof(const void *));

	part->file = arena_array(&f->mem, n, sizeof(const void *));
	for (size_t i = 0; i < n; i++)
		if (f->file[file[i]].what == FOLDER_TRACE &&
			(run == SIZE_MAX || p->places.of[file[i]] == run))
			trace[traces++] = &f->file[file[i]];
	traces = without_copies(trace, traces);
	for (size_t i = 0; i < traces; i++)
		p->is_trace[trace[i] - f->file] = true;
	for (size_t i = 0; i < n; i++) {
		const struct folder_file *one = &f->file[file[i]];

		if (traces > 0 && one == trace[0])
			part->first = part->file[part->n++] = named_below(p, one, folder);
		else
			part->file[part->n++] = listed(p, one, folder, p->is_trace[file[i]]);
	}
	for (size_t i = 0; i < traces; i++)
		p->is_trace[trace[i] - f->file] = false;
	part->trace = trace + (traces > 0);
	part->ntrace = traces > 0 ? traces - 1 : 0;
}

static const char *named(struct folder *f, const char *path, const char *folder)
{
	size_t n = strlen(path), len = strlen(folder);

	if (len == 0)
		return path;
	if (*f->join != '/') /* as it can be given */
		return arena_printf(&f->mem, "%s%s%s", path, f->join, folder);
	return arena_printf(&f->mem, "%s%s%.*s", path, n && path[n - 1] == '/' ? "" : "/",
		(int)len - 1, folder);
}

/* By file: the key of its run; of one run that is all there is, its own folder's if it has one. */
static void name_runs(const struct parts *p)
{
	const struct places *at = &p->places;
	const char *only = NULL;
	size_t n = 0;

	for (size_t i = 0; i < at->n; i++)
		if (at->place[i].is_run) {
			only = at->place[i].key;
			n++;
		}
	for (size_t i = 0; i < p->f->n; i++)
		p->f->file[i].run = at->are_runs ? at->place[at->of[i]].key : n == 1 ? only : "";
}

size_t parts_of(struct folder *f, const char *path, struct part **part)
{
	struct parts p = { .f = f, .places.f = f };
	size_t n = 0;

	run_folders_find(&p.places);
	superseded_mark_later(f);
	name_runs(&p);
	sort_files(&p);
	*part = arena_array(&f->mem, p.places.n + 1, sizeof(**part));
	if (!p.places.are_runs) {
		(*part)[0] = (struct part){ .path = path, .is_first = true };
		fill_part(&(*part)[0], &p, SIZE_MAX);
		return 1;
	}
	for (size_t i = 0; i < p.places.n; i++) {
		if (!p.places.place[i].is_run)
			continue;
		(*part)[n] = (struct part){ .path = named(f, path, p.places.place[i].folder),
			.is_first = n == 0 };
		fill_part(&(*part)[n++], &p, i);
	}
	return n;
}
