/*
 * One record after the other: what analyses of logs and summaries have in common, as each.h is for
 * traces.
 */
#ifndef ANALYZE_QUERY_EACHRECORD_H
#define ANALYZE_QUERY_EACHRECORD_H

#include "analyze/query/analysis.h"
#include "analyze/trace/filter.h"
#include "base/arena.h"
#include "base/str.h"

struct record;
struct regex;

/* One run of a query that has a record. */
struct each_record {
	const struct query *q;
	struct result *out;
	struct err *e;
	const struct run *run;
	const struct record *record; /* run->record */
	int input;                   /* index among the query's runs and in out->input */
	const struct filter_set *set;
	struct arena mem; /* scratch, for this run */
};

typedef enum status each_record_fn(struct each_record *at, void *ctx);

/*
 * Calls fn for each run of the query that has a record and that --rank wants, in order; ends at the
 * first failure.  E_USAGE for a malformed filter; E_NODATA, with `wanted` ("sweep over batch
 * sizes") in its text, when no run has a record.
 */
enum status each_record(const struct query *q, struct result *out, each_record_fn *fn, void *ctx,
	const char *wanted, struct err *e) MUST_CHECK;

/* A new table about this run. */
struct table *each_record_table(const struct each_record *at, const struct table_doc *doc);

/* Whether a name passes -f and -v; *yes is set only when the match did not fail. */
enum status each_record_name(const struct each_record *at, struct span name, bool *yes) MUST_CHECK;

/* E_NODATA: none of the files has what is wanted; says what kinds of files they are. */
enum status each_record_nothing(const struct query *q, const char *wanted, struct err *e);

#endif
