/* Paths of an export. */
#include "analyze/input/format/parquet/export_files.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "base/parquet/parquet_words.h"
#include "base/reach.h"

#define SUFFIX ".parquet"

const char *export_file_beside(const char *path, const char *table, struct arena *mem)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (!span_starts(span_of(name), EXPORT_EVENTS))
		return NULL;
	return arena_printf(
		mem, "%.*s%s%s", (int)(name - path), path, table, name + strlen(EXPORT_EVENTS));
}

static bool is_ours(const char *path)
{
	char head[sizeof(PARQUET_HEAD) - 1];
	FILE *f = reach_file(path);
	bool is = f && fread(head, 1, sizeof(head), f) == sizeof(head) &&
		memcmp(head, PARQUET_HEAD, sizeof(head)) == 0;

	if (f)
		(void)fclose(f);
	return is;
}

const char *export_file_in(const char *folder, struct arena *mem)
{
	const size_t n = strlen(folder);
	const bool is_ended = n > 0 && folder[n - 1] == '/';
	const char *one =
		arena_printf(mem, "%s%s%s%s", folder, is_ended ? "" : "/", EXPORT_EVENTS, SUFFIX);
	bool is_alone = is_ours(one);
	DIR *d = is_alone ? reach_folder(folder) : NULL;

	for (struct dirent *entry; d && is_alone && (entry = readdir(d));)
		is_alone = entry->d_name[0] == '.' ||
			(span_ends(span_of(entry->d_name), SUFFIX) && !strchr(entry->d_name, '-'));
	if (d)
		(void)closedir(d);
	return is_alone ? one : NULL;
}

bool export_is(const char *folder)
{
	SCOPED_ARENA mem = { 0 };

	return export_file_in(folder, &mem) != NULL;
}

/* The folder of a path, and what stands behind the table in its name: ".parquet", "-2.parquet". */
static size_t folder_of(const char *path, const char **rest)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	*rest = name + strcspn(name, "-.");
	return (size_t)(name - path);
}

bool export_is_beside(const char *path, const char *events)
{
	const char *a, *b;
	const size_t n = folder_of(path, &a);

	return n == folder_of(events, &b) && memcmp(path, events, n) == 0 && strcmp(a, b) == 0 &&
		span_starts(span_of(events + n), EXPORT_EVENTS) &&
		!span_starts(span_of(path + n), EXPORT_EVENTS);
}
