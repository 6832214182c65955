/* A series: the values one quantity took along a run, in the order of the file.
 *
 * Exact up to SERIES_EXACT points.  Beyond that, constant memory: running moments and extremes over
 * all values (exact), the first and the last points (exact), blocks of equal length with mean and
 * extremes (exact), and a random sample of fixed size for quantiles.  series_is_exact says which it
 * is, and whoever shows a quantile of a sample says so.
 *
 * Values that are not finite, and values that are absent (null, "[N/A]", an empty cell), are
 * counted, with the place of the first, and are no points. */
#pragma once

#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum {
	SERIES_EXACT = 65536, /* points kept one by one */
	SERIES_FIRST = 1024,  /* and what is kept of longer ones: the first so many points, */
	SERIES_LAST = 4096,   /* the last so many, */
	SERIES_BLOCKS = 1024, /* at most so many blocks, at least half as many, */
	SERIES_SAMPLE = 8192  /* and so many points drawn at random */
};

/* What the positions of the points are. */
enum axis {
	AXIS_ROW,   /* 0, 1, 2 ...: the file says no step */
	AXIS_STEP,  /* the step as logged; whole, not always rising: a restart repeats some */
	AXIS_TIME,  /* seconds: since 1970 where the file has dates (local time as written), else
	               since its own zero */
	AXIS_REPEAT /* 0, 1, 2 ...: measured again and again, by request or repeat: no value is the
	               end of the others */
};

struct point {
	double x; /* position on the axis */
	double y; /* value, finite */
};

/* Consecutive points. */
struct series_block {
	int64_t n;
	double first_x, last_x;
	double mean, m2; /* of the values; m2: sum of squared distances from the mean */
	double min, max;
	double mean_x;
};

struct series {
	struct span name;  /* as written: "loss", "rewards/format/mean" */
	struct span group; /* what else tells it apart: GPU index, phase, stage; "" usually */
	enum measure measure;
	enum axis axis;
	int artifact; /* index in the record's artifacts */

	int64_t n;                       /* finite values */
	int64_t nan, inf, missing;       /* values that are none */
	double first_nan_x, first_inf_x; /* of the first; meaningless when there is none */
	double min, max;                 /* over all finite values; n > 0 */
	double mean, m2;                 /* over all finite values */
	double sum;
	struct point last; /* the newest finite point; n > 0 */

	struct point *point; /* exact: n of them, in file order; NULL beyond SERIES_EXACT */
	size_t cap;
	struct series_long *more; /* beyond SERIES_EXACT; NULL before */
};

/* An empty series; name and group are borrowed. */
void series_init(struct series *s, struct span name, struct span group);
void series_clear(struct series *s);

/* Adds a value at x; NaN and infinities are counted.  O(1) amortised. */
void series_add(struct series *s, double x, double y);
/* The same for n points; cheaper than one by one. */
void series_add_many(struct series *s, const struct point *p, size_t n);
/* Counts a value that is absent. */
void series_add_missing(struct series *s);

/* "time" of each line that is how long something took, and no clock, which rises all the time. */
bool series_is_duration(const struct series *s);

/* No value is below the one before it, and the last is above the first. */
bool series_rises(const struct series *s);

/* By less than time goes by: "1.051, 1.052, 1.053" grows, and is not what has passed since the
 * begin. */
bool series_rises_slowly(const struct series *s);

/* All points are kept one by one. */
bool series_is_exact(const struct series *s);

/* The last (first) `want` finite points in file order into out; returns how many there are, at most
 * SERIES_LAST (SERIES_FIRST) of a series that is not exact. */
size_t series_last(const struct series *s, size_t want, struct point *out);
size_t series_first(const struct series *s, size_t want, struct point *out);

/* Points to compute quantiles from: all of an exact series, else a uniform sample without
 * replacement (Vitter 1985, algorithm R; seeded by the name, so the same file gives the same
 * sample), in no order.  Borrowed; valid until the next series_add. */
const struct point *series_sample(const struct series *s, size_t *n);

/* The series as at most SERIES_BLOCKS blocks in file order, for trends and curves: of one point
 * each while the series has no more, else of equal length 2^k but the last.  Into out (room for
 * SERIES_BLOCKS); returns how many. */
size_t series_blocks(const struct series *s, struct series_block *out);

/* Standard deviation of all finite values, n - ddof in the denominator; NaN when that is < 1. */
double series_std(const struct series *s, int ddof);
