/* Directions that somebody says. */
#include "analyze/compare/better.h"

enum status better_parse(struct better *b, const char *text, struct arena *mem, struct err *e)
{
	const char *equals = strrchr(text, '=');

	b->better = BETTER_NONE;
	if (equals && strcmp(equals + 1, "higher") == 0)
		b->better = BETTER_HIGHER;
	if (equals && strcmp(equals + 1, "lower") == 0)
		b->better = BETTER_LOWER;
	if (b->better == BETTER_NONE || equals == text)
		return err_set(
			e, E_USAGE, -1, "--better wants NAME=higher or NAME=lower, not '%s'", text);
	b->name = arena_copy(mem, text, (size_t)(equals - text));
	return OK;
}

bool better_apply(const struct better *b, struct metricset *base, struct metricset *now)
{
	size_t n = metricset_direct(base, b->name, b->better);

	return metricset_direct(now, b->name, b->better) + n > 0;
}
