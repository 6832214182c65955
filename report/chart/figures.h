/*
 * Figures of many ranks, devices or streams beside each other: who stands out, in what.  For
 * report/chart/chart_*.c.
 */
#ifndef REPORT_CHART_FIGURES_H
#define REPORT_CHART_FIGURES_H

#include "report/chart/chart.h"
#include "report/chart/standing.h"

/* Figures of n places in nrow rows: their sums first, then each part. */
struct figures {
	double *v; /* row by row; NaN: not known */
	size_t nrow, n;
	const char **name;  /* of places */
	const char **title; /* of rows; NULL: says itself */
	enum unit unit;
	size_t row; /* the one they are judged by */
	struct standings s;
};

/* None of them known yet. */
void figures_init(struct chart *c, struct figures *f, size_t nrow, size_t n, enum unit unit);

/* The figure of place i in a part, and in the sum of all parts. */
void figures_put(struct figures *f, size_t i, size_t part, double v);

/* Sets s and row. */
void figures_judge(struct chart *c, struct figures *f);

/* Differences up to this are not worth a word. */
double figures_least(const struct figures *f);

/* Notes on the chart who stands out: "rank2 (35.81 ms) stands out ..."; false: nobody does. */
bool figures_say(struct chart *c, const struct figures *f);

/* "stands out", "the highest", "the lowest", "the median"; NULL: i is none of these. */
const char *figures_word(const struct figures *f, size_t i);

/* Mean of a line over what it is drawn over; of bars, over them.  NaN: none is known. */
double figures_mean(const struct chart_series *s);

/* A line's value at x: of the last point at it or before; NaN outside of it. */
double figures_at(const struct chart_series *s, double x);

/* The parts of chart_compare for bars, and for lines in one panel. */
void chart_compare_rows(struct chart *c);
void chart_compare_lines(struct chart *c);

#endif
