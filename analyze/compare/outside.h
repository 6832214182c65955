/* Work outside of steps, where two sides are compared by their steps.
 *
 * What is in none of the steps is in no figure of them.  Where it is much and alike on both sides,
 * it is shared out: a step is then the time of the run over its steps, and so are the step's parts
 * and the work in it.  Where it is not alike, steps are cut in different ways, or hold not all of a
 * run, and nothing can be compared by them. */
#pragma once

#include "base/base.h"

struct result;
struct side;
struct side_run;

/* The share of their busy time that devices of n runs work outside of all steps; NaN where that is
 * not known of one of them, and without any. */
double outside_share(const struct side_run *run, size_t n);

/* Whether it is so much that steps say little of the run. */
bool outside_is_much(double share);

/* Shares out what is much and alike on both sides, which become the arena's then, and says so; what
 * is much and not alike is E_FORMAT.  *base NULL: it is a store, whose runs were shared out when
 * they were added, and where so much is outside.  What is not known changes nothing. */
enum status outside_settle(const struct side **base, const struct side **now, double kept,
	struct result *out, struct arena *mem, struct err *e) MUST_CHECK;

/* The side with what is outside shared out among its steps.  Memory is the arena's. */
const struct side *outside_spread(const struct side *s, struct arena *mem);
