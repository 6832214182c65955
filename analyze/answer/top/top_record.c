/* `top` without a trace: the operations that a summary, an op CSV or the text of a table lists, and
 * the functions that a sampling profiler saw.
 *
 * Figures are the file's own.  Nothing can be computed anew from them.  Rows of operators and of
 * kernels stand in one list there; shares are of the sum that counts device time once. */
#include "analyze/answer/top/top.h"
#include "analyze/measure/host/sampled.h"

/* What of a file's rows is looked at. */
struct shown {
	const struct table *from;
	size_t by;        /* enum ops_column */
	const char *list; /* NULL: any */
	struct ops_sum whole;
};

static size_t column_of(enum top_key key)
{
	switch (key) {
	case TOP_SELF_CPU: return OPS_SELF_CPU;
	case TOP_CPU_TOTAL:
	case TOP_CPU_AVG: return OPS_CPU;
	case TOP_SELF_DEVICE: return OPS_SELF_DEVICE;
	case TOP_DEVICE_TOTAL:
	case TOP_DEVICE_AVG: return OPS_DEVICE;
	case TOP_CALLS: return OPS_CALLS;
	case TOP_FLOPS: return OPS_FLOPS;
	case TOP_CPU_BYTES: return OPS_CPU_BYTES;
	case TOP_SELF_CPU_BYTES: return OPS_SELF_CPU_BYTES;
	case TOP_DEVICE_BYTES: return OPS_DEVICE_BYTES;
	case TOP_SELF_DEVICE_BYTES: return OPS_SELF_DEVICE_BYTES;
	case TOP_NAME:
	case TOP_KEY_NONE: break;
	}
	return OPS_NAME;
}

static bool is_mean(enum top_key key)
{
	return key == TOP_CPU_AVG || key == TOP_DEVICE_AVG;
}

static bool takes(const void *ctx, const void *item)
{
	return ops_is_listed(
		&((const struct shown *)ctx)->whole, ((const struct field_row *)item)->row);
}

/* Where a figure of the file's rows goes. */
static const struct {
	uint8_t to;
	size_t from;
} reals[] = {
	{ RECORDED_SELF_DEVICE, OPS_SELF_DEVICE },
	{ RECORDED_SELF_CPU, OPS_SELF_CPU },
	{ RECORDED_DEVICE, OPS_DEVICE },
	{ RECORDED_CPU, OPS_CPU },
	{ RECORDED_SELF_DEVICE_BYTES, OPS_SELF_DEVICE_BYTES },
	{ RECORDED_DEVICE_BYTES, OPS_DEVICE_BYTES },
	{ RECORDED_SELF_CPU_BYTES, OPS_SELF_CPU_BYTES },
	{ RECORDED_CPU_BYTES, OPS_CPU_BYTES },
	{ RECORDED_FLOPS, OPS_FLOPS },
};

static bool is_memory(size_t column)
{
	return column >= OPS_SELF_CPU_BYTES && column <= OPS_DEVICE_BYTES;
}

/* The columns people see: what rows are sorted by first, then calls, and what is of the same kind.
 */
static size_t visible_columns(const struct shown *s, uint8_t *v)
{
	size_t n = 0;

	v[n++] = RECORDED_SORTED;
	for (size_t i = 0; i < COUNT_OF(reals); i++)
		if (reals[i].from == s->by)
			v[n++] = reals[i].to;
	v[n++] = RECORDED_CALLS;
	for (size_t i = 0; i < COUNT_OF(reals); i++)
		if (reals[i].from != s->by && is_memory(reals[i].from) == is_memory(s->by))
			v[n++] = reals[i].to;
	v[n++] = RECORDED_NAME;
	return n;
}

static void put(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	double whole = ((const struct shown *)g->ctx)->whole.sum;

	if (g->by->how == FIELDS_VALUE && whole > 0)
		groupby_real(g, RECORDED_SORTED, fields_number(g->by, item, &g->of).v / whole);
}

static const struct grouping recorded = { .name = RECORDED_NAME, .takes = takes, .put = put };

static enum status put_table(struct top *t, struct shown *s, const char *id, const char *title)
{
	const struct column_from by_name = { 0 },
				 value = { .how = FIELDS_VALUE,
					 .a_type = FIELDS_OTHERS,
					 .a = (uint16_t)s->by },
				 mean = { .how = FIELDS_OVER,
					 .a_type = FIELDS_OTHERS,
					 .b_type = FIELDS_OTHERS,
					 .a = (uint16_t)s->by,
					 .b = OPS_CALLS };
	uint8_t visible[TOP_RECORDED_COLUMNS];

	s->whole = ops_sum(s->from, s->by, s->list);
	const struct table_doc doc = { id, title, top_docs[TOP_RECORDED_OPS].col,
		TOP_RECORDED_COLUMNS };
	struct groupby g = { .how = &recorded,
		.at = t->at,
		.doc = &doc,
		.ctx = s,
		.limit = t->limit,
		.order = visible,
		.norder = visible_columns(s, visible) };

