/* One run after the other: the loop of all analyses that answer for each run by itself.
 *
 * What they need of a run before they look at it, they say with flags (analysis.per_run). */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"

/* One run of a query, and the answer it gets. */
struct perrun {
	const struct query *q;
	struct result *out;
	struct err *e;
	void *ctx; /* the caller's, for all runs */
	const struct run *run;
	const struct record *record; /* run->record; NULL: there is none */
	int input;                   /* its index among the query's runs and in out->input */
	struct shared *shared;       /* of the run; NULL: nothing is */
	const struct filter_set *set;
	struct filter_view view; /* with PERRUN_VIEW or PERRUN_TRACE_VIEW only */
	struct arena mem;        /* scratch, for this run */
};

/* Has each run answered for that --rank wants, in order, and ends at the first failure; a failed
 * match of names is one, too.  E_USAGE for a malformed filter, E_NODATA when no run is left, no
 * step is in --steps, or, with PERRUN_RECORD, none of the runs gets a table.  A run without a trace
 * that has no answer is a note where there are others, unless with PERRUN_RECORD. */
enum status perrun_all(const struct query *q, const struct perrun_how *how, void *ctx,
	struct result *out, struct err *e) MUST_CHECK;

/* A new table about this run. */
struct table *perrun_table(const struct perrun *at, const struct table_doc *doc);

/* A set of columns, below 64, as bits. */
#define COLUMN_SET(...) \
	column_set((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))
static inline uint64_t column_set(const uint8_t *col, size_t n)
{
	uint64_t set = 0;

	for (size_t i = 0; i < n; i++)
		set |= UINT64_C(1) << col[i];
	return set;
}

/* The same, in which people see only the columns of that set.  The others stay for machines. */
struct table *perrun_table_seen(
	const struct perrun *at, const struct table_doc *doc, uint64_t visible);

/* A table about this run that is made with its first row: when lazy_table is called first. */
struct lazy_table {
	struct perrun *at;
	const struct table_doc *doc;
	struct table *t; /* NULL: not yet */
};
struct table *lazy_table(struct lazy_table *l);

/* Whether the run has but a record: no trace. */
bool perrun_is_record(const struct perrun *at);
