/*
 * Charts of logs: metrics over steps with their windowed mean, memory and its growth.
 */
#include <math.h>
#include <stdlib.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char ask[] = "metrics";

enum { PANELS_MAX = 12, ACROSS = 2, GAP = 5 };

static size_t end_of_key(const struct chart_rows *r, size_t from)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	size_t to = from;

	while (to < r->n && r->t[to] == r->t[from] && span_eq(rows_word(r, to, "key"), key) &&
		span_eq(rows_word(r, to, "group"), group))
		to++;
	return to;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Rows [from, to) as a line: where it breaks. */
struct stretch {
	const struct chart_rows *r;
	size_t from, to, breaks;
	bool *is_break;       /* before row from + i */
	double first, factor; /* x is counted from there, in the unit of the axis */
};

static double step_to(const struct stretch *s, size_t i)
{
	return rows_number(s->r, i, "x") - rows_number(s->r, i - 1, "x");
}

/*
 * A pause: more than GAP usual intervals, and more than GAP times the shorter of its neighbours,
 * since a metric that is logged less often from some step on does not pause.
 */
static bool is_pause(const struct stretch *s, size_t i, double usual)
{
	double gap = step_to(s, i), beside = INFINITY;

	if (i - 1 > s->from)
		beside = step_to(s, i - 1);
	if (i + 1 < s->to)
		beside = fmin(beside, step_to(s, i + 1));
	return gap > GAP * usual && gap > GAP * beside;
}

static struct stretch stretch_of(
	struct chart *c, const struct chart_rows *r, size_t from, size_t to)
{
	struct stretch s = { r, from, to, 0, NULL, 0, 1 };
	double *step = arena_array(&c->mem, to - from, sizeof(*step));
	size_t n = 0, i;

	s.is_break = arena_array(&c->mem, to - from, sizeof(*s.is_break));
	for (i = from + 1; i < to; i++)
		step[n++] = step_to(&s, i);
	qsort(step, n, sizeof(*step), by_value);
	for (i = from + 1; i < to; i++) {
		s.is_break[i - from] = is_pause(&s, i, step[n / 2]);
		s.breaks += s.is_break[i - from];
	}
	return s;
}

static double x_of(const struct stretch *s, size_t i)
{
	return (rows_number(s->r, i, "x") - s->first) * s->factor;
}

static void put_line(struct chart *c, struct chart_panel *p, const struct stretch *s,
	const char *key, const char *title, enum theme_color color)
{
	struct chart_series *line =
		chart_series(c, p, MARK_LINE, title, color, s->to - s->from + s->breaks);
	size_t i, n = 0;

	for (i = s->from; i < s->to; i++) {
		if (s->is_break[i - s->from])
			line->x[n++] = x_of(s, i);
		line->x[n] = x_of(s, i);
		line->y[n++] = rows_number(s->r, i, key);
	}
}

/*
 * Where points stand for several values: a line through the lowest and the highest of each stretch,
 * which looks as all of them would.
 */
static bool put_extremes(struct chart *c, struct chart_panel *p, const struct stretch *s)
{
	struct chart_series *line;
	size_t i, n = 0;

	for (i = s->from; i < s->to && isnan(rows_number(s->r, i, "low")); i++)
		;
	if (i == s->to)
		return false;
	line = chart_series(
		c, p, MARK_LINE, "values", COLOR_OTHER, 2 * (s->to - s->from) + s->breaks);
	for (i = s->from; i < s->to; i++) {
		double low = rows_number(s->r, i, "low"), high = rows_number(s->r, i, "high"),
		       y = rows_number(s->r, i, "y");

		if (s->is_break[i - s->from])
			line->x[n++] = x_of(s, i);
		line->x[n] = line->x[n + 1] = x_of(s, i);
		line->y[n++] = isnan(low) ? y : low;
		line->y[n++] = isnan(high) ? y : high;
	}
	return true;
}

/* The row of the table of keys that is about points from `from` on; NULL when there is none. */
static const struct table *key_row(
	const struct answers *in, const struct chart_rows *r, size_t from, size_t *row)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	const struct table *t;
	size_t i;

	for (i = 0; (t = answers_table(in, ask, "keys", i)); i++)
		for (*row = 0; t->input == r->t[from]->input && *row < table_rows(t); ++*row)
			if (span_eq(table_word(t, *row, "key"), key) &&
				span_eq(table_word(t, *row, "group"), group))
				return t;
	return NULL;
}

/* The unit of a key, from the table of keys. */
static enum unit unit_of(const struct answers *in, const struct chart_rows *r, size_t from)
{
	size_t row;
	const struct table *t = key_row(in, r, from, &row);
	struct span unit = t ? table_word(t, row, "unit") : (struct span){ "", 0 };

	if (span_is(unit, "ns"))
		return UNIT_NS;
	if (span_is(unit, "bytes"))
		return UNIT_BYTES;
	return span_is(unit, "ratio") ? UNIT_RATIO : UNIT_NONE;
}

