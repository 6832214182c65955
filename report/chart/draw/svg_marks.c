/* SVG marks: lines, bands, boxes, bars, cells. */
#include "report/chart/draw/svg.h"
#include "base/width.h"

enum { LINE_PX = 14, LETTER_PX = 7 }; /* of letters of 12 px */

/* Cells above this are so bright that black letters stand out, on light and dark pages. */
static const double IS_BRIGHT = 0.6;

/* Of a category: where the whisker of a lying bar is, and the number above it. */
static const double WHISKER_DOWN = 0.22, NUMBER_UP = 0.1;

static const double LARGE = 1e4; /* numbers from here on are written with a suffix */

/* A line, broken where a value is not known. */
static void put_path(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	const struct svg_area *a)
{
	bool is_down = false;

	str_addf(out, "<path class=\"s%d%s\" d=\"", (int)s->color, s->is_dashed ? " d" : "");
	for (size_t i = 0; i < s->n; i++) {
		double x = svg_x(a, s->x[i]), y = svg_y(a, s->y[i]);

		if (isnan(x) || isnan(y)) {
			is_down = false;
			continue;
		}
		if (is_down && s->mark == MARK_STEP)
			str_addf(out, "H%.1fV%.1f", x, y);
		else
			str_addf(out, "%c%.1f %.1f", is_down ? 'L' : 'M', x, y);
		is_down = true;
	}
	str_adds(out, "\">");
	svg_say_line(out, s, &p->y);
	str_adds(out, "</path>\n");
}

static void put_dots(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	const struct svg_area *a)
{
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->x[i]) || isnan(s->y[i]))
			continue;
		str_addf(out, "<circle class=\"f%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\">",
			(int)s->color, svg_x(a, s->x[i]), svg_y(a, s->y[i]),
			s->mark == MARK_POINTS ? 2 : 3);
		svg_say_point(out, p, s, i, false);
		str_adds(out, "</circle>\n");
	}
}

static void put_band(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	const struct svg_area *a)
{
	char c = 'M';

	str_addf(out, "<path class=\"f%d\" fill-opacity=\"%s\" d=\"", (int)s->color,
		s->is_solid ? "1" : "0.2");
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->lo[i]) || isnan(s->hi[i]))
			continue;
		str_addf(out, "%c%.1f %.1f", c, svg_x(a, s->x[i]), svg_y(a, s->hi[i]));
		c = 'L';
	}
	for (size_t i = s->n; i-- > 0;)
		if (!isnan(s->lo[i]) && !isnan(s->hi[i]))
			str_addf(out, "L%.1f %.1f", svg_x(a, s->x[i]), svg_y(a, s->lo[i]));
	str_adds(out, "Z\">");
	svg_say_line(out, s, &p->y);
	str_adds(out, "</path>\n");
}

/* Without its end: what it is goes in. */
static void put_rect(struct str *out, int color, double x0, double x1, double y0, double y1)
{
	double x = MIN(x0, x1), y = MIN(y0, y1);

	str_addf(out, "<rect class=\"f%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">",
		color, x, y, fabs(x1 - x0), fabs(y1 - y0));
}

static void put_boxes(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	const struct svg_area *a)
{
	for (size_t i = 0; i < s->n; i++) {
		if (isnan(s->y[i]) || !(s->y[i] > 0))
			continue;
		put_rect(out, (int)s->color, svg_x(a, s->x[i]) + 0.3, svg_x(a, s->lo[i]) - 0.3,
			svg_y(a, 0), svg_y(a, s->y[i]));
		svg_say_point(out, p, s, i, true);
		str_adds(out, "</rect>\n");
	}
}

static void put_ranges(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	const struct svg_area *a)
{
	for (size_t i = 0; i < s->n; i++)
		if (!isnan(s->lo[i]) && !isnan(s->hi[i]))
			str_addf(out, "<path class=\"w\" d=\"M%.1f %.1fV%.1f\"/>\n",
				svg_x(a, s->x[i]), svg_y(a, s->lo[i]), svg_y(a, s->hi[i]));
	put_dots(out, p, s, a);
}

/* Where the name of lying rule i ends: at the right, or left of the names of earlier rules that are
 * as high. */
static double rule_end(const struct chart_panel *p, const struct svg_area *a, size_t i)
{
	double end = a->left + a->width;

	for (EACH(const struct chart_line, l, p->line, i))
		if (!l->is_upright && fabs(svg_y(a, l->at) - svg_y(a, p->line[i].at)) < LINE_PX)
			end -= (double)width_of(span_of(l->title)) * LETTER_PX + LINE_PX;
	return end;
}

