/* The one rule that says whether a change may pass.
 *
 * Everything here is in the direction "worse is larger": a logarithm of new / base for what should
 * be small (times, bytes), of base / new for what should be large (tokens per second), or a plain
 * difference for what has no ratio (points of a share, losses around 0).  The error of a comparison
 * is between runs, not within one: steps of one run share what happened to that run.
 *
 * Source: docs/statistics.md, "The rule". */
#pragma once

#include "base/base.h"

/* X(NAME, word, meaning), from best to worst news */
#define DECISIONS(X)                                                                     \
	X(IMPROVED, "improved", "better by more than the tolerance, whatever the noise") \
	X(PASS, "pass", "not shown to be worse than the tolerance allows")               \
	X(SKIP, "skip", "too little is known to judge")                                  \
	X(NOISY, "noisy", "worse than the tolerance, but noise alone may explain it")    \
	X(FAIL, "fail", "worse than the tolerance, also where noise is granted")

#define DECISION_ID(name, ...) DECISION_##name,
enum decision { DECISIONS(DECISION_ID) DECISION_COUNT };
const char *decision_word(enum decision d);

/* X(NAME, word, meaning): what a change is called, by everybody who says it.  The least change is
 * what is worth a word: --threshold of `diff`, the tolerance of `gate`. */
#define DECIDE_VERDICTS(X)                                                                        \
	X(UNKNOWN, "cannot tell", "the estimate is beyond the least change, the interval is not") \
	X(IMPROVEMENT, "improvement", "all of the interval is better by more than that")          \
	X(NO_CHANGE, "no change", "the interval holds zero, the estimate is no more than that")   \
	X(BELOW, "below threshold", "the interval does not hold zero, the estimate is no more")   \
	X(REGRESSION, "regression", "all of the interval is worse by more than that")

#define DECIDED_ID(name, ...) DECIDED_##name,
enum decide_verdict { DECIDE_VERDICTS(DECIDED_ID) DECIDE_VERDICT_COUNT };
/* "cannot tell", ...; constant. */
const char *decide_verdict_word(enum decide_verdict v);

/* One side of a comparison: k runs with one value each, on the scale of the comparison. */
struct decide_side {
	size_t runs;
	double centre;  /* mean of the runs' values */
	double between; /* variance of the runs' values, divided by k - 1; NaN when k < 2 */
	double within;  /* variance of one run's value as seen from inside it (s^2 / n_eff), the
	                   mean over the runs; 0 when it is not known */
};

/* Sums n values up; within is the mean of what is not NaN in it, and may be NULL. */
struct decide_side decide_side_of(const double *value, const double *within, size_t n);

/* From this many runs on both sides, the noise is measured and not declared. */
enum { DECIDE_MEASURED = 3 };

/* What a change is worth, and how sure that is. */
struct decide_change {
	double estimate; /* centre of new less centre of base */
	double se;       /* its standard error */
	double df;       /* of the error; INFINITY where the noise is declared */
	bool is_measured;
	size_t n; /* runs on the smaller side */
};

/* noise: standard deviation between runs of the same code, on the scale of the comparison (on
 * logarithms: the coefficient of variation); used unless both sides have DECIDE_MEASURED runs.
 * noise_df: INFINITY when it is declared; k - 1 when it comes from k runs of a history.
 * se^2 = within_base / k + within_new / k + noise^2 / k_base + noise^2 / k_new, or Welch's. */
struct decide_change decide_change_of(const struct decide_side *base, const struct decide_side *now,
	double noise, double noise_df);

/* The same where the noise was measured before, between noise_df + 1 runs of base: neither side's
 * own spread is looked at.  more >= 1: how many times the variance of a run of new is that of one
 * of base, where it is shorter. */
struct decide_change decide_change_known(const struct decide_side *base,
	const struct decide_side *now, double noise, double noise_df, double more);

struct decide_answer {
	enum decision decision;
	bool is_weak;  /* passes, but more than the tolerance cannot be excluded */
	double lo, hi; /* one-sided bounds of the change, each at `confidence` */
	double needed; /* UNKNOWN: runs on each side that would decide; else NaN */
	enum decide_verdict verdict;
};

/* FAIL when lo > tolerance, NOISY when the estimate alone is above it, IMPROVED when hi <
 * -tolerance, else PASS.  The verdict is that of DECIDE_VERDICTS: REGRESSION is where FAIL is,
 * IMPROVEMENT where IMPROVED is.  on_estimate: the estimate alone decides, as for counts that do
 * not vary.  SKIP and UNKNOWN when the estimate is NaN.  An error of NaN or 0 is none: the estimate
 * decides then, too. */
struct decide_answer decide(
	const struct decide_change *c, double tolerance, double confidence, bool on_estimate);

/* The smallest change that `runs` runs on each side show in 4 of 5 cases with no tolerance: the
 * detectable effect at the given noise.  On the scale of noise.  Source: Cohen 1988, power 0.8. */
double decide_detectable(double noise, double noise_df, size_t runs, double confidence);
