/*
 * Memory as logs say it, and its growth.
 */
#include <math.h>

#include "report/chart/charts.h"
#include "report/chart/kind/chart_points.h"

enum { PANELS_MAX = 12 };

/* The points of a row's key, of the same input: [from, to); false when there are none. */
static bool find_points(const struct chart_rows *r, const struct chart_rows *memory, size_t i,
	size_t *from, size_t *to)
{
	struct span key = rows_word(memory, i, "key");

	for (*from = 0; *from < r->n; *from = *to) {
		*to = points_end(r, *from);
		if (r->t[*from]->input == memory->t[i]->input &&
			span_eq(rows_word(r, *from, "key"), key))
			return true;
	}
	return false;
}

static bool draw_leak(const struct answers *in, struct chart *c)
{
	struct chart_rows memory = chart_rows(c, in, points_ask, "memory", PANELS_MAX);
	struct chart_rows r = chart_rows(c, in, points_ask, "points", 0);
	size_t from, to, i;

	for (i = 0; i < memory.n; i++) {
		struct span verdict = rows_word(&memory, i, "verdict");
		struct chart_panel *p;
		struct points s;
		double base;

		if (!find_points(&r, &memory, i, &from, &to))
			continue;
		p = chart_panel(c, PANEL_XY,
			!verdict.n || span_is(verdict, "unknown")
				? points_title(c, &r, from, true)
				: arena_printf(&c->mem, "%s: %.*s", points_title(c, &r, from, true),
					  (int)verdict.n, verdict.p));
		s = points_of(c, &r, from, to);
		p->x = points_axis(c, in, &s);
		p->y = (struct chart_axis){ "memory", UNIT_BYTES, NULL, false, false, 0 };
		points_line(c, p, &s, "y", NULL, COLOR_COMPUTE);
		base = rows_number(&memory, i, "baseline_bytes");
		if (!isnan(base))
			chart_line(c, p, "baseline", base, false);
	}
	if (memory.left)
		chart_say_first(c, memory.n, "keys");
	return c->npanel > 0 || chart_refuse(c, "no memory over steps in a log");
}

const struct chart_kind chart_kind_mem_leak = {
	.id = "mem-leak",
	.title = "Memory over steps",
	.doc = "Memory as the log says it, with the baseline of its growth as a line and the verdict "
	       "about it.",
	.source = "the documents of DeepSeekMath-V2: leak detection",
	.ask = { points_ask },
	.draw = draw_leak,
};
