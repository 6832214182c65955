/*
 * Paths below roots, by their real names.
 */
#include "cmd/mcp/fence.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "base/io.h"
#include "base/str.h"

static enum status add_root(struct fence *f, const char *path, struct arena *mem, struct err *e)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (!real || stat(real, &st) != 0) {
		(void)err_set(e, E_USAGE, -1, "%s: %s", path, strerror(errno));
		free(real);
		return E_USAGE;
	}
	if (S_ISDIR(st.st_mode))
		f->root[f->n++] = arena_copy(mem, real, strlen(real));
	free(real);
	return S_ISDIR(st.st_mode) ? OK : err_set(e, E_USAGE, -1, "%s is no folder", path);
}

enum status fence_open(
	struct fence *f, const char *const *path, size_t n, struct arena *mem, struct err *e)
{
	size_t i;

	f->root = arena_array(mem, n ? n : 1, sizeof(*f->root));
	f->n = 0;
	if (n == 0)
		return add_root(f, ".", mem, e);
	for (i = 0; i < n; i++)
		TRY(add_root(f, path[i], mem, e));
	return OK;
}

static bool is_below(const char *path, const char *root)
{
	size_t n = strlen(root);

	if (strcmp(root, "/") == 0)
		return true;
	return strncmp(path, root, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* Whether the path is there, at or below a root. */
static bool is_inside(const struct fence *f, const char *path)
{
	char *real = *path ? realpath(path, NULL) : NULL;
	bool is_in = false;
	size_t i;

	for (i = 0; real && i < f->n; i++)
		is_in = is_in || is_below(real, f->root[i]);
	free(real);
	return is_in;
}

static enum status refuse(const struct fence *f, const char *path, const char *what, struct err *e)
{
	struct str roots = { 0 };
	size_t i;

	for (i = 0; i < f->n; i++)
		str_addf(&roots, "%s%s", i ? ", " : "", f->root[i]);
	(void)err_set(e, E_USAGE, -1, "'%s': %s below %s", path, what, roots.s);
	str_free(&roots);
	return err_hint(e, "other folders are named where 'traceq mcp' is started");
}

/* "-" alone is standard input wherever files are opened. */
static const char *as_file(const char *path, struct arena *mem)
{
	const char *file = strcmp(path, "-") == 0 ? "./-" : path;

	return arena_copy(mem, file, strlen(file));
}

enum status fence_reads(const struct fence *f, const char *path, struct arena *mem,
	const char **file, struct err *e)
{
	struct stat st;

	if (!is_inside(f, path) || stat(path, &st) != 0)
		return refuse(f, path, "there is no such file or folder", e);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return err_set(e, E_USAGE, -1, "'%s' is neither a file nor a folder", path);
	*file = as_file(path, mem);
	return OK;
}

enum status fence_writes(const struct fence *f, const char *path, struct arena *mem,
	const char **file, struct err *e)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = io_folder(path);
	bool is_in = is_inside(f, folder);
	struct stat st;

	free(folder);
	if (!is_in)
		return refuse(f, path, "there is no folder for such a file", e);
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return err_set(e, E_USAGE, -1, "'%s' is no name of a file", path);
	if (lstat(path, &st) == 0)
		return err_set(
			e, E_USAGE, -1, "'%s' is there already: nothing is overwritten", path);
	*file = as_file(path, mem);
	return OK;
}
