/*
 * Charts of logs: metrics over steps with their windowed mean, memory and its growth, scores.
 */
#include <math.h>
#include <string.h>

#include "report/chart_build.h"

static const char ask[] = "metrics";

enum { PANELS_MAX = 12, ACROSS = 2, SCORES_MAX = 24 };

static size_t end_of_key(const struct chart_rows *r, size_t from)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	size_t to = from;

	while (to < r->n && r->t[to] == r->t[from] && span_eq(rows_word(r, to, "key"), key) &&
		span_eq(rows_word(r, to, "group"), group))
		to++;
	return to;
}

static void put_line(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	size_t from, size_t to, const char *key, const char *title, enum theme_color color)
{
	struct chart_series *s = chart_series(c, p, MARK_LINE, title, color, to - from);
	size_t i;

	for (i = from; i < to; i++) {
		s->x[i - from] = rows_number(r, i, "x");
		s->y[i - from] = rows_number(r, i, key);
	}
}

/*
 * Where points stand for several values: a line through the lowest and the highest of each stretch,
 * which looks as all of them would.
 */
static bool put_extremes(
	struct chart *c, struct chart_panel *p, const struct chart_rows *r, size_t from, size_t to)
{
	struct chart_series *s;
	size_t i, n = 0;

	for (i = from; i < to && isnan(rows_number(r, i, "low")); i++)
		;
	if (i == to)
		return false;
	s = chart_series(c, p, MARK_LINE, "values", COLOR_OTHER, 2 * (to - from));
	for (i = from; i < to; i++) {
		double low = rows_number(r, i, "low"), high = rows_number(r, i, "high");

		s->x[n] = s->x[n + 1] = rows_number(r, i, "x");
		s->y[n++] = isnan(low) ? rows_number(r, i, "y") : low;
		s->y[n++] = isnan(high) ? rows_number(r, i, "y") : high;
	}
	return true;
}

static const char time_axis[] = "time since the first value (s)";

/* Times of a log are those of the calendar; people count from its begin. */
static void begin_at_zero(struct chart_panel *p)
{
	double first = p->series[0].n ? p->series[0].x[0] : 0;
	size_t i, k;

	for (k = 0; k < p->nseries; k++)
		for (i = 0; i < p->series[k].n; i++)
			p->series[k].x[i] -= first;
}

/* The unit and axis of a key, from the table of keys. */
static enum unit unit_of(const struct answers *in, struct span key, const char **axis)
{
	struct span unit = { "", 0 };
	const struct table *t;
	size_t i, k;

	*axis = "step";
	for (i = 0; (t = answers_table(in, ask, "keys", i)); i++)
		for (k = 0; k < table_rows(t); k++) {
			if (!span_eq(table_word(t, k, "key"), key))
				continue;
			unit = table_word(t, k, "unit");
			if (span_has(table_word(t, k, "axis"), "time"))
				*axis = time_axis;
			i = SIZE_MAX - 1;
			break;
		}
	if (span_is(unit, "ns"))
		return UNIT_NS;
	if (span_is(unit, "bytes"))
		return UNIT_BYTES;
	return span_is(unit, "ratio") ? UNIT_RATIO : UNIT_NONE;
}

static void put_key(const struct answers *in, struct chart *c, const struct chart_rows *r,
	size_t from, size_t to)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	const char *axis;
	bool is_thinned;

	p->title = group.n
		? arena_printf(&c->mem, "%.*s (%.*s)", (int)key.n, key.p, (int)group.n, group.p)
		: chart_text(c, key);
	p->y = (struct chart_axis){ NULL, unit_of(in, key, &axis), NULL, false, false, 0 };
	p->x = (struct chart_axis){ axis, UNIT_NONE, NULL, false, false, 0 };
	is_thinned = put_extremes(c, p, r, from, to);
	if (!is_thinned)
		put_line(c, p, r, from, to, "y", "value", COLOR_OTHER);
	put_line(c, p, r, from, to,
		is_thinned && isnan(rows_number(r, from, "window_mean")) ? "y" : "window_mean",
		"mean", COLOR_COMPUTE);
	if (strcmp(axis, time_axis) == 0)
		begin_at_zero(p);
}

