/*
 * Rows of stages.
 */
#include "analyze/input/artifact/tables/stage_rows.h"

#include "analyze/input/artifact/jsondoc.h"
#include "base/compiler.h"

/* "stage_times.forward" */
static struct span series_name(struct reading *in, struct span key)
{
	return jsondoc_key(in, SPAN("stage_times"), key);
}

static void put_name(struct reading *in, struct sheet *sheet, struct span key)
{
	table_text(&sheet->table, STAGES_NAME,
		record_text(in->record, jsondoc_key(in, SPAN(""), key)));
}

static struct series *times_series(struct reading *in, struct span key)
{
	struct series *s = record_series(in->record, in->artifact, series_name(in, key), SPAN(""));

	if (s)
		s->measure = MEASURE_S;
	return s;
}

static void put_times(struct sheet *sheet, const struct series *s)
{
	jsondoc_cell(&sheet->table, STAGES_CALLS, (double)s->n, MEASURE_COUNT);
	if (s->n == 0)
		return;
	jsondoc_cell(&sheet->table, STAGES_TOTAL, s->sum, MEASURE_S);
	jsondoc_cell(&sheet->table, STAGES_MEAN, s->sum / (double)s->n, MEASURE_S);
	jsondoc_cell(&sheet->table, STAGES_MIN, s->min, MEASURE_S);
	jsondoc_cell(&sheet->table, STAGES_MAX, s->max, MEASURE_S);
}

/* Stages of which only the average is known: those with times are series. */
static void put_averages(struct reading *in, struct sheet *sheet, struct json_value averages)
{
	struct span it = averages.text, key;
	struct json_value v;
	double d;

	while (averages.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		if (record_known_series(in->record, in->artifact, series_name(in, key), SPAN("")))
			continue;
		if (!jsondoc_number(v, &d) || !record_row(sheet))
			continue;
		put_name(in, sheet, key);
		jsondoc_cell(&sheet->table, STAGES_MEAN, d, MEASURE_S);
	}
}

void stage_rows_times(struct reading *in, struct json_value times, struct json_value averages)
{
	struct sheet *sheet = record_sheet(in->record, in->artifact, SHEET_STAGES);
	struct span it = times.text, key;
	struct json_value v;
	double d;

	while (times.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		struct series *s;

		if (!record_row(sheet))
			return;
		put_name(in, sheet, key);
		if (v.type != JSON_ARRAY) {
			if (jsondoc_number(v, &d))
				jsondoc_cell(&sheet->table, STAGES_MEAN, d, MEASURE_S);
			continue;
		}
		s = times_series(in, key);
		if (!s)
			continue;
		jsondoc_series(s, v, NULL);
		put_times(sheet, s);
	}
	put_averages(in, sheet, averages);
}

static void put_list(struct reading *in, struct json_value list)
{
	static const struct field fields[] = {
		{ "stage", STAGES_NAME, MEASURE_NONE },
		{ "name", STAGES_NAME, MEASURE_NONE },
		{ "seconds", STAGES_TOTAL, MEASURE_S },
		{ "peak_mem_bytes", STAGES_PEAK_DEVICE_BYTES, MEASURE_BYTE },
		{ "device", STAGES_DEVICE, MEASURE_NONE },
		{ "count", STAGES_CALLS, MEASURE_COUNT },
		{ "step", STAGES_STEP, MEASURE_NONE },
	};
	struct sheet *s = record_sheet(in->record, in->artifact, SHEET_STAGES);
	struct span it = list.text, none;
	struct json_value v;

	while (json_next(&it, &none, &v)) {
		if (v.type != JSON_OBJECT || !record_row(s))
			continue;
		jsondoc_fields(in, &s->table, fields, COUNT_OF(fields), v);
		reading_artifact(in)->rows++;
	}
}

void stage_rows_any(struct reading *in, struct json_value v)
{
	if (v.type == JSON_OBJECT)
		stage_rows_times(in, json_get(v, "stage_times"), json_get(v, "average_times"));
	else if (v.type == JSON_ARRAY)
		put_list(in, v);
}
