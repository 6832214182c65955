/*
 * SVG lanes: boxes over time, each with what it is as what a pointer over it shows.
 */
#include <math.h>

#include "base/width.h"
#include "report/chart/draw/svg.h"
#include "report/escape.h"

enum { LETTER_PX = 7 };

/* Of a row's height, and the least a box is wide. */
static const double BOX_HIGH = 0.8, LEAST_WIDE = 0.6;

static bool has_room(const char *text, double wide)
{
	return text && wide >= (double)((width_of(span_of(text)) + 1) * LETTER_PX);
}

/* A name in its box: white on the dark colour, black on the others. */
static const char *group_of(const struct chart_series *s)
{
	if (s->is_faint)
		return "<g>";
	return s->color == COLOR_COMPUTE ? "<g class=\"i\">" : "<g class=\"k\">";
}

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
	if (!has_room(s->inside[i], wide))
		return;
	str_adds(out, group_of(s));
	svg_text(out, x + wide / 2, a->top + (s->y[i] + 0.5) * row + 4, "middle", s->inside[i]);
	str_adds(out, "</g>\n");
}

/* Steps: lines with their names above the lanes, as many as have room. */
static void put_steps(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	double free_from = 0;
	size_t i;

	for (i = 0; i < p->nline; i++) {
		double at = svg_x(a, p->line[i].at);

		str_addf(out, "<path class=\"g d\" d=\"M%.1f %.1fV%.1f\"/>\n", at, a->top - 4,
			a->top + a->height);
		if (at < free_from)
			continue;
		svg_text(out, at, a->top - 8, "start", p->line[i].title);
		free_from = at + (double)((width_of(span_of(p->line[i].title)) + 1) * LETTER_PX);
	}
}

void svg_lanes(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	double row = a->height / (double)p->nrow;
	size_t i, j;

	put_steps(out, p, a);
	for (i = 0; i < p->nrow; i++) {
		double y = a->top + ((double)i + 0.5) * row;

		svg_text(out, a->left - 6, y + 4, "end", p->row[i]);
		str_addf(out, "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/>\n", a->left,
			y + BOX_HIGH / 2 * row, a->left + a->width);
	}
	str_adds(out, "<g shape-rendering=\"crispEdges\">\n");
	for (j = 0; j < p->nseries; j++)
		for (i = 0; i < p->series[j].n; i++)
			put_box(out, p, &p->series[j], i, a);
	str_adds(out, "</g>\n");
}
