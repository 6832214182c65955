/* Folders into runs. */
#include "analyze/input/run_folders.h"

#include <assert.h>
#include <stdlib.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder_file.h"
#include "analyze/input/superseded.h"
#include "analyze/trace/runpath.h"
#include "base/compare3.h"
#include "base/search.h"

/* It may be of any run: a configuration, a shelf's, or what is not read. */
static bool is_aside(const struct folder_file *f)
{
	return (f->what != FOLDER_TRACE && f->what != FOLDER_ARTIFACT) ||
		(f->what == FOLDER_ARTIFACT && f->kind->is_setup);
}

bool run_folders_is_above(const char *above, const char *key)
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
	if (f->n > 1)
		qsort(v, f->n, sizeof(*v), by_key);
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

/* Which kinds each place holds; a trace is one behind those of artifacts. */
struct kinds {
	size_t n;
	bool *has; /* by place, then by kind */
};

static size_t kind_of(const struct folder_file *file)
{
	size_t n, k = 0;
	const struct artifact *const *kind = artifact_all(&n);

	if (file->what != FOLDER_ARTIFACT)
		return n;
	while (k < n && kind[k] != file->kind)
		k++;
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
	bool *held;

	find_kinds(&k, p, p->home);
	held = arena_array(&p->f->mem, k.n, sizeof(*held));
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
	if (n > 1)
		qsort(v, n, sizeof(*v), by_leaf);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(v[i].name, v[end].name) == 0;)
			end++;
		join_leaves(k, v + i, end - i, to, held);
	}
	move_all(p, to);
}

static bool two_hold_the_same(const struct places *p, const struct kinds *k)
{
	bool *held = arena_array(&p->f->mem, k->n, sizeof(*held));

	return ANY(i, p->n, p->place[i].is_run && meets(k, i, held));
}

void run_folders_find(struct places *p)
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
