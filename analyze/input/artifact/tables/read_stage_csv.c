/* Stages as CSV: summary.csv with wall time, memory, tokens, batch and step; cells may be empty. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

static const struct field headings[] = {
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

enum { COLUMNS_MAX = 64 };

/* NULL: another one. */
static const struct field *heading_of(struct span t)
{
	return FIND(i, headings, COUNT_OF(headings), span_is(t, headings[i].key));
}

static enum match probe(const struct csv_row *row)
{
	size_t n = SUM(size_t, i, row->n, heading_of(row->cell[i]) != NULL);

	return csv_column(row, "stage") != SIZE_MAX && n >= 2 ? MATCH_STRONG : MATCH_NO;
}

struct stages {
	struct reading *in;
	struct sheet *sheet;
	const struct field *of[COLUMNS_MAX];
	size_t n;
};

static void take_figures(struct stages *s, const struct csv_row *row)
{
	struct table *t = &s->sheet->table;
	double v;

	if (!record_row(s->sheet))
		return;
	reading_artifact(s->in)->rows++;
	for (size_t i = 0; i < row->n && i < s->n; i++) {
		if (!s->of[i] || row->cell[i].n == 0)
			continue;
		if (t->col[s->of[i]->col].type == CELL_TEXT)
			table_text(t, s->of[i]->col, record_text(s->in->record, row->cell[i]));
		else if (real_of(row->cell[i], &v))
			jsondoc_cell(t, s->of[i]->col, v, s->of[i]->measure);
	}
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct stages *s = ctx;

	if (s->n == 0)
		for (; s->n < row->n && s->n < COLUMNS_MAX; s->n++)
			s->of[s->n] = heading_of(row->cell[s->n]);
	else if (!ALL(i, MIN(row->n, s->n), s->of[i] && heading_of(row->cell[i]) == s->of[i]))
		take_figures(s, row);
	return TOOK;
}

static void begin(void *state, const void *form UNUSED)
{
	struct stages *s = state;

	s->sheet = record_sheet(s->in->record, s->in->artifact, SHEET_STAGES);
}

const struct artifact artifact_stage_csv = {
	.name = "stage_csv",
	.title = "table of stages (CSV)",
	.summary = "summary.csv: wall time, memory, tokens by stage",
	.heading = probe,
	TAKES_ROWS(struct stages, take_row),
	.begin = begin,
};
