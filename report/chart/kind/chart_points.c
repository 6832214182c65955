/* Points of metrics. */
#include "report/chart/kind/chart_points.h"

const char points_ask[] = "metrics";

enum { GAP = 5 };

size_t points_end(const struct chart_rows *r, size_t from)
{
	return ROWS_END(r, from, "key", "group", "file");
}

static double step_to(const struct points *s, size_t i)
{
	return rows_number(s->r, i, "x") - rows_number(s->r, i - 1, "x");
}

/* A pause: more than GAP usual intervals, and more than GAP times the shorter of its neighbours,
 * since a metric that is logged less often from some step on does not pause. */
static bool is_pause(const struct points *s, size_t i, double usual)
{
	double gap = step_to(s, i), beside = INFINITY;

	if (i - 1 > s->from)
		beside = step_to(s, i - 1);
	if (i + 1 < s->to)
		beside = fmin(beside, step_to(s, i + 1));
	return gap > GAP * usual && gap > GAP * beside;
}

struct points points_of(struct chart *c, const struct chart_rows *r, size_t from, size_t to)
{
	struct points s = { r, from, to, 0, NULL, 0, 1 };
	double *step = arena_array(&c->mem, to - from, sizeof(*step));
	size_t n = 0;

	s.is_break = arena_array(&c->mem, to - from, sizeof(*s.is_break));
	for (size_t i = from + 1; i < to; i++)
		step[n++] = step_to(&s, i);
	chart_sort(step, n);
	for (size_t i = from + 1; i < to; i++) {
		s.is_break[i - from] = is_pause(&s, i, step[n / 2]);
		s.breaks += s.is_break[i - from];
	}
	return s;
}

double points_x(const struct points *s, size_t i)
{
	return (rows_number(s->r, i, "x") - s->first) * s->factor;
}

void points_line(struct chart *c, struct chart_panel *p, const struct points *s, const char *key,
	const char *title, enum theme_color color)
{
	struct chart_series *line =
		chart_series(c, p, MARK_LINE, title, color, s->to - s->from + s->breaks);
	size_t n = 0;

	for (size_t i = s->from; i < s->to; i++) {
		if (s->is_break[i - s->from])
			line->x[n++] = points_x(s, i);
		line->x[n] = points_x(s, i);
		line->y[n++] = rows_number(s->r, i, key);
	}
}

/* The row of the table of keys that is about points from `from` on; NULL when there is none. */
static const struct table *key_of(
	const struct answers *in, const struct chart_rows *r, size_t from, size_t *row)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	struct span file = rows_word(r, from, "file");
	const struct table *t;

	for (size_t i = 0; (t = answers_table(in, points_ask, "keys", i)); i++)
		for (*row = 0; t->input == r->t[from]->input && *row < table_rows(t); ++*row)
			if (span_eq(table_word(t, *row, "key"), key) &&
				span_eq(table_word(t, *row, "group"), group) &&
				span_eq(table_word(t, *row, "file"), file))
				return t;
	return NULL;
}

/* Steps, rows or tokens.  Times of a log are those of the calendar; people count from its begin. */
struct chart_axis points_axis(struct chart *c, const struct answers *in, struct points *s)
{
	size_t row;
	const struct table *t = key_of(in, s->r, s->from, &row);
	struct span word = t ? table_word(t, row, "axis") : (struct span){ "", 0 };

	if (!span_has(word, "time"))
		return AXIS(word.n ? chart_text(c, word) : "step", UNIT_COUNT);
	s->first = rows_number(s->r, s->from, "x");
	s->factor = 1e9;
	return AXIS("time since the first value", UNIT_NS);
}

const char *points_title(struct chart *c, const struct chart_rows *r, size_t from, bool with_input)
{
	struct span key = rows_word(r, from, "key"), group = rows_word(r, from, "group");
	const char *input = with_input ? rows_input(c, r, from) : "", *title = chart_text(c, key);

	if (group.n)
		title = arena_printf(&c->mem, "%s (%.*s)", title, (int)group.n, group.p);
	return *input ? arena_printf(&c->mem, "%s, %s", title, input) : title;
}
