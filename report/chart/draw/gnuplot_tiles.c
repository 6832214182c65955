/* Panels of boxes: flames, lanes (over time, in rows with names, the first on top), heat maps. */
#include "base/width.h"
#include "report/chart/draw/gnuplot_panel.h"
#include "report/chart/draw/labels.h"

/* ---- flames ---- */

enum { FLAME_SIDES_PX = 90, FLAME_LETTERS_MIN = 5 };

static const double FLAME_LETTER = 0.65; /* its width, as a part of the size of letters */

/* The name of a box where it has room for some of it. */
static void put_label(struct str *b, const struct chart_panel *p, const struct chart_series *s,
	size_t i, const struct gnuplot_axis *x)
{
	double left = s->x[i] / x->scale.divisor, right = s->lo[i] / x->scale.divisor;
	double px = (right - left) / (x->max - x->min) * (p->room.width - FLAME_SIDES_PX);
	double letter = FLAME_LETTER * p->room.font;
	SCOPED_STR text = { 0 };

	if (!(px >= FLAME_LETTERS_MIN * letter))
		return;
	flame_name(&text, s->inside[i], saturate_size(px / letter));
	panel_put(b, "set label %q at %n,%n center front textcolor rgb i_%s\n", text.s,
		(left + right) / 2, s->y[i], theme_word(s->color));
}

void panel_flame(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis x = gnuplot_axis_x(p);

	panel_label(b, 'x', &p->x, &x);
	panel_range(b, 'x', x.min, x.max);
	if (p->is_icicle)
		panel_range(b, 'y', (double)p->nrow - 0.4, -0.6);
	else
		panel_range(b, 'y', -0.6, (double)p->nrow - 0.4);
	panel_format(b, 'x', &p->x, &x);
	str_adds(b, "unset ytics\nunset grid\nset border 1\n");
	panel_key_room(b, p);
	for (EACH(const struct chart_series, series, p->series, p->nseries))
		for (size_t i = 0; i < series->n; i++)
			put_label(b, p, series, i, &x);
	str_adds(b, "plot ");
	for (size_t j = 0; j < p->nseries; j++) {
		panel_put(b,
			"%sdata index %zu using (($1+$3)/2/%n):2:%k:%k:($2-0.5):($2+0.5) with "
			"boxxyerror fs solid 1 border rgb c_paper lw 0.4 lc rgb c_%s ",
			j ? ", \\\n     " : "", (*index)++, x.scale.divisor, 1, &x, 3, &x,
			theme_word(p->series[j].color));
		panel_put(b, p->series[j].title ? "title %q" : "notitle", p->series[j].title);
	}
	str_addc(b, '\n');
}

/* ---- lanes ---- */

enum { LETTER_PX = 11, SIDES_PX = 280, LETTERS_MIN = 4 };

