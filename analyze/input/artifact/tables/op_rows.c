/* Summing up operations. */
#include "analyze/input/artifact/tables/op_rows.h"

#include "analyze/input/artifact/jsondoc.h"
#include "base/base.h"

enum { NAME_BYTES = 4096 };

void op_rows_open(struct op_rows *o, struct reading *in)
{
	*o = (struct op_rows){ .in = in };
	o->sheet = record_sheet(in->record, in->artifact, SHEET_OPS);
	strings_init(&o->names, 0x6f707363u);
}

void op_rows_close(struct op_rows *o)
{
	strings_clear(&o->names);
}

void op_rows_say(struct op_rows *o)
{
	if (o->rows > (int64_t)o->sheet->table.nrow)
		reading_note(o->in, NOTE_INFO, "rows_by_name", o->rows, -1,
			"%" PRId64 " rows, one an event, summed up to %zu names", o->rows,
			o->sheet->table.nrow);
}

size_t op_rows_row(struct op_rows *o, const char *list, struct span name)
{
	char key[NAME_BYTES];
	struct table *t = &o->sheet->table;
	size_t n = strlen(list ? list : ""), known = o->names.n;

	o->rows++;
	name.n = MIN(name.n, RECORD_TEXT - 1);
	if (n + 1 + name.n > sizeof(key))
		name.n = sizeof(key) - n - 1;
	memcpy(key, list ? list : "", n + 1);
	memcpy(key + n + 1, name.p, name.n);
	sym id = strings_intern(&o->names, (struct span){ key, n + 1 + name.n });
	if (o->names.n == known)
		return id - 1 < t->nrow ? id - 1 : SIZE_MAX;
	if (!record_row(o->sheet))
		return SIZE_MAX;
	table_text(t, OPS_NAME, record_text(o->in->record, name));
	if (list)
		table_text(t, OPS_LIST, span_of(list));
	return t->nrow - 1;
}

/* Rows of one event each are summed up by name; what one of them had at most is kept beside. */
static void keep_largest(struct table *t, size_t row, double v)
{
	size_t at = row * t->ncol + OPS_LARGEST;

	if (!t->known[at] || v > t->cell[at].r)
		t->cell[at].r = v;
	t->known[at] = true;
}

void op_rows_add(struct op_rows *o, size_t row, size_t col, double v, enum measure m)
{
	struct table *t = &o->sheet->table;
	size_t at = row * t->ncol + col;
	union cell *c = &t->cell[at];

	v = measure_base(m, v);
	if (row == SIZE_MAX || !isfinite(v))
		return;
	if (t->col[col].type == CELL_INT) {
		int64_t sum = t->known[at] ? c->i : 0;

		if (fabs(v) > 9e15 || add_overflows(sum, saturate_round(v), &sum))
			return;
		c->i = sum;
	} else {
		c->r = (t->known[at] ? c->r : 0) + v;
	}
	if (col == OPS_DEVICE_BYTES)
		keep_largest(t, row, v);
	t->known[at] = true;
}

/* Without unit in brackets. */
static const struct spelling {
	const char *words;
	struct op_heading is;
} headings[] = {
	{ "self cpu time|self_cpu_time_us", { OPS_SELF_CPU, MEASURE_US, false } },
	{ "cpu time|cpu_time_total_us", { OPS_CPU, MEASURE_US, false } },
	{ "self cuda time|self device time|self_cuda_time_us",
		{ OPS_SELF_DEVICE, MEASURE_US, false } },
	{ "cuda time|device time|cuda_time_total_us", { OPS_DEVICE, MEASURE_US, false } },
	{ "count|calls", { OPS_CALLS, MEASURE_COUNT, false } },
	{ "self cpu memory", { OPS_SELF_CPU_BYTES, MEASURE_BYTE, false } },
	{ "cpu memory", { OPS_CPU_BYTES, MEASURE_BYTE, false } },
	{ "self cuda memory", { OPS_SELF_DEVICE_BYTES, MEASURE_BYTE, false } },
	{ "cuda memory", { OPS_DEVICE_BYTES, MEASURE_BYTE, false } },
	{ "cpu_time_avg_us", { OPS_CPU, MEASURE_US, true } },
	{ "cuda_time_avg_us", { OPS_DEVICE, MEASURE_US, true } },
	{ "self_time_ms|self_cpu_time_ms", { OPS_SELF_CPU, MEASURE_MS, false } },
	{ "total_time_ms", { OPS_CPU, MEASURE_MS, false } },
	{ "cuda_time_ms", { OPS_DEVICE, MEASURE_MS, false } },
	{ "self_cuda_time_ms|self_device_time_ms", { OPS_SELF_DEVICE, MEASURE_MS, false } },
};

bool op_rows_heading(struct span heading, struct op_heading *h)
{
	struct span word, unit;

	(void)span_bracketed(heading, '(', &word, &unit);
	enum measure m = measure_of_unit(unit);
	const struct spelling *s =
		FIND(i, headings, COUNT_OF(headings), span_in_nocase(word, headings[i].words));
	if (!s)
		return false;
	*h = s->is;
	if (m != MEASURE_NONE)
		h->measure = m;
	return true;
}

void op_rows_list(struct op_rows *o, const char *list, struct json_value objects)
{
	struct op_heading h;
	double d;

	for (struct json_items it = json_list(objects); json_more(&it);) {
		struct json_value name = json_get(it.v, "name");

		if (name.type != JSON_STRING)
			name = json_get(it.v, "Name");
		if (name.type != JSON_STRING)
			continue;
		size_t row = op_rows_row(o, list, jsondoc_text(o->in, name));
		for (struct json_items in = json_items(it.v); json_more(&in);)
			if (op_rows_heading(jsondoc_key(o->in, SPAN(""), in.key), &h) &&
				!h.is_mean && jsondoc_number(in.v, &d))
				op_rows_add(o, row, h.col, d, h.measure);
	}
}
