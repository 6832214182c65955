/*
 * The commands that draw one panel.
 */
#include "report/chart/draw/gnuplot_panel.h"

/* What every panel begins with. */
static void put_start(struct str *b, const struct chart_panel *p)
{
	str_adds(b,
		"reset\n"
		"set datafile separator whitespace\n"
		"set border 3 lc rgb c_border\n"
		"set tics nomirror out textcolor rgb c_text\n"
		"set grid ytics lt 1 lw 1 lc rgb c_grid\n"
		"set style fill solid 1.0 noborder\n"
		"set key bmargin center horizontal Left reverse samplen 1.2 width 1 "
		"textcolor rgb c_text\n");
	str_adds(b, p->room.start ? p->room.start : "");
	if (p->title)
		panel_put(b, "set title %q font font_text textcolor rgb c_text\n", p->title);
	else
		str_addf(b, "set tmargin at screen %.4f\n",
			1 - (double)p->room.top / p->room.height);
	str_adds(b, "set rmargin 4\n");
}

/* ---- numbers over numbers ---- */

/* "data index 3 using ...": columns: y, or lo and hi too. */
static void put_using(struct str *b, const struct chart_series *s, const struct gnuplot_axis *x,
	const struct gnuplot_axis *y)
{
	if (s->mark == MARK_BOXES) {
		panel_put(b, " using (($1+$3)/2/%n):%k:(($3-$1)*0.94/%n)", x->scale.divisor, 2, y,
			x->scale.divisor);
		return;
	}
	panel_put(b, " using %k", 1, x);
	if (s->mark != MARK_BAND)
		panel_put(b, ":%k", 2, y);
	if (s->mark == MARK_BAND || s->mark == MARK_RANGE)
		panel_put(b, ":%k:%k", 3, y, 4, y);
}

static void put_with(struct str *b, const struct chart_series *s)
{
	const char *color = theme_word(s->color);

	switch (s->mark) {
	case MARK_LINE: str_addf(b, " with lines lw 2 lc rgb c_%s", color); break;
	case MARK_STEP: str_addf(b, " with steps lw 2 lc rgb c_%s", color); break;
	case MARK_POINTS: str_addf(b, " with points pt 7 ps 0.7 lc rgb c_%s", color); break;
	case MARK_DOTTED: str_addf(b, " with linespoints pt 7 ps 1 lw 2 lc rgb c_%s", color); break;
	case MARK_BAND:
		str_addf(b, " with filledcurves fs %s lc rgb c_%s",
			s->is_solid ? "solid 1.0 noborder" : "transparent solid 0.2", color);
		break;
	case MARK_TILE:
	case MARK_BUBBLE: /* report/chart/draw/gnuplot_discs.c */
	case MARK_FLOAT:
	case MARK_BOX: break;
	case MARK_BOXES: str_addf(b, " with boxes lc rgb c_%s", color); break;
	case MARK_RANGE: str_addf(b, " with yerrorbars pt 7 ps 1 lw 2 lc rgb c_%s", color); break;
	}
	if (s->is_dashed)
		str_adds(b, " dt 2");
}

static void put_plots(struct str *b, const struct chart_panel *p, size_t *index,
	const struct gnuplot_axis *x, const struct gnuplot_axis *y)
{
	bool is_direct = gnuplot_is_named_directly(p);
	size_t i;

	str_adds(b, p->nseries ? "plot " : "plot NaN notitle");
	for (i = 0; i < p->nseries; i++) {
		const struct chart_series *s = &p->series[i];

		str_addf(b, "%sdata index %zu", i ? ", \\\n     " : "", (*index)++);
		put_using(b, s, x, y);
		put_with(b, s);
		if (is_direct || !s->title)
			str_adds(b, " notitle");
		else
			panel_put(b, " title %q", s->title);
	}
	str_addc(b, '\n');
}

/* Dates of runs in place of their numbers. */
static void put_names_of_x(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x)
{
	size_t every = panel_every(p, p->name, p->nname), i;
	const char *comma = "";

	if (p->nname == 0)
		return;
	str_adds(b, "set xtics (");
	for (i = 0; i < p->nname; i++) {
		if (i % every || (double)i < x->min || (double)i > x->max)
			continue;
		panel_put(b, "%s%t %zu", comma, p->name[i], i);
		comma = ", ";
	}
	str_adds(b, ")\n");
}

static void put_xy(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis x = gnuplot_axis_x(p), y = gnuplot_axis_y(p);

	panel_label(b, 'x', &p->x, &x);
	panel_label(b, 'y', &p->y, &y);
	panel_range(b, 'x', x.min, x.max);
	panel_range(b, 'y', y.min, y.max);
	panel_format(b, 'x', &p->x, &x);
	put_names_of_x(b, p, &x);
	panel_format(b, 'y', &p->y, &y);
	if (chart_has_bubbles(p)) {
		panel_lines(b, p, &x, &y);
		panel_discs(b, p, index, &x, &y);
		return;
	}
	if (gnuplot_is_named_directly(p))
		str_addf(b, "set rmargin %zu\n", gnuplot_direct_names(b, p, &y) + 4);
	else
		panel_key_room(b, p);
	panel_lines(b, p, &x, &y);
	put_plots(b, p, index, &x, &y);
}

static void put_text(struct str *b, const struct chart_panel *p)
{
	panel_put(b,
		"unset border\nunset tics\nunset grid\nset xrange [0:1]\nset yrange [0:1]\n"
		"set label %q at 0.5,0.5 center textcolor rgb c_text\nplot NaN notitle\n",
		p->text);
}

void gnuplot_panel(struct str *b, const struct chart_panel *p, size_t *index)
{
	put_start(b, p);
	switch (p->kind) {
	case PANEL_XY: put_xy(b, p, index); break;
	case PANEL_BARS:
	case PANEL_ROWS: panel_bars(b, p, index); break;
	case PANEL_HEAT: panel_heat(b, p, index); break;
	case PANEL_FLAME: panel_flame(b, p, index); break;
	case PANEL_LANES: panel_lanes(b, p, index); break;
	case PANEL_TEXT: put_text(b, p); break;
	}
}
