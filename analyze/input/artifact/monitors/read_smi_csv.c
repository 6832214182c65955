/*
 * nvidia-smi --query-gpu ... --format=csv: one row a GPU and tick.  Units in the heading or the
 * cells or nowhere, no heading, headings repeated, GPUs interleaved without index, missing values
 * in brackets.
 */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { COLUMNS_MAX = 64, MUCH_LONGER = 4 };
static const double WITHIN_TICK_S = 0.05;

/* The columns of the documents' command, for files without heading. */
static const char *const usual[] = { "timestamp", "name", "utilization.gpu [%]",
	"utilization.memory [%]", "memory.used [MiB]", "memory.free [MiB]", "temperature.gpu" };

struct smi {
	struct reading *in;
	struct smi_rows rows;
	struct span name[COLUMNS_MAX]; /* without unit; "" when not of interest */
	enum measure measure[COLUMNS_MAX];
	size_t n;
	size_t time, index, uuid, bus, gpu_name; /* columns, or COLUMNS_MAX */
	double tick, last;                       /* time of the newest row; of day */
	double apart;                            /* rows of one tick are closer, in seconds */
	int64_t in_tick;                         /* GPUs of the tick so far */
	struct passed alien;
};

/* "memory.used [MiB]" -> name and unit. */
static struct span unit_off(struct span t, enum measure *m)
{
	const char *b = memchr(t.p, '[', t.n);

	*m = MEASURE_NONE;
	if (b && t.p[t.n - 1] == ']') {
		*m = measure_of_unit((struct span){ b + 1, (size_t)(t.p + t.n - 1 - (b + 1)) });
		t.n = (size_t)(b - t.p);
	}
	while (t.n && t.p[t.n - 1] == ' ')
		t.n--;
	return t;
}

static bool is_heading(const struct csv_row *row)
{
	size_t n = SUM(size_t, i, row->n,
		span_starts_in(row->cell[i], "utilization.|memory.|temperature.|power.|clocks."));

	return n > 0;
}

/* 2025/11/30 12:00:00.123, NVIDIA A100, 87%, ... */
static bool is_bare_row(const struct csv_row *row)
{
	double t;

	return row->n == COUNT_OF(usual) && smi_time(row->cell[0], &(double){ NAN }, &t) &&
		memchr(row->cell[0].p, '/', row->cell[0].n);
}

static enum match probe(const struct head *h)
{
	struct csv_row row;

	if (!csv_head(h, &row))
		return MATCH_NO;
	if (row.n < 2)
		return MATCH_NO;
	return is_heading(&row) || is_bare_row(&row) ? MATCH_STRONG : MATCH_NO;
}

static void take_heading(struct smi *s, const struct span *cell, size_t n)
{
	s->time = s->index = s->uuid = s->bus = s->gpu_name = COLUMNS_MAX;
	s->n = MIN(n, COLUMNS_MAX);
	for (size_t i = 0; i < s->n; i++) {
		struct span t = unit_off(cell[i], &s->measure[i]);

		if (span_is(t, "timestamp"))
			s->time = i;
		else if (span_is(t, "index"))
			s->index = i;
		else if (span_is(t, "uuid") || span_is(t, "gpu_uuid"))
			s->uuid = i;
		else if (span_is(t, "pci.bus_id") || span_is(t, "gpu_bus_id"))
			s->bus = i;
		else if (span_is(t, "name") || span_is(t, "gpu_name"))
			s->gpu_name = i;
		if (span_is(t, "temperature.gpu") || span_is(t, "temperature.memory"))
			s->measure[i] = MEASURE_CELSIUS;
		s->name[i] = record_text(s->in->record, t);
	}
}

/* The row's GPU: its index, else uuid or bus, else its place within the tick, written to text. */
static struct span gpu_of(struct smi *s, const struct csv_row *row, double time, char text[24])
{
	size_t by = s->index < s->n ? s->index : s->uuid < s->n ? s->uuid : s->bus;

	if (s->rows.rows == 0 || time - s->tick >= s->apart || time < s->tick)
		s->in_tick = 0;
	s->tick = time;
	(void)snprintf(text, 24, "%" PRId64, MIN(s->in_tick, SMI_ROWS_GPUS - 1));
	s->in_tick++;
	return by < row->n ? row->cell[by] : span_of(text);
}

static bool is_missing(struct span t)
{
	return t.n == 0 || t.p[0] == '[' || span_is(t, "N/A") || span_is(t, "ERR!");
}

/* "0x0000000000000004": bits. */
static bool is_hex(struct span t, double *v)
{
	size_t i;

	if (t.n < 3 || t.n > 18 || t.p[0] != '0' || (t.p[1] != 'x' && t.p[1] != 'X'))
		return false;
	for (*v = 0, i = 2; i < t.n; i++) {
		const char *digits = "0123456789abcdef";
		const char *at = memchr(digits, t.p[i] | 0x20, 16);

		if (!at)
			return false;
		*v = *v * 16 + (double)(at - digits);
	}
	return true;
}

