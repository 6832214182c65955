/* Files of a folder into runs. */
#include "analyze/input/run_parts.h"

#include <assert.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder.h"
#include "analyze/input/folder_file.h"
#include "analyze/input/superseded.h"
#include "analyze/trace/runpath.h"

/* Places: the folders of a run, and which of them are runs.
 *
 * A file's place is named by the folders that it is in, without those that hold a part of a run
 * (analyze/trace/runpath.h).  A folder is several runs when two places hold the same kind of
 * result; else it is one.  docs/formats.md has the whole rule. */

struct place {
	const char *key;    /* "run_1/"; "" for the folder itself */
	const char *folder; /* the same, with what does not count: "results/run_1/" */
	bool has_results;   /* more than configurations */
	bool is_shelf;      /* nothing but logs, and several runs below it: they are of none */
	bool is_run;
};

struct places {
	struct folder *f;
	struct place *place; /* in the order of their first files */
	size_t n;
	size_t *home;   /* by file: the place it lies in */
	size_t *of;     /* by file: the place of its run; of what is aside, where it lies */
	size_t *sorted; /* places by key */
	bool are_runs;  /* several runs */
};

/* It may be of any run: a configuration, a shelf's, or what is not read. */
static bool is_aside(const struct folder_file *f)
{
	return (f->what != FOLDER_TRACE && f->what != FOLDER_ARTIFACT) ||
		(f->what == FOLDER_ARTIFACT && f->kind->is_setup);
}

/* True when a place with that key is above the other. */
static bool run_folders_is_above(const char *above, const char *key)
{
	size_t n = strlen(above);

	return strlen(key) > n && strncmp(above, key, n) == 0;
}

/* --- where files lie --- */

/* A file's key on its way to its place. */
struct keyed {
	const char *key;
	size_t file;
};

ORDER(by_key, struct keyed, strcmp(a->key, b->key), compare3(a->file, b->file))

/* Places in the order of their first files. */
static void find_homes(struct places *p)
{
	struct folder *f = p->f;
	struct keyed *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t *first = arena_array(&f->mem, f->n, sizeof(*first)); /* by file: of its key */
	size_t i;

	for (i = 0; i < f->n; i++)
		v[i] = (struct keyed){ runpath_key(f->file[i].name, &f->mem), i };
	sort_rows(v, f->n, sizeof(*v), by_key);
	for (i = 0; i < f->n; i++)
		first[v[i].file] = i > 0 && strcmp(v[i].key, v[i - 1].key) == 0
			? first[v[i - 1].file]
			: v[i].file;
	for (i = 0; i < f->n; i++) {
		p->home[i] = first[i] == i ? p->n++ : p->home[first[i]];
		struct place *at = &p->place[p->home[i]];
		if (first[i] == i)
			at->folder = arena_copy(
				&f->mem, f->file[i].name, runpath_folder(f->file[i].name));
		at->has_results = at->has_results || !is_aside(&f->file[i]);
	}
	for (i = 0; i < f->n; i++)
		p->place[p->home[v[i].file]].key = v[i].key;
	for (i = 0, p->n = 0; i < f->n; i++)
		if (i == 0 || strcmp(v[i].key, v[i - 1].key) != 0)
			p->sorted[p->n++] = p->home[v[i].file];
}

/* Where in `sorted` the first len bytes of a key are, or SIZE_MAX. */
static size_t find_sorted(const struct places *p, const char *key, size_t len)
{
	struct span wanted = { key, len };
	size_t at = PARTITION_POINT(
		i, 0, p->n, span_cmp(span_of(p->place[p->sorted[i]].key), wanted) < 0);

	return at < p->n && span_eq(span_of(p->place[p->sorted[at]].key), wanted) ? at : SIZE_MAX;
}

/* --- kinds of results --- */

/* Which kinds each place holds.  A trace is one behind those of artifacts. */
struct kinds {
	size_t n;
	bool *has; /* by place, then by kind */
};

