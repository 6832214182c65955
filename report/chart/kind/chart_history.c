/*
 * The chart of a history: each figure run by run, with its levels.
 */
#include <math.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char ask[] = "gate --history";

enum { PANELS_MAX = 8 };

static void put_check(struct chart *c, const struct chart_rows *r, size_t from, size_t to)
{
	struct chart_panel *p =
		chart_panel(c, PANEL_XY, chart_text(c, rows_word(r, from, "check")));
	const struct table *t = r->t[from];
	struct chart_series *value, *level;
	size_t i;

	p->x = (struct chart_axis){ "run", UNIT_COUNT, NULL, false, false, 0 };
	p->y = (struct chart_axis){ "value", t->unit ? (enum unit)t->unit[r->row[from]] : UNIT_NONE,
		NULL, false, false, 0 };
	value = chart_series(
		c, p, to - from > 120 ? MARK_LINE : MARK_DOTTED, "runs", COLOR_OTHER, to - from);
	level = chart_series(c, p, MARK_STEP, "level", COLOR_DATA, to - from);
	for (i = from; i < to; i++) {
		value->x[i - from] = level->x[i - from] = rows_number(r, i, "number");
		value->y[i - from] = rows_number(r, i, "value");
		level->y[i - from] = rows_number(r, i, "level");
	}
}

static bool draw_history(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "history", 0);
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no history of runs");
	for (from = 0; from < r.n && c->npanel < PANELS_MAX; from = to) {
		for (to = from; to < r.n &&
			span_eq(rows_word(&r, to, "check"), rows_word(&r, from, "check"));)
			to++;
		put_check(c, &r, from, to);
	}
	if (from < r.n)
		chart_say_first(c, c->npanel, "figures");
	return true;
}

const struct chart_kind chart_kind_history = {
	.id = "history",
	.title = "Run by run",
	.doc = "Each figure of a history, run by run, with the median of each level between changes "
	       "that count; the first eight figures.",
	.source = "Fleming et al. 2023 (Hunter): change points of benchmark histories",
	.ask = { ask },
	.draw = draw_history,
};
