/*
 * One run after the other: what analyses that look through filters have in common.
 */
#ifndef ANALYZE_QUERY_EACH_H
#define ANALYZE_QUERY_EACH_H

#include "analyze/query/analysis.h"
#include "analyze/trace/events.h"
#include "analyze/trace/filter.h"
#include "base/arena.h"

/* One run of a query, seen through its filters. */
struct each {
	const struct query *q;
	struct result *out;
	struct err *e;
	const struct run *run;
	int input;             /* its index among the query's runs and in out->input */
	struct shared *shared; /* of the run; NULL: nothing is */
	struct filter_view view;
	struct arena mem; /* scratch, for this run */
};

typedef enum status each_fn(struct each *at, void *ctx);

/*
 * Calls fn for each run that --rank wants, in order, and ends at the first failure.  E_USAGE for a
 * malformed filter, E_NODATA when no run is left or no step is in --steps; a failed match of names
 * is a failure, too.
 */
enum status each_run(const struct query *q, struct result *out, each_fn *fn, void *ctx,
	struct err *e) MUST_CHECK;

/*
 * A run without a trace that has no answer, e says why, is none for all: where there are others, it
 * becomes a note, is counted in *excused, and OK is returned; else e's status.
 */
enum status each_excuse(struct result *out, const struct query *q, const struct run *run, int input,
	size_t *excused, struct err *e) MUST_CHECK;

/* E_NODATA when all n runs were excused. */
enum status each_excused(size_t excused, size_t n, struct err *e) MUST_CHECK;

/* A new table about this run. */
struct table *each_table(const struct each *at, const struct table_doc *doc);

/* The number of the step that time lies in; false when in none, or when the run has no steps. */
bool each_step_at(const struct run *r, nsec t, int64_t *number);

#endif