static bool draw_series(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "points", 0);
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no metrics over steps");
	for (from = 0; from < r.n && c->npanel < PANELS_MAX; from = to) {
		to = end_of_key(&r, from);
		put_key(in, c, &r, from, to);
	}
	c->ncol = c->npanel > 1 ? ACROSS : 1;
	return true;
}

const struct chart_kind chart_kind_metric_series = {
	.id = "metric-series",
	.title = "Metrics over the run",
	.doc = "Each metric of a log, thinned so that extremes stay, with the mean of the last 100 "
	       "values; the first twelve of them. -f chooses: -f 'loss|reward'.",
	.source = "the documents of DeepSeekMath-V2 and rldk: loss, reward and KL curves",
	.ask = { ask },
	.draw = draw_series,
};

static bool draw_scores(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "score_shares", SCORES_MAX);
	struct chart_series *s;
	struct chart_panel *p;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no scores");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = (struct chart_axis){ "share of the valid scores, and its 95% interval", UNIT_RATIO,
		NULL, true, false, 1 };
	p->has_values = true;
	chart_names(c, p, r.n);
	s = chart_series(c, p, MARK_RANGE, NULL, COLOR_COMPUTE, r.n);
	for (i = 0; i < r.n; i++) {
		chart_name(c, p, i, rows_word(&r, i, "score"));
		s->y[i] = rows_number(&r, i, "ratio");
		s->lo[i] = rows_number(&r, i, "lo_ratio");
		s->hi[i] = rows_number(&r, i, "hi_ratio");
	}
	return true;
}

const struct chart_kind chart_kind_score_dist = {
	.id = "score-dist",
	.title = "Scores",
	.doc = "Share of each score among the valid ones, with Wilson's interval.",
	.source = "the documents of DeepSeekMath-V2: score distribution",
	.ask = { ask },
	.draw = draw_scores,
};

/* The points of a key: [from, to); false when there are none. */
static bool find_points(const struct chart_rows *r, struct span key, size_t *from, size_t *to)
{
	for (*from = 0; *from < r->n; *from = *to) {
		*to = end_of_key(r, *from);
		if (span_eq(rows_word(r, *from, "key"), key))
			return true;
	}
	return false;
}

static bool draw_leak(const struct answers *in, struct chart *c)
{
	struct chart_rows memory = chart_rows(c, in, ask, "memory", PANELS_MAX);
	struct chart_rows r = chart_rows(c, in, ask, "points", 0);
	size_t from, to, i;

	for (i = 0; i < memory.n; i++) {
		struct span key = rows_word(&memory, i, "key"),
			    verdict = rows_word(&memory, i, "verdict");
		double base;
		struct chart_panel *p;

		if (!find_points(&r, key, &from, &to))
			continue;
		p = chart_panel(c, PANEL_XY,
			arena_printf(&c->mem, "%.*s: %.*s", (int)key.n, key.p, (int)verdict.n,
				verdict.n ? verdict.p : ""));
		p->x = (struct chart_axis){ "step", UNIT_NONE, NULL, false, false, 0 };
		p->y = (struct chart_axis){ "memory", UNIT_BYTES, NULL, false, false, 0 };
		put_line(c, p, &r, from, to, "y", NULL, COLOR_COMPUTE);
		base = rows_number(&r, from, "y");
		if (!isnan(base))
			chart_line(c, p, "first", base, false);
	}
	return c->npanel > 0 || chart_refuse(c, "no memory over steps in a log");
}

const struct chart_kind chart_kind_mem_leak = {
	.id = "mem-leak",
	.title = "Memory over steps",
	.doc = "Memory as the log says it, with its first value as a line and the verdict about its "
	       "growth.",
	.source = "the documents of DeepSeekMath-V2: leak detection",
	.ask = { ask },
	.draw = draw_leak,
};
