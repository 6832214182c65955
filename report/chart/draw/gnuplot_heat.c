/*
 * Heat maps: a colour and its number in each cell.
 */
#include "report/chart/draw/gnuplot_panel.h"
#include "base/width.h"

static void put_heat_names(struct str *b, char axis, const char **name, size_t n)
{
	size_t every = axis == 'x' ? panel_every(name, n) : 1, known = 0, i;
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

/* The number of each cell, dark on light cells and light on dark ones. */
static void put_numbers(struct str *b, size_t index)
{
	str_addf(b,
		", \\\n     data index %zu using 1:2:($3 < 0.5 ? sprintf('%%.3f', $3) : '') with "
		"labels textcolor rgb '%s' notitle",
		index, theme_text);
	str_addf(b,
		", \\\n     data index %zu using 1:2:($3 >= 0.5 ? sprintf('%%.3f', $3) : '') with labels "
		"textcolor rgb '#ffffff' notitle\n",
		index);
}

void panel_heat(struct str *b, const struct chart_panel *p, size_t *index)
{
	const char *const *color;
	/* Narrow cells overlap a little, since edges between them would show as lines. */
	const char *half = p->is_plain ? "0.54" : "0.49";
	size_t n, i, longest = 4;

	color = theme_heat(&n);
	for (i = 0; i < p->nrow; i++) {
		size_t w = width_of(span_of(p->row[i]));

		longest = w > longest ? w : longest;
	}
	str_addf(b, "set lmargin %zu\nset palette defined (", longest + 3);
	for (i = 0; i < n; i++)
		str_addf(b, "%s%zu '%s'", i ? ", " : "", i, color[i]);
	str_adds(b, ")\nset cbrange [0:1]\nset cbtics 0.25\nset rmargin 12\nunset grid\n");
	panel_range(b, 'x', -0.5, (double)p->nname - 0.5);
	panel_range(b, 'y', (double)p->nrow - 0.5, -0.5);
	put_heat_names(b, 'x', p->name, p->nname);
	put_heat_names(b, 'y', p->row, p->nrow);
	panel_label(b, 'x', &p->x, &(struct gnuplot_axis){ .scale.suffix = "" });
	if (p->y.title) {
		str_adds(b, "set cblabel ");
		gnuplot_quote(b, p->y.title);
		str_adds(b, " offset 1\n");
	}
	str_addf(b,
		"plot data index %zu using 1:2:($1-%s):($1+%s):($2-0.48):($2+0.48):3 with boxxyerror "
		"lc palette notitle",
		*index, half, half);
	if (p->is_plain)
		str_addc(b, '\n');
	else
		put_numbers(b, *index);
	(*index)++;
}
