/*
 * Files of a folder into runs.
 */
#include "analyze/input/parts.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/artifact.h"
#include "analyze/input/folder.h"
#include "analyze/store/runpath.h"

/* Files that tell runs apart by the folders they are in. */
struct place {
	const char *key;
	bool has_results;
	bool is_run;
};

struct places {
	struct folder *f;
	struct place *place;
	size_t n;
	size_t *of; /* by file: its place */
};

/* Files that may be of any run: configurations, and what is not read. */
static bool is_aside(const struct folder_file *f)
{
	return f->what == FOLDER_UNKNOWN || f->what == FOLDER_DAMAGED ||
		(f->what == FOLDER_ARTIFACT && f->kind->is_setup);
}

static bool is_above(const char *above, const char *key)
{
	size_t n = strlen(above);

	return strlen(key) > n && strncmp(above, key, n) == 0;
}

static void find_places(struct places *p)
{
	struct folder *f = p->f;
	size_t i, k;

	p->place = arena_array(&f->mem, f->n, sizeof(*p->place));
	p->of = arena_array(&f->mem, f->n, sizeof(*p->of));
	for (i = 0; i < f->n; i++) {
		const char *key = runpath_key(f->file[i].name, &f->mem);

		for (k = 0; k < p->n && strcmp(p->place[k].key, key) != 0;)
			k++;
		if (k == p->n)
			p->place[p->n++] = (struct place){ .key = key };
		p->of[i] = k;
		p->place[k].has_results = p->place[k].has_results || !is_aside(&f->file[i]);
	}
}

/* The place the results of one belong to: itself, or the highest above it that has results. */
static size_t owner(const struct places *p, size_t at)
{
	size_t i, best = at;

	for (i = 0; i < p->n; i++)
		if (p->place[i].has_results && is_above(p->place[i].key, p->place[best].key))
			best = i;
	return best;
}

static void lift(struct places *p)
{
	size_t *to = arena_array(&p->f->mem, p->n, sizeof(*to));
	size_t i;

	for (i = 0; i < p->n; i++)
		to[i] = owner(p, i);
	for (i = 0; i < p->f->n; i++)
		p->of[i] = to[p->of[i]];
	for (i = 0; i < p->n; i++)
		p->place[i].is_run = to[i] == i && p->place[i].has_results;
}

/* Two places hold the same kind of result. */
static bool are_runs(const struct places *p)
{
	const struct folder_file *file = p->f->file;
	const size_t **first; /* by kind, the last for traces: a place that has it */
	size_t i, nkind, k;
	const struct artifact *const *kind = artifact_all(&nkind);

	first = arena_array(&p->f->mem, nkind + 1, sizeof(const void *));
	for (i = 0; i < p->f->n; i++) {
		if (is_aside(&file[i]))
			continue;
		for (k = 0; file[i].what == FOLDER_ARTIFACT && kind[k] != file[i].kind;)
			k++;
		if (file[i].what == FOLDER_TRACE)
			k = nkind;
		if (first[k] && *first[k] != p->of[i])
			return true;
		first[k] = &p->of[i];
	}
	return false;
}

static int by_rank(const void *pa, const void *pb)
{
	const struct folder_file *a = *(const struct folder_file *const *)pa;
	const struct folder_file *b = *(const struct folder_file *const *)pb;
	int64_t ra = runpath_rank(a->name), rb = runpath_rank(b->name);

	if (ra != rb)
		return ra < rb ? -1 : 1;
	return a < b ? -1 : a > b;
}

/*
 * A file of a run: its results; what is aside in its folders and above; configurations that are in
 * no run's folder.  What else is in no run's folder is listed with the first.
 */
