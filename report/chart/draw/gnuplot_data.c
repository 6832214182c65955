/* The data file of a chart.  Names stand in its comments, each on its line. */
#include "report/chart/draw/gnuplot.h"
#include "report/escape.h"

static void put_number(struct str *b, double v)
{
	str_addc(b, ' ');
	if (isnan(v))
		str_adds(b, "NaN");
	else
		unit_put_real(b, v);
}

static void put_comment(struct str *b, const char *text)
{
	escape_terminal(b, span_of(text), true);
}

static void put_lines(struct str *b, const struct chart_panel *p)
{
	for (EACH(const struct chart_series, s, p->series, p->nseries)) {
		str_adds(b, "# x, ");
		put_comment(b, s->title ? s->title : p->y.title ? p->y.title : "row");
		str_adds(b,
			s->lo && s->hi    ? ", low, high"
				: s->lo   ? ", right edge"
				: s->size ? ", size"
					  : "");
		str_addc(b, '\n');
		for (size_t i = 0; i < s->n; i++) {
			put_number(b, s->x[i]);
			put_number(b, s->y[i]);
			if (s->lo)
				put_number(b, s->lo[i]);
			if (s->hi)
				put_number(b, s->hi[i]);
			if (s->size)
				put_number(b, s->size[i]);
			if (s->label) {
				str_adds(b, " # ");
				put_comment(b, s->label[i]);
			}
			str_addc(b, '\n');
		}
		if (s->n == 0)
			str_adds(b, " NaN NaN NaN NaN\n");
		str_adds(b, "\n\n");
	}
}

static void put_categories(struct str *b, const struct chart_panel *p)
{
	str_adds(b, "# index");
	for (EACH(const struct chart_series, series, p->series, p->nseries)) {
		str_adds(b, ", ");
		put_comment(b, series->title ? series->title : p->y.title);
	}
	str_adds(b, ", # name\n");
	for (size_t i = 0; i < p->nname; i++) {
		str_addf(b, " %zu", i);
		for (EACH(const struct chart_series, s, p->series, p->nseries)) {
			put_number(b, s->y[i]);
			if (s->lo)
				put_number(b, s->lo[i]);
			if (s->hi)
				put_number(b, s->hi[i]);
			if (s->box_lo) {
				put_number(b, s->box_lo[i]);
				put_number(b, s->box_hi[i]);
			}
		}
		str_adds(b, " # ");
		put_comment(b, p->whole[i]);
		str_addc(b, '\n');
	}
	str_adds(b, "\n\n");
}

static void put_cells(struct str *b, const struct chart_panel *p)
{
	str_adds(b, "# column, row, value\n");
	for (size_t i = 0; i < p->nrow; i++) {
		for (size_t j = 0; j < p->nname; j++) {
			str_addf(b, " %zu %zu", j, i);
			put_number(b, p->cell[i * p->nname + j]);
			str_addc(b, '\n');
		}
	}
	str_adds(b, "\n\n");
}

void gnuplot_data(struct str *b, const struct chart *c)
{
	str_addf(b, GNUPLOT_MARK "%s, base units (ns, bytes, ratios); NaN: not known\n", c->id);
	for (EACH(const struct chart_panel, p, c->panel, c->npanel)) {
		switch (p->kind) {
		case PANEL_XY:
		case PANEL_FLAME:
		case PANEL_LANES: put_lines(b, p); break;
		case PANEL_BARS:
		case PANEL_ROWS: put_categories(b, p); break;
		case PANEL_HEAT: put_cells(b, p); break;
		case PANEL_BLOCKS:
		case PANEL_TEXT: break;
		}
	}
}
