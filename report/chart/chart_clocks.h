/*
 * Several inputs on one axis of time: by the clocks that `ranks` found.
 */
#ifndef REPORT_CHART_CHART_CLOCKS_H
#define REPORT_CHART_CHART_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/chart/chart_build.h"

/* How the clock of one input goes: at_ns of it is true_ns of all. */
struct chart_clock {
	double at, true_ns, rate;
};

/* The time of all at which an input's clock says `ns`. */
double chart_clock_time(const struct chart_clock *c, double ns);

/*
 * The clock of an input, by its path, from the rows of `ranks`; *island: which clocks it is known
 * against, and is to be NaN before the first.  false: it is not known, or has nothing to do with
 * that island.
 */
bool chart_clock_of(
	const struct chart_rows *clocks, const char *path, double *island, struct chart_clock *out);

/* "one clock, by the ends of collectives: +- 1.2 us", or that clocks are not known. */
const char *chart_clock_note(struct chart *c, const struct chart_rows *clocks, bool is_aligned);

#endif
