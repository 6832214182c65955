/* A Parquet file that traceq wrote (report/parquet): its columns, group by group.
 *
 * It reads what that writer writes and nothing else.  Nothing is believed: every length is looked
 * at, and a checksum stands for each chunk and for the footer (base/parquet/parquet_words.h), so
 * that a file that was cut or changed is an error and no other answer. */
#pragma once

#include "base/base.h"
#include "base/parquet/parquet_words.h"

enum { PARQUET_PADDING = 16 }; /* readable bytes behind a file's */

/* Of one column in one group: the bytes of its pages. */
struct parquet_pages {
	struct span bytes; /* of the file */
	bool is_packed;
	uint64_t check;
};

struct parquet_group {
	size_t n;                    /* rows, at most PARQUET_GROUP_ROWS */
	struct parquet_pages *pages; /* by column */
};

struct parquet_in_column {
	struct span name;
	enum parquet_physical type;
};

struct parquet_in {
	struct parquet_in_column *column;
	struct parquet_group *group;
	size_t ncolumn, ngroup, nrow;
	struct span kept;       /* for traceq itself */
	struct span job;        /* the same: what its job is told by */
	struct span table, run; /* which table, of which run */
	int64_t schema;         /* version of the schema; -1: it does not say */
	bool is_checked;
	struct arena mem;
};

/* Whether a file that begins so is Parquet, whoever wrote it. */
bool parquet_is(struct span head);

/* file: its bytes, borrowed.  E_SYNTAX: cut off, damaged; E_FORMAT: another program's, with its
 * name; encrypted; another version's.  parquet_close in any case.  unchecked: checksums are not
 * looked at, for tests. */
enum status parquet_open(
	struct parquet_in *p, struct span file, bool unchecked, struct err *e) MUST_CHECK;
void parquet_close(struct parquet_in *p);

/* The number of a column; E_SYNTAX where there is none of that name and type. */
enum status parquet_find(const struct parquet_in *p, const char *name, enum parquet_physical type,
	size_t *column, struct err *e) MUST_CHECK;

/* Values of a column of a group by row, unknown ones INT64_MIN, NaN, false, a text whose p is NULL.
 */
struct parquet_rows {
	size_t n;
	enum parquet_physical type;
	union {
		int64_t *i;
		double *r;
		bool *b;
		struct span *s; /* in mem, or in the file */
	};
	struct arena mem;
};

/* *rows is zero, or was read into before: its memory is used again.  E_SYNTAX. */
enum status parquet_read(const struct parquet_in *p, size_t group, size_t column,
	struct parquet_rows *rows, struct err *e) MUST_CHECK;
void parquet_rows_clear(struct parquet_rows *rows);

/* E_SYNTAX: "the export is damaged: ...". */
enum status parquet_damaged(const char *what, struct err *e);
