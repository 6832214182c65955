/* Metrics and stages of documents. */
#include "analyze/input/artifact/document_rows.h"

#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"

enum { SCORES_MAX = 4096, SCORES_LOOKED_FOR = 64 }; /* distinct scores of a distribution */

static void add_summary(struct reading *in, struct span name, const struct field *f, size_t n,
	struct json_value figures)
{
	if (figures.type != JSON_OBJECT)
		return;
	struct sheet *s = reading_sheet(in, SHEET_SUMMARIES);
	if (!record_row(s))
		return;
	table_text(&s->table, SUMMARIES_NAME, record_text(in->record, name));
	jsondoc_fields(in, &s->table, f, n, figures);
}

void metric_rows_summary(struct reading *in, struct span name, struct json_value figures)
{
	static const struct field fields[] = {
		{ "count", SUMMARIES_COUNT, MEASURE_NONE },
		{ "latest", SUMMARIES_LATEST, MEASURE_NONE },
		{ "mean", SUMMARIES_MEAN, MEASURE_NONE },
		{ "std", SUMMARIES_STD, MEASURE_NONE },
		{ "min", SUMMARIES_MIN, MEASURE_NONE },
		{ "max", SUMMARIES_MAX, MEASURE_NONE },
		{ "p50", SUMMARIES_MEDIAN, MEASURE_NONE },
		{ "median", SUMMARIES_MEDIAN, MEASURE_NONE },
		{ "p25", SUMMARIES_P25, MEASURE_NONE },
		{ "p75", SUMMARIES_P75, MEASURE_NONE },
		{ "p95", SUMMARIES_P95, MEASURE_NONE },
		{ "trend", SUMMARIES_TREND, MEASURE_NONE },
	};

	add_summary(in, name, fields, COUNT_OF(fields), figures);
}

void metric_rows_summaries(struct reading *in, struct json_value summaries)
{
	for (struct json_items it = json_members(summaries); json_more(&it);)
		metric_rows_summary(in, jsondoc_key(in, SPAN(""), it.key), it.v);
}

void metric_rows_memory(struct reading *in, struct span prefix, struct json_value memory)
{
	static const struct {
		const char *name, *peak;
		struct field field[3];
	} kinds[] = {
		{ "allocated_gb", "peak_allocated_gb",
			{ { "num_measurements", SUMMARIES_COUNT, MEASURE_NONE },
				{ "mean_allocated_gb", SUMMARIES_MEAN, MEASURE_NONE },
				{ "peak_allocated_gb", SUMMARIES_MAX, MEASURE_NONE } } },
		{ "reserved_gb", "peak_reserved_gb",
			{ { "num_measurements", SUMMARIES_COUNT, MEASURE_NONE },
				{ "mean_reserved_gb", SUMMARIES_MEAN, MEASURE_NONE },
				{ "peak_reserved_gb", SUMMARIES_MAX, MEASURE_NONE } } },
	};
	double d;

	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		if (jsondoc_number(json_get(memory, kinds[i].peak), &d))
			add_summary(in, jsondoc_key(in, prefix, span_of(kinds[i].name)),
				kinds[i].field, 3, memory);
}

void metric_rows_rewards(struct reading *in, struct json_value distribution)
{
	static const struct field fields[] = {
		{ "total_samples", SUMMARIES_COUNT, MEASURE_NONE },
		{ "reward_mean", SUMMARIES_MEAN, MEASURE_NONE },
		{ "reward_std", SUMMARIES_STD, MEASURE_NONE },
		{ "reward_min", SUMMARIES_MIN, MEASURE_NONE },
		{ "reward_max", SUMMARIES_MAX, MEASURE_NONE },
	};

	add_summary(in, SPAN("reward"), fields, COUNT_OF(fields), distribution);
}

/* Positions: the steps, where every entry names one; else rows. */
static void timed_series(struct series *s, struct json_value values, struct json_value stamps)
{
	struct span at = stamps.text;
	struct json_value stamp;
	double x = 0, step, y = 0;

	for (struct json_items it = json_items(values); json_more(&it); x++) {
		step = x;
		if (json_next(&at, &it.key, &stamp) &&
			jsondoc_number(json_get(stamp, "step"), &step))
			s->axis = AXIS_STEP;
		bool is_known = jsondoc_number(it.v, &y);
		reading_point(s, step, is_known, y);
	}
}

