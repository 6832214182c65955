/*
 * The page that the canary's notebook prints about a run, with what a trace adds to it.
 */
#ifndef ANALYZE_ANALYSIS_PRINTED_CANARY_H
#define ANALYZE_ANALYSIS_PRINTED_CANARY_H

#include <stdbool.h>

struct result;
struct run;

/* What somebody who looked at the trace, or for one, says. */
struct canary_trace {
	const char *why;    /* a line: why a summary may have no CUDA times */
	bool has_times;     /* below: by the notebook's formulas, where there is no summary */
	double cuda, cpu;   /* ms */
	double copies, top; /* of its ten heaviest rows */
};

/*
 * A table "seed_canary" from the run's metrics.json; where there is none but a trace, "seed_trace"
 * from that.  x may be NULL: then only the summary is printed, as the notebook does it.  False, and
 * no table: there is nothing to print.
 */
bool printed_canary(
	struct result *out, int input, const struct run *run, const struct canary_trace *x);

#endif
