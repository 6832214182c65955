/*
 * SVG discs with the names of the largest beside them; what each is shows under a pointer.
 */
#include <math.h>

#include "report/chart/draw/labels.h"
#include "report/chart/draw/svg.h"
#include "report/escape.h"

enum { DISC_PX = 18, LETTERS = 24, LETTER_PX = 7, LINE_PX = 15 };

static void put_disc(struct str *out, const struct chart_series *s, size_t i,
	const struct svg_area *a, double largest)
{
	str_adds(out, "<g><title>");
	escape_html(out, span_of(s->label[i]));
	str_addf(out, "</title><circle class=\"f%d b\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n",
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
	size_t i, j;

	for (j = 0; j < p->nseries; j++)
		for (i = 0; p->series[j].size && i < p->series[j].n; i++)
			put_disc(out, &p->series[j], i, a, largest);
	labels_place(&l, p, &area);
	str_adds(out, "<g class=\"h\">");
	for (i = 0; i < l.n; i++)
		put_label(out, &l.v[i], a);
	str_adds(out, "</g>\n");
	labels_clear(&l);
}
