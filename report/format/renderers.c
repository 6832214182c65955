/* The list of renderers, as data, and how one writes a file. */

#include "base/io.h"
#include "report/format/renderer.h"
#define X(name) &renderer_##name,
static const struct renderer *const ALL[] = { RENDERERS(X) };
#undef X

const struct renderer *const *renderer_all(size_t *n)
{
	*n = COUNT_OF(ALL);
	return ALL;
}

const struct renderer *renderer_find(const char *name)
{
	return FIND_NAMED(ALL, COUNT_OF(ALL), name, name);
}

enum status renderer_put_file(const struct renderer *renderer, const char *path,
	const struct result *r, const struct render *how, struct err *e)
{
	struct io_file f;
	enum status st = io_create(&f, path, e);

	if (st == OK) {
		st = renderer->put(f.out, r, how, e);
		if (st == OK)
			st = io_commit(&f, e);
		else
			io_abandon(&f);
	}
	return st == E_USAGE ? st : io_named(path, st, e); /* not the file's fault */
}
