/* Figures of many ranks, devices or streams beside each other: who stands out, in what.  For
 * report/chart/chart_*.c. */
#pragma once

#include "report/chart/chart.h"

/* ---- who of many is worth a name: the median, the lowest, the highest, those far from the rest
 * ---- */

/* Fewer have no rest that one of them could be far from. */
enum { STANDING_MIN = 3 };

/* Where each of n figures stands among those that are known. */
struct standings {
	const double *v;
	size_t n, nknown;
	size_t *order; /* the known ones, ascending; of equal ones the first first */
	double median; /* NaN when none is known */
	size_t *out;   /* those that stand out, the farthest first */
	size_t nout;
};

/* A figure stands out that is farther from the median than `least` and than 3.5 times the median
 * of all distances from it, scaled as a standard deviation.  v is borrowed; NaN: not known.
 * Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993. */
struct standings standings_of(struct arena *mem, const double *v, size_t n, double least);

/* The same of nrow rows of n figures each, for the row in which one is farthest from its median;
 * where none stands out, for the row that is spread widest.  *row receives which. */
struct standings standings_of_rows(
	struct arena *mem, const double *v, size_t nrow, size_t n, double least, size_t *row);

/* The known one whose figure is the lower median, the lowest, the highest.  nknown is not 0. */
size_t standings_middle(const struct standings *s);
size_t standings_lowest(const struct standings *s);
size_t standings_highest(const struct standings *s);

bool standings_is_out(const struct standings *s, size_t i);

/* Marks the median, the lowest, the highest, and those that stand out, at most `most` of all n;
 * returns how many. */
size_t standings_pick(const struct standings *s, size_t most, bool *is_picked);

/* ---- figures of many places ---- */

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
