/* Directions that somebody says. */
#include "analyze/compare/better.h"

enum status better_parse(struct better *b, const char *text, struct arena *mem, struct err *e)
{
	static const struct {
		const char *begin, *end;
		enum metric_better better;
	} ways[] = { { "lower:", "=lower", BETTER_LOWER },
		{ "higher:", "=higher", BETTER_HIGHER } };
	struct span s = span_of(text);

	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		size_t begin = strlen(ways[i].begin), end = strlen(ways[i].end);

		b->better = ways[i].better;
		b->name = arena_copy(mem, text, s.n);
		if (s.n > begin && span_starts(s, ways[i].begin))
			b->name += begin;
		else if (s.n > end && span_ends(s, ways[i].end))
			b->name = arena_copy(mem, text, s.n - end);
		else
			continue;
		return OK;
	}
	return err_set(e, E_USAGE, -1, "--better wants lower:NAME or higher:NAME, not '%s'", text);
}

bool better_apply(const struct better *b, struct metricset *base, struct metricset *now)
{
	size_t n = metricset_direct(base, b->name, b->better);

	return metricset_direct(now, b->name, b->better) + n > 0;
}
