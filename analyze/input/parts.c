/*
 * Files of a folder into runs.
 */
#include "analyze/input/parts.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder.h"
#include "analyze/trace/runpath.h"

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
	size_t *of;     /* by file: its place */
	size_t *sorted; /* places by key */
	size_t *begin;  /* by place, one more: its files in `file` */
	size_t *file;   /* files by place, then as walked */
	size_t *loose;  /* files in places that are no runs */
	size_t nloose;
	bool *is_trace; /* by file: a trace of the run at hand that is no copy */
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

/* A file's key on its way to its place. */
struct keyed {
	const char *key;
	size_t file;
};

static int by_key(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;
	int c = strcmp(a->key, b->key);

	return c ? c : (a->file > b->file) - (a->file < b->file);
}

static int by_file(const void *pa, const void *pb)
{
	const size_t a = *(const size_t *)pa, b = *(const size_t *)pb;

	return (a > b) - (a < b);
}

/* Places in the order of their first files. */
static void find_places(struct places *p)
{
	struct folder *f = p->f;
	struct keyed *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t *first = arena_array(&f->mem, f->n, sizeof(*first)); /* by file: of its key */
	size_t i;

	p->place = arena_array(&f->mem, f->n, sizeof(*p->place));
	p->of = arena_array(&f->mem, f->n, sizeof(*p->of));
	p->sorted = arena_array(&f->mem, f->n, sizeof(*p->sorted));
	for (i = 0; i < f->n; i++)
		v[i] = (struct keyed){ runpath_key(f->file[i].name, &f->mem), i };
	if (f->n > 1)
		qsort(v, f->n, sizeof(*v), by_key);
	for (i = 0; i < f->n; i++)
		first[v[i].file] = i > 0 && strcmp(v[i].key, v[i - 1].key) == 0
			? first[v[i - 1].file]
			: v[i].file;
	for (i = 0; i < f->n; i++) {
		if (first[i] == i)
			p->of[i] = p->n++;
		else
			p->of[i] = p->of[first[i]];
		p->place[p->of[i]].has_results =
			p->place[p->of[i]].has_results || !is_aside(&f->file[i]);
	}
	for (i = 0; i < f->n; i++)
		p->place[p->of[v[i].file]].key = v[i].key;
	for (i = 0, p->n = 0; i < f->n; i++)
		if (i == 0 || strcmp(v[i].key, v[i - 1].key) != 0)
			p->sorted[p->n++] = p->of[v[i].file];
}

/* The place with the first len bytes of a key, or SIZE_MAX. */
static size_t find_place(const struct places *p, const char *key, size_t len)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2, at = p->sorted[mid];
		int c = span_cmp(span_of(p->place[at].key), (struct span){ key, len });

		if (c == 0)
			return at;
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return SIZE_MAX;
}