static void put_rules(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	size_t upright = 0;

	for (size_t i = 0; i < p->nline; i++) {
		const struct chart_line *l = &p->line[i];
		double at = l->is_upright ? svg_x(a, l->at) : svg_y(a, l->at);
		bool is_right = at > a->left + 3 * a->width / 4;

		/* Where a name of an upright rule stands at the right, the others stand at the
		 * left. */
		bool is_left = ANY(k, p->nline,
			p->line[k].is_upright &&
				svg_x(a, p->line[k].at) > a->left + 3 * a->width / 4);
		if (l->is_upright) {
			str_addf(out, "<path class=\"w d\" d=\"M%.1f %.1fV%.1f\"/>\n", at, a->top,
				a->top + a->height);
			svg_text(out, is_right ? at - 4 : at + 4,
				a->top + 12 + LINE_PX * (double)(upright++ % 4),
				is_right ? "end" : "start", l->title);
		} else {
			str_addf(out, "<path class=\"w d\" d=\"M%.1f %.1fH%.1f\"/>\n", a->left, at,
				a->left + a->width);
			svg_text(out, is_left ? a->left + 4 : rule_end(p, a, i), at - 4,
				is_left ? "start" : "end", l->title);
		}
	}
}

void svg_lines(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	for (EACH(const struct chart_series, s, p->series, p->nseries)) {
		switch (s->mark) {
		case MARK_LINE:
		case MARK_STEP: put_path(out, p, s, a); break;
		case MARK_DOTTED:
			put_path(out, p, s, a);
			put_dots(out, p, s, a);
			break;
		case MARK_POINTS: put_dots(out, p, s, a); break;
		case MARK_BAND: put_band(out, p, s, a); break;
		case MARK_BOXES: put_boxes(out, p, s, a); break;
		case MARK_RANGE: put_ranges(out, p, s, a); break;
		case MARK_TILE:
		case MARK_BUBBLE: /* svg_shapes.c */
		case MARK_FLOAT:
		case MARK_BOX: break;
		}
	}
	if (chart_has_bubbles(p))
		svg_discs(out, p, a);
	str_adds(out, "<g class=\"h\">");
	put_rules(out, p, a);
	str_adds(out, "</g>\n");
}

/* The box of category i, series j, from and to in values.  It is worth v. */
static void put_bar(struct str *out, const struct chart_panel *p, const struct svg_area *a,
	size_t i, size_t j, double from, double to, double v)
{
	size_t beside = p->is_stacked || p->nseries < 2 ? 1 : p->nseries;
	double wide = 0.78 / (double)beside, begin = 0.11;

	begin += p->is_stacked ? 0 : (double)j * wide;
	begin = ((double)i + begin) / (double)p->nname;
	wide /= (double)p->nname;
	if (a->is_lying)
		put_rect(out, (int)p->series[j].color, svg_x(a, from), svg_x(a, to),
			a->top + begin * a->height, a->top + (begin + wide) * a->height);
	else
		put_rect(out, (int)p->series[j].color, a->left + begin * a->width,
			a->left + (begin + wide) * a->width, svg_y(a, from), svg_y(a, to));
	svg_say_bar(out, p, &p->series[j], i, v);
	str_adds(out, "</rect>\n");
}

/* The number at the end of a lying bar. */
static void put_value_at(struct str *out, const struct chart_panel *p, const struct svg_area *a,
	size_t i, size_t j, double v, double end)
{
	size_t beside = p->is_stacked || p->nseries < 2 ? 1 : p->nseries;
	double row = ((double)i + 0.11 +
			     0.78 * ((double)(p->is_stacked ? 0 : j) + 0.5) / (double)beside) /
		(double)p->nname;
	SCOPED_STR b = { 0 };

	if (gnuplot_is_above_whisker(p, j))
		row -= NUMBER_UP / (double)p->nname;
	if (!a->is_lying || !p->has_values || isnan(v))
		return;
	gnuplot_value(&b, p, i, v, &a->y);
	svg_text(out, svg_x(a, MAX(end, 0)) + 5, a->top + row * a->height + 4, "start", b.s);
}

static void put_whisker(
	struct str *out, const struct chart_panel *p, const struct svg_area *a, size_t i, size_t j)
{
	double down = gnuplot_is_above_whisker(p, j) ? WHISKER_DOWN : 0;
	double middle = ((double)i + 0.5 + down) / (double)p->nname;
	const struct chart_series *s = &p->series[j];

