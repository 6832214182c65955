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

struct spelling {
	const char *word;
	size_t col;
	enum measure measure;
	bool is_mean;
};

/* Without unit in brackets, in lower case. */
static const struct spelling headings[] = {
	{ "self cpu time", OPS_SELF_CPU, MEASURE_US, false },
	{ "cpu time", OPS_CPU, MEASURE_US, false },
	{ "self cuda time", OPS_SELF_DEVICE, MEASURE_US, false },
	{ "cuda time", OPS_DEVICE, MEASURE_US, false },
	{ "self device time", OPS_SELF_DEVICE, MEASURE_US, false },
	{ "device time", OPS_DEVICE, MEASURE_US, false },
	{ "count", OPS_CALLS, MEASURE_COUNT, false },
	{ "calls", OPS_CALLS, MEASURE_COUNT, false },
	{ "self cpu memory", OPS_SELF_CPU_BYTES, MEASURE_BYTE, false },
	{ "cpu memory", OPS_CPU_BYTES, MEASURE_BYTE, false },
	{ "self cuda memory", OPS_SELF_DEVICE_BYTES, MEASURE_BYTE, false },
	{ "cuda memory", OPS_DEVICE_BYTES, MEASURE_BYTE, false },
	{ "cpu_time_total_us", OPS_CPU, MEASURE_US, false },
	{ "cuda_time_total_us", OPS_DEVICE, MEASURE_US, false },
	{ "cpu_time_avg_us", OPS_CPU, MEASURE_US, true },
	{ "cuda_time_avg_us", OPS_DEVICE, MEASURE_US, true },
	{ "self_time_ms", OPS_SELF_CPU, MEASURE_MS, false },
	{ "total_time_ms", OPS_CPU, MEASURE_MS, false },
	{ "cuda_time_ms", OPS_DEVICE, MEASURE_MS, false },
	{ "self_cuda_time_ms", OPS_SELF_DEVICE, MEASURE_MS, false },
	{ "self_cpu_time_ms", OPS_SELF_CPU, MEASURE_MS, false },
	{ "self_device_time_ms", OPS_SELF_DEVICE, MEASURE_MS, false },
	{ "self_cpu_time_us", OPS_SELF_CPU, MEASURE_US, false },
	{ "self_cuda_time_us", OPS_SELF_DEVICE, MEASURE_US, false },
};

bool op_rows_heading(struct span heading, struct op_heading *h)
{
	struct span word = heading, unit = { "", 0 };
	const char *bracket = memchr(heading.p, '(', heading.n);

	if (bracket && heading.p[heading.n - 1] == ')') {
		word.n = (size_t)(bracket - heading.p);
		unit = (struct span){ bracket + 1, heading.n - word.n - 2 };
	}
	while (word.n && word.p[word.n - 1] == ' ')
		word.n--;
	enum measure m = measure_of_unit(unit);
	for (EACH(const struct spelling, spelling, headings, COUNT_OF(headings))) {
		if (!span_is_nocase(word, spelling->word))
			continue;
		*h = (struct op_heading){ spelling->col, spelling->measure, spelling->is_mean };
		if (m != MEASURE_NONE)
			h->measure = m;
		return true;
	}
	return false;
}

void op_rows_list(struct op_rows *o, const char *list, struct json_value objects)
{
	struct span key;
	struct json_value member;
	struct op_heading h;
	double d;

	for (struct json_items it = json_list(objects); json_more(&it);) {
		struct json_value name = json_get(it.v, "name");
		struct span inside = it.v.text;

		if (name.type != JSON_STRING)
			name = json_get(it.v, "Name");
		if (name.type != JSON_STRING)
			continue;
		size_t row = op_rows_row(o, list, jsondoc_text(o->in, name));
		while (json_next(&inside, &key, &member))
			if (op_rows_heading(jsondoc_key(o->in, SPAN(""), key), &h) && !h.is_mean &&
				jsondoc_number(member, &d))
				op_rows_add(o, row, h.col, d, h.measure);
	}
}