/* The place the results of one belong to: itself, or the highest above it that has results. */
static size_t owner(const struct places *p, size_t at)
{
	const char *key = p->place[at].key;
	size_t len;

	for (len = 0; key[len]; len = runpath_level(key, len)) {
		size_t above = find_place(p, key, len);

		if (above != SIZE_MAX && p->place[above].has_results)
			return above;
	}
	return at;
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

/* Files by place, and those in no run's. */
static void sort_files(struct places *p)
{
	size_t n = p->f->n, i;

	p->begin = arena_array(&p->f->mem, p->n + 2, sizeof(*p->begin));
	p->file = arena_array(&p->f->mem, n, sizeof(*p->file));
	p->loose = arena_array(&p->f->mem, n, sizeof(*p->loose));
	p->is_trace = arena_array(&p->f->mem, n, sizeof(*p->is_trace));
	for (i = 0; i < n; i++)
		p->begin[p->of[i] + 2]++;
	for (i = 2; i < p->n + 2; i++)
		p->begin[i] += p->begin[i - 1];
	for (i = 0; i < n; i++) {
		p->file[p->begin[p->of[i] + 1]++] = i;
		if (!p->place[p->of[i]].is_run)
			p->loose[p->nloose++] = i;
	}
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
 * A file in no run's folder is of this run when it is aside above it, and configurations are of
 * all; what else there is is listed with the first.
 */
static bool takes(const struct places *p, size_t file, size_t run, bool is_first)
{
	return is_first || is_above(p->place[p->of[file]].key, p->place[run].key) ||
		p->f->file[file].what == FOLDER_ARTIFACT;
}

/* The files of a run, as walked: its results, and what is aside.  run: SIZE_MAX for all as one. */
static size_t *files_of(const struct places *p, size_t run, bool is_first, size_t *n)
{
	size_t own = run == SIZE_MAX ? p->f->n : p->begin[run + 1] - p->begin[run], more = 0, i;
	size_t *file;

	for (i = 0; run != SIZE_MAX && i < p->nloose; i++)
		more += takes(p, p->loose[i], run, is_first);
	file = arena_array(&p->f->mem, own + more, sizeof(*file));
	for (i = 0; i < own; i++)
		file[i] = run == SIZE_MAX ? i : p->file[p->begin[run] + i];
	*n = own;
	for (i = 0; more > 0 && i < p->nloose; i++)
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
	int64_t x, y;

	if (c == 0 && a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (c)
		return c;
	x = runpath_rank(a->name);
	y = runpath_rank(b->name);
	return (x > y) - (x < y);
}

static int by_content_and_place(const void *pa, const void *pb)
{
	const struct folder_file *a = *(const struct folder_file *const *)pa;
	const struct folder_file *b = *(const struct folder_file *const *)pb;
	int c = by_content(a, b);

	return c ? c : (a > b) - (a < b);
}

/* Of copies only the one walked first stays; those that stay by rank. */
static size_t without_copies(const struct folder_file **trace, size_t n)
{
	size_t i, kept = 0;

	if (n > 1)
		qsort(trace, n, sizeof(const void *), by_content_and_place);
	for (i = 0; i < n; i++)
		if (kept == 0 || by_content(trace[kept - 1], trace[i]) != 0)
			trace[kept++] = trace[i];
	if (kept > 1)
		qsort(trace, kept, sizeof(const void *), by_rank);
	return kept;
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

/* run: SIZE_MAX for all files as one. */
static void fill_part(struct part *part, struct places *p, size_t run)
{
	struct folder *f = p->f;
	const char *key = run == SIZE_MAX ? "" : p->place[run].key;
	const struct folder_file **trace;
	size_t n, *file = files_of(p, run, part->is_first, &n), i, traces = 0;

	trace = arena_array(&f->mem, n + 1, sizeof(const void *));
	part->file = arena_array(&f->mem, n, sizeof(const void *));
	for (i = 0; i < n; i++)
		if (f->file[file[i]].what == FOLDER_TRACE &&
			(run == SIZE_MAX || p->of[file[i]] == run))
			trace[traces++] = &f->file[file[i]];
	traces = without_copies(trace, traces);
	for (i = 0; i < traces; i++)
		p->is_trace[trace[i] - f->file] = true;
	for (i = 0; i < n; i++) {
		const struct folder_file *one = &f->file[file[i]];

		if (traces > 0 && one == trace[0])
			part->first = part->file[part->n++] = named_below(p, one, key);
		else
			part->file[part->n++] = listed(p, one, key, p->is_trace[file[i]]);
	}
	for (i = 0; i < traces; i++)
		p->is_trace[trace[i] - f->file] = false;
	part->trace = trace + (traces > 0);
	part->ntrace = traces > 0 ? traces - 1 : 0;
}

static const char *named(struct folder *f, const char *path, const char *key)
{
	size_t n = strlen(path), len = strlen(key);

	if (len == 0)
		return path;
	if (*f->join != '/') /* as it can be given */
		return arena_printf(&f->mem, "%s%s%s", path, f->join, key);
	return arena_printf(
		&f->mem, "%s%s%.*s", path, n && path[n - 1] == '/' ? "" : "/", (int)len - 1, key);
}

size_t parts_of(struct folder *f, const char *path, struct part **part)
{
	struct places p = { .f = f };
	size_t i, n = 0;

	find_places(&p);
	lift(&p);
	sort_files(&p);
	*part = arena_array(&f->mem, p.n + 1, sizeof(**part));
	if (!are_runs(&p)) {
		(*part)[0] = (struct part){ .path = path, .is_first = true };
		fill_part(&(*part)[0], &p, SIZE_MAX);
		return 1;
	}
	for (i = 0; i < p.n; i++) {
		if (!p.place[i].is_run)
			continue;
		(*part)[n] =
			(struct part){ .path = named(f, path, p.place[i].key), .is_first = n == 0 };
		fill_part(&(*part)[n++], &p, i);
	}
	return n;
}
