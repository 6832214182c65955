/*
 * Outputs of one recording: their names differ in what rocprofv3 puts behind the prefix.  Logs by
 * their names, which SQLite makes: the database's, and what they are behind it.
 */
#include "analyze/input/folder_settle.h"

#include <stdlib.h>

#include "analyze/input/folder_file.h"
#include "analyze/input/format/format.h"
#include "analyze/input/load_file.h"
#include "analyze/input/source/packed.h"
#include "analyze/trace/digest/digest_files.h"
#include "base/compare3.h"
#include "base/compiler.h"
#include "base/minmax.h"

/* --- logs --- */

static const char *const suffixes[] = { "-wal", "-journal", "-shm" };

struct named {
	struct span name; /* unpacked */
	const struct folder_file *file;
};

ORDER(by_name, struct named, span_cmp(a->name, b->name))

/* The name of the database whose log it would be; empty: it is called otherwise. */
static struct span database_of(const char *name)
{
	struct span all = { name, packed_stem(name) };
	size_t k;

	for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
		k = strlen(suffixes[i]);
		if (all.n > k && span_ends(all, suffixes[i]))
			return (struct span){ all.p, all.n - k };
	}
	return (struct span){ all.p, 0 };
}

void folder_settle_logs(struct folder *f)
{
	struct named *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].format == &format_sqlite && f->file[i].what == FOLDER_TRACE)
			v[n++] = (struct named){ { f->file[i].name, packed_stem(f->file[i].name) },
				&f->file[i] };
	if (n > 1)
		qsort(v, n, sizeof(*v), by_name);
	for (size_t i = 0; n > 0 && i < f->n; i++) {
		struct folder_file *file = &f->file[i];
		const struct named key = { database_of(file->name), NULL }, *found;

		if (key.name.n == 0 || file->format || file->kind)
			continue;
		found = bsearch(&key, v, n, sizeof(*v), by_name);
		if (!found)
			continue;
		file->what = FOLDER_JOINED;
		file->is_log = true;
		file->why = arena_printf(&f->mem, "read with %s", found->file->name);
	}
}

/* --- records --- */

static int by_record(const void *pa, const void *pb)
{
	const struct folder_file *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	if (c == 0)
		c = digest_file_compare((uint64_t)a->bytes, a->check, (uint64_t)b->bytes, b->check);
	return c ? c : strcmp(a->path, b->path);
}

static bool is_same_record(const struct folder_file *a, const struct folder_file *b)
{
	return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes && a->check == b->check;
}

/* What is no record to the front, in its order; returns how many. */
static size_t part(struct folder *f)
{
	struct folder_file *record = arena_array(&f->mem, f->n, sizeof(*record));
	size_t n = 0, records = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].is_record)
			record[records++] = f->file[i];
		else
			f->file[n++] = f->file[i];
	for (size_t i = 0; i < records; i++)
		f->file[n + i] = record[i];
	return n;
}

void folder_settle_records(struct folder *f)
{
	size_t from = part(f), n = from;

	if (f->n - from > 1)
		qsort(f->file + from, f->n - from, sizeof(*f->file), by_record);
	for (size_t i = from; i < f->n; i++)
		if (n == from || !is_same_record(&f->file[n - 1], &f->file[i]))
			f->file[n++] = f->file[i];
	f->n = n;
}

/* --- tables --- */

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

	for (size_t i = 0; i < COUNT_OF(words); i++) {
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
	for (size_t i = 1; i < n; i++) {
		t[i].file->what = FOLDER_UNKNOWN;
		t[i].file->why = arena_printf(&f->mem, "the same recording as %s", t[0].file->name);
	}
}

/* The first of n tables has the others beside it. */
static void join(struct folder *f, struct table *t, size_t n)
{
	struct load_beside *b = arena_alloc(&f->mem, sizeof(*b));

	b->path = arena_array(&f->mem, n, sizeof(*b->path));
	for (size_t i = 1; i < n; i++) {
		b->path[b->n++] = t[i].file->path;
		t[i].file->what = FOLDER_JOINED;
		t[i].file->why = arena_printf(&f->mem, "read with %s", t[0].file->name);
	}
	t[0].file->beside = b;
}

void folder_settle_tables(struct folder *f)
{
	struct table *t = arena_array(&f->mem, f->n, sizeof(*t));
	size_t end, n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].format && f->file[i].what == FOLDER_TRACE)
			n += split(&f->file[i], &t[n]);
	if (n > 1)
		qsort(t, n, sizeof(*t), by_prefix);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && is_same(&t[i], &t[end]);)
			end++;
		if (end - i > 1 && t[i].word < WHOLE)
			leave(f, t + i, end - i);
		else if (end - i > 1)
			join(f, t + i, end - i);
	}
}
