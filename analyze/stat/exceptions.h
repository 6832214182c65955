/* Values in time that are not as most of the others are: one, every k-th, the first ones, those
 * from one on.
 *
 * The m largest (or smallest) are exceptions where a gap parts them from the rest: they are R times
 * as far from the rest's median as any of the rest.  Noise has that gap with a chance of R^(-3 m)
 * at most where its tails are no heavier than those of Student's law with three degrees of freedom;
 * where 30 values or more tell how heavy they are, with what these say (Hill 1975); of few values
 * also as far as even ones would lie together by chance.  That they are
 * the first m, the last, or every k-th, has a chance of its own: so many such sets of all sets of
 * m. Both together are to be less than EXCEPTIONS_CHANCE.  Less than EXCEPTIONS_LEAST is none.
 *
 * What then goes steadily from one level to another (ramp.h) is as it is expected where that has
 * got to: exceptions are looked for once more in what it leaves.  Else a level that noise overlaps
 * is found by Student's test at the best place to split. */
#pragma once

#include "analyze/stat/ramp.h"
#include "base/base.h"

#define EXCEPTIONS_CHANCE 0.0015
/* Of the median; and how many values there must be. */
#define EXCEPTIONS_LEAST 0.07
enum { EXCEPTIONS_VALUES = 5 };

/* How a set of places lies in time. */
enum exceptions_when { WHEN_SOME, WHEN_ONE, WHEN_EVERY, WHEN_FIRST, WHEN_FROM, WHEN_RAMP };

/* at: n places of `all`, ascending; EVERY: from at[0] on each (at[1] - at[0])-th, up to the end. */
enum exceptions_when exceptions_when(const size_t *at, size_t n, size_t all);

/* Sets is[i] where v[i], all of them 0 or more, is an exception; at most half of them are.  ramp:
 * NULL, or gets the ramp of the others, by places in v.  Scratch is mem's.  O(n^2) for each set
 * that is found. */
void exceptions_find(const double *v, size_t n, bool *is, struct ramp *ramp, struct arena *mem);