/* Samples of nvidia-smi have charts of their own. */
static bool is_of_smi(const struct answers *in, const struct chart_rows *r, size_t from)
{
	size_t row;
	const struct table *t = key_row(in, r, from, &row);

	return t && span_starts(table_word(t, row, "kind"), "smi_");
}

/* Steps, rows or tokens.  Times of a log are those of the calendar; people count from its begin. */
static struct chart_axis axis_of(struct chart *c, const struct answers *in, struct stretch *s)
{
	size_t row;
	const struct table *t = key_row(in, s->r, s->from, &row);
	struct span word = t ? table_word(t, row, "axis") : (struct span){ "", 0 };

	if (!span_has(word, "time"))
		return (struct chart_axis){ word.n ? chart_text(c, word) : "step", UNIT_COUNT, NULL,
			false, false, 0 };
	s->first = rows_number(s->r, s->from, "x");
	s->factor = 1e9;
	return (struct chart_axis){ "time since the first value", UNIT_NS, NULL, false, false, 0 };
}

/* "reward (format), run1": the group of a key that has one, the input where there are several. */
static const char *title_of(struct chart *c, const struct chart_rows *r, size_t from)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	const char *input = rows_input(c, r, from), *title = chart_text(c, key);

	if (group.n)
		title = arena_printf(&c->mem, "%s (%.*s)", title, (int)group.n, group.p);
	return *input ? arena_printf(&c->mem, "%s, %s", title, input) : title;
}

static void put_key(const struct answers *in, struct chart *c, const struct chart_rows *r,
	size_t from, size_t to)
{
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	struct stretch s = stretch_of(c, r, from, to);
	bool is_thinned;

	p->title = title_of(c, r, from);
	p->alike = arena_printf(&c->mem, "%s (%s)", chart_text(c, rows_word(r, from, "key")),
		chart_text(c, rows_word(r, from, "group")));
	p->y = (struct chart_axis){ "value", unit_of(in, r, from), NULL, false, false, 0 };
	p->x = axis_of(c, in, &s);
	is_thinned = put_extremes(c, p, &s);
	if (!is_thinned)
		put_line(c, p, &s, "y", "value", COLOR_OTHER);
	put_line(c, p, &s,
		is_thinned && isnan(rows_number(r, from, "window_mean")) ? "y" : "window_mean",
		"mean", COLOR_COMPUTE);
}

/* Something else than samples of nvidia-smi is there. */
static bool has_others(const struct answers *in, const struct chart_rows *r)
{
	size_t from;

	for (from = 0; from < r->n; from = end_of_key(r, from))
		if (!is_of_smi(in, r, from))
			return true;
	return false;
}

static bool draw_series(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, ask, "points", 0);
	bool has_own = has_others(in, &r), is_cut = false;
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no metrics over steps");
	for (from = 0; from < r.n && !is_cut; from = to) {
		to = end_of_key(&r, from);
		if (has_own && is_of_smi(in, &r, from))
			continue;
		is_cut = c->npanel == PANELS_MAX;
		if (!is_cut)
			put_key(in, c, &r, from, to);
	}
	c->ncol = c->npanel > 1 ? ACROSS : 1;
	if (is_cut)
		chart_say_first(c, c->npanel, "metrics");
	return true;
}

const struct chart_kind chart_kind_metric_series = {
	.id = "metric-series",
	.title = "Metrics over the run",
	.doc = "Each metric of a log, thinned so that extremes stay, with the mean of the last 100 "
	       "values; the first twelve of them. -f chooses: -f 'loss|reward'. Lines break where "
	       "nothing was logged for more than five usual intervals. Samples of nvidia-smi are "
	       "left to the chart smi where there are other metrics.",
	.source = "the documents of DeepSeekMath-V2 and rldk: loss, reward and KL curves",
	.ask = { ask },
	.draw = draw_series,
};

/* The points of a row's key, of the same input: [from, to); false when there are none. */
static bool find_points(const struct chart_rows *r, const struct chart_rows *memory, size_t i,
	size_t *from, size_t *to)
{
	struct span key = rows_word(memory, i, "key");

	for (*from = 0; *from < r->n; *from = *to) {
		*to = end_of_key(r, *from);
		if (r->t[*from]->input == memory->t[i]->input &&
			span_eq(rows_word(r, *from, "key"), key))
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
		struct span verdict = rows_word(&memory, i, "verdict");
		struct chart_panel *p;
		struct stretch s;
		double base;

		if (!find_points(&r, &memory, i, &from, &to))
			continue;
		p = chart_panel(c, PANEL_XY,
			!verdict.n || span_is(verdict, "unknown")
				? title_of(c, &r, from)
				: arena_printf(&c->mem, "%s: %.*s", title_of(c, &r, from),
					  (int)verdict.n, verdict.p));
		s = stretch_of(c, &r, from, to);
		p->x = axis_of(c, in, &s);
		p->y = (struct chart_axis){ "memory", UNIT_BYTES, NULL, false, false, 0 };
		put_line(c, p, &s, "y", NULL, COLOR_COMPUTE);
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
	.ask = { ask },
	.draw = draw_leak,
};
