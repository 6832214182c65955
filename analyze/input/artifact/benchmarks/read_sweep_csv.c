/* Measurements by batch size as CSV: detailed_metrics.csv, aggregated or raw. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/benchmarks/sweep_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"
#include "base/plural.h"

static size_t aggregated_columns(const struct csv_row *row)
{
	struct sweep_heading h;
	size_t n = SUM(
		size_t, i, row->n, sweep_rows_heading(row->cell[i], &h) && h.col >= SWEEP_STATS);

	return n;
}

static size_t raw_columns(const struct csv_row *row)
{
	enum measure measure;
	unsigned metric;
	size_t n = SUM(size_t, i, row->n, sweep_rows_raw_heading(row->cell[i], &metric, &measure));

	return n;
}

static bool has(const struct csv_row *row, const char *name)
{
	return csv_column(row, name) != SIZE_MAX;
}

static enum match probe(const struct head *h)
{
	struct csv_row row;

	if (!csv_head(h, &row))
		return MATCH_NO;
	if (aggregated_columns(&row) >= 2 && has(&row, "batch_size"))
		return MATCH_STRONG;
	return raw_columns(&row) >= 3 && has(&row, "batch_size") ? MATCH_STRONG : MATCH_NO;
}

static void aggregated_row(struct sheet *s, const struct csv_row *head, const struct csv_row *row)
{
	struct sweep_heading h;
	double v;

	if (!record_row(s))
		return;
	for (size_t i = 0; i < row->n && i < head->n; i++)
		if (sweep_rows_heading(head->cell[i], &h) && real_of(row->cell[i], &v))
			jsondoc_cell(&s->table, h.col, v, h.measure);
}

static void raw_row(struct sweep_raw *raw, const struct csv_row *head, const struct csv_row *row)
{
	double value[SWEEP_METRICS + 2], v;
	enum measure measure;
	unsigned metric;

	FILL(value, COUNT_OF(value), (double)NAN);
	for (size_t i = 0; i < row->n && i < head->n; i++)
		if (sweep_rows_raw_heading(head->cell[i], &metric, &measure) &&
			real_of(row->cell[i], &v))
			value[metric] = measure_base(measure, v);
	sweep_raw_add(raw, value);
}

static enum status read_sweep(struct reading *in, struct err *e)
{
	struct csv_row head = { .n = 0 };
	struct sweep_raw *raw = NULL;
	struct sheet *sheet = NULL;
	int64_t torn = 0;
	struct csv csv;

	csv_open(&csv, in);
	if (csv_next(&csv))
		head = csv.row;
	for (size_t i = 0; i < head.n; i++)
		head.cell[i] = record_text(in->record, head.cell[i]);
	if (aggregated_columns(&head) >= 2)
		sheet = record_sheet(in->record, in->artifact, SHEET_SWEEP);
	else
		raw = sweep_raw_new(in);
	while (csv_next(&csv)) {
		if (csv.row.n < head.n) {
			torn++;
			continue;
		}
		if (has(&csv.row, "batch_size"))
			continue;
		reading_artifact(in)->rows++;
		if (sheet)
			aggregated_row(sheet, &head, &csv.row);
		else
			raw_row(raw, &head, &csv.row);
	}
	if (raw)
		sweep_raw_end(raw);
	else
		sweep_units_mend(in, sheet);
	if (torn) {
		reading_artifact(in)->is_complete = false;
		reading_note(in, NOTE_WARNING, "torn_line", torn, csv.offset,
			"%" PRId64 " row%s cut off; left out", torn, plural(torn, " is", "s are"));
	}
	enum status st = csv_end(&csv, e);
	return st;
}

const struct artifact artifact_sweep_csv = {
	.name = "sweep_csv",
	.title = "measurements by batch size (CSV)",
	.summary = "detailed_metrics.csv, aggregated or raw",
	.probe = probe,
	.read = read_sweep,
};
