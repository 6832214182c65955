/*
 * SVG flame graphs: boxes with names, all that is known of one as what a pointer over it shows.
 */
#include <math.h>

#include "base/width.h"
#include "base/saturate.h"
#include "report/chart/draw/flame_name.h"
#include "report/chart/draw/svg.h"
#include "report/escape.h"

enum { LETTERS_MIN = 5 };

/* From which width on a box has an edge: less would be eaten up by it. */
static const double EDGED_PX = 3;

static const double LETTER_PX = 7.4; /* the usual width of one at 12 px */

static void put_tile(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, const struct svg_area *a)
{
	double high = a->height / (double)p->nrow, x = svg_x(a, s->x[i]);
	double row = p->is_icicle ? s->y[i] : (double)p->nrow - 1 - s->y[i];
	double y = a->top + row * high, wide = svg_x(a, s->lo[i]) - x;
	struct str text = { 0 };

	str_adds(out, "<g><title>");
	escape_html(out, span_of(s->label[i]));
	str_addf(out,
		"</title><rect class=\"f%d %s\" x=\"%.3f\" y=\"%.1f\" width=\"%.3f\" "
		"height=\"%.1f\"/>",
		(int)s->color, wide < EDGED_PX ? "n" : "b", x, y, wide, high);
	if (wide >= LETTERS_MIN * LETTER_PX) {
		flame_name(&text, s->inside[i], saturate_size(wide / LETTER_PX) - 1);
		if (text.n)
			svg_text(out, x + 3, y + high / 2 + 4, "start", text.s);
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
