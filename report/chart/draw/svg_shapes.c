/* SVG discs with the names of the largest beside them, and boxes; what each is shows under a
 * pointer. */
#include "base/width.h"
#include "report/chart/draw/labels.h"
#include "report/chart/draw/svg.h"
#include "report/escape.h"

/* ---- the frame ---- */

static double part(const struct gnuplot_axis *d, double v, bool is_log)
{
	v /= d->scale.divisor;
	return is_log ? log(v / d->min) / log(d->max / d->min) : (v - d->min) / (d->max - d->min);
}

double svg_x(const struct svg_area *a, double v)
{
	return a->left +
		part(a->is_lying ? &a->y : &a->x, v, a->is_lying ? a->y_log : a->x_log) * a->width;
}

double svg_y(const struct svg_area *a, double v)
{
	return a->top + (1 - part(&a->y, v, a->y_log)) * a->height;
}

void svg_text(struct str *out, double x, double y, const char *anchor, const char *text)
{
	str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	escape_html(out, span_of(text));
	str_adds(out, "</text>\n");
}

/* ---- discs ---- */

enum { DISC_PX = 18, LETTERS = 24, LETTER_PX = 7, LINE_PX = 15 };

static void put_disc(struct str *out, const struct chart_series *s, size_t i,
	const struct svg_area *a, double largest)
{
	str_adds(out, "<g><title>");
	escape_html(out, span_of(s->label[i]));
	str_addf(out, "</title><circle class=\"f%d o\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n",
		(int)s->color, svg_x(a, s->x[i]), svg_y(a, s->y[i]),
		labels_radius(s, i, largest, DISC_PX));
}

static void put_label(struct str *out, const struct label *l, const struct svg_area *a)
{
	double floor = a->top + a->height;

	if (l->is_away)
		str_addf(out, "<path class=\"g\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
			a->left + fmin(fmax(l->to_x, l->x), l->x + l->width),
			floor - l->y + (l->to_y > l->y ? -LINE_PX / 2.0 : LINE_PX / 2.0),
			a->left + l->to_x, floor - l->to_y);
	svg_text(out, a->left + l->x + l->width / 2, floor - l->y + 4, "middle", l->text.s);
}

void svg_discs(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	struct label_area area = { &a->x, &a->y, a->width, a->height, LETTERS, LETTER_PX, LINE_PX,
		DISC_PX };
	double largest = labels_largest(p);
	struct labels l;

	for (EACH(const struct chart_series, series, p->series, p->nseries))
		for (size_t i = 0; series->size && i < series->n; i++)
			put_disc(out, series, i, a, largest);
	labels_place(&l, p, &area);
	str_adds(out, "<g class=\"h\">");
	for (size_t i = 0; i < l.n; i++)
		put_label(out, &l.v[i], a);
	str_adds(out, "</g>\n");
	labels_clear(&l);
}

/* ---- boxes of flames ---- */

enum { FLAME_LETTERS_MIN = 5 };

/* From which width on a box has an edge: less would be eaten up by it. */
static const double EDGED_PX = 3;

static const double FLAME_LETTER_PX = 7.4; /* the usual width of one at 12 px */

static void put_tile(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, const struct svg_area *a)
{
	double high = a->height / (double)p->nrow, x = svg_x(a, s->x[i]);
	double row = p->is_icicle ? s->y[i] : (double)p->nrow - 1 - s->y[i];
	double y = a->top + row * high, wide = svg_x(a, s->lo[i]) - x;
	struct str text = { 0 };

	str_addf(out, "<g class=\"i%d\"><title>", (int)s->color);
	escape_html(out, span_of(s->label[i]));
	str_addf(out,
		"</title><rect class=\"f%d %s\" x=\"%.3f\" y=\"%.1f\" width=\"%.3f\" "
		"height=\"%.1f\"/>",
		(int)s->color, wide < EDGED_PX ? "n" : "b", x, y, wide, high);
	if (wide >= FLAME_LETTERS_MIN * FLAME_LETTER_PX) {
		flame_name(&text, s->inside[i], saturate_size(wide / FLAME_LETTER_PX) - 1);
		if (text.n)
			svg_text(out, x + 3, y + high / 2 + 4, "start", text.s);
		str_free(&text);
	}
	str_adds(out, "</g>\n");
}

void svg_flame(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	for (EACH(const struct chart_series, series, p->series, p->nseries))
		for (size_t i = 0; i < series->n; i++)
			put_tile(out, p, series, i, a);
}

/* ---- boxes on lanes ---- */

enum { LANE_LETTER_PX = 7 };

/* Of a row's height, and the least a box is wide. */
static const double BOX_HIGH = 0.8, LEAST_WIDE = 0.6;

static void put_box(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, const struct svg_area *a)
{
	double row = a->height / (double)p->nrow, x = svg_x(a, s->x[i]);
	double wide = svg_x(a, s->lo[i]) - x, full = fmin(fmax(s->hi[i], 0.05), 1);
	double bottom = a->top + (s->y[i] + 0.5 + BOX_HIGH / 2) * row;
	double high = full * BOX_HIGH * row;

	str_addf(out,
		"<rect class=\"f%d%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"><title>",
		(int)s->color, s->is_faint ? " q" : "", x, bottom - high, fmax(wide, LEAST_WIDE),
		high);
	escape_html(out, span_of(s->label[i]));
	str_adds(out, "</title></rect>\n");
	if (!(s->inside[i] &&
		    wide >= (double)((width_of(span_of(s->inside[i])) + 1) * LANE_LETTER_PX)))
		return;
	/* a name in its box, where that fills its row */
	if (s->is_faint || full < 0.7)
		str_adds(out, "<g>");
	else
		str_addf(out, "<g class=\"i%d\">", (int)s->color);
	svg_text(out, x + wide / 2, a->top + (s->y[i] + 0.5) * row + 4, "middle", s->inside[i]);
	str_adds(out, "</g>\n");
}

void svg_lanes(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	double row = a->height / (double)p->nrow;

	/* Steps: lines with their names above the lanes, as many as have room. */
	double free_from = 0;
	for (EACH(const struct chart_line, line, p->line, p->nline)) {
		double at = svg_x(a, line->at);

		str_addf(out, "<path class=\"g d\" d=\"M%.1f %.1fV%.1f\"/>\n", at, a->top - 4,
			a->top + a->height);
		if (at < free_from)
			continue;
		svg_text(out, at, a->top - 8, "start", line->title);
		free_from = at + (double)((width_of(span_of(line->title)) + 1) * LANE_LETTER_PX);
	}
	for (size_t i = 0; i < p->nrow; i++) {
		double y = a->top + ((double)i + 0.5) * row;

		svg_text(out, a->left - 6, y + 4, "end", p->row[i]);
		str_addf(out, "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/>\n", a->left,
			y + BOX_HIGH / 2 * row, a->left + a->width);
	}
	str_adds(out, "<g shape-rendering=\"crispEdges\">\n");
	for (EACH(const struct chart_series, series, p->series, p->nseries))
		for (size_t i = 0; i < series->n; i++)
			put_box(out, p, series, i, a);
	str_adds(out, "</g>\n");
}
