/* Metrics as CSV, mostly with a column of steps: one series a numeric column. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

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

/* A word or two, and no line of a text with a comma in it. */
static bool is_name(struct span cell)
{
	return cell.n > 0 && is_letter(cell.p[0]) &&
		ALL(i, cell.n,
			is_letter(cell.p[i]) || is_digit(cell.p[i]) ||
				strchr("_ ./()%-", cell.p[i]));
}

/* A table that traceq itself wrote: what it answered is no input of the next answer. */
static bool is_answer(const struct csv_row *row)
{
	return ANY(i, row->n, span_ends(row->cell[i], "_ns")) &&
		ANY(i, row->n, span_ends(row->cell[i], "_ratio"));
}

/* How many columns of a table of figures whose rows say no step have to be numbers, by how many are
 * called as quantities are and whether the first says when; 0: it is none, or rows are runs. */
static size_t least_of_rows(const struct csv_row *row)
{
	size_t named = SUM(size_t, i, row->n, log_word_is_quantity(row->cell[i]));
	bool is_dated = span_in_nocase(row->cell[0], "date|day|time|timestamp|datetime");

	if (is_answer(row) || !ALL(i, row->n, is_name(row->cell[i])))
		return 0;
	bool is_history = ANY(i, row->n, span_in_nocase(row->cell[i], "commit|sha|revision|git"));
	return named > 1 ? 2 : (named || is_dated) && !is_history;
}

static struct span heading_of(const struct head *h)
{
	struct span text = h->text, line;

	if (!csv_is_sep(h->line))
		return h->line;
	while (span_line(&text, &line))
		if (line.n && !csv_is_sep(line))
			return line;
	return h->line;
}

/* Of "2,51" the comma may be one of decimals only where it separates no cells. */
static bool is_number(struct span cell, char separator)
{
	double v;

	return real_of(cell, &v) ||
		(separator == ';' && cell.n && log_begins_number(cell.p, cell.p + cell.n) &&
			ALL(i, cell.n, is_digit(cell.p[i]) || strchr("+-.,eE", cell.p[i])));
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	struct csv_row row;
	double v;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	struct span heading = heading_of(h);
	char separator = csv_separator(heading);
	csv_split(heading, separator, &row, NULL);
	size_t n = row.n;
	bool has_step = step_column(&row) != SIZE_MAX;
	size_t least = has_step ? 2 : n < 2 ? 0 : least_of_rows(&row);
	if (separator == ';' && !has_step && !ANY(i, n, log_word_is_quantity(row.cell[i])))
		least = 0; /* prices by day, as spreadsheets have them */
	if (n < 2 || least == 0 || real_of(row.cell[0], &v))
		return MATCH_NO;
	text = span_between(heading.p + heading.n, text.p + text.n);
	(void)span_line(&text, &line); /* the end of that */
	if (!span_line(&text, &line))
		return has_step ? MATCH_WEAK : MATCH_NO;
	csv_split(line, separator, &row, NULL);
	return row.n != n || SUM(size_t, i, n, is_number(row.cell[i], separator)) < least ? MATCH_NO
		: has_step ? MATCH_FAIR
			   : MATCH_WEAK;
}

enum { CELL_BYTES = 48 };

struct columns {
	struct reading *in;
	int64_t rows;
	size_t n, step, epoch; /* epoch: n where there is none */
	struct log_place place;
	size_t key, value, run; /* of a long table, a figure a row; n: it is none */
	struct span first;      /* run, whose figures are of no group */
	bool is_comma;          /* decimals stand behind commas */
	char cell[CELL_BYTES + REAL_PADDING];
	struct span name[CSV_CELLS], group[CSV_CELLS];
	struct series *series[CSV_CELLS];
};

/* By the cells that can be read in one way alone, of what is read at the beginning. */
static bool has_commas(const struct head *h)
{
	struct span text = h->text, line;
	size_t commas = 0, points = 0, either = 0;
	struct csv_row row;

	if (csv_separator(heading_of(h)) != ';')
		return false;
	while (span_line(&text, &line)) {
		csv_split(line, ';', &row, NULL);
		for (EACH(const struct span, cell, row.cell, row.n)) {
			enum log_mark mark =
				is_number(*cell, ';') ? log_value_mark(*cell) : MARK_NONE;
			const char *comma = cell->n ? memrchr(cell->p, ',', cell->n) : NULL;
			bool is_last = comma && memchr(cell->p, '.', (size_t)(comma - cell->p));

			commas += mark == MARK_COMMA || is_last;
			points += mark == MARK_POINT && !is_last;
			either += mark == MARK_EITHER_COMMA;
		}
	}
	return commas > points || (commas + points == 0 && either > 0);
}

/* "1.234,5" as "1234.5", where decimals stand behind commas. */
static struct span plain(struct columns *c, struct span cell)
{
	size_t n = 0;

