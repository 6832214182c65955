/* Stages as CSV: summary.csv with wall time, memory, tokens, batch and step; cells may be empty. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

static const struct {
	const char *heading;
	size_t col;
	enum measure measure;
} headings[] = {
	{ "stage", STAGES_NAME, MEASURE_NONE },
	{ "wall_time_ms", STAGES_TOTAL, MEASURE_MS },
	{ "wall_ms", STAGES_TOTAL, MEASURE_MS },
	{ "seconds", STAGES_TOTAL, MEASURE_S },
	{ "cpu_mem_mb", STAGES_CPU_BYTES, MEASURE_MIB },
	{ "cuda_mem_mb_peak", STAGES_PEAK_DEVICE_BYTES, MEASURE_MIB },
	{ "peak_mem_bytes", STAGES_PEAK_DEVICE_BYTES, MEASURE_BYTE },
	{ "tokens", STAGES_TOKENS, MEASURE_COUNT },
	{ "batch_size", STAGES_BATCH, MEASURE_COUNT },
	{ "seq_len", STAGES_SEQUENCE, MEASURE_COUNT },
	{ "step", STAGES_STEP, MEASURE_NONE },
	{ "count", STAGES_CALLS, MEASURE_COUNT },
	{ "device", STAGES_DEVICE, MEASURE_NONE },
};

enum { NOT_ONE = COUNT_OF(headings), COLUMNS_MAX = 64 };

static size_t heading_of(struct span t)
{
	size_t i;

	for (i = 0; i < COUNT_OF(headings); i++)
		if (span_is(t, headings[i].heading))
			break;
	return i;
}

static enum match probe(const struct head *h)
{
	struct csv_row row;
	size_t n = 0;
	bool has_stage = false;

	if (!csv_head(h, &row))
		return MATCH_NO;
	for (size_t i = 0; i < row.n; i++) {
		size_t k = heading_of(row.cell[i]);

		n += k != NOT_ONE;
		has_stage |= k == 0;
	}
	return has_stage && n >= 2 ? MATCH_STRONG : MATCH_NO;
}

static void take_row(
	struct reading *in, struct sheet *s, const size_t *of, size_t n, const struct csv_row *row)
{
	struct table *t = &s->table;
	double v;

	if (!record_row(s))
		return;
	reading_artifact(in)->rows++;
	for (size_t i = 0; i < row->n && i < n; i++) {
		if (of[i] == NOT_ONE || row->cell[i].n == 0)
			continue;
		if (t->col[headings[of[i]].col].type == CELL_TEXT)
			table_text(t, headings[of[i]].col, record_text(in->record, row->cell[i]));
		else if (real_of(row->cell[i], &v))
			jsondoc_cell(t, headings[of[i]].col, v, headings[of[i]].measure);
	}
}

static enum status read_stages(struct reading *in, struct err *e)
{
	struct sheet *s = record_sheet(in->record, in->artifact, SHEET_STAGES);
	size_t of[COLUMNS_MAX], n = 0;
	struct csv csv;

	csv_open(&csv, in);
	if (csv_next(&csv))
		for (n = 0; n < csv.row.n && n < COLUMNS_MAX; n++)
			of[n] = heading_of(csv.row.cell[n]);
	while (csv_next(&csv)) {
		bool is_heading = csv.row.n > 0;

		for (size_t i = 0; i < csv.row.n && i < n; i++)
			is_heading &= heading_of(csv.row.cell[i]) == of[i] && of[i] != NOT_ONE;
		if (!is_heading)
			take_row(in, s, of, n, &csv.row);
	}
	enum status st = csv_end(&csv, e);
	return st;
}

const struct artifact artifact_stage_csv = {
	.name = "stage_csv",
	.title = "table of stages (CSV)",
	.summary = "summary.csv: wall time, memory, tokens by stage",
	.probe = probe,
	.read = read_stages,
};
