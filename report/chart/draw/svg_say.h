/*
 * What a chart says to who cannot see it, and what a mark is under a pointer.
 */
#ifndef REPORT_CHART_DRAW_SVG_SAY_H
#define REPORT_CHART_DRAW_SVG_SAY_H

#include "base/str.h"
#include "report/chart/chart.h"

/*
 * Appends a sentence on a panel: its title or the chart's, what it shows, the highest bars, the
 * range of each line.  Not escaped.
 */
void svg_say_panel(struct str *text, const struct chart *c, const struct chart_panel *p);

/* Appends <title> with "NAME, SERIES: VALUE", escaped; name and series may be NULL. */
void svg_say_mark(struct str *out, const char *name, const char *series,
	const struct chart_axis *axis, double v);

/* The same of bar i of a series, with its whole name. */
void svg_say_bar(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, double v);

/* The same of a line or band: from its lowest to its highest value. */
void svg_say_line(struct str *out, const struct chart_series *s, const struct chart_axis *axis);

/* The same of a point of two numbers, or of a box from x to `right`. */
void svg_say_point(struct str *out, const struct chart_panel *p, const struct chart_series *s,
	size_t i, bool is_box);

#endif
