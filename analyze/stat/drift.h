/* Whether a series has left the level it began on: by a step, or by creeping.
 *
 * Each value alone may pass.  What counts is the end of the series against its beginning. */
#pragma once

#include "base/base.h"

/* Fewer values than DRIFT_LEAST say nothing; of more than DRIFT_MOST the reference and the last
 * ones are looked at. */
enum { DRIFT_LEAST = 10, DRIFT_REFERENCE = 20, DRIFT_MOST = 1000 };

struct drift_options {
	double alpha;     /* of finding one where there is none, over all that is tried */
	double least;     /* a rise that cannot be told from less than this is none; >= 0 */
	size_t reference; /* the first so many values are the reference; 0: up to
	                     DRIFT_REFERENCE, as the length allows */
};

struct drift {
	bool is_found;
	bool is_creep;   /* a slope that begins somewhere fits better than a step */
	double from, to; /* level before, and now */
	double amount;   /* to - from */
	double lo;       /* lower 95% bound of the rise, of the test that found it most clearly */
	double p;        /* of no rise, one-sided, of that test alone */
	size_t since;    /* the first value that is not on the old level any more */
	double slope;    /* of a creep: rise from one value to the next */
};

/* Worse is larger.  Four tests share alpha: the slope of a straight line through all values takes
 * half, the means of the last 5, 10 and 20 against that of the first ones (Student, pooled) the
 * other half, those of them that there are values for.  One counts when it is significant and its
 * lower 95% bound is above `least`.  Where the change began and whether it creeps is what fits best
 * in least squares: a step at each place, or a slope that begins there.  O(n^2) for the places, n
 * <= DRIFT_MOST. */
struct drift drift_find(const double *v, size_t n, const struct drift_options *o);
