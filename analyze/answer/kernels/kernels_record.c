/* `kernels` without a trace: what Nsight Compute or Nsight Systems measured, kernel by kernel. */
#include "analyze/answer/kernels/kernels.h"
#include "analyze/trace/columns/record.h"

static void put(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct field_row *row = item;
	double ns = table_number_at(row->t, row->row, MKERNELS_TOTAL);

	if (ns > 0)
		groupby_real(g, RKERNEL_RATE,
			table_number_at(row->t, row->row, MKERNELS_BYTES) / ns * 1e9);
}

static const struct grouping recorded = {
	.sort = RKERNEL_SUM, .name = RKERNEL_NAME, .people = 15, .put = put
};

static enum status put_sheet(struct kernels *k, const struct sheet *s)
{
	static const uint8_t sorts[] = { RKERNEL_SUM, RKERNEL_CALLS, RKERNEL_MEAN, RKERNEL_MAX,
		RKERNEL_NAME };
	const struct table_doc *doc = &kernels_docs[KERNELS_RECORDED];
	struct groupby g = { .how = &recorded, .at = k->p, .doc = doc };

	g.by = &doc->col[sorts[k->sort]].from;
	TRY(groupby_rows(&g, &s->table, MKERNELS_NAME, &doc->col[RKERNEL_SUM].from));
	groupby_limit(&g, k->o->limit);
	groupby_table(&g);
	groupby_put(&g);
	if (k->p->q->for_people && g.t->nrow > 0)
		table_drop_empty(g.t);
	return OK;
}

enum status kernels_record(struct kernels *k)
{
	const struct record *r = k->p->run->record;
	/* The first sheet of kernels in which something stands, or NULL. */
	const struct sheet *first = FIND_VALUE(i, r->nsheet,
		r->sheet[i]->kind == SHEET_KERNELS && r->sheet[i]->table.nrow, r->sheet[i], NULL);

	if (!first) {
		(void)err_set(k->p->e, E_NODATA, -1, "%s has no trace and no table of kernels",
			k->p->run->path);
		return record_hint(r, false, k->p->e);
	}
	if (k->by != KERNELS_BY_NAME)
		return err_set(k->p->e, E_USAGE, -1,
			"--by needs a trace: %s (%s) lists kernels by name",
			r->artifact[first->artifact].path, r->artifact[first->artifact].title);
	result_note(k->p->out, NOTE_INFO, "no_trace", k->p->input, -1,
		"no trace: these are the figures of %s (%s)", r->artifact[first->artifact].path,
		r->artifact[first->artifact].title);
	for (size_t i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == SHEET_KERNELS && r->sheet[i]->table.nrow)
			TRY(put_sheet(k, r->sheet[i]));
	return OK;
}
