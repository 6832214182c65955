/* `sql`: what its files share. */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/columns/schema_tables.h"
#include "analyze/columns/trace_columns.h"

#define TABLES_DEF "analyze/answer/sql/sql_tables.def"
#include "base/table_names_impl.h"

struct sql_options {
	const char *query;
	int64_t timeout_s; /* 0: none */
	int64_t memory_mb;
	bool is_schema; /* what can be asked, in place of an answer */
};

/* A statement over the tables of some runs (sql_engine.c), with SQLite below it. */
struct sql_engine;

/* The statement, understood; nothing is read.  What is asked of is set by sql_source.  E_USAGE with
 * where in the statement it is wrong; E_FORMAT when the program or this machine has no SQLite.
 * sql_close in any case; *s is NULL after a failure. */
enum status sql_open(struct sql_engine **s, const struct sql_options *o, struct err *e) MUST_CHECK;
void sql_close(struct sql_engine *s);

/* What runs are to be loaded with for it (enum need), and whether it reads a table. */
unsigned sql_needs(const struct sql_engine *s);
bool sql_reads(const struct sql_engine *s, enum schema_table_id t);

/* Answers it for n runs: a table of rows in out.  E_LIMIT where that takes too long, or too much
 * memory. */
enum status sql_answer(struct sql_engine *s, struct columns *run, size_t n, struct result *out,
	struct err *e) MUST_CHECK;
