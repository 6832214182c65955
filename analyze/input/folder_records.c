/*
 * The order of records.
 */
#include "analyze/input/folder_records.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/folder_file.h"
#include "analyze/trace/digest/digest_files.h"

static int by_name(const void *pa, const void *pb)
{
	const struct folder_file *a = pa, *b = pb;
	int c = strcmp(a->name, b->name);

	if (c == 0)
		c = digest_file_compare((uint64_t)a->bytes, a->check, (uint64_t)b->bytes, b->check);
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

void folder_settle_records(struct folder *f)
{
	size_t from = part(f), n = from, i;

	if (f->n - from > 1)
		qsort(f->file + from, f->n - from, sizeof(*f->file), by_name);
	for (i = from; i < f->n; i++)
		if (n == from || !is_same(&f->file[n - 1], &f->file[i]))
			f->file[n++] = f->file[i];
	f->n = n;
}
