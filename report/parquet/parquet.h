/* Writing Parquet: a table as columns in groups of rows, for DuckDB, Spark, pandas and their kin.
 *
 * A group is in memory while it is written, and nothing else but what the footer says of it. */
#pragma once

#include <stdio.h>

#include "report/parquet/chunk.h"

struct parquet_column {
	const char *name;
	enum parquet_type type;
};

/* What a file says of itself. */
struct parquet_fact {
	const char *key, *value;
};

/* Where values come from: those of v->n rows from `first` on, of that column.  v has room for them;
 * all are known where nothing else is said.  Any thread, where there may be several. */
struct parquet_source {
	void (*fill)(const void *ctx, size_t column, size_t first, struct parquet_values *v);
	const void *ctx;
};

struct parquet_table {
	const struct parquet_column *column;
	size_t ncolumn, nrow;
	struct parquet_source from;
	const struct parquet_fact *fact;
	size_t nfact;
	struct span kept; /* what traceq itself finds again in the file, and nobody else */
	unsigned threads; /* 1: values are asked for column by column */
};

/* Writes the file; closing it is the caller's.  E_IO. */
enum status parquet_put(FILE *out, const struct parquet_table *t, struct err *e) MUST_CHECK;
