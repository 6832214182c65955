/*
 * Steps that get slower as a run goes on: "my run got slower after N steps".
 */
#ifndef ANALYZE_MEASURE_SLOWING_H
#define ANALYZE_MEASURE_SLOWING_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct curve;

struct slowing {
	bool is_known; /* there are enough values */
	bool is_found;
	bool is_jump;    /* one step up; else a slope */
	double from, to; /* level before and now, in the curve's unit: medians */
	double x; /* where it begins: the jump's place, or the first value off the old level */
	double p; /* of no change: Welch's test of a jump, as slowing.c has it, else Mann-Kendall */
	double slope; /* per x, of a slope: Theil-Sen */
};

/* Values of fewer steps say nothing; a p below the other is not told to people. */
enum { SLOWING_LEAST = 20 };
#define SLOWING_P_SHOWN 1e-16

/*
 * Step times in their order.  Found is a jump that explains it all (curve_jump), or a slope that
 * neighbours and outliers do not fake (curve_trend), p below 0.001, of more than `least` of the
 * level before.  Scratch from mem.
 * Source: Theil 1950, Sen 1968; Mann 1945, Kendall 1975; Geyer 1992.
 */
void slowing_of(struct slowing *s, const struct curve *c, double least, struct arena *mem);

/* Standard deviation over mean of values that count: outliers and a trend are in it; NaN. */
double slowing_spread(const struct curve *c);

#endif
