/*
 * Formats of calls, by name and by suffix.
 */
#include "cmd/edit/callformat.h"

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "report/format/renderer.h"

static bool ends_with(const char *path, size_t n, const char *suffix)
{
	size_t k = strlen(suffix);

	return n > k && memcmp(path + n - k, suffix, k) == 0;
}

const struct renderer *callformat_pick(const char *to, const char *path)
{
	const struct renderer *const of[] = { &renderer_speedscope, &renderer_folded };
	size_t n = path ? strlen(path) : 0, i;

	n -= ends_with(path, n, ".gz") ? 3 : 0;
	for (i = 0; i < COUNT_OF(of); i++)
		if (to ? strcmp(to, of[i]->name) == 0 : ends_with(path, n, of[i]->suffix))
			return of[i];
	return NULL;
}
