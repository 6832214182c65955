/*
 * Lanes: boxes over time in rows with names, the first on top.
 */
#include <math.h>

#include "base/minmax.h"
#include "base/width.h"
#include "report/chart/draw/gnuplot_panel.h"

enum { LETTER_PX = 11, SIDES_PX = 280, LETTERS_MIN = 4 };

static void put_names(struct str *b, const struct chart_panel *p)
{
	size_t i, longest = 4;

	str_adds(b, "set ytics (");
	for (i = 0; i < p->nrow; i++) {
		struct str name = { 0 };
		size_t w;

		gnuplot_shorten(&name, p->row[i], THEME_BRIEF_LETTERS);
		w = width_of((struct span){ name.s, name.n });
		longest = MAX(w, longest);
		str_adds(b, i ? ", " : "");
		gnuplot_quote_tic(b, name.s);
		str_addf(b, " %zu", i);
		str_free(&name);
	}
	str_addf(b, ") scale 0\nset lmargin %zu\n", longest + 3);
}

/* What a gap was for, where it has room for that. */
static void put_inside(
	struct str *b, const struct chart_series *s, size_t i, const struct gnuplot_axis *x)
{
	double left = s->x[i] / x->scale.divisor, right = s->lo[i] / x->scale.divisor;
	double px = (right - left) / (x->max - x->min) * (THEME_WIDTH_PX - SIDES_PX);

	if (!s->inside[i] || !(px >= (double)((width_of(span_of(s->inside[i])) + 1) * LETTER_PX)))
		return;
	str_adds(b, "set label ");
	gnuplot_quote(b, s->inside[i]);
	str_adds(b, " at ");
	panel_number(b, (left + right) / 2);
	str_addc(b, ',');
	panel_number(b, s->y[i]);
	str_adds(b, " center front textcolor rgb c_text\n");
}

/* The names of steps above the lanes, as many as have room. */
static void put_steps(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x)
{
	double free_from = -INFINITY, px = THEME_WIDTH_PX - SIDES_PX;
	size_t i;

	for (i = 0; i < p->nline; i++) {
		double at = p->line[i].at / x->scale.divisor;
		double wide = (double)((width_of(span_of(p->line[i].title)) + 1) * LETTER_PX);

		str_adds(b, "set arrow from first ");
		panel_number(b, at);
		str_adds(b, ", graph 0 to first ");
		panel_number(b, at);
		str_adds(b, ", graph 1 nohead dt 2 lc rgb c_grid back\n");
		if (at < free_from)
			continue;
		str_adds(b, "set label ");
		gnuplot_quote(b, p->line[i].title);
		str_adds(b, " at first ");
		panel_number(b, at);
		str_adds(b, ", graph 1 left offset 0,0.5\n");
		free_from = at + wide / px * (x->max - x->min);
	}
}

static void put_boxes(
	struct str *b, const struct chart_series *s, size_t index, const struct gnuplot_axis *x)
{
	str_addf(b, "data index %zu using (($1+$3)/2/", index);
	panel_number(b, x->scale.divisor);
	str_adds(b, "):2:");
	panel_column(b, 1, x);
	str_addc(b, ':');
	panel_column(b, 3, x);
	str_addf(b, ":($2+0.4-0.8*$4):($2+0.4) with boxxyerror fs %s noborder lc rgb c_%s title ",
		s->is_faint ? "transparent solid 0.3" : "solid 1", theme_word(s->color));
	gnuplot_quote(b, s->title);
}

void panel_lanes(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis x = gnuplot_axis_x(p);
	size_t i, j;

	panel_label(b, 'x', &p->x, &x);
	panel_range(b, 'x', x.min, x.max);
	panel_range(b, 'y', (double)p->nrow - 0.4, -0.6);
	panel_format(b, 'x', &p->x, &x);
	str_adds(b, "unset grid\nset border 1\n");
	put_names(b, p);
	panel_key_room(b, p);
	put_steps(b, p, &x);
	for (j = 0; j < p->nseries; j++)
		for (i = 0; p->series[j].is_faint && i < p->series[j].n; i++)
			put_inside(b, &p->series[j], i, &x);
	str_adds(b, "plot ");
	for (j = 0; j < p->nseries; j++) {
		str_adds(b, j ? ", \\\n     " : "");
		put_boxes(b, &p->series[j], (*index)++, &x);
	}
	str_addc(b, '\n');
}
