/* Files that a run has twice: which is first. */
#include "analyze/input/superseded.h"

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/folder_file.h"
#include "analyze/trace/runpath.h"

/* One file on its way. */
struct one {
	struct folder_file *file;
	size_t home;
	const char *base; /* its name without folders */
	int64_t rank;
	int order; /* of the folder it is in: lower ones are read first */
};

static struct span folder_of(const char *name, const char *base)
{
	const char *end = base > name ? base - 1 : name, *p = end;

	while (p > name && p[-1] != '/')
		p--;
	return (struct span){ p, (size_t)(end - p) };
}

/* Where the documents' tools look, one after the other. */
static int order_of(const char *name, const char *base)
{
	struct span folder = folder_of(name, base);

	if (!runpath_is_part(folder))
		return 0;
	return span_is_nocase(folder, "torch_profiler")      ? 1
		: span_is_nocase(folder, "profiler_context") ? 2
							     : 3;
}

static int compare_sort(const struct one *a, const struct one *b)
{
	if (a->home != b->home)
		return compare3(a->home, b->home);
	if (a->file->what != b->file->what)
		return compare3(a->file->what, b->file->what);
	int c = strcmp(a->base, b->base);
	if (c == 0 && a->file->kind != b->file->kind)
		return a->file->kind < b->file->kind ? -1 : 1;
	return c ? c : compare3(a->rank, b->rank);
}

ORDER(by_sort_and_order, struct one, compare_sort(a, b), compare3(a->order, b->order),
	compare3(a->file->depth, b->file->depth), compare3(a->file, b->file))

void superseded_mark(struct folder *f, const size_t *home)
{
	struct one *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0, first = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct folder_file *file = &f->file[i];
		const char *base = path_name(file->name);

		if (file->what == FOLDER_TRACE || file->what == FOLDER_ARTIFACT)
			v[n++] = (struct one){ file, home[i], base, runpath_rank(file->name),
				order_of(file->name, base) };
	}
	sort_rows(v, n, sizeof(*v), by_sort_and_order);
	for (size_t i = 1; i < n; i++) {
		if (compare_sort(&v[first], &v[i]) != 0) {
			first = i;
			continue;
		}
		v[i].file->twin = arena_alloc(&f->mem, sizeof(*v[i].file->twin));
		*v[i].file->twin = (struct folder_twin){ .of = v[first].file, .turn = i - first };
	}
	for (size_t i = 1; i < n; i++)
		if (v[i].file->twin)
			v[i].file->what = FOLDER_TWICE;
}

/* --- again and again --- */

/* One of several of a kind in a folder. */
struct telling {
	struct folder_file *file;
	struct span folder;
	int64_t moment; /* INT64_MAX: at the end, as far as the name says */
};

static int compare_kind(const struct telling *a, const struct telling *b)
{
	return COMPARE_BY(
		span_cmp(a->folder, b->folder), strcmp(a->file->kind->name, b->file->kind->name));
}

ORDER(by_moment, struct telling, compare_kind(a, b), compare3(a->moment, b->moment),
	compare3(a->file, b->file))

void superseded_mark_later(struct folder *f)
{
	struct telling *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0;

	for (EACH(struct folder_file, file, f->file, f->n)) {
		const char *slash = strrchr(file->name, '/');
		int64_t moment = runpath_moment(file->name);

		if (file->what == FOLDER_ARTIFACT && !file->kind->is_setup)
			v[n++] = (struct telling){ file,
				{ file->name, slash ? (size_t)(slash - file->name) : 0 },
				moment < 0 ? INT64_MAX : moment };
	}
	sort_rows(v, n, sizeof(*v), by_moment);
	for (size_t i = n; i-- > 1;)
		if (compare_kind(&v[i - 1], &v[i]) == 0 && v[i - 1].moment < v[i].moment)
			v[i - 1].file->later = v[i].file;
}
