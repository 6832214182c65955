/*
 * `info`: the tables that artifacts hold, row by row.  People see the columns in which something
 * stands, and the first rows.
 */
#include "analyze/answer/info/info.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"

enum { ROWS_SHOWN = 10 };

_Static_assert(INFO_SHEET_KERNELS - INFO_SHEET_OPS == SHEET_KERNELS, "in the order of the sheets");

static bool has_value(const struct table *from, size_t col)
{
	size_t row;

	for (row = 0; row < from->nrow; row++)
		if (table_cell(from, row, col))
			return true;
	return false;
}

/* Which columns are shown; returns how many. */
static size_t choose(const struct info *f, const struct table *from, size_t *shown)
{
	size_t col, n = 0;

	for (col = 0; col < from->ncol; col++)
		if (!f->at->q->for_people || has_value(from, col))
			shown[n++] = col;
	return n;
}

static void copy_row(struct table *t, const struct table *from, size_t row, const size_t *shown)
{
	size_t i;

	table_row(t);
	for (i = 0; i < t->ncol; i++) {
		const union cell *c = table_cell(from, row, shown[i]);

		if (!c)
			continue;
		t->cell[(t->nrow - 1) * t->ncol + i] = *c;
		t->known[(t->nrow - 1) * t->ncol + i] = true;
	}
}

static void put_sheet(struct info *f, const struct sheet *s)
{
	const struct record *r = f->at->run->record;
	const struct table *from = &s->table;
	struct table *t = perrun_table(f->at, &info_docs[INFO_SHEET_OPS + s->kind]);
	size_t *shown = arena_array(t->mem, from->ncol, sizeof(*shown));
	size_t n = choose(f, from, shown),
	       limit = rows_limit(f->at->q, f->o->limit, ROWS_SHOWN, SIZE_MAX), i;
	struct column *col = arena_array(t->mem, n, sizeof(*col));

	for (i = 0; i < n; i++)
		col[i] = from->col[shown[i]];
	t->col = col;
	t->ncol = n;
	if (r->nartifact > 1)
		t->title = arena_printf(t->mem, "%s: %s", t->title,
			run_below(f->at->run, r->artifact[s->artifact].path));
	for (i = 0; i < from->nrow && i < limit; i++)
		copy_row(t, from, i, shown);
	for (i = 0; i < n && col[i].type != CELL_TEXT; i++)
		;
	if (from->nrow > limit && i < n)
		rows_cut(t, i, from->nrow - limit);
	else if (from->nrow > limit)
		t->ncut = from->nrow - limit;
}

/* Of many dumps of a flight recorder people see the list: `hang` says what is in them. */
static bool is_of_many(const struct info *f, const struct sheet *s)
{
	const struct record *r = f->at->run->record;

	return f->at->q->for_people && r->nartifact > 1 &&
		(s->kind == SHEET_CALLS || s->kind == SHEET_PGROUPS);
}

void info_sheet_tables(struct info *f)
{
	const struct record *r = f->at->run->record;
	size_t i;

	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->table.nrow > 0 && !is_of_many(f, r->sheet[i]))
			put_sheet(f, r->sheet[i]);
}
