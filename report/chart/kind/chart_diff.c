/*
 * The chart of a comparison: where the change of the step is.
 */
#include <math.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char ask[] = "diff";

enum { WORSE, BETTER, WHOLE };

/* One bar of the waterfall: worth v, from where the one before ended. */
static void put_part(struct chart_panel *p, size_t i, double v, double from, size_t kind)
{
	struct chart_series *s = &p->series[kind];

	s->y[i] = v;
	s->lo[i] = from;
	s->hi[i] = from + v;
}

static bool is_part(const struct chart_rows *r, size_t i)
{
	return !(rows_number(r, i, "is_detail") > 0);
}

static void put_waterfall(struct chart *c, struct chart_panel *p, const struct chart_rows *r)
{
	double at = 0;
	size_t i, k = 1;

	for (i = 0; i < r->n; i++)
		at += is_part(r, i) ? rows_number(r, i, "base_ns") : 0;
	chart_name(c, p, 0, SPAN("base"));
	put_part(p, 0, at, 0, WHOLE);
	for (i = 0; i < r->n; i++) {
		double delta = rows_number(r, i, "delta_ns");

		if (!is_part(r, i))
			continue;
		chart_name(c, p, k, rows_word(r, i, "part"));
		put_part(p, k++, delta, at, delta > 0 ? WORSE : BETTER);
		at += isnan(delta) ? 0 : delta;
	}
	chart_name(c, p, k, SPAN("new"));
	put_part(p, k, at, 0, WHOLE);
}

static bool draw_step(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "ledger", 0);
	struct chart_panel *p;
	size_t i, n = 0;

	if (r.n == 0)
		return chart_refuse(c, "no ledger of both sides");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = (struct chart_axis){ "time of a step, and what changed it", UNIT_NS, NULL, true,
		false, 0 };
	p->is_stacked = true;
	p->has_values = true;
	for (i = 0; i < r.n; i++)
		n += is_part(&r, i);
	chart_names(c, p, n + 2);
	(void)chart_series(c, p, MARK_FLOAT, "slower", COLOR_DATA, n + 2);
	(void)chart_series(c, p, MARK_FLOAT, "faster", COLOR_HOST, n + 2);
	(void)chart_series(c, p, MARK_FLOAT, "step", COLOR_IDLE, n + 2);
	put_waterfall(c, p, &r);
	return true;
}

const struct chart_kind chart_kind_compare_step = {
	.id = "compare-step",
	.title = "What changed the step",
	.doc = "A waterfall from the step of BASE to that of NEW: each part of the ledger adds its "
	       "change, and they add up.",
	.source = "the profiler deep dive, baseline against slow",
	.ask = { ask },
	.draw = draw_step,
};