	if (!c->is_comma || cell.n > CELL_BYTES || !log_begins_number(cell.p, cell.p + cell.n))
		return cell;
	for (size_t i = 0; i < cell.n; i++) {
		size_t end = FIRST_FROM(k, i + 1, cell.n, !is_digit(cell.p[k]));

		if (cell.p[i] == '.' && end - i != 4) /* "01.02.2025" */
			return cell;
		if (cell.p[i] != '.')
			c->cell[n++] = cell.p[i] == ',' ? '.' : cell.p[i];
	}
	memset(c->cell + n, 0, REAL_PADDING);
	return (struct span){ c->cell, n };
}

static void put(struct series *s, enum axis axis, struct span cell, double x)
{
	double v = NAN;
	bool is_known = log_value_of(cell, s->name, &s->measure, &v);

	s->axis = axis;
	reading_point(s, x, is_known, v);
}

/* "base - train/loss" of W&B's panels is of a run; its least and most are none of the figure. */
static void name_column(struct columns *c, size_t i, struct span cell)
{
	const char *dash = memmem(cell.p, cell.n, " - ", 3);
	struct span group = SPAN("");

	if (span_ends(cell, "__MIN") || span_ends(cell, "__MAX")) {
		cell.n = 0;
	} else if (dash) {
		group = span_between(cell.p, dash);
		cell = span_from(cell, group.n + 3);
	}
	c->group[i] = record_text(c->in->record, group);
	c->name[i] = record_text(c->in->record, cell);
}

static size_t column(const struct csv_row *row, const char *names)
{
	return FIRST(i, row->n, span_in_nocase(row->cell[i], names));
}

static void take_heading(struct columns *c, const struct csv_row *row)
{
	c->is_comma = has_commas(c->in->head);
	c->step = step_column(row);
	c->epoch = c->n = row->n;
	c->value = column(row, "value|metric.value|metric_value");
	c->run = column(row, "run|run_id|run_name|run id|run name|experiment");
	c->key = column(row, "metric.name|metric|metric_name|key|tag|metric.key|scalar");
	if (c->key == c->n)
		c->key = column(row, "name|variable|series");
	for (size_t i = 0; i < row->n; i++) {
		struct span cell = row->cell[i];

		name_column(c, i, cell);
		if (c->epoch == c->n && i != c->step && log_word_is_epoch(c->name[i]))
			c->epoch = i;
	}
}

static void take_figures(struct columns *c, const struct csv_row *row, double x)
{
	struct reading *in = c->in;
	double v;

	for (size_t i = 0; i < c->n; i++) {
		enum measure m = MEASURE_NONE;

		if (c->name[i].n == 0 ||
			(!c->series[i] &&
				!log_value_of(plain(c, row->cell[i]), c->name[i], &m, &v)))
			continue;
		if (!c->series[i])
			c->series[i] =
				record_series(in->record, in->artifact, c->name[i], c->group[i]);
		if (c->series[i])
			put(c->series[i], c->step < c->n ? AXIS_STEP : AXIS_ROW,
				plain(c, row->cell[i]), x);
	}
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct columns *c = ctx;
	double x, v;

	if (c->n == 0)
		take_heading(c, row);
	size_t first = c->step < c->n ? c->step : 0;
	if (row->n != c->n)
		return TOOK_ALIEN;
	if (span_eq(row->cell[first], c->name[first])) /* a heading */
		return TOOK;
	x = (double)c->rows++;
	if (c->epoch < c->n && real_of(plain(c, row->cell[c->epoch]), &v))
		c->place.epoch = v;
	if (c->step < c->n && real_of(plain(c, row->cell[c->step]), &v))
		x = log_place_step(&c->place, v, 0);
	if (c->key == c->n || c->value == c->n) {
		take_figures(c, row, x);
		return TOOK;
	}
	/* "loss,1,2.1": the name stands in the row. */
	struct span run = c->run < c->n ? row->cell[c->run] : SPAN("");
	if (c->first.n == 0)
		c->first = record_text(c->in->record, run);
	put(reading_series(c->in, row->cell[c->key], span_eq(run, c->first) ? SPAN("") : run,
		    AXIS_STEP, MEASURE_NONE),
		AXIS_STEP, plain(c, row->cell[c->value]), x);
	return TOOK;
}

/* pandas writes NaN where a row says nothing: more of them than values, and values behind them. */
static void settle_absent(struct series *s)
{
	if (!s || s->nan <= s->n || s->n == 0 || s->last.x <= s->first_nan_x)
		return;
	s->missing += s->nan;
	s->nan = 0;
}

static void end(void *state)
{
	const struct columns *c = state;

	for (size_t i = 0; i < c->n; i++)
		settle_absent(c->series[i]);
	reading_artifact(c->in)->rows = c->rows;
}

const struct artifact artifact_metrics_csv = {
	.name = "metrics_csv",
	.title = "metrics by step (CSV)",
	.summary = "a heading with a step, an epoch, a date or a figure, then numbers",
	.probe = probe,
	TAKES_ROWS(struct columns, take_row),
	.end = end,
	.alien = CSV_ALIEN,
};
