/*
 * SVG flame graphs: boxes with names, the whole name as what a pointer over the box shows.
 */
#include <math.h>

#include "base/width.h"
#include "report/chart/draw/svg.h"
#include "report/escape.h"

enum { LETTER_PX = 7, LETTERS_MIN = 5 };

static void put_tile(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, const struct svg_area *a)
{
	double high = a->height / (double)p->nrow, x = svg_x(a, s->x[i]);
	double y = a->top + a->height - (s->y[i] + 1) * high, wide = svg_x(a, s->lo[i]) - x;
	struct str text = { 0 };

	str_adds(out, "<g><title>");
	escape_html(out, span_of(s->label[i]));
	str_addf(out,
		"</title><rect class=\"f%d\" fill-opacity=\"0.7\" x=\"%.1f\" y=\"%.1f\" "
		"width=\"%.1f\" height=\"%.1f\"/>\n",
		(int)s->color, x, y + 0.5, wide > 1 ? wide - 0.5 : wide, high - 1);
	if (wide >= LETTERS_MIN * LETTER_PX) {
		gnuplot_shorten(&text, s->label[i], (size_t)(wide / LETTER_PX));
		svg_text(out, x + wide / 2, y + high / 2 + 4, "middle", text.s);
		str_free(&text);
	}
	str_adds(out, "</g>\n");
}

void svg_flame(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	size_t i, j;

	for (j = 0; j < p->nseries; j++)
		for (i = 0; i < p->series[j].n; i++)
			put_tile(out, p, &p->series[j], i, a);
}
