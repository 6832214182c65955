/*
 * SVG: the coordinates of a panel, and text in them.
 */
#include "report/chart/draw/svg.h"

#include <math.h>

#include "report/escape.h"

static double part(const struct gnuplot_axis *d, double v, bool is_log)
{
	v /= d->scale.divisor;
	if (is_log)
		return log(v / d->min) / log(d->max / d->min);
	return (v - d->min) / (d->max - d->min);
}

double svg_x(const struct svg_area *a, double v)
{
	return a->left +
		part(a->is_lying ? &a->y : &a->x, v, a->is_lying ? a->y_log : a->x_log) * a->width;
}

double svg_y(const struct svg_area *a, double v)
{
	return a->top + (1 - part(&a->y, v, a->y_log)) * a->height;
}

void svg_text(struct str *out, double x, double y, const char *anchor, const char *text)
{
	str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	escape_html(out, span_of(text));
	str_adds(out, "</text>\n");
}