static bool belongs(const struct places *p, size_t file, size_t run, bool is_first)
{
	const struct place *at = &p->place[p->of[file]];

	if (p->of[file] == run)
		return true;
	if (at->is_run)
		return false;
	return is_first || is_above(at->key, p->place[run].key) ||
		p->f->file[file].what == FOLDER_ARTIFACT;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Profilers copy their trace into the run's folder: same name, same size, no rank that differs. */
static bool is_copied(
	const struct folder_file *const *trace, size_t n, const struct folder_file *file)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (trace[i]->bytes == file->bytes &&
			strcmp(base_name(trace[i]->name), base_name(file->name)) == 0 &&
			runpath_rank(trace[i]->name) == runpath_rank(file->name))
			return true;
	return false;
}

/* The same file, named as it is below the run's folder. */
static struct folder_file *named_below(
	const struct places *p, const struct folder_file *file, const char *key)
{
	struct folder_file *copy = arena_alloc(&p->f->mem, sizeof(*copy));

	*copy = *file;
	if (is_above(key, file->name))
		copy->name += strlen(key);
	return copy;
}

/* What is not the run's trace; a further copy of it is nothing to read. */
static const struct folder_file *listed(
	const struct places *p, const struct folder_file *file, const char *key, bool is_further)
{
	struct folder_file *copy = named_below(p, file, key);

	if (is_further) {
		copy->what = FOLDER_FURTHER;
	} else if (file->what == FOLDER_TRACE) {
		copy->what = FOLDER_UNKNOWN;
		copy->why = "a copy of the trace: same name and size";
	}
	return copy;
}

static bool is_in(const struct folder_file *const *list, size_t n, const struct folder_file *file)
{
	size_t i;

	for (i = 0; i < n && list[i] != file;)
		i++;
	return i < n;
}

/* run: SIZE_MAX for all files as one. */
static void fill(struct part *part, struct places *p, size_t run)
{
	struct folder *f = p->f;
	const char *key = run == SIZE_MAX ? "" : p->place[run].key;
	const struct folder_file **trace = arena_array(&f->mem, f->n + 1, sizeof(const void *));
	size_t i, n = 0;

	part->file = arena_array(&f->mem, f->n, sizeof(const void *));
	for (i = 0; i < f->n; i++)
		if (f->file[i].what == FOLDER_TRACE && (run == SIZE_MAX || p->of[i] == run) &&
			!is_copied(trace, n, &f->file[i]))
			trace[n++] = &f->file[i];
	if (n > 1)
		qsort(trace, n, sizeof(const void *), by_rank);
	for (i = 0; i < f->n; i++) {
		const struct folder_file *file = &f->file[i];

		if (run != SIZE_MAX && !belongs(p, i, run, part->is_first))
			continue;
		if (n > 0 && file == trace[0])
			part->first = part->file[part->n++] = named_below(p, file, key);
		else
			part->file[part->n++] = listed(p, file, key, is_in(trace, n, file));
	}
	part->trace = trace + (n > 0);
	part->ntrace = n > 0 ? n - 1 : 0;
}

static const char *named(struct folder *f, const char *path, const char *key)
{
	size_t n = strlen(path), len = strlen(key);

	if (len == 0)
		return path;
	return arena_printf(
		&f->mem, "%s%s%.*s", path, n && path[n - 1] == '/' ? "" : "/", (int)len - 1, key);
}

size_t parts_of(struct folder *f, const char *path, struct part **part)
{
	struct places p = { .f = f };
	size_t i, n = 0;

	find_places(&p);
	lift(&p);
	*part = arena_array(&f->mem, p.n + 1, sizeof(**part));
	if (!are_runs(&p)) {
		(*part)[0] = (struct part){ .path = path, .is_first = true };
		fill(&(*part)[0], &p, SIZE_MAX);
		return 1;
	}
	for (i = 0; i < p.n; i++) {
		if (!p.place[i].is_run)
			continue;
		(*part)[n] =
			(struct part){ .path = named(f, path, p.place[i].key), .is_first = n == 0 };
		fill(&(*part)[n++], &p, i);
	}
	return n;
}