	g.by = s->by == OPS_NAME ? &by_name : is_mean(t->key) ? &mean : &value;
	TRY(groupby_rows(&g, s->from, OPS_NAME, g.by));
	groupby_table(&g);
	groupby_put(&g);
	if (t->at->q->for_people && g.t->nrow > 0)
		table_drop_empty(g.t);
	g.t->footnote = s->whole.is_twice
		? "% is of the GPU time of the rows, which counts operations and their kernels once"
		: "% is of the rows of the file, as its writer measured them";
	return OK;
}

static bool has_any(const struct shown *s, size_t col)
{
	const struct ops_sum of = { .t = s->from, .list = s->list };

	return ANY(i, s->from->nrow, ops_is_listed(&of, i) && table_number_at(s->from, i, col) > 0);
}

/* The rows by one column, or by the one that is there instead; none where neither has anything. */
static enum status put_by(
	struct top *t, struct shown s, size_t by, size_t or_by, const char *id, const char *title)
{
	s.by = has_any(&s, by) ? by : or_by;
	return has_any(&s, s.by) ? put_table(t, &s, id, title) : OK;
}

static enum status put_memory(struct top *t, struct shown s)
{
	TRY(put_by(t, s, OPS_DEVICE_BYTES, OPS_SELF_DEVICE_BYTES, "recorded_memory",
		"operations by GPU memory"));
	return put_by(t, s, OPS_CPU_BYTES, OPS_SELF_CPU_BYTES, "recorded_host_memory",
		"operations by host memory");
}

/* The tables of one list: by times and by memory, or one table where --sort asks for an order. */
static enum status put_list(struct top *t, struct shown s)
{
	if (t->key != TOP_KEY_NONE) {
		s.by = column_of(t->key);
		return put_table(t, &s, "recorded_ops", "operations");
	}
	TRY(put_by(t, s, OPS_SELF_DEVICE, OPS_DEVICE, "recorded_device", "operations by GPU time"));
	TRY(put_by(t, s, OPS_SELF_CPU, OPS_CPU, "recorded_ops", "operations by CPU time"));
	return put_memory(t, s);
}

/* A profiler summary has two lists in one sheet. */
static enum status put_sheet(struct top *t, const struct sheet *sheet)
{
	static const char *const lists[] = { "top_cuda_ops", "top_cpu_ops" };
	struct shown s = { .from = &sheet->table };
	bool split = false;

	for (size_t i = 0; i < COUNT_OF(lists); i++) {
		s.list = lists[i];
		if (ANY(row, s.from->nrow, span_is(table_text_at(s.from, row, OPS_LIST), s.list))) {
			split = true;
			TRY(put_list(t, s));
		}
	}
	s.list = NULL;
	return split ? OK : put_list(t, s);
}

static enum status put_ops(struct top *t, const struct record *r, const struct sheet *first)
{
	result_note(t->at->out, NOTE_INFO, "no_trace", t->at->input, -1,
		"no trace: these are the figures of %s (%s), as they were written",
		r->artifact[first->artifact].path, r->artifact[first->artifact].title);
	for (size_t i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->kind == SHEET_OPS && r->sheet[i]->artifact == first->artifact)
			TRY(put_sheet(t, r->sheet[i]));
	return OK;
}

enum status top_record_memory(struct top *t)
{
	const struct record *r = t->at->run->record;
	const struct sheet *first = r ? record_find_sheet(r, SHEET_OPS) : NULL;
	size_t before = t->at->out->ntable;

	if (!first)
		return OK;
	TRY(put_memory(t, (struct shown){ .from = &first->table }));
	if (t->at->out->ntable > before)
		result_note(t->at->out, NOTE_INFO, "memory_of_file", t->at->input, -1,
			"memory of operations is as %s has it", r->artifact[first->artifact].path);
	return OK;
}

/* Functions of the first sampled profile, of each unit there is. */
static enum status put_sampled(struct top *t, const struct record *r)
{
	static const char *const words[] = { "bytes", "samples", "time" };

	for (enum stack_unit unit = 0; unit < STACK_UNITS; unit++) {
		const struct sheet *s = sampled_sheet(r, NULL, unit);

		if (!s)
			continue;
		result_note(t->at->out, NOTE_INFO, "no_trace", t->at->input, -1,
			"no trace: functions are those of %s (%s), in %s",
			r->artifact[s->artifact].path, r->artifact[s->artifact].title, words[unit]);
		TRY(sampled_put(t->at, s, unit, t->limit));
	}
	return OK;
}

enum status top_record(struct top *t)
{
	const struct record *r = t->at->run->record;
	const struct sheet *first = record_find_sheet(r, SHEET_OPS);
	bool is_sampled = record_find_sheet(r, SHEET_STACKS) != NULL;

	if (!first && !is_sampled) {
		(void)err_set(t->at->e, E_NODATA, -1,
			"%s has no trace, no table of operations and no stacks", t->at->run->path);
		return record_hint(r, false, t->at->e);
	}
	if (first)
		TRY(put_ops(t, r, first));
	return put_sampled(t, r);
}
