/*
 * Heat maps: a colour and its number in each cell.
 */
#include "report/chart/draw/gnuplot_panel.h"
#include "base/minmax.h"
#include "base/width.h"

static void put_heat_names(struct str *b, const struct chart_panel *p, char axis)
{
	const char **name = axis == 'x' ? p->name : p->row;
	size_t n = axis == 'x' ? p->nname : p->nrow;
	size_t every = axis == 'x' ? panel_every(p, name, n) : gnuplot_every_row(n), known = 0, i;
	const char *comma = "";

	str_addf(b, "set %ctics (", axis);
	for (i = 0; i < n; i++) {
		if (!name[i] || !name[i][0] || known++ % every)
			continue;
		str_adds(b, comma);
		comma = ", ";
		gnuplot_quote_tic(b, name[i]);
		str_addf(b, " %zu", i);
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
		: z->max >= LARGE        ? "gprintf('%.1s%c', "
					 : "sprintf('%.3g', ";
	size_t i;

	for (i = 0; i < 2; i++) {
		str_addf(b, ", \\\n     data index %zu using 1:2:(", index);
		panel_column(b, 3, z);
		str_adds(b, i ? " >= " : " < ");
		panel_number(b, z->max / 2);
		str_addf(b, " ? %s", format);
		panel_column(b, 3, z);
		str_addf(b, ") : '') with labels textcolor rgb %s notitle", i ? "l_high" : "l_low");
	}
	str_addc(b, '\n');
}

/* The scale of colours, and what it means. */
static void put_scale(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *z)
{
	struct str title = { 0 };
	size_t n, i;

	(void)theme_heat(THEME_LIGHT, &n);
	str_adds(b, "set palette defined (");
	for (i = 0; i < n; i++)
		str_addf(b, "%s%zu c_heat%zu", i ? ", " : "", i, i);
	str_adds(b, ")\nset cbrange [0:");
	panel_number(b, z->max);
	str_adds(b, p->z.title ? "]\n" : "]\nset cbtics 0.25\n");
	if (z->max >= LARGE)
		str_adds(b, "set format cb '%.1s%c'\n");
	gnuplot_axis_title(&title, p->z.title ? &p->z : &p->y, z);
	if (title.n) {
		str_adds(b, "set cblabel ");
		gnuplot_quote(b, title.s);
		str_adds(b, " offset 1 textcolor rgb c_text\n");
	}
	str_free(&title);
}

void panel_heat(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis z = gnuplot_axis_z(p);
	/* Narrow cells overlap a little, since edges between them would show as lines. */
	const char *half = p->is_plain ? "0.54" : "0.49";
	const char *high = p->nrow > CHART_ROWS_MAX ? "0.52" : "0.48";
	size_t i, longest = 4;

	for (i = 0; i < p->nrow; i++) {
		size_t w = width_of(span_of(p->row[i]));

		longest = MAX(w, longest);
	}
	str_addf(b, "set lmargin %zu\n", longest + (p->z.title ? 6 : 3)); /* with a title of y */
	put_scale(b, p, &z);
	str_adds(b, "set rmargin 12\nunset grid\n");
	panel_range(b, 'x', -0.5, (double)p->nname - 0.5);
	panel_range(b, 'y', (double)p->nrow - 0.5, -0.5);
	put_heat_names(b, p, 'x');
	put_heat_names(b, p, 'y');
	panel_label(b, 'x', &p->x, &(struct gnuplot_axis){ .scale.suffix = "" });
	if (p->z.title)
		panel_label(b, 'y', &p->y, &(struct gnuplot_axis){ .scale.suffix = "" });
	str_addf(b, "plot data index %zu using 1:2:($1-%s):($1+%s):($2-%s):($2+%s):", *index, half,
		half, high, high);
	panel_column(b, 3, &z);
	str_adds(b, " with boxxyerror lc palette notitle");
	if (p->is_plain)
		str_addc(b, '\n');
	else
		put_numbers(b, p, *index, &z);
	(*index)++;
}
