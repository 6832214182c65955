/* Metrics as CSV with a column of steps: one series a numeric column. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"
#include "base/base.h"
#include "base/plural.h"

static size_t step_column(const struct csv_row *row)
{
	size_t best = SIZE_MAX;
	int rank = 0;

	for (size_t i = 0; i < row->n; i++)
		if (steps_key_rank(row->cell[i]) > rank) {
			rank = steps_key_rank(row->cell[i]);
			best = i;
		}
	for (size_t i = 0; i < row->n && best == SIZE_MAX; i++)
		if (span_is_nocase(row->cell[i], "epoch"))
			best = i;
	return best;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	struct csv_row row;
	size_t numbers = 0;
	double v;

	if (!csv_head(h, &row))
		return MATCH_NO;
	size_t n = row.n;
	if (n < 2 || step_column(&row) == SIZE_MAX || real_of(row.cell[0], &v))
		return MATCH_NO;
	while (span_line(&text, &line) && line.p != h->line.p)
		;
	if (!span_line(&text, &line))
		return MATCH_WEAK;
	csv_split(line, ',', &row, NULL);
	for (size_t i = 0; i < row.n; i++)
		numbers += real_of(row.cell[i], &v);
	return row.n == n && numbers >= 2 ? MATCH_FAIR : MATCH_NO;
}

struct columns {
	size_t n, step, epoch; /* epoch: n where there is none */
	struct log_place place;
	struct span name[CSV_CELLS];
	struct series *series[CSV_CELLS];
};

static void take_row(
	struct reading *in, struct columns *c, const struct csv_row *row, int64_t number)
{
	double x = (double)number, v;

	if (c->epoch < row->n && real_of(row->cell[c->epoch], &v))
		c->place.epoch = v;
	if (c->step < row->n && real_of(row->cell[c->step], &v))
		x = log_place_step(&c->place, v, 0);
	for (size_t i = 0; i < row->n && i < c->n; i++) {
		bool is_number = real_of(row->cell[i], &v);

		if (!is_number && !c->series[i])
			continue;
		if (!c->series[i])
			c->series[i] =
				record_series(in->record, in->artifact, c->name[i], SPAN(""));
		if (!c->series[i])
			continue;
		c->series[i]->axis = AXIS_STEP;
		if (is_number)
			series_add(c->series[i], x, v);
		else
			series_add_missing(c->series[i]);
	}
}

static enum status read_metrics(struct reading *in, struct err *e)
{
	struct columns *c = arena_alloc(&in->mem, sizeof(*c));
	struct csv csv;
	int64_t rows = 0, torn = 0;

	csv_open(&csv, in);
	if (csv_next(&csv)) {
		c->step = step_column(&csv.row);
		for (c->n = 0; c->n < csv.row.n; c->n++)
			c->name[c->n] = record_text(in->record, csv.row.cell[c->n]);
		for (c->epoch = 0; c->epoch < c->n; c->epoch++)
			if (c->epoch != c->step && log_word_is_epoch(c->name[c->epoch]))
				break;
	}
	while (csv_next(&csv)) {
		if (csv.row.n != c->n) {
			torn++;
			continue;
		}
		if (span_eq(csv.row.cell[c->step < c->n ? c->step : 0],
			    c->name[c->step < c->n ? c->step : 0]))
			continue;
		take_row(in, c, &csv.row, rows++);
	}
	reading_artifact(in)->rows = rows;
	if (torn)
		reading_note(in, NOTE_WARNING, "alien_lines", torn, csv.offset,
			"%" PRId64 " row%s another number of cells than the heading; passed over",
			torn, plural(torn, " has", "s have"));
	enum status st = csv_end(&csv, e);
	return st;
}

const struct artifact artifact_metrics_csv = {
	.name = "metrics_csv",
	.title = "metrics by step (CSV)",
	.summary = "a heading with a step or an epoch, then numbers",
	.probe = probe,
	.read = read_metrics,
};
