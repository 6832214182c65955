/* What go test -bench prints: "BenchmarkStep-8  1000  1234 ns/op  56 B/op  2 allocs/op".  A name
 * that comes again (-count) was measured again. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { HEADING_LINES = 64, UNIT_MAX = 40 };

/* The next word of a line, in front of what is left of it; false: there is none. */
static bool next_word(struct span *line, struct span *word)
{
	*line = span_trim(*line);
	*word = (struct span){ line->p, FIRST(i, line->n, is_space_or_tab(line->p[i])) };
	*line = span_from(*line, word->n);
	return word->n > 0;
}

/* Name, rounds, and figures with their units behind. */
static bool is_result(struct span line)
{
	struct span word;
	double v;

	return span_starts(line, "Benchmark") && next_word(&line, &word) &&
		next_word(&line, &word) && real_of(word, &v) && next_word(&line, &word) &&
		real_of(word, &v) && next_word(&line, &word);
}

/* "ns/op" is the benchmark's own figure; "B/op", which is no peak, and others stand behind its
 * name.
 */
static void put(struct reading *in, struct span name, struct span unit, double v)
{
	struct arena_mark mark = arena_mark(&in->mem);
	bool is_time = span_is(unit, "ns/op");
	enum measure m = is_time        ? MEASURE_NS
		: span_ends(unit, "/s") ? MEASURE_PER_S
					: MEASURE_NONE;

	if (!is_time)
		name = span_of(arena_printf(&in->mem, "%.*s %s%.*s", (int)name.n, name.p,
			span_is(unit, "B/op") ? "allocated " : "", (int)MIN(unit.n, UNIT_MAX),
			unit.p));
	reading_repeat(in, name, SPAN(""), m, v);
	arena_reset(&in->mem, mark);
}

static enum took take(void *state, struct span line, const struct lines *l UNUSED)
{
	struct reading *in = *(struct reading **)state;
	struct span name, word, unit;
	double v;

	if (!is_result(line))
		return TOOK_OTHER;
	(void)next_word(&line, &name);
	(void)next_word(&line, &word);
	while (next_word(&line, &word) && next_word(&line, &unit))
		if (real_of(word, &v))
			put(in, name, unit, v);
	reading_artifact(in)->rows++;
	return TOOK;
}

const struct artifact artifact_go_bench = {
	.name = "go_bench",
	.title = "results of go test -bench",
	.summary = "lines of go test -bench: time, memory and rates of each benchmark",
	.line = is_result,
	.lines = HEADING_LINES,
	TAKES_LINES(struct reading *, take),
	.other = "lines are no results of benchmarks",
};
