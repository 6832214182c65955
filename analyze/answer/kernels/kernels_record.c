/*
 * `kernels` without a trace: what Nsight Compute or Nsight Systems measured, kernel by kernel.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/kernels/kernels.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "base/compare3.h"
#include "base/minmax.h"

enum { PEOPLE_ROWS = 15 };

struct recorded {
	double value;
	struct span name;
	size_t row;
};

/* The largest first, unknown last; then by name. */
static int compare(const void *pa, const void *pb)
{
	const struct recorded *a = pa, *b = pb;

	return COMPARE_BY(compare3_down(a->value, b->value), span_cmp(a->name, b->name));
}

static double mean_of(const struct table *from, size_t row)
{
	double calls = table_number_at(from, row, MKERNELS_CALLS);

	return calls > 0 ? table_number_at(from, row, MKERNELS_TOTAL) / calls : NAN;
}

static double value_of(const struct table *from, size_t row, enum kernels_sort key)
{
	switch (key) {
	case KEY_CALLS: return table_number_at(from, row, MKERNELS_CALLS);
	case KEY_MEAN: return mean_of(from, row);
	case KEY_MAX: return table_number_at(from, row, MKERNELS_MAX);
	case KEY_NAME: return 0;
	case KEY_SUM: break;
	}
	return table_number_at(from, row, MKERNELS_TOTAL);
}

/* The rows that -f and -v let through, in order; *sum: of the times of all of them. */
static enum status rank(
	struct kernels *k, const struct table *from, struct recorded **out, size_t *n, double *sum)
{
	struct recorded *v = arena_array(&k->p->mem, from->nrow, sizeof(*v));
	size_t i;

	*n = 0;
	*sum = 0;
	for (i = 0; i < from->nrow; i++) {
		struct span name = table_text_at(from, i, MKERNELS_NAME);
		double ns = table_number_at(from, i, MKERNELS_TOTAL);
		bool yes;

		*sum += MAX(ns, 0);
		TRY(filter_text(k->p->set, name, &yes, k->p->e));
		if (yes)
			v[(*n)++] = (struct recorded){ value_of(from, i, k->sort), name, i };
	}
	if (*n)
		qsort(v, *n, sizeof(*v), compare);
	*out = v;
	return OK;
}

/* Cells that are the file's own. */
static const struct {
	size_t to, from;
} cells[] = {
	{ RKERNEL_SUM, MKERNELS_TOTAL },
	{ RKERNEL_P50, MKERNELS_MEDIAN },
	{ RKERNEL_MIN, MKERNELS_MIN },
	{ RKERNEL_MAX, MKERNELS_MAX },
	{ RKERNEL_STD, MKERNELS_STD },
	{ RKERNEL_OCCUPANCY, MKERNELS_OCCUPANCY },
	{ RKERNEL_THEORETICAL, MKERNELS_THEORETICAL },
	{ RKERNEL_SM, MKERNELS_SM },
	{ RKERNEL_MEMORY, MKERNELS_MEMORY },
	{ RKERNEL_DRAM, MKERNELS_DRAM },
	{ RKERNEL_BYTES, MKERNELS_BYTES },
};

static void put_int(struct table *t, size_t to, const struct table *from, size_t row, size_t col)
{
	const union cell *c = table_cell(from, row, col);

	if (c)
		table_int(t, to, c->i);
}

static void put_row(struct table *t, const struct table *from, size_t row, double sum)
{
	double ns = table_number_at(from, row, MKERNELS_TOTAL);
	size_t i;

	table_row(t);
	for (i = 0; i < COUNT_OF(cells); i++)
		table_real(t, cells[i].to, table_number_at(from, row, cells[i].from));
	if (sum > 0)
		table_real(t, RKERNEL_SHARE, ns / sum);
	put_int(t, RKERNEL_CALLS, from, row, MKERNELS_CALLS);
	put_int(t, RKERNEL_REGISTERS, from, row, MKERNELS_REGISTERS);
	put_int(t, RKERNEL_SHARED, from, row, MKERNELS_SHARED);
	table_real(t, RKERNEL_MEAN, mean_of(from, row));
	if (ns > 0)
		table_real(t, RKERNEL_RATE, table_number_at(from, row, MKERNELS_BYTES) / ns * 1e9);
	if (table_cell(from, row, MKERNELS_GRID))
		table_text(t, RKERNEL_GRID, table_text_at(from, row, MKERNELS_GRID));
	if (table_cell(from, row, MKERNELS_BLOCK))
		table_text(t, RKERNEL_BLOCK, table_text_at(from, row, MKERNELS_BLOCK));
	table_text(t, RKERNEL_NAME, table_text_at(from, row, MKERNELS_NAME));
}

static enum status put_sheet(struct kernels *k, const struct sheet *s)
{
	size_t n, i, limit = rows_limit(k->p->q, k->o->limit, PEOPLE_ROWS, SIZE_MAX);
	struct table *t = perrun_table(k->p, &kernels_docs[KERNELS_RECORDED]);
	struct recorded *v;
	double sum;

	TRY(rank(k, &s->table, &v, &n, &sum));
	if (k->p->q->is_folded)
		limit = SIZE_MAX;
	for (i = 0; i < n && i < limit; i++)
		put_row(t, &s->table, v[i].row, sum);
	rows_cut(t, RKERNEL_NAME, n - i);
	if (k->p->q->for_people && t->nrow > 0)
		table_drop_empty(t);
	return OK;
}

/* The first sheet of kernels in which something stands, or NULL. */
static const struct sheet *first_sheet(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == SHEET_KERNELS && r->sheet[i]->table.nrow)
			return r->sheet[i];
	return NULL;
}

enum status kernels_record(struct kernels *k)
{
	const struct record *r = k->p->run->record;
	const struct sheet *first = first_sheet(r);
	size_t i;

	if (!first) {
		(void)err_set(k->p->e, E_NODATA, -1, "%s has no trace and no table of kernels",
			k->p->run->path);
		return record_hint(r, false, k->p->e);
	}
	if (k->by != KERNELS_BY_NAME)
		return err_set(k->p->e, E_USAGE, -1,
			"--by wants a trace: %s (%s) lists kernels by name",
			r->artifact[first->artifact].path, r->artifact[first->artifact].title);
	result_note(k->p->out, NOTE_INFO, "no_trace", k->p->input, -1,
		"no trace: these are the figures of %s (%s)", r->artifact[first->artifact].path,
		r->artifact[first->artifact].title);
	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == SHEET_KERNELS && r->sheet[i]->table.nrow)
			TRY(put_sheet(k, r->sheet[i]));
	return OK;
}