static void put_names(struct str *b, const struct chart_panel *p)
{
	size_t longest = 4;

	str_adds(b, "set ytics (");
	for (size_t i = 0; i < p->nrow; i++) {
		SCOPED_STR name = { 0 };

		gnuplot_shorten(&name, p->row[i], THEME_BRIEF_LETTERS);
		size_t w = width_of((struct span){ name.s, name.n });
		longest = MAX(w, longest);
		panel_put(b, "%s%t %zu", i ? ", " : "", name.s, i);
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
	panel_put(b, "set label %q at %n,%n center front textcolor rgb c_text\n", s->inside[i],
		(left + right) / 2, s->y[i]);
}

/* The names of steps above the lanes, as many as have room. */
static void put_steps(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x)
{
	double free_from = -INFINITY, px = THEME_WIDTH_PX - SIDES_PX;

	for (EACH(const struct chart_line, line, p->line, p->nline)) {
		double at = line->at / x->scale.divisor;
		double wide = (double)((width_of(span_of(line->title)) + 1) * LETTER_PX);

		panel_put(b,
			"set arrow from first %n, graph 0 to first %n, graph 1 nohead dt 2 lc rgb "
			"c_grid back\n",
			at, at);
		if (at < free_from)
			continue;
		panel_put(b,
			"set label %q at first %n, graph 1 left offset 0,0.5 textcolor rgb c_text\n",
			line->title, at);
		free_from = at + wide / px * (x->max - x->min);
	}
}

static void put_boxes(
	struct str *b, const struct chart_series *s, size_t index, const struct gnuplot_axis *x)
{
	panel_put(b,
		"data index %zu using (($1+$3)/2/%n):2:%k:%k:($2+0.4-0.8*$4):($2+0.4) with "
		"boxxyerror fs %s noborder lc rgb c_%s title %q",
		index, x->scale.divisor, 1, x, 3, x,
		s->is_faint ? "transparent solid 0.3" : "solid 1", theme_word(s->color), s->title);
}

void panel_lanes(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis x = gnuplot_axis_x(p);

	panel_label(b, 'x', &p->x, &x);
	panel_range(b, 'x', x.min, x.max);
	panel_range(b, 'y', (double)p->nrow - 0.4, -0.6);
	panel_format(b, 'x', &p->x, &x);
	str_adds(b, "unset grid\nset border 1\n");
	put_names(b, p);
	panel_key_room(b, p);
	put_steps(b, p, &x);
	for (EACH(const struct chart_series, series, p->series, p->nseries))
		for (size_t i = 0; series->is_faint && i < series->n; i++)
			put_inside(b, series, i, &x);
	str_adds(b, "plot ");
	for (size_t j = 0; j < p->nseries; j++) {
		str_adds(b, j ? ", \\\n     " : "");
		put_boxes(b, &p->series[j], (*index)++, &x);
	}
	str_addc(b, '\n');
}

/* ---- heat maps ---- */

static void put_heat_names(struct str *b, const struct chart_panel *p, char axis)
{
	const char **name = axis == 'x' ? p->name : p->row;
	size_t n = axis == 'x' ? p->nname : p->nrow;
	size_t every = axis == 'x' ? panel_every(p, name, n) : gnuplot_every_row(n), known = 0;
	const char *comma = "";

	str_addf(b, "set %ctics (", axis);
	for (size_t i = 0; i < n; i++) {
		if (!name[i] || !name[i][0] || known++ % every)
			continue;
		panel_put(b, "%s%t %zu", comma, name[i], i);
		comma = ", ";
	}
	str_adds(b, ") scale 0\n");
}

/* From here on numbers are written as 679.4k or 1.1M. */
static const double LARGE = 1e5;

/* The number of each cell, dark on light cells and light on dark ones. */
static void put_numbers(
	struct str *b, const struct chart_panel *p, size_t index, const struct gnuplot_axis *z)
{
	const char *format = !p->z.title ? "sprintf('%.3f', "
		: z->max >= LARGE        ? "$3 == 0 ? '0' : gprintf('%.1s%c', "
					 : "sprintf('%.3g', ";

	for (size_t i = 0; i < 2; i++)
		panel_put(b,
			", \\\n     data index %zu using 1:2:(%k %s %n*turn ? %s%k) : '') with labels "
			"textcolor rgb %s notitle",
			index, 3, z, i ? ">=" : "<", z->max, format, 3, z, i ? "l_high" : "l_low");
	str_addc(b, '\n');
}

/* The scale of colours, and what it means. */
static void put_scale(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *z)
{
	SCOPED_STR title = { 0 };
	size_t n;

	(void)theme_heat(THEME_LIGHT, &n);
	str_adds(b, "set palette defined (");
	for (size_t i = 0; i < n; i++)
		str_addf(b, "%s%zu c_heat%zu", i ? ", " : "", i, i);
	panel_put(b, ")\nset cbrange [0:%n]\n%s", z->max, p->z.title ? "" : "set cbtics 0.25\n");
	if (z->max >= LARGE)
		str_adds(b, "set format cb '%.1s%c'\nset cbtics add ('0' 0)\n");
	gnuplot_axis_title(&title, p->z.title ? &p->z : &p->y, z);
	if (title.n)
		panel_put(b, "set cblabel %q offset 1 textcolor rgb c_text\n", title.s);
}

void panel_heat(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis z = gnuplot_axis_z(p);
	/* Narrow cells overlap a little, since edges between them would show as lines. */
	const char *half = p->is_plain ? "0.54" : "0.49";
	const char *high = p->nrow > CHART_ROWS_MAX ? "0.52" : "0.48";
	size_t longest = MOST(size_t, i, p->nrow, width_of(span_of(p->row[i])));

	str_addf(b, "set lmargin %zu\n", MAX(longest, 4) + (p->z.title ? 6 : 3)); /* with a title of
	                                                                             y */
	put_scale(b, p, &z);
	str_adds(b, "set rmargin 12\nunset grid\n");
	panel_range(b, 'x', -0.5, (double)p->nname - 0.5);
	panel_range(b, 'y', (double)p->nrow - 0.5, -0.5);
	put_heat_names(b, p, 'x');
	put_heat_names(b, p, 'y');
	panel_label(b, 'x', &p->x, &(struct gnuplot_axis){ .scale.suffix = "" });
	if (p->z.title)
		panel_label(b, 'y', &p->y, &(struct gnuplot_axis){ .scale.suffix = "" });
	panel_put(b,
		"plot data index %zu using 1:2:($1-%s):($1+%s):($2-%s):($2+%s):%k with boxxyerror lc "
		"palette notitle",
		*index, half, half, high, high, 3, &z);
	if (p->is_plain)
		str_addc(b, '\n');
	else
		put_numbers(b, p, *index, &z);
	(*index)++;
}
