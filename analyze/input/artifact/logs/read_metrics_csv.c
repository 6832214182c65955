/* Metrics as CSV with a column of steps: one series a numeric column. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"
#include "base/base.h"
#include "base/plural.h"

static int rank_of(struct span name)
{
	return span_is(name, "Step") ? 1 : steps_key_rank(name);
}

static size_t step_column(const struct csv_row *row)
{
	size_t best = SIZE_MAX;
	int rank = 0;

	for (size_t i = 0; i < row->n; i++)
		if (rank_of(row->cell[i]) > rank) {
			rank = rank_of(row->cell[i]);
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
	size_t key, value; /* of a long table, a figure a row; n: it is none */
	struct span name[CSV_CELLS], group[CSV_CELLS];
	struct series *series[CSV_CELLS];
};

/* "loss,1,2.1": the name stands in the row. */
static void take_long(
	struct reading *in, const struct columns *c, const struct csv_row *row, double x)
{
	struct series *s = record_series(in->record, in->artifact, row->cell[c->key], SPAN(""));
	double v;

	if (!s)
		return;
	s->axis = AXIS_STEP;
	if (s->n == 0)
		s->measure = measure_of_key(s->name);
	if (real_of(row->cell[c->value], &v))
		series_add(s, x, v);
	else
		series_add_missing(s);
}

/* "base - train/loss" of W&B's panels is of a run; its least and most are none of the figure. */
static void name_column(struct reading *in, struct columns *c, size_t i, struct span cell)
{
	const char *dash = memmem(cell.p, cell.n, " - ", 3);

	c->group[i] = SPAN("");
	if (span_ends(cell, "__MIN") || span_ends(cell, "__MAX"))
		cell.n = 0;
	else if (dash) {
		c->group[i] =
			record_text(in->record, (struct span){ cell.p, (size_t)(dash - cell.p) });
		cell = (struct span){ dash + 3, cell.n - (size_t)(dash + 3 - cell.p) };
	}
	c->name[i] = record_text(in->record, cell);
}

static void take_row(
	struct reading *in, struct columns *c, const struct csv_row *row, int64_t number)
{
	double x = (double)number, v;

	if (c->epoch < row->n && real_of(row->cell[c->epoch], &v))
		c->place.epoch = v;
	if (c->step < row->n && real_of(row->cell[c->step], &v))
		x = log_place_step(&c->place, v, 0);
	if (c->key < row->n && c->value < row->n) {
		take_long(in, c, row, x);
		return;
	}
	for (size_t i = 0; i < row->n && i < c->n; i++) {
		if (c->name[i].n == 0)
			continue;
		bool is_number = real_of(row->cell[i], &v);

		if (!is_number && !c->series[i])
			continue;
		if (!c->series[i])
			c->series[i] =
				record_series(in->record, in->artifact, c->name[i], c->group[i]);
		if (!c->series[i])
			continue;
		if (c->series[i]->n == 0)
			c->series[i]->measure = measure_of_key(c->name[i]);
		c->series[i]->axis = AXIS_STEP;
		if (is_number)
			series_add(c->series[i], x, v);
		else
			series_add_missing(c->series[i]);
	}
}

/* pandas writes NaN where a row says nothing: more of them than values, and values behind them. */
static void settle_absent(struct series *s)
{
	if (!s || s->nan <= s->n || s->n == 0 || s->last.x <= s->first_nan_x)
		return;
	s->missing += s->nan;
	s->nan = 0;
}

static enum status read_metrics(struct reading *in, struct err *e)
{
	struct columns *c = arena_alloc(&in->mem, sizeof(*c));
	struct csv csv;
	int64_t rows = 0, torn = 0;

	csv_open(&csv, in);
	if (csv_next(&csv)) {
		c->step = step_column(&csv.row);
		c->key = c->value = csv.row.n;
		for (c->n = 0; c->n < csv.row.n; c->n++) {
			struct span cell = csv.row.cell[c->n];

			if (span_in_nocase(cell, "metric.name|metric|metric_name|key|tag"))
				c->key = c->n;
			if (span_is_nocase(cell, "value"))
				c->value = c->n;
			name_column(in, c, c->n, cell);
		}
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
	for (size_t i = 0; i < c->n; i++)
		settle_absent(c->series[i]);
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
