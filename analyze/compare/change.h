/*
 * The change of a metric from one side to the other: how large, how sure, and what that means.
 *
 * Bridges metric sets (metricset.h) and the decision rule (stat/decide.h).  Metrics whose centres
 * are all positive are compared by ratio, on logarithms; shares and everything else by difference.
 */
#pragma once

#include "analyze/stat/decide.h"
#include "base/base.h"

struct metric;

/* What runs of the same code are taken to differ by where nobody says it and there are too few to
 * measure it, in percent.  Every text that names it is made of it. */
#define NOISE_ASSUMED      2
#define NOISE_ASSUMED_TEXT TEXT_OF(NOISE_ASSUMED) "%"

struct change_options {
	double noise;     /* between runs of the same code, as a ratio; declared */
	double noise_df;  /* 0: it is; else it is base's, measured with so many degrees of
	                     freedom on the scale of the comparison, and stands for both sides */
	double tolerance; /* ratio of the base, or points (0.05 = 5 points) */
	double floor; /* absolute, in the metric's unit; the larger one of both counts; 0: none */
	double confidence; /* of each bound, one-sided: 0.95 */
	bool on_estimate;  /* the estimate alone decides */
	bool judges_few;   /* values too few to show a spread are judged by the noise alone */
};

struct change {
	double base, now; /* centres of the sides; NaN: no runs say it */
	double delta;     /* now - base */
	double ratio;     /* delta / base; NaN when base is 0 */
	double lo, hi;    /* bounds of ratio, lo <= hi; of delta where is_difference; NaN unknown */
	bool is_difference;          /* no ratio: compared by difference */
	double p;                    /* of no change, two-sided; NaN unknown */
	struct decide_change change; /* worse is larger */
	struct decide_answer answer;
	double tolerance; /* as used, on the scale of the comparison */
	bool is_exact;    /* counted, and the same in all repeats: no noise */
	bool is_few;      /* a side is one run of fewer than CHANGE_STEPS_MIN values */
};

/* Fewer steps than this on a side of one run: nothing can be said about noise. */
enum { CHANGE_STEPS_MIN = 4 };

/* now may be NULL (or have no samples): base is there, the answer is SKIP; the same the other way
 * round.  Metrics without a direction are judged as if less were better.  Of one run with fewer
 * than CHANGE_STEPS_MIN values on a side the answer is SKIP, unless the metric is exact, it is a
 * single figure by nature (a summary of one value), or on_estimate or judges_few is set. O(values
 * log values).  Scratch from mem. */
void change_of(struct change *c, const struct metric *base, const struct metric *now,
	const struct change_options *o, struct arena *mem);

/* The word of its verdict (DECIDE_VERDICTS): "regression", "cannot tell"; constant. */
const char *change_verdict(const struct change *c);
