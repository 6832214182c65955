/*
 * What panels of all kinds have: ranges, labels, tics, lines across.
 */
#include "report/chart/draw/gnuplot_panel.h"

#include <math.h>

#include "base/compiler.h"
#include "base/minmax.h"

enum { COUNTS_MAX = 8 };
static const double RIGHT = 0.75; /* of a panel: from here on names stand left of their rule */

void panel_number(struct str *b, double v)
{
	unit_put_real(b, v);
}

void panel_range(struct str *b, char axis, double min, double max)
{
	str_addf(b, "set %crange [", axis);
	panel_number(b, min);
	str_addc(b, ':');
	panel_number(b, max);
	str_adds(b, "]\n");
}

void panel_label(struct str *b, char axis, const struct chart_axis *a, const struct gnuplot_axis *d)
{
	struct str title = { 0 };

	gnuplot_axis_title(&title, a, d);
	if (title.n) {
		str_addf(b, "set %clabel ", axis);
		gnuplot_quote(b, title.s);
		str_adds(b, " textcolor rgb c_text\n");
	}
	str_free(&title);
}

/* Decimals that tell tics apart when large numbers are written as 142k or 1.25M. */
static int decimals_of(const struct gnuplot_axis *d)
{
	static const double tenth = 0.1, hundredth = 0.01;
	double most = MAX(fabs(d->max), fabs(d->min));
	double thousands = pow(1000, floor(log10(most) / 3));
	double step = (d->max - d->min) / 10 / thousands;

	if (!(step > 0) || step >= 1) /* one value alone has no steps */
		return 0;
	if (step >= tenth)
		return 1;
	return step >= hundredth ? 2 : 3;
}

/*
 * Where one power of ten, or two, are in sight: tics at 1, 2 and 5 times each of them; within less
 * than one, at all its multiples.
 */
static void put_log_tics(struct str *b, char axis, const struct gnuplot_axis *d)
{
	static const double times[] = { 1, 2, 5, 3, 4, 6, 7, 8, 9 };
	size_t n = d->max / d->min < 10 ? COUNT_OF(times) : 3;
	const char *comma = "";
	double power;
	size_t i;

	if (!(d->min > 0) || d->max / d->min > 200)
		return;
	str_addf(b, "set %ctics (", axis);
	for (power = pow(10, floor(log10(d->min))); power <= d->max; power *= 10) {
		for (i = 0; i < n; i++) {
			str_adds(b, comma);
			panel_number(b, power * times[i]);
			comma = ", ";
		}
	}
	str_adds(b, ")\n");
}

void panel_format(
	struct str *b, char axis, const struct chart_axis *a, const struct gnuplot_axis *d)
{
	if (d->scale.divisor == 1 && (fabs(d->max) >= 1e5 || fabs(d->min) >= 1e5))
		str_addf(b, "set format %c '%%.%ds%%c'\n", axis, decimals_of(d));
	else
		str_addf(b, "set format %c '%%g'\n", axis);
	if (d->is_count && !a->is_log && d->max - d->min < COUNTS_MAX)
		str_addf(b, "set %ctics 1\n", axis); /* there is no half of a step */
	if (!a->is_log)
		return;
	str_addf(b, "set logscale %c\n", axis);
	put_log_tics(b, axis, d);
}

void panel_lines(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x,
	const struct gnuplot_axis *y)
{
	size_t i, upright = 0;

	for (i = 0; i < p->nline; i++) {
		const struct chart_line *l = &p->line[i];
		double at = l->at / (l->is_upright ? x : y)->scale.divisor;

		str_adds(b, "set arrow from ");
		str_adds(b, l->is_upright ? "first " : "graph 0, first ");
		panel_number(b, at);
		str_adds(b, l->is_upright ? ", graph 0 to first " : " to graph 1, first ");
		panel_number(b, at);
		str_addf(b, "%s nohead dt 2 lw 1.5 lc rgb c_%s front\n",
			l->is_upright ? ", graph 1" : "", theme_word(COLOR_BLACK));
		if (!l->is_upright)
			continue;
		str_adds(b, "set label ");
		gnuplot_quote(b, l->title);
		str_adds(b, " at first ");
		panel_number(b, at);
		/* one below the other, so that neighbours can be read */
		str_addf(b, ", graph 0.%d %s,0 front textcolor rgb c_text\n",
			96 - 7 * (int)(upright++ % 4),
			at > x->min + RIGHT * (x->max - x->min) ? "right offset -0.5"
								: "left offset 0.5");
	}
}

void panel_column(struct str *b, int column, const struct gnuplot_axis *a)
{
	str_addf(b, "($%d/", column);
	panel_number(b, a->scale.divisor);
	str_addc(b, ')');
}
