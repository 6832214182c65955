/* A JSON array of objects, as a log in one piece: one series a member.  Measurements of device
 * memory and of batch sizes become sheets, too. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/benchmarks/sweep_rows.h"
#include "analyze/input/text/iso_time.h"
#include "base/base.h"

static enum match probe(const struct head *h)
{
	if (h->form != HEAD_ARRAY || h->nkey == 0 || head_has(h, "ph"))
		return MATCH_NO;
	if (head_count(h, "allocated_gb reserved_gb") ||
		head_count(h, "batch_size latency_total") == 2)
		return MATCH_FAIR;
	/* An object that is cut may be anything. */
	return h->first.type != JSON_OBJECT || log_row_is_metrics(h->first) ? MATCH_WEAK : MATCH_NO;
}

static void put_memory(struct reading *in, struct json_value list)
{
	static const struct field fields[] = {
		{ "tag", TAKEN_TAG, MEASURE_NONE },
		{ "allocated_gb", TAKEN_ALLOCATED, MEASURE_GIB },
		{ "reserved_gb", TAKEN_RESERVED, MEASURE_GIB },
		{ "max_allocated_gb", TAKEN_MAX_ALLOCATED, MEASURE_GIB },
		{ "max_reserved_gb", TAKEN_MAX_RESERVED, MEASURE_GIB },
	};
	struct sheet *s = record_sheet(in->record, in->artifact, SHEET_MEMORY);
	double t;

	for (struct json_items it = json_items(list); json_more(&it);) {
		struct json_value when = json_get(it.v, "timestamp");

		if (it.v.type != JSON_OBJECT || !record_row(s))
			continue;
		jsondoc_fields(in, &s->table, fields, COUNT_OF(fields), it.v);
		if (jsondoc_number(when, &t) || iso_time(when.text, &t))
			jsondoc_cell(&s->table, TAKEN_TIME, t, MEASURE_S);
	}
}

static void put_sweep(struct reading *in, struct json_value list)
{
	struct sweep_raw *raw = sweep_raw_new(in);
	enum measure measure;
	unsigned metric;
	double d;

	for (struct json_items it = json_items(list); json_more(&it);) {
		double value[SWEEP_METRICS + 2];

		FILL(value, COUNT_OF(value), (double)NAN);
		for (struct json_items m = json_members(it.v); json_more(&m);)
			if (sweep_rows_raw_heading(m.key, &metric, &measure) &&
				jsondoc_number(m.v, &d))
				value[metric] = measure_base(measure, d);
		sweep_raw_add(raw, value);
	}
	sweep_raw_end(raw);
}

static enum status read_rows(struct reading *in, struct err *e)
{
	struct json_value doc;

	TRY(jsondoc_read(in, &doc, e));
	jsondoc_rows(in, SPAN(""), doc);
	if (head_has(in->head, "allocated_gb"))
		put_memory(in, doc);
	if (head_count(in->head, "batch_size latency_total") == 2)
		put_sweep(in, doc);
	if (in->record->nseries == 0 && in->record->nsheet == 0)
		return err_set(e, E_NODATA, 0, "no object in the array has a number");
	return OK;
}

const struct artifact artifact_json_rows = {
	.name = "json_rows",
	.title = "log as one JSON array",
	.summary =
		"an array of objects: metrics by step, memory measurements, raw batch measurements",
	.probe = probe,
	.read = read_rows,
};
