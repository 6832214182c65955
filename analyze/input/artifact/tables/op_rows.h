/* Operations of profilers' tables: rows of one name become one row. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/text/json_text.h"
#include "analyze/trace/columns/strings.h"

/* Sums rows by name. */
struct op_rows {
	struct reading *in;
	struct sheet *sheet;
	struct strings names; /* key: list, NUL, name */
	int64_t rows;         /* that came in */
};

void op_rows_open(struct op_rows *o, struct reading *in);
void op_rows_close(struct op_rows *o);

/* Says in a note that rows were summed up, where they were. */
void op_rows_say(struct op_rows *o);

/* The sheet's row of that name, made when it is new; SIZE_MAX when there are too many.  list: NULL,
 * or a constant word for column OPS_LIST. */
size_t op_rows_row(struct op_rows *o, const char *list, struct span name);

/* Adds v of that measure to a number of a row; absent so far counts as 0. */
void op_rows_add(struct op_rows *o, size_t row, size_t col, double v, enum measure m);

/* A list of objects with "name" or "Name" and the columns of the op CSVs, or those of profiler
 * summaries ("self_cuda_time_ms", "count"). */
void op_rows_list(struct op_rows *o, const char *list, struct json_value objects);

/* The column that a heading of an op CSV or key of an object means, and its unit; false for
 * others.  "Self CPU Time (us)" in each spelling of the micro sign, "cpu_time_total_us",
 * "self_time_ms", "calls", "Count". */
struct op_heading {
	size_t col;
	enum measure measure;
	bool is_mean; /* an average, which is not summed */
};
bool op_rows_heading(struct span heading, struct op_heading *h);
