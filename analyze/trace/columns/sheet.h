/* Sheets: the tables that files of runs hold, each kind with columns that mean the same whatever
 * file they come from.
 *
 * A sheet's rows are in a struct table (base/table.h) whose columns are those of its kind,
 * sheets.def.  Times are ns, sizes bytes; a cell the file does not say is absent.  The
 * originals are counts of whole units or decimals of them, so times are reals: 8.76 ms per sample
 * is 8760000. */
#pragma once

#include "base/base.h"
#include "base/table.h"

#define TABLES_DEF "analyze/trace/columns/sheets.def"
#include "base/table_names_impl.h"

/* The columns of each kind, for tables that have them, too. */
extern const struct column columns_SHEET_OPS[], columns_SHEET_STAGES[], columns_SHEET_SWEEP[],
	columns_SHEET_SUMMARIES[], columns_SHEET_STACKS[], columns_SHEET_SCORES[],
	columns_SHEET_SAMPLES[], columns_SHEET_MEMORY[], columns_SHEET_MODELS[],
	columns_SHEET_GPUS[], columns_SHEET_CALLS[], columns_SHEET_PGROUPS[],
	columns_SHEET_KERNELS[], columns_SHEET_REQUESTS[], columns_SHEET_COMMS[],
	columns_SHEET_MEMBERS[];

/* Columns of a sweep: of each metric five statistics. */
enum { SWEEP_STATS = SWEEP_LATENCY_TOTAL_MEAN };
enum sweep_metric {
	SWEEP_LATENCY_TOTAL, /* ns */
	SWEEP_LATENCY_SAMPLE,
	SWEEP_LATENCY_BATCH,
	SWEEP_SAMPLES_PER_S,
	SWEEP_BATCHES_PER_S,
	SWEEP_CPU_BYTES, /* of the measurement: end less start */
	SWEEP_GPU_BYTES,
	SWEEP_PEAK_GPU_BYTES,
	SWEEP_METRICS
};
enum sweep_stat { SWEEP_MEAN, SWEEP_STD, SWEEP_MIN, SWEEP_MAX, SWEEP_MEDIAN, SWEEP_STAT_COUNT };
#define SWEEP_AT(metric, stat) (SWEEP_STATS + (metric)*SWEEP_STAT_COUNT + (stat))

/* What a stack weighs, in the order in which answers show it. */
enum stack_unit { STACK_IN_BYTES, STACK_IN_SAMPLES, STACK_IN_NS, STACK_UNITS };
extern const char *const stack_unit_word[STACK_UNITS];

struct sheet {
	enum sheet_table kind;
	int artifact;     /* index in the record's artifacts */
	int64_t left_out; /* rows beyond the limit of its reader, which are not in it */
	struct table table;
};

/* An empty sheet with the columns of its kind, in mem. */
struct sheet *sheet_new(struct arena *mem, enum sheet_table kind, int artifact);

/* A column of a list of operations, added up.  GPU time stands twice there, at the operation and at
 * the kernels it launched: it is that of the operations, or of the kernels where that is more. */
struct ops_sum {
	const struct table *t;
	size_t col;
	const char *list; /* rows of another list are passed over; NULL: none is */
	unsigned only;    /* of them only those count; 0: all */
	bool is_twice;    /* some stand at both */
	double sum;
};
struct ops_sum ops_sum(const struct table *t, size_t col, const char *list);
/* The row is in that list; and in the sum. */
bool ops_is_listed(const struct ops_sum *o, size_t row);
bool ops_counts(const struct ops_sum *o, size_t row);
