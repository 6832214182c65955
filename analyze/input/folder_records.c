/*
 * Joining digests, and the order of their records.
 */
#include "analyze/input/folder_records.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/folder.h"
#include "analyze/input/load_kept.h"
#include "analyze/trace/kept_file.h"
#include "base/str.h"

size_t records_join(const char **path, size_t n, struct arena *mem)
{
	struct str all = { 0 };
	size_t i, left = 0, first = n, digests = 0;

	for (i = 0; i < n; i++) {
		if (!load_kept_is_file(path[i])) {
			path[left++] = path[i];
			continue;
		}
		if (digests++ == 0)
			first = left++;
		else
			str_addc(&all, RECORDS_AND);
		str_adds(&all, path[i]);
	}
	if (digests > 0)
		path[first] = arena_copy(mem, all.s, all.n);
	str_free(&all);
	return left;
}

bool records_are_joined(const char *path)
{
	const char *end = strchr(path, RECORDS_AND);
	struct str first = { 0 };
	bool are;

	if (!end)
		return false;
	str_add(&first, path, (size_t)(end - path));
	are = load_kept_is_file(first.s);
	str_free(&first);
	return are;
}

static int by_name(const void *pa, const void *pb)
{
	const struct folder_file *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	if (c == 0)
		c = kept_compare((uint64_t)a->bytes, a->check, (uint64_t)b->bytes, b->check);
	return c ? c : strcmp(a->path, b->path);
}

static bool is_same(const struct folder_file *a, const struct folder_file *b)
{
	return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes && a->check == b->check;
}

/* What is no record to the front, in its order; returns how many. */
static size_t part(struct folder *f)
{
	struct folder_file *record = arena_array(&f->mem, f->n, sizeof(*record));
	size_t i, n = 0, records = 0;

	for (i = 0; i < f->n; i++)
		if (f->file[i].is_record)
			record[records++] = f->file[i];
		else
			f->file[n++] = f->file[i];
	for (i = 0; i < records; i++)
		f->file[n + i] = record[i];
	return n;
}

void records_settle(struct folder *f)
{
	size_t from = part(f), n = from, i;

	if (f->n - from > 1)
		qsort(f->file + from, f->n - from, sizeof(*f->file), by_name);
	for (i = from; i < f->n; i++)
		if (n == from || !is_same(&f->file[n - 1], &f->file[i]))
			f->file[n++] = f->file[i];
	f->n = n;
}