/* "30123 MiB": the number, and its unit when the heading has none. */
static bool cell_number(struct span t, double *v, enum measure *m)
{
	const char *blank = memchr(t.p, ' ', t.n);
	struct span number = { t.p, blank ? (size_t)(blank - t.p) : t.n };

	if (is_hex(t, v))
		return true;
	if (!real_of(number, v))
		return false;
	if (blank && *m == MEASURE_NONE)
		*m = measure_of_unit((struct span){ blank + 1, (size_t)(t.p + t.n - blank - 1) });
	return true;
}

static void take_cell(struct smi *s, size_t i, struct span cell)
{
	enum measure m = s->measure[i];
	double v = NAN;

	if (is_missing(cell) || cell_number(cell, &v, &m))
		smi_rows_put(&s->rows, s->name[i], m, v);
}

static void take_row(struct smi *s, const struct csv_row *row)
{
	bool has_time = s->time < row->n;
	double time = NAN, x = (double)s->rows.rows;
	char text[24];

	if (has_time && !smi_time(row->cell[s->time], &s->last, &time)) {
		s->alien.n++;
		return;
	}
	if (!smi_rows_begin(&s->rows, gpu_of(s, row, has_time ? time : x, text), time))
		return;
	if (!has_time)
		s->rows.x = x;
	smi_rows_describe(&s->rows, s->gpu_name < row->n ? row->cell[s->gpu_name] : SPAN(""),
		s->uuid < row->n ? row->cell[s->uuid] : SPAN(""));
	for (size_t i = 0; i < s->n; i++)
		if (i != s->time && i != s->index && i != s->uuid && i != s->bus &&
			i != s->gpu_name)
			take_cell(s, i, row->cell[i]);
}

static void say_gpus(struct smi *s)
{
	size_t n = s->rows.ngpu;

	if (n > 1 && s->index >= s->n && s->uuid >= s->n && s->bus >= s->n)
		reading_note(s->in, NOTE_INFO, "gpus_by_order", (int64_t)n, -1,
			"no index or uuid: GPUs are told apart by the order of rows of one time");
}

ORDER(by_size, double, compare3(*a, *b))

/*
 * How far apart ticks are: rows of one tick differ by some milliseconds, and where no gap of the
 * first rows is much longer than another, each row is a tick.
 */
static double apart_of(const struct head *h, size_t column)
{
	enum { GAPS = 512 };
	struct span text = h->text, line;
	double gap[GAPS], last = NAN, before = NAN, time;
	size_t n = 0;
	struct csv_row row;

	while (n < GAPS && span_line(&text, &line)) {
		csv_split(line, ',', &row, NULL);
		if (column >= row.n || !smi_time(row.cell[column], &last, &time))
			continue;
		if (time >= before)
			gap[n++] = time - before;
		before = time;
	}
	qsort(gap, n, sizeof(*gap), by_size);
	for (size_t i = 1; i < n; i++)
		if (gap[i] > MUCH_LONGER * fmax(gap[i - 1], 1e-3) && gap[i - 1] < WITHIN_TICK_S)
			return (gap[i] + gap[i - 1]) / 2;
	return n && gap[0] > 0 ? 0 : 0.05;
}

static enum status read_smi(struct reading *in, struct err *e)
{
	struct smi *s = arena_alloc(&in->mem, sizeof(*s));
	struct span columns[COUNT_OF(usual)];
	struct csv csv;

	s->in = in;
	s->rows.in = in;
	for (size_t i = 0; i < COUNT_OF(usual); i++)
		columns[i] = span_of(usual[i]);
	take_heading(s, columns, COUNT_OF(usual));
	s->last = NAN;
	s->apart = NAN;
	csv_open(&csv, in);
	while (csv_next(&csv)) {
		if (isnan(s->apart) && !is_heading(&csv.row))
			s->apart = apart_of(in->head, s->time);
		if (is_heading(&csv.row)) {
			take_heading(s, csv.row.cell, csv.row.n);
		} else if (csv.row.n == s->n) {
			take_row(s, &csv.row);
		} else {
			passed_add(&s->alien, csv.offset);
		}
	}
	if (s->alien.n && csv.lines.is_torn && csv.row.n != s->n) {
		s->alien.n--;
		reading_torn(in, csv.offset);
	}
	reading_passed(in, NOTE_WARNING, "alien_lines", &s->alien,
		"line{ is|s are} not like the others, passed over");
	say_gpus(s);
	reading_artifact(in)->rows = s->rows.rows;
	enum status st = csv_end(&csv, e);
	if (st == OK && s->rows.rows == 0)
		return err_set(e, E_NODATA, 0, "no sample in it: a heading only");
	return st;
}

const struct artifact artifact_smi_csv = {
	.name = "smi_csv",
	.title = "samples of nvidia-smi (CSV)",
	.summary = "nvidia-smi --query-gpu with --format=csv, in every variant",
	.is_log = true,
	.probe = probe,
	.read = read_smi,
};
