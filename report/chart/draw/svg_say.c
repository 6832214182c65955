/* Charts in words. */
#include "report/chart/draw/svg.h"

#include "report/escape.h"

enum { BARS = 3, LINES = 4 };

/* "28.17 ms" of a value in the base unit of its axis. */
static void say_value(struct str *text, const struct chart_axis *axis, double v)
{
	switch (axis->unit) {
	case UNIT_NS:
	case UNIT_TIMESTAMP: unit_put_time(text, v); break;
	case UNIT_BYTES: unit_put_bytes(text, v); break;
	case UNIT_RATIO: unit_put_percent(text, v); break;
	default:
		str_addf(text, "%.5g", v);
		if (axis->unit == UNIT_BYTES_PER_S)
			str_adds(text, " B/s");
		break;
	}
	if (axis->word)
		str_addf(text, " %s", axis->word);
}

static void put_title(struct str *out, const struct str *text)
{
	str_adds(out, "<title>");
	escape_html(out, (struct span){ text->s ? text->s : "", text->n });
	str_adds(out, "</title>");
}

/* "NAME, SERIES: ", as far as there are any. */
static void say_names(struct str *text, const char *name, const char *series)
{
	str_addf(text, "%s%s%s%s", name ? name : "", name && series ? ", " : "",
		series ? series : "", name || series ? ": " : "");
}

void svg_say_mark(struct str *out, const char *name, const char *series,
	const struct chart_axis *axis, double v)
{
	SCOPED_STR text = { 0 };

	say_names(&text, name, series);
	say_value(&text, axis, v);
	put_title(out, &text);
}

/* Of standing bars the axis says what their names are: "step 6". */
void svg_say_bar(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, double v)
{
	SCOPED_STR name = { 0 };

	if (p->kind == PANEL_BARS && p->x.title)
		str_addf(&name, "%s ", p->x.title);
	str_adds(&name, p->whole && p->whole[i] ? p->whole[i] : p->name[i]);
	svg_say_mark(out, name.s ? name.s : "", s->title, &p->y, v);
}

/* false: no value is known. */
static bool range_of(const struct chart_series *s, double *min, double *max)
{
	*min = INFINITY;
	*max = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		double low = s->mark == MARK_BAND ? s->lo[i] : s->y[i];
		double high = s->mark == MARK_BAND ? s->hi[i] : s->y[i];

		*min = MIN(low, *min);
		*max = MAX(high, *max);
	}
	return *min <= *max;
}

static bool say_range(struct str *text, const struct chart_series *s, const struct chart_axis *axis)
{
	double min, max;

	if (!range_of(s, &min, &max))
		return false;
	say_value(text, axis, min);
	if (max > min) {
		str_adds(text, " to ");
		say_value(text, axis, max);
	}
	return true;
}

void svg_say_line(struct str *out, const struct chart_series *s, const struct chart_axis *axis)
{
	SCOPED_STR text = { 0 };

	say_names(&text, NULL, s->title);
	(void)say_range(&text, s, axis);
	put_title(out, &text);
}

void svg_say_point(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, bool is_box)
{
	size_t at = s->x[i] >= 0 ? saturate_size(s->x[i]) : p->nname;
	SCOPED_STR text = { 0 };

	if (s->title)
		str_addf(&text, "%s, ", s->title);
	if (p->nname > at && p->name[at]) {
		str_adds(&text, p->name[at]);
	} else {
		if (p->x.title)
			str_addf(&text, "%s ", p->x.title);
		say_value(&text, &p->x, s->x[i]);
	}
	if (is_box) {
		str_adds(&text, " to ");
		say_value(&text, &p->x, s->lo[i]);
	}
	str_adds(&text, ": ");
	say_value(&text, &p->y, s->y[i]);
	put_title(out, &text);
}

/* What a category is worth: its bars, stacked or beside each other, together.  NaN: not known. */
static double worth(const struct chart_panel *p, size_t i)
{
	double sum = NAN;

	for (size_t j = 0; j < p->nseries; j++) {
		double v = p->series[j].y[i];

		if (isnan(v))
			continue;
		if (p->is_stacked)
			sum = (isnan(sum) ? 0 : sum) + v;
		else
			sum = isnan(sum) || v > sum ? v : sum;
	}
	return sum;
}

/* The next lower category of those after `last`; nname: none. */
static size_t next_bar(const struct chart_panel *p, size_t last)
{
	double below = last < p->nname ? worth(p, last) : INFINITY;
	size_t best = p->nname;

	for (size_t i = 0; i < p->nname; i++) {
		double v = worth(p, i);
		bool is_next = v < below || (!(v > below) && last < p->nname && i > last);

		if (!isnan(v) && is_next && (best == p->nname || v > worth(p, best)))
			best = i;
	}
	return best;
}

static void say_bars(struct str *text, const struct chart_panel *p)
{
	size_t i = next_bar(p, p->nname);

	str_addf(text, "; %zu bar%s", p->nname, plural_s(p->nname));
	for (size_t n = 0; n < BARS && i < p->nname; n++, i = next_bar(p, i)) {
		str_addf(text, "%s%s%s%s ", n ? ", " : ", highest ",
			p->kind == PANEL_BARS && p->x.title ? p->x.title : "",
			p->kind == PANEL_BARS && p->x.title ? " " : "", p->name[i]);
		say_value(text, &p->y, worth(p, i));
	}
}

static void say_series(struct str *text, const struct chart_panel *p)
{
	size_t said = 0, i;

	for (i = 0; i < p->nseries && said < LINES; i++) {
		SCOPED_STR one = { 0 };

		if (say_range(&one, &p->series[i], &p->y)) {
			str_addf(text, "; %s%s%s", p->series[i].title ? p->series[i].title : "",
				p->series[i].title ? " " : "", one.s);
			said++;
		}
	}
	if (p->nseries > i)
		str_addf(text, "; %zu more", p->nseries - i);
}

void svg_say_panel(struct str *text, const struct chart *c, const struct chart_panel *p)
{
	str_adds(text, c->title ? c->title : "");
	if (p->title && !(c->title && strstr(c->title, p->title)))
		str_addf(text, "%s%s", text->n ? ": " : "", p->title);
	switch (p->kind) {
	case PANEL_BARS:
	case PANEL_ROWS: say_bars(text, p); break;
	case PANEL_XY: say_series(text, p); break;
	case PANEL_HEAT: str_addf(text, "; %zu rows of %zu cells", p->nrow, p->nname); break;
	case PANEL_FLAME: str_addf(text, "; boxes in %zu rows", p->nrow); break;
	case PANEL_LANES: str_addf(text, "; %zu lanes over time", p->nrow); break;
	case PANEL_BLOCKS:
	case PANEL_TEXT: break;
	}
}
