/* Charts of what changed: each figure of a history run by run, with its levels, and where they
 * changed; the parts of a step of two sides. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char asked[] = "gate --history";

enum { PANELS_MAX = 8, MARKS_MAX = 12 };

/* Runs by their number: what they are called, a date as a rule. */
static void name_runs(
	struct chart *c, struct chart_panel *p, const struct chart_rows *r, size_t from, size_t to)
{
	double last = rows_number(r, to - 1, "number"), number;

	if (!(last >= 0))
		return;
	chart_names(c, p, saturate_size(last) + 1);
	for (size_t i = from; i < to; i++) {
		number = rows_number(r, i, "number");
		if (number >= 0 && number <= last)
			chart_name(c, p, saturate_size(number), rows_word(r, i, "run"));
	}
}

/* A rule where a level begins, with how far it is from the one before. */
static void mark_levels(
	struct chart *c, struct chart_panel *p, const struct answers *in, struct span check)
{
	const struct table *t = answers_rows(in, asked, "segments");
	size_t n = 0;

	for (size_t i = 0; i < table_rows(t) && n < MARKS_MAX; i++) {
		struct span change = table_word(t, i, "change");

		if (!change.n || !span_eq(table_word(t, i, "check"), check))
			continue;
		chart_line(c, p, chart_text(c, change), table_number(t, i, "from_number"), true);
		n++;
	}
}

/* And where it began to creep, which no level shows; the title says how far. */
static void mark_drift(
	struct chart *c, struct chart_panel *p, const struct answers *in, struct span check)
{
	const struct table *t = answers_rows(in, asked, "newest");

	for (size_t i = 0; i < table_rows(t); i++) {
		double at = table_number(t, i, "creeps_from");
		struct span since = table_word(t, i, "since");

		if (!span_eq(table_word(t, i, "check"), check))
			continue;
		if (!isnan(at))
			chart_line(c, p, "creeps", at, true);
		if (since.n)
			p->title = arena_printf(&c->mem, "%s: %s", p->title, chart_text(c, since));
	}
}

static bool draw_history(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "history", 0);
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no history of runs");
	for (from = 0; from < r.n && c->npanel < PANELS_MAX; from = to) {
		to = ROWS_END(&r, from, "check");
		struct span check = rows_word(&r, from, "check");
		struct chart_panel *p = chart_panel(c, PANEL_XY, chart_text(c, check));
		const struct table *t = r.t[from];
		p->x = AXIS("run", UNIT_COUNT);
		p->y = AXIS(NULL, t->unit ? (enum unit)t->unit[r.row[from]] : UNIT_NONE);
		if (p->y.unit == UNIT_NONE) /* a figure of a table, which has its unit in its name
		                             */
			p->y.title = p->title;
		struct chart_series *value =
			chart_series(c, p, to - from > 120 ? MARK_LINE : MARK_DOTTED, "runs",
				COLOR_SHADE_2, to - from);
		struct chart_series *level =
			chart_series(c, p, MARK_STEP, "level", COLOR_BLACK, to - from);
		rows_fill(value->x, &r, from, to, "number");
		rows_fill(level->x, &r, from, to, "number");
		rows_fill(value->y, &r, from, to, "value");
		rows_fill(level->y, &r, from, to, "level");
		name_runs(c, p, &r, from, to);
		mark_levels(c, p, in, check);
		mark_drift(c, p, in, check);
	}
	if (from < r.n)
		chart_say_first(c, c->npanel, "figures");
	return true;
}

const struct chart_kind chart_kind_history = {
	.id = "history",
	.title = "Run by run",
	.doc = "Each figure of a history, run by run, with the median of each level between changes "
	       "that count, and how far each is from the one before; the first eight figures, worst "
	       "first.",
	.source = "Fleming et al. 2023 (Hunter): change points of benchmark histories",
	.ask = { asked },
	.draw = draw_history,
};

/* ---- what changed the step ---- */

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

static bool draw_step(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "ledger", 0);
	size_t n = 0;

	if (r.n == 0)
		return chart_refuse(c, "no ledger of both sides");
	struct chart_panel *p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = AXIS("time of a step, and what changed it", UNIT_NS, .from_zero = true);
	p->is_stacked = true;
	p->has_values = true;
	for (size_t i = 0; i < r.n; i++)
		n += is_part(&r, i);
	chart_names(c, p, n + 2);
	(void)chart_series(c, p, MARK_FLOAT, "slower", COLOR_WORSE, n + 2);
	(void)chart_series(c, p, MARK_FLOAT, "faster", COLOR_BETTER, n + 2);
	(void)chart_series(c, p, MARK_FLOAT, "step", COLOR_IDLE, n + 2);
	size_t k = 1;
	double at = SUM(double, i, r.n, is_part(&r, i) ? rows_number(&r, i, "base_ns") : 0);
	chart_name(c, p, 0, SPAN("base"));
	put_part(p, 0, at, 0, WHOLE);
	for (size_t i = 0; i < r.n; i++) {
		double delta = rows_number(&r, i, "delta_ns");

		if (!is_part(&r, i))
			continue;
		chart_name(c, p, k, rows_word(&r, i, "part"));
		put_part(p, k++, delta, at, delta > 0 ? WORSE : BETTER);
		at += isnan(delta) ? 0 : delta;
	}
	chart_name(c, p, k, SPAN("new"));
	put_part(p, k, at, 0, WHOLE);
	return true;
}

const struct chart_kind chart_kind_compare_step = {
	.id = "compare-step",
	.title = "What changed the step",
	.doc = "A waterfall from the step of BASE to that of NEW: each part of the ledger adds its "
	       "change, and they add up.",
	.source = "the profiler deep dive, baseline against slow",
	.ask = { "diff" },
	.draw = draw_step,
};