static size_t kind_of(const struct folder_file *file)
{
	size_t n;
	const struct artifact *const *kind = artifact_all(&n);

	if (file->what != FOLDER_ARTIFACT)
		return n;
	size_t k = FIRST(i, n, kind[i] == file->kind);
	assert(k < n);
	return k;
}

static void find_kinds(struct kinds *k, const struct places *p, const size_t *place_of)
{
	(void)artifact_all(&k->n);
	k->n++;
	k->has = arena_array(&p->f->mem, p->n * k->n, sizeof(*k->has));
	for (size_t i = 0; i < p->f->n; i++)
		if (!is_aside(&p->f->file[i]))
			k->has[place_of[i] * k->n + kind_of(&p->f->file[i])] = true;
}

/* True when `held` has a kind of the place's; adds the others to it. */
static bool meets(const struct kinds *k, size_t place, bool *held)
{
	const bool *has = k->has + place * k->n;
	bool is = false;

	for (size_t i = 0; i < k->n; i++) {
		is = is || (has[i] && held[i]);
		held[i] = held[i] || has[i];
	}
	return is;
}

static bool has_only_logs(const struct kinds *k, size_t place)
{
	const struct artifact *const *kind = artifact_all(&(size_t){ 0 });
	const bool *has = k->has + place * k->n;

	for (size_t i = 0; i + 1 < k->n; i++)
		if (has[i] && !kind[i]->is_log)
			return false;
	return !has[k->n - 1];
}

/* --- shelves --- */

/* Two of the places below the at-th of `sorted` hold the same kind. */
static bool has_runs_below(const struct places *p, const struct kinds *k, size_t at, bool *held)
{
	const char *key = p->place[p->sorted[at]].key;

	memset(held, 0, k->n * sizeof(*held));
	for (size_t i = at + 1; i < p->n && run_folders_is_above(key, p->place[p->sorted[i]].key);
		i++)
		if (meets(k, p->sorted[i], held))
			return true;
	return false;
}

static void find_shelves(struct places *p)
{
	struct kinds k;

	find_kinds(&k, p, p->home);
	bool *held = arena_array(&p->f->mem, k.n, sizeof(*held));
	for (size_t i = 0; i < p->n; i++) {
		struct place *at = &p->place[p->sorted[i]];

		at->is_shelf = at->has_results && has_only_logs(&k, p->sorted[i]) &&
			has_runs_below(p, &k, i, held);
		at->has_results = at->has_results && !at->is_shelf;
	}
	for (size_t i = 0; i < p->f->n; i++)
		if (p->place[p->home[i]].is_shelf && !is_aside(&p->f->file[i]))
			p->f->file[i].what = FOLDER_BESIDE;
}

/* --- runs --- */

/* The place the results of one belong to: itself, or the highest above it that has results. */
static size_t owner(const struct places *p, size_t at)
{
	const char *key = p->place[at].key;

	for (size_t len = 0; key[len]; len = runpath_level(key, len)) {
		size_t above = find_sorted(p, key, len);

		if (above != SIZE_MAX && p->place[p->sorted[above]].has_results)
			return p->sorted[above];
	}
	return at;
}

static void move_all(struct places *p, const size_t *to)
{
	for (size_t i = 0; i < p->f->n; i++)
		p->of[i] = to[p->of[i]];
	for (size_t i = 0; i < p->n; i++)
		p->place[i].is_run = p->place[i].is_run && to[i] == i;
}

static void lift(struct places *p)
{
	size_t *to = arena_array(&p->f->mem, p->n, sizeof(*to));

	memcpy(p->of, p->home, p->f->n * sizeof(*p->of));
	for (size_t i = 0; i < p->n; i++) {
		to[i] = owner(p, i);
		p->place[i].is_run = p->place[i].has_results;
	}
	move_all(p, to);
}

/* The last folder of a key, and its '/'. */
static const char *leaf(const char *key)
{
	size_t n = strlen(key);

	for (n -= n > 0; n > 0 && key[n - 1] != '/';)
		n--;
	return key + n;
}

struct leaf {
	const char *name;
	size_t place;
};

ORDER(by_leaf, struct leaf, strcmp(a->name, b->name), compare3(a->place, b->place))

