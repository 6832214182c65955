/*
 * A folder is refused with help: which of its files could have been meant.  Their names decide
 * here, for a hint only; what a file is, its content decides when it is read.
 */
#include "cmd/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"

enum { HINTED_MAX = 3 };

static const char *const suffixes[] = { ".json", ".json.gz", ".trace", ".trace.gz", ".json.gzip" };

static int looks_like_trace(const struct dirent *d)
{
	size_t i, n = strlen(d->d_name);

	if (d->d_name[0] == '.' ||
		(d->d_type != DT_REG && d->d_type != DT_LNK && d->d_type != DT_UNKNOWN))
		return 0;
	for (i = 0; i < COUNT_OF(suffixes); i++) {
		size_t m = strlen(suffixes[i]);

		if (n > m && strcmp(d->d_name + n - m, suffixes[i]) == 0)
			return 1;
	}
	return 0;
}

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void hint_files(const char *path, struct err *e)
{
	struct dirent **entry;
	int i, n = scandir(path, &entry, looks_like_trace, by_name);
	struct str b = { 0 };

	if (n < 0)
		return;
	for (i = 0; i < n; i++) {
		size_t len = strlen(path);

		if (i < HINTED_MAX)
			str_addf(&b, "%s%s%s%s", i ? ", " : "", path,
				len && path[len - 1] == '/' ? "" : "/", entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	if (n == 0)
		(void)err_hint(e, "no file in it is named like a trace (*.json, *.json.gz)");
	else if (n > HINTED_MAX)
		(void)err_hint(e, "give a file in it: %s (and %d more)", b.s, n - HINTED_MAX);
	else
		(void)err_hint(e, "give %s in it: %s", n == 1 ? "the file" : "a file", b.s);
	str_free(&b);
}

enum status folder_refuse(const char *path, struct err *e)
{
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return OK;
	(void)err_set(e, E_FORMAT, -1, "is a directory");
	hint_files(path, e);
	return E_FORMAT;
}
