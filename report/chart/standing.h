/*
 * Who of many is worth a name: of figures, one for each rank, device or stream, the median, the
 * lowest, the highest and those far from the rest.  For charts that cannot show all of them by
 * name.
 */
#ifndef REPORT_CHART_STANDING_H
#define REPORT_CHART_STANDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

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

/*
 * A figure stands out that is farther from the median than `least` and than 3.5 times the median
 * of all distances from it, scaled as a standard deviation.  v is borrowed; NaN: not known.
 * Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993.
 */
struct standings standings_of(struct arena *mem, const double *v, size_t n, double least);

/*
 * The same of nrow rows of n figures each, for the row in which one is farthest from its median;
 * where none stands out, for the row that is spread widest.  *row receives which.
 */
struct standings standings_of_rows(
	struct arena *mem, const double *v, size_t nrow, size_t n, double least, size_t *row);

/* The known one whose figure is the lower median, the lowest, the highest.  nknown is not 0. */
size_t standings_middle(const struct standings *s);
size_t standings_lowest(const struct standings *s);
size_t standings_highest(const struct standings *s);

bool standings_is_out(const struct standings *s, size_t i);

/*
 * Marks the median, the lowest, the highest, and those that stand out, at most `most` of all n;
 * returns how many.
 */
size_t standings_pick(const struct standings *s, size_t most, bool *is_picked);

#endif