/* Places of one name that hold nothing twice: v[0..n) become the first of them. */
static void join_leaves(
	const struct kinds *k, const struct leaf *v, size_t n, size_t *to, bool *held)
{
	bool is_twice = false;

	memset(held, 0, k->n * sizeof(*held));
	for (size_t i = 0; i < n; i++)
		is_twice = meets(k, v[i].place, held) || is_twice;
	for (size_t i = 1; i < n && !is_twice; i++)
		to[v[i].place] = v[0].place;
}

/* A run id under several roofs: profiler_output/run1/ID/ has its metrics, traces/ID/ its trace. */
static void join(struct places *p, const struct kinds *k)
{
	struct leaf *v = arena_array(&p->f->mem, p->n, sizeof(*v));
	size_t *to = arena_array(&p->f->mem, p->n, sizeof(*to)), end, n = 0;
	bool *held = arena_array(&p->f->mem, k->n, sizeof(*held));

	for (size_t i = 0; i < p->n; i++) {
		to[i] = i;
		if (p->place[i].is_run)
			v[n++] = (struct leaf){ leaf(p->place[i].key), i };
	}
	sort_rows(v, n, sizeof(*v), by_leaf);
	for (size_t i = 0; i < n; i = end) {
		end = FIRST_FROM(j, i + 1, n, strcmp(v[i].name, v[j].name) != 0);
		join_leaves(k, v + i, end - i, to, held);
	}
	move_all(p, to);
}

static bool two_hold_the_same(const struct places *p, const struct kinds *k)
{
	bool *held = arena_array(&p->f->mem, k->n, sizeof(*held));

	return ANY(i, p->n, p->place[i].is_run && meets(k, i, held));
}

/* Into *p, which is empty but for f; memory is the folder's.  Marks files of f that are
 * FOLDER_TWICE and FOLDER_BESIDE.  O(n log n) in files. */
static void run_folders_find(struct places *p)
{
	size_t n = p->f->n;
	struct kinds k;

	p->place = arena_array(&p->f->mem, n, sizeof(*p->place));
	p->home = arena_array(&p->f->mem, n, sizeof(*p->home));
	p->of = arena_array(&p->f->mem, n, sizeof(*p->of));
	p->sorted = arena_array(&p->f->mem, n, sizeof(*p->sorted));
	find_homes(p);
	superseded_mark(p->f, p->home);
	find_shelves(p);
	lift(p);
	find_kinds(&k, p, p->of);
	p->are_runs = two_hold_the_same(p, &k);
	if (p->are_runs)
		join(p, &k);
}

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

ORDER(by_rank, struct folder_file *const,
	compare3(runpath_rank((*a)->name), runpath_rank((*b)->name)), compare3(*a, *b))

/* A file in no run's folder is of this run when it is aside above it, and configurations are of
 * all.  What else there is is listed with the first. */
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

	for (size_t i = 0; run != SIZE_MAX && i < p->nloose; i++)
		more += takes(p, p->loose[i], run, is_first);
	size_t *file = arena_array(&p->f->mem, own + more, sizeof(*file));
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

/* Profilers copy their trace into the run's folder: same name, same size, no rank that differs. */
static int by_content(const struct folder_file *a, const struct folder_file *b)
{
	int c = strcmp(path_name(a->name), path_name(b->name));

	if (c == 0 && a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (c)
		return c;
	int64_t x = runpath_rank(a->name);
	int64_t y = runpath_rank(b->name);
	return compare3(x, y);
}

ORDER(by_content_and_place, struct folder_file *const, by_content(*a, *b), compare3(*a, *b))

/* Of copies only the one walked first stays; those that stay by rank. */
static size_t without_copies(const struct folder_file **trace, size_t n)
{
	size_t kept = 0;

	sort_rows(trace, n, sizeof(const void *), by_content_and_place);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || by_content(trace[kept - 1], trace[i]) != 0)
			trace[kept++] = trace[i];
	sort_rows(trace, kept, sizeof(const void *), by_rank);
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
