/*
 * Which outputs are of one recording: their names differ in what rocprofv3 puts behind the prefix.
 */
#include "analyze/input/folder_tables.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/folder_file.h"
#include "analyze/input/format/format.h"
#include "analyze/input/load_file.h"
#include "base/compare3.h"
#include "base/compiler.h"
#include "base/minmax.h"

/* The one that is read, or with which the others are, is the first of these that is there. */
enum { WHOLE = 2 }; /* so many of them have everything */
static const char *const words[] = { "results.db", "results.json", "kernel_trace",
	"counter_collection", "hip_api_trace", "hip_trace", "memory_copy_trace", "marker_api_trace",
	"hsa_api_trace", "hsa_trace", "rccl_api_trace", "rccl_trace", "memory_allocation_trace",
	"scratch_memory_trace", "marker_trace", "rocdecode_api_trace", "rocjpeg_api_trace",
	"agent_info" };

struct table {
	struct folder_file *file;
	size_t prefix; /* bytes of its name */
	size_t word;
};

/* What the name ends in, whatever it is packed in: false for a name of another making. */
static bool split(struct folder_file *file, struct table *t)
{
	const char *slash = strrchr(file->name, '/');
	const char *name = slash ? slash + 1 : file->name;
	size_t i;

	for (i = 0; i < COUNT_OF(words); i++) {
		size_t n = strlen(words[i]);
		const char *at = strstr(name, words[i]);

		if (at && (i < WHOLE || strncmp(at + n, ".csv", 4) == 0) &&
			(i >= WHOLE) == (file->format == &format_rocprof_csv)) {
			*t = (struct table){ file, (size_t)(at - file->name), i };
			return true;
		}
	}
	return false;
}

static int by_prefix(const void *pa, const void *pb)
{
	const struct table *a = pa, *b = pb;
	size_t n = MIN(a->prefix, b->prefix);
	int c = memcmp(a->file->name, b->file->name, n);

	if (c == 0)
		c = compare3(a->prefix, b->prefix);
	if (c == 0)
		c = compare3(a->word, b->word);
	return c ? c : strcmp(a->file->name, b->file->name);
}

static bool is_same(const struct table *a, const struct table *b)
{
	return a->prefix == b->prefix && memcmp(a->file->name, b->file->name, a->prefix) == 0;
}

/* The first of n has all that is in the others. */
static void leave(struct folder *f, struct table *t, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++) {
		t[i].file->what = FOLDER_UNKNOWN;
		t[i].file->why = arena_printf(&f->mem, "the same recording as %s", t[0].file->name);
	}
}

/* The first of n tables has the others beside it. */
static void join(struct folder *f, struct table *t, size_t n)
{
	struct load_beside *b = arena_alloc(&f->mem, sizeof(*b));
	size_t i;

	b->path = arena_array(&f->mem, n, sizeof(*b->path));
	for (i = 1; i < n; i++) {
		b->path[b->n++] = t[i].file->path;
		t[i].file->what = FOLDER_JOINED;
		t[i].file->why = arena_printf(&f->mem, "read with %s", t[0].file->name);
	}
	t[0].file->beside = b;
}

void folder_settle_tables(struct folder *f)
{
	struct table *t = arena_array(&f->mem, f->n, sizeof(*t));
	size_t i, end, n = 0;

	for (i = 0; i < f->n; i++)
		if (f->file[i].format && f->file[i].what == FOLDER_TRACE)
			n += split(&f->file[i], &t[n]);
	if (n > 1)
		qsort(t, n, sizeof(*t), by_prefix);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && is_same(&t[i], &t[end]);)
			end++;
		if (end - i > 1 && t[i].word < WHOLE)
			leave(f, t + i, end - i);
		else if (end - i > 1)
			join(f, t + i, end - i);
	}
}