	if ((s->mark != MARK_RANGE && s->mark != MARK_BOX) || isnan(s->lo[i]) || isnan(s->hi[i]))
		return;
	if (a->is_lying)
		str_addf(out, "<path class=\"w\" d=\"M%.1f %.1fH%.1f\"/>\n", svg_x(a, s->lo[i]),
			a->top + middle * a->height, svg_x(a, s->hi[i]));
	else
		str_addf(out, "<path class=\"w\" d=\"M%.1f %.1fV%.1f\"/>\n",
			a->left + middle * a->width, svg_y(a, s->lo[i]), svg_y(a, s->hi[i]));
}

/* Where the number of a bar stands: at its end, behind a whisker that it is not above. */
static double number_end(const struct chart_panel *p, size_t i, size_t j)
{
	const struct chart_series *s = &p->series[j];
	bool is_behind = s->hi && !gnuplot_is_above_whisker(p, j) && s->hi[i] > s->y[i];

	return is_behind ? s->hi[i] : s->y[i];
}

void svg_bars(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	for (size_t i = 0; i < p->nname; i++) {
		double sum = 0;

		for (size_t j = 0; j < p->nseries; j++) {
			const struct chart_series *s = &p->series[j];
			double v = s->y[i];

			if (isnan(v))
				continue;
			if (s->mark == MARK_FLOAT) {
				put_bar(out, p, a, i, j, s->lo[i], s->hi[i], v);
				put_value_at(out, p, a, i, 0, v, MAX(s->hi[i], s->lo[i]));
				continue;
			}
			if (s->mark == MARK_BOX) {
				put_bar(out, p, a, i, j, s->box_lo[i], v, v);
				put_bar(out, p, a, i, j, v, s->box_hi[i], v);
			} else {
				put_bar(out, p, a, i, j, p->is_stacked ? sum : 0,
					p->is_stacked ? sum + v : v, v);
			}
			sum += v;
			put_whisker(out, p, a, i, j);
			if (!p->is_stacked)
				put_value_at(out, p, a, i, j, v, number_end(p, i, j));
		}
		if (p->is_stacked && p->nseries && p->series[0].mark != MARK_FLOAT)
			put_value_at(out, p, a, i, 0, sum, sum);
	}
}

/* 679.4k, 1.103M: a number that a cell has room for. */
static void put_number(struct str *b, double v)
{
	bool is_large = v >= LARGE, is_huge = v >= LARGE * 1e3;

	str_addf(b, "%.4g%s",
		v /
			(is_huge                   ? 1e6
					: is_large ? 1e3
						   : 1),
		is_huge            ? "M"
			: is_large ? "k"
				   : "");
}

/* A row of cells: on a light ground those that are more than nothing. */
static void put_cells(struct str *out, const struct chart_panel *p, const struct svg_area *a,
	size_t row, const struct gnuplot_axis *z)
{
	double wide = a->width / (double)p->nname, high = a->height / (double)p->nrow;
	double edge = p->is_plain ? 0 : 1, between = p->nrow > CHART_ROWS_MAX ? 0 : 1;
	double y = a->top + (double)row * high;

	for (size_t j = 0; j < p->nname; j++) {
		double v = p->cell[row * p->nname + j], x = a->left + (double)j * wide;
		double part = v / z->scale.divisor / z->max;
		SCOPED_STR b = { 0 };

		if (isnan(v) || (p->is_plain && !(v > 0)))
			continue;
		str_addf(out,
			"<rect class=\"c\" fill-opacity=\"%.2f\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"%.1f\" height=\"%.1f\">",
			0.08 + 0.92 * part, x + edge, y + between, wide - 2 * edge,
			high - 2 * between);
		svg_say_mark(out, p->row[row], p->name[j], p->z.title ? &p->z : &p->y, v);
		str_adds(out, "</rect>\n");
		if (p->is_plain)
			continue;
		if (p->z.title)
			put_number(&b, v / z->scale.divisor);
		else
			str_addf(&b, "%.3f", v);
		str_adds(out, part > IS_BRIGHT ? "<g class=\"k\">" : "<g>");
		svg_text(out, x + wide / 2, y + high / 2 + 4, "middle", b.s);
		str_adds(out, "</g>\n");
	}
}

void svg_cells(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	struct gnuplot_axis z = gnuplot_axis_z(p);
	double high = a->height / (double)p->nrow;
	size_t every = gnuplot_every_row(p->nrow);

	if (p->is_plain)
		str_addf(out,
			"<rect class=\"c\" fill-opacity=\"0.08\" x=\"%.1f\" y=\"%.1f\" "
			"width=\"%.1f\" height=\"%.1f\"/>\n",
			a->left, a->top, a->width, a->height);
	for (size_t i = 0; i < p->nrow; i++) {
		if (i % every == 0)
			svg_text(out, a->left - 6, a->top + ((double)i + 0.5) * high + 4, "end",
				p->row[i]);
		put_cells(out, p, a, i, &z);
	}
}
