/*
 * The list of renderers, as data.
 */
#include <string.h>

#include "base/compiler.h"
#include "report/renderer.h"

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
	size_t i;

	for (i = 0; i < COUNT_OF(ALL); i++)
		if (strcmp(ALL[i]->name, name) == 0)
			return ALL[i];
	return NULL;
}