void metric_rows_raw(struct reading *in, struct json_value raw)
{
	for (struct json_items it = json_members(raw); json_more(&it);) {
		bool is_timed = it.v.type == JSON_OBJECT;
		struct json_value values = is_timed ? json_get(it.v, "values") : it.v;

		it.key = jsondoc_key(in, SPAN(""), it.key);
		if (values.type == JSON_ARRAY && !is_timed)
			jsondoc_flatten(in, &in->record->scalars, it.key, it.v);
		else if (values.type == JSON_ARRAY)
			timed_series(reading_series(in, it.key, SPAN(""), AXIS_ROW, MEASURE_NONE),
				values, json_get(it.v, "timestamps"));
	}
}

/* The share of a score: in the order of the counts, as both are written; else it is looked for. */
static bool share_of(
	struct json_value shares, struct span *at, struct span score, size_t row, double *share)
{
	struct span key, seek = shares.text;
	struct json_value v;

	if (shares.type != JSON_OBJECT)
		return false;
	bool found = json_next(at, &key, &v) && span_eq(key, score);
	while (!found && row < SCORES_LOOKED_FOR && json_next(&seek, &key, &v))
		found = span_eq(key, score);
	return found && jsondoc_number(v, share);
}

void metric_rows_scores(struct reading *in, struct span key, struct json_value d)
{
	struct json_value counts = json_get(d, "score_counts");
	struct json_value shares = json_get(d, "score_percentages");
	struct span at = shares.text;
	double n, share;

	jsondoc_members(in, &in->record->scalars, key, d, "score_counts|score_percentages");
	if (counts.type != JSON_OBJECT)
		return;
	struct sheet *s = record_sheet(in->record, in->artifact, SHEET_SCORES);
	for (struct json_items it = json_items(counts);
		s->table.nrow < SCORES_MAX && json_more(&it);) {
		double score;
		bool has_share = share_of(shares, &at, it.key, s->table.nrow, &share);

		if (!real_of(it.key, &score) || !record_row(s))
			continue;
		table_real(&s->table, SCORES_SCORE, score);
		if (jsondoc_number(it.v, &n))
			jsondoc_cell(&s->table, SCORES_COUNT, n, MEASURE_COUNT);
		if (has_share)
			jsondoc_cell(&s->table, SCORES_RATIO, share, MEASURE_NONE);
	}
}

/* --- stages --- */

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
	double d;

	for (struct json_items it = json_members(averages); json_more(&it);) {
		if (record_known_series(
			    in->record, in->artifact, series_name(in, it.key), SPAN("")))
			continue;
		if (!jsondoc_number(it.v, &d) || !record_row(sheet))
			continue;
		put_name(in, sheet, it.key);
		jsondoc_cell(&sheet->table, STAGES_MEAN, d, MEASURE_S);
	}
}

void stage_rows_times(struct reading *in, struct json_value times, struct json_value averages)
{
	struct sheet *sheet = record_sheet(in->record, in->artifact, SHEET_STAGES);
	double d;

	for (struct json_items it = json_members(times); json_more(&it);) {
		if (!record_row(sheet))
			return;
		put_name(in, sheet, it.key);
		if (it.v.type != JSON_ARRAY) {
			if (jsondoc_number(it.v, &d))
				jsondoc_cell(&sheet->table, STAGES_MEAN, d, MEASURE_S);
			continue;
		}
		struct series *s =
			reading_series(in, series_name(in, it.key), SPAN(""), AXIS_ROW, MEASURE_S);
		jsondoc_series(s, it.v);
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

	for (struct json_items it = json_items(list); json_more(&it);) {
		if (it.v.type != JSON_OBJECT || !record_row(s))
			continue;
		jsondoc_fields(in, &s->table, fields, COUNT_OF(fields), it.v);
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
