/*
 * Logs by their names, which SQLite makes: the database's, and what they are behind it.
 */
#include "analyze/input/folder_logs.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/input/folder_file.h"
#include "analyze/input/format/format.h"
#include "analyze/input/source/packed.h"
#include "base/compiler.h"

static const char *const suffixes[] = { "-wal", "-journal", "-shm" };

struct named {
	struct span name; /* unpacked */
	const struct folder_file *file;
};

static int by_name(const void *pa, const void *pb)
{
	const struct named *a = pa, *b = pb;

	return span_cmp(a->name, b->name);
}

/* The name of the database whose log it would be; empty: it is called otherwise. */
static struct span database_of(const char *name)
{
	struct span all = { name, packed_stem(name) };
	size_t i, k;

	for (i = 0; i < COUNT_OF(suffixes); i++) {
		k = strlen(suffixes[i]);
		if (all.n > k && span_ends(all, suffixes[i]))
			return (struct span){ all.p, all.n - k };
	}
	return (struct span){ all.p, 0 };
}

void folder_settle_logs(struct folder *f)
{
	struct named *v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t i, n = 0;

	for (i = 0; i < f->n; i++)
		if (f->file[i].format == &format_sqlite && f->file[i].what == FOLDER_TRACE)
			v[n++] = (struct named){ { f->file[i].name, packed_stem(f->file[i].name) },
				&f->file[i] };
	if (n > 1)
		qsort(v, n, sizeof(*v), by_name);
	for (i = 0; n > 0 && i < f->n; i++) {
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
