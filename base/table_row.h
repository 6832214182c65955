/* A row of a table as one value: what stands in each of its columns, in any order.
 *
 *	TABLE_ROW(t, [PAIR_NS] = cell_int(p->ns), [PAIR_SHARE] = cell_ratio(p->ns, all),
 *		[PAIR_NAME] = cell_name(p->name));
 *
 * A value may be none: a name that is empty, a share of nothing, a number that stands for "not
 * known".  Its cell is absent, as those are that the row does not name. */
#pragma once

#include "base/base.h"
#include "base/table.h"

/* What a cell gets. */
struct row_cell {
	bool is_known; /* false: nothing */
	enum cell_type type;
	union cell v;
};

#define NO_CELL ((struct row_cell){ 0 })
/* The cell where the condition holds, and only then made; else none. */
#define CELL_IF(cond, cell) ((cond) ? (cell) : NO_CELL)

/* A new row of t with these cells; and the same into the newest row, whose other cells stay. */
#define TABLE_ROW(t, ...)   table_add_row(t, ROW_CELLS(__VA_ARGS__))
#define TABLE_CELLS(t, ...) table_add_cells(t, ROW_CELLS(__VA_ARGS__))

/* Cells by index of their column. */
struct row_cells {
	const struct row_cell *v;
	size_t n;
};
#define ROW_CELLS(...)                                                 \
	((struct row_cells){ (const struct row_cell[]){ __VA_ARGS__ }, \
		COUNT_OF(((const struct row_cell[]){ __VA_ARGS__ })) })
void table_add_row(struct table *t, struct row_cells cells);
void table_add_cells(struct table *t, struct row_cells cells);

/* As the setters of table.h: NaN is none; bytes of a text are borrowed. */
struct row_cell cell_int(int64_t v);
struct row_cell cell_real(double v);
struct row_cell cell_bool(bool v);
struct row_cell cell_text(struct span v);
/* A size or a number of things. */
struct row_cell cell_size(size_t v);
/* NULL is none. */
struct row_cell cell_word(const char *word);
/* An empty one is none. */
struct row_cell cell_name(struct span name);
/* Below 0 is none. */
struct row_cell cell_count(int64_t v);
/* That one value is none. */
struct row_cell cell_known(int64_t v, int64_t unknown);
/* part / whole; none where there is no whole. */
struct row_cell cell_ratio(int64_t part, int64_t whole);
/* printf into the table's memory. */
struct row_cell cell_textf(const struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Copied into the table\'s memory; an empty one is none. */
struct row_cell cell_copy(const struct table *t, struct span text);
/* What was built, moved into the table's memory: the builder is empty and freed; none if it was. */
struct row_cell cell_str(const struct table *t, struct str *b);
