/* Cells out of structs: what fills a column, said once beside what it means.
 *
 * A row of such a table is a struct.  A COLUMN of tables.def ends in one of the words below, with
 * fields of ROW, which is a macro there: the struct of the table's rows.
 *
 *   FROM(m)            the field; a text that is NULL is absent, so are NaN and ARG_UNKNOWN
 *   FROM_IF(m, g)      the same, absent where field g is 0
 *   FROM_NAME(m)       the name that a sym stands for; FROM_NAME_IF: absent where it is 0
 *   FROM_LESS(a, b)    a - b
 *   FROM_OVER(a, b)    a / b; absent where b is not above 0, as are the next three
 *   FROM_RATE(a, b)    a in a second, of b in ns
 *   FROM_REST(a, b)    the share of b that is not a: (b - a) / b
 *   FROM_SHARE(m)      of what all rows are of, fields_of.whole
 *   FROM_STEP(m)       a step of those looked at, fields_of.steps
 *   FROM_RUNNING(m)    the share of this row and all above it; only in tables of groupby.h
 *   FROM_P(p, i)       the p-th percentile of the row's values of series i; the same
 *   FROM_SOME(m)       the field, absent for people where it is 0
 *   FROM_..._IF(m, g)  of shares, steps and some, too: absent where field g is 0
 *
 * Where ROW is a row of another table, struct field_row, FROM_CELL(c) is its column c, and
 * FROM_CELL_OVER, FROM_CELL_RATE and FROM_CELL_SHARE are of such columns.  ADDS behind a word: rows
 * below the line (rest, total) have the cell, too. */
#pragma once

#include "base/table.h"

struct strings;

enum fields_how {
	FIELDS_BY_HAND,
	FIELDS_VALUE,
	FIELDS_SOME,
	FIELDS_NAME,
	FIELDS_LESS,
	FIELDS_OVER,
	FIELDS_RATE,
	FIELDS_REST,
	FIELDS_SHARE,
	FIELDS_STEP,
	FIELDS_RUNNING,
	FIELDS_QUANTILE
};

/* What a field is; FIELDS_NONE: there is none. */
enum fields_kind {
	FIELDS_NONE,
	FIELDS_I64,
	FIELDS_U32,
	FIELDS_REAL,
	FIELDS_BOOL,
	FIELDS_SPAN,
	FIELDS_WORD,
	FIELDS_OTHERS /* a column of another table */
};

/* A row of another table. */
struct field_row {
	const struct table *t;
	size_t row;
};

#define FIELDS_TYPE(m) \
	_Generic(((ROW *)0)->m, \
		int64_t: FIELDS_I64, \
		uint64_t: FIELDS_I64, \
		uint32_t: FIELDS_U32, \
		double: FIELDS_REAL, \
		bool: FIELDS_BOOL, \
		struct span: FIELDS_SPAN, \
		const char *: FIELDS_WORD)
#define FIELDS_A(m)            .a_type = FIELDS_TYPE(m), .a = offsetof(ROW, m)
#define FIELDS_B(m)            .b_type = FIELDS_TYPE(m), .b = offsetof(ROW, m)
#define FIELDS_FROM(word, ...) .from = { .how = FIELDS_##word, __VA_ARGS__ }

#define FROM(m)                FIELDS_FROM(VALUE, FIELDS_A(m))
#define FROM_IF(m, g)          FIELDS_FROM(VALUE, FIELDS_A(m), FIELDS_B(g))
#define FROM_SOME(m)           FIELDS_FROM(SOME, FIELDS_A(m))
#define FROM_SOME_IF(m, g)     FIELDS_FROM(SOME, FIELDS_A(m), FIELDS_B(g))
#define FROM_NAME(m)           FIELDS_FROM(NAME, FIELDS_A(m))
#define FROM_NAME_IF(m)        FIELDS_FROM(NAME, FIELDS_A(m), FIELDS_B(m))
#define FROM_LESS(m, n)        FIELDS_FROM(LESS, FIELDS_A(m), FIELDS_B(n))
#define FROM_OVER(m, n)        FIELDS_FROM(OVER, FIELDS_A(m), FIELDS_B(n))
#define FROM_RATE(m, n)        FIELDS_FROM(RATE, FIELDS_A(m), FIELDS_B(n))
#define FROM_REST(m, n)        FIELDS_FROM(REST, FIELDS_A(m), FIELDS_B(n))
#define FROM_SHARE(m)          FIELDS_FROM(SHARE, FIELDS_A(m))
#define FROM_STEP(m)           FIELDS_FROM(STEP, FIELDS_A(m))
#define FROM_SHARE_IF(m, g)    FIELDS_FROM(SHARE, FIELDS_A(m), FIELDS_B(g))
#define FROM_STEP_IF(m, g)     FIELDS_FROM(STEP, FIELDS_A(m), FIELDS_B(g))
#define FROM_RUNNING_IF(m, g)  FIELDS_FROM(RUNNING, FIELDS_A(m), FIELDS_B(g))
#define FROM_RUNNING(m)        FIELDS_FROM(RUNNING, FIELDS_A(m))
#define FROM_P(p, i)           FIELDS_FROM(QUANTILE, .a = (p), .b = (i))
#define FROM_CELL(c)           FIELDS_FROM(VALUE, .a_type = FIELDS_OTHERS, .a = (c))
#define FROM_CELL_SHARE(c)     FIELDS_FROM(SHARE, .a_type = FIELDS_OTHERS, .a = (c))
#define FROM_CELL_OVER(c, d)   FIELDS_FROM(OVER, FIELDS_OF_OTHERS(c, d))
#define FROM_CELL_RATE(c, d)   FIELDS_FROM(RATE, FIELDS_OF_OTHERS(c, d))
#define FIELDS_OF_OTHERS(c, d) .a_type = FIELDS_OTHERS, .b_type = FIELDS_OTHERS, .a = (c), .b = (d)
#define ADDS                   .adds_up = true

/* What cells of a table are of, beside their row. */
struct fields_of {
	double whole, steps;         /* not above 0: there are none */
	const struct strings *names; /* of syms */
	bool for_people;
};

/* What a column has for a row: a whole number as it is, any number as a double; NaN: nothing. */
struct fields_number {
	double v;
	int64_t whole; /* 0 of a number that is none */
};
struct fields_number fields_number(
	const struct column_from *from, const void *row, const struct fields_of *of);
/* The text; p is NULL where there is none. */
struct span fields_text(
	const struct column_from *from, const void *row, const struct fields_of *of);

/* Puts the cell of that column of t, if it comes from fields, into the newest row. */
void fields_put_one(struct table *t, size_t col, const void *row, const struct fields_of *of);
/* A new row, with the same of all its columns. */
void fields_row(struct table *t, const void *row, const struct fields_of *of);
