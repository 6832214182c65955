/* A run from the columns that traceq exported (analyze/columns): its events with their ids, what
 * kernels and copies say, and what is kept of the run beside. */
#pragma once

#include "analyze/input/format/parquet/parquet_in.h"

struct emit_sink;

/* From the table of events into the run, which is empty.  side: another table of the same export,
 * by its name, opened into *p; its bytes are the opener's.  E_NODATA where the run's needs are more
 * than columns give, with their names; E_SYNTAX. */
struct restore_sides {
	enum status (*open)(void *ctx, const char *table, struct parquet_in *p, struct err *e);
	void *ctx;
};

enum status restore_run(const struct parquet_in *events, const struct restore_sides *sides,
	struct emit_sink *out, struct err *e) MUST_CHECK;

/* Whether a file of an export is this traceq's to read: E_FORMAT, where it is a later version's. */
enum status restore_knows(const struct parquet_in *p, struct err *e) MUST_CHECK;
