/*
 * What families of charts share: rows of tables over all inputs.  For report/chart/kind/chart_*.c.
 */
#pragma once

#include "report/answers.h"
#include "report/chart/chart.h"

/* Rows of the tables of one id, over all inputs, in order. */
struct chart_rows {
	const struct table **t;
	size_t *row;
	size_t n;
	size_t left; /* rows there are more than were wanted */
	const struct result *result;
};

/* All of them; at most `most` (0: all).  n is 0 when there are none. */
struct chart_rows chart_rows(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most);

/* Those of the first input that has any: names of several inputs among each other would be told
 * apart by nobody.  The title names that input when others have rows, too. */
struct chart_rows chart_rows_of_first(
	struct chart *c, const struct answers *in, const char *ask, const char *id, size_t most);

/* Adds to the title, once: "the first 8 devices". */
void chart_say_first(struct chart *c, size_t n, const char *things);

/* As table_number and table_word, of the i-th row. */
double rows_number(const struct chart_rows *r, size_t i, const char *key);
struct span rows_word(const struct chart_rows *r, size_t i, const char *key);

/* Behind the rows from `from` on that are of one table and have the same cells in these columns,
 * which may be none. */
size_t rows_end(const struct chart_rows *r, size_t from, const char *const *key, size_t n);
#define ROWS_END(r, from, ...)                                  \
	rows_end(r, from, (const char *const[]){ __VA_ARGS__ }, \
		COUNT_OF(((const char *const[]){ __VA_ARGS__ })))

/* Rows i and k have the same number under the key, or none. */
bool rows_same(const struct chart_rows *r, size_t i, size_t k, const char *key);

/* Two such rows are of one table and device. */
bool rows_same_device(const struct chart_rows *r, size_t i, size_t k);

/* The first row with that number under the key; false: there is none. */
bool rows_find(const struct chart_rows *r, const char *key, double v, size_t *i) MUST_CHECK;

/* Behind the rows from `from` on that are of one place: of the same table, device and stream or
 * direction, each later than the one before. */
size_t rows_end_of_place(const struct chart_rows *r, size_t from);

/* Some row of [from, to) has a number under the key. */
bool rows_known(const struct chart_rows *r, size_t from, size_t to, const char *key);

/* The numbers of rows [from, to) under the key, one behind the other. */
void rows_fill(double *v, const struct chart_rows *r, size_t from, size_t to, const char *key);

/* Sorts them, NaN last; a quantile of sorted ones by linear interpolation. */
void chart_sort(double *v, size_t n);
double chart_quantile(const double *v, size_t n, double q);

/* The input of the i-th row where there are several, one short line; else "". */
const char *rows_input(struct chart *c, const struct chart_rows *r, size_t i);

/* A plain heat map with room for so many rows, none of which it has yet, and columns. */
struct chart_panel *chart_heat(struct chart *c, size_t nrow, size_t ncolumn);

/* Discs: a series for each sort of rows, by their class.  The last is of those in no other. */
struct discs {
	const char *x, *y, *size; /* columns; a row without x and y above 0 has no disc */
	const struct disc_sort {
		const char *class, *title; /* class "": all the rest */
		enum theme_color color;
	} * sort;
	size_t nsort;
};

/* Their labels are the rows' names.  Returns how many there are. */
size_t chart_discs(
	struct chart *c, struct chart_panel *p, const struct chart_rows *r, const struct discs *d);

/* Names the bars of a panel, a row each, by the numbers of their steps. */
void chart_name_steps(struct chart *c, struct chart_panel *p, const struct chart_rows *r);

/* "rank3, GPU 0, stream 7": the input of several, and what columns say about a place. */
const char *rows_place(struct chart *c, const struct chart_rows *r, size_t i);

/* ---- several inputs on one axis of time, by the clocks that `ranks` found ---- */

/* How the clock of one input goes: at_ns of it is true_ns of all. */
struct chart_clock {
	double at, true_ns, rate;
};

/* The time of all at which an input's clock says `ns`. */
double chart_clock_time(const struct chart_clock *c, double ns);

/* The clock of an input, by its path, from the rows of `ranks`; *island: which clocks it is known
 * against, and is to be NaN before the first.  false: it is not known, or has nothing to do with
 * that island. */
bool chart_clock_of(
	const struct chart_rows *clocks, const char *path, double *island, struct chart_clock *out);

/* "one clock, by the ends of collectives: +- 1.2 us", or that clocks are not known. */
const char *chart_clock_note(struct chart *c, const struct chart_rows *clocks, bool is_aligned);
