/*
 * Flame graphs: boxes with names, each row on the one that called it.
 */
#include <math.h>

#include "report/chart/draw/flame_name.h"
#include "base/saturate.h"
#include "report/chart/draw/gnuplot_panel.h"

enum { SIDES_PX = 90, LETTERS_MIN = 5 };

static const double LETTER = 0.65; /* its width, as a part of the size of letters */

/* The name of a box where it has room for some of it. */
static void put_label(struct str *b, const struct chart_panel *p, const struct chart_series *s,
	size_t i, const struct gnuplot_axis *x)
{
	double left = s->x[i] / x->scale.divisor, right = s->lo[i] / x->scale.divisor;
	double px = (right - left) / (x->max - x->min) * (p->room.width - SIDES_PX);
	double letter = LETTER * p->room.font;
	struct str text = { 0 };

	if (!(px >= LETTERS_MIN * letter))
		return;
	flame_name(&text, s->inside[i], saturate_size(px / letter));
	str_adds(b, "set label ");
	gnuplot_quote(b, text.s);
	str_adds(b, " at ");
	panel_number(b, (left + right) / 2);
	str_addc(b, ',');
	panel_number(b, s->y[i]);
	str_addf(b, " center front textcolor rgb '#111111'\n");
	str_free(&text);
}

void panel_flame(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis x = gnuplot_axis_x(p);
	size_t i, j;

	panel_label(b, 'x', &p->x, &x);
	panel_range(b, 'x', x.min, x.max);
	if (p->is_icicle)
		panel_range(b, 'y', (double)p->nrow - 0.4, -0.6);
	else
		panel_range(b, 'y', -0.6, (double)p->nrow - 0.4);
	panel_format(b, 'x', &p->x, &x);
	str_adds(b, "unset ytics\nunset grid\nset border 1\n");
	for (j = 0; j < p->nseries; j++)
		for (i = 0; i < p->series[j].n; i++)
			put_label(b, p, &p->series[j], i, &x);
	str_adds(b, "plot ");
	for (j = 0; j < p->nseries; j++) {
		str_addf(b, "%sdata index %zu using (($1+$3)/2/", j ? ", \\\n     " : "",
			(*index)++);
		panel_number(b, x.scale.divisor);
		str_adds(b, "):2:");
		panel_column(b, 1, &x);
		str_addc(b, ':');
		panel_column(b, 3, &x);
		str_addf(b,
			":($2-0.5):($2+0.5) with boxxyerror fs solid 0.7 border rgb c_paper "
			"lw 0.4 lc rgb c_%s ",
			theme_word(p->series[j].color));
		str_adds(b, p->series[j].title ? "title " : "notitle");
		if (p->series[j].title)
			gnuplot_quote(b, p->series[j].title);
	}
	str_addc(b, '\n');
}
