/* Curves: the values of a series as arrays to compute with, and where they are going. */
#pragma once

#include "analyze/trace/filter.h"
#include "base/base.h"

struct series;

/* Values in order; x never falls. */
struct curve {
	double *x, *y; /* n each */
	size_t n;
	bool is_exact;   /* one entry a value; else the means of blocks of equal length */
	size_t restarts; /* places where x fell back: what came before at or above it was redone,
	                    and is dropped; of times nothing is, clocks go on where they were */
	size_t dropped;  /* values dropped by that */
	double *lo, *hi; /* lowest and highest of each block; NULL where is_exact */
};

/* The values of s with x in `steps` (NULL or empty: all), without the first `skip` of them.  Arrays
 * are mem's.  O(n). */
void curve_of(struct curve *c, const struct series *s, const struct filter_ranges *steps,
	size_t skip, struct arena *mem);

/* A trend that neighbours and outliers do not fake. */
struct curve_trend {
	size_t n;                /* values it was found from */
	size_t blocks;           /* blocks of neighbours whose medians they became */
	double tau;              /* integrated autocorrelation time around the trend, in values */
	double slope, intercept; /* y per x */
	double lo, hi;           /* 95% interval of the slope */
	double p;                /* of no trend, two-sided */
};

enum { CURVE_LEAST = 4, CURVE_BLOCKS_LEAST = 10, CURVE_BLOCKS_MOST = 512, CURVE_THIN = 2000 };

/* Theil-Sen's slope and the Mann-Kendall test on the medians of blocks as long as values depend on
 * each other (Geyer's tau of what is left after a first line), at least CURVE_BLOCKS_LEAST and at
 * most CURVE_BLOCKS_MOST blocks.  False, and NaN, with fewer than CURVE_LEAST values or one place.
 * O(n + CURVE_THIN^2). */
bool curve_trend(struct curve_trend *t, const struct curve *c, struct arena *mem);

/* One jump that splits a curve in two levels, and whether it is all there is. */
struct curve_jump {
	size_t at;     /* the first value of the new level; 0: none found */
	double x;      /* its place */
	double size;   /* the new level's median less the old one's */
	double p;      /* of equal levels: Welch's test */
	double rest_p; /* of a trend within the levels: twice the smaller of theirs, at most 1 */
	bool explains; /* p < 0.01, rest_p > 0.05, and two levels leave less than a line does */
};

/* The best split, by least squares around two levels, each of at least 3 values. */
void curve_jump(struct curve_jump *j, const struct curve *c, struct arena *mem);

/* Median and 1.4826 x MAD of y[from..to). */
struct curve_level {
	double median, spread;
};
struct curve_level curve_level(const double *y, size_t n, struct arena *mem);

/*
 * How much of its range a curve goes through by more than noise: the range of the medians of up to
 * ten blocks of neighbours, of CURVE_LEAST values each at least, over the range of all values.  0:
 * it is constant; near 1: it goes somewhere.  NaN with fewer than two blocks of values that differ.
 */
double curve_moves(const struct curve *c, struct arena *mem);

/* The y as `width` (at most n) characters U+2581..U+2588 from lowest to highest, the mean of each
 * stretch; "" when n is 0.  In mem. */
enum { CURVE_SPARK = 16 };
struct span curve_spark(const struct curve *c, size_t width, struct arena *mem);

/* ---- steps that get slower as a run goes on: "my run got slower after N steps" ---- */

struct slowing {
	bool is_known; /* there are enough values */
	bool is_found;
	bool is_jump;    /* one step up; else a slope */
	double from, to; /* level before and now, in the curve's unit: medians */
	double x; /* where it begins: the jump's place, the ramp's (ramp.h), or the first value off
	             the old level */
	double p; /* of no change: Welch's test of a jump, as curve.c has it, else Mann-Kendall */
	double slope; /* per x, of a slope: the ramp's, or Theil-Sen */
};

/* Values of fewer steps say nothing; a p below the other is not told to people. */
enum { SLOWING_LEAST = 20 };
#define SLOWING_P_SHOWN 1e-16

/* Step times in their order.  Found is a jump that explains it all (curve_jump), or a slope that
 * neighbours and outliers do not fake (curve_trend), p below 0.001, of more than `least` of the
 * level before.  Scratch from mem.
 * Source: Theil 1950, Sen 1968; Mann 1945, Kendall 1975; Geyer 1992. */
void slowing_of(struct slowing *s, const struct curve *c, double least, struct arena *mem);

/* Standard deviation over mean of values that count: outliers and a trend are in it; NaN. */
double slowing_spread(const struct curve *c);
