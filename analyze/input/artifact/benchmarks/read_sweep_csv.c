/* Measurements by batch size as CSV: detailed_metrics.csv, aggregated or raw. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/benchmarks/sweep_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

static bool is_aggregated(const struct csv_row *row)
{
	struct sweep_heading h;

	return SUM(size_t, i, row->n,
		       sweep_rows_heading(row->cell[i], &h) && h.col >= SWEEP_STATS) >= 2;
}

static size_t raw_columns(const struct csv_row *row)
{
	enum measure measure;
	unsigned metric;

	return SUM(size_t, i, row->n, sweep_rows_raw_heading(row->cell[i], &metric, &measure));
}

static bool has_batch(const struct csv_row *row)
{
	return csv_column(row, "batch_size") != SIZE_MAX;
}

static enum match probe(const struct csv_row *row)
{
	return has_batch(row) && (is_aggregated(row) || raw_columns(row) >= 3) ? MATCH_STRONG
									       : MATCH_NO;
}

struct sweep {
	struct reading *in;
	struct csv_row head;
	struct sheet *sheet;   /* of aggregated rows, or */
	struct sweep_raw *raw; /* of others */
};

static void take_heading(struct sweep *s, const struct csv_row *row)
{
	s->head = *row;
	for (size_t i = 0; i < row->n; i++)
		s->head.cell[i] = record_text(s->in->record, row->cell[i]);
	if (is_aggregated(row))
		s->sheet = record_sheet(s->in->record, s->in->artifact, SHEET_SWEEP);
	else
		s->raw = sweep_raw_new(s->in);
}

static void aggregated_row(struct sweep *s, const struct csv_row *row)
{
	struct sweep_heading h;
	double v;

	if (!record_row(s->sheet))
		return;
	for (size_t i = 0; i < s->head.n; i++)
		if (sweep_rows_heading(s->head.cell[i], &h) && real_of(row->cell[i], &v))
			jsondoc_cell(&s->sheet->table, h.col, v, h.measure);
}

static void raw_row(struct sweep *s, const struct csv_row *row)
{
	double value[SWEEP_METRICS + 2], v;
	enum measure measure;
	unsigned metric;

	FILL(value, COUNT_OF(value), (double)NAN);
	for (size_t i = 0; i < s->head.n; i++)
		if (sweep_rows_raw_heading(s->head.cell[i], &metric, &measure) &&
			real_of(row->cell[i], &v))
			value[metric] = measure_base(measure, v);
	sweep_raw_add(s->raw, value);
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct sweep *s = ctx;

	if (s->head.n == 0)
		take_heading(s, row);
	else if (row->n < s->head.n)
		return TOOK_ALIEN;
	else if (!has_batch(row)) {
		reading_artifact(s->in)->rows++;
		if (s->sheet)
			aggregated_row(s, row);
		else
			raw_row(s, row);
	}
	return TOOK;
}

static void end(void *state)
{
	struct sweep *s = state;

	if (s->raw)
		sweep_raw_end(s->raw);
	else if (s->sheet)
		sweep_units_mend(s->in, s->sheet);
}

const struct artifact artifact_sweep_csv = {
	.name = "sweep_csv",
	.title = "measurements by batch size (CSV)",
	.summary = "detailed_metrics.csv, aggregated or raw",
	.heading = probe,
	TAKES_ROWS(struct sweep, take_row),
	.end = end,
	.alien = CSV_ALIEN,
};
