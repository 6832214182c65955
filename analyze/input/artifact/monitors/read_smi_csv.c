/* nvidia-smi --query-gpu ... --format=csv: one row a GPU and tick.  Units in the heading or the
 * cells or nowhere, no heading, headings repeated, GPUs interleaved without index, missing values
 * in brackets. */
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

/* Columns that are no figures. */
enum role { TIME, INDEX, UUID, BUS, NAME, ROLES };

struct smi {
	struct smi_rows rows;
	struct span name[COLUMNS_MAX]; /* without unit; "" of a column that is no figure */
	enum measure measure[COLUMNS_MAX];
	size_t n;
	size_t at[ROLES];  /* columns, or COLUMNS_MAX */
	double tick, last; /* time of the newest row; of day */
	double apart;      /* rows of one tick are closer, in seconds */
	int64_t in_tick;   /* GPUs of the tick so far */
};

static bool is_heading(const struct csv_row *row)
{
	return ANY(i, row->n,
		span_starts_in(row->cell[i], "utilization.|memory.|temperature.|power.|clocks."));
}

/* 2025/11/30 12:00:00.123, NVIDIA A100, 87%, ... */
static bool is_bare_row(const struct csv_row *row)
{
	double t;

	return row->n == COUNT_OF(usual) && smi_time(row->cell[0], &(double){ NAN }, &t) &&
		memchr(row->cell[0].p, '/', row->cell[0].n);
}

static enum match probe(const struct csv_row *row)
{
	return row->n > 1 && (is_heading(row) || is_bare_row(row)) ? MATCH_STRONG : MATCH_NO;
}

static void take_heading(struct smi *s, const struct span *cell, size_t n)
{
	static const char *const words[ROLES] = { "timestamp", "index", "uuid|gpu_uuid",
		"pci.bus_id|gpu_bus_id", "name|gpu_name" };

	FILL(s->at, ROLES, COLUMNS_MAX);
	s->n = MIN(n, COLUMNS_MAX);
	for (size_t i = 0; i < s->n; i++) {
		struct span t, unit;

		/* "memory.used [MiB]" */
		(void)span_bracketed(cell[i], '[', &t, &unit);
		size_t role = FIRST(k, ROLES, span_in(t, words[k]));
		if (role < ROLES)
			s->at[role] = i;
		s->measure[i] = span_in(t, "temperature.gpu|temperature.memory")
			? MEASURE_CELSIUS
			: measure_of_unit(unit);
		s->name[i] = role < ROLES ? SPAN("") : record_text(s->rows.in->record, t);
	}
}

/* The row's cell in that role; empty: it has none. */
static struct span cell_of(const struct smi *s, const struct csv_row *row, enum role role)
{
	return s->at[role] < row->n ? row->cell[s->at[role]] : SPAN("");
}

/* The row's GPU: its index, else uuid or bus, else its place within the tick, written to text. */
static struct span gpu_of(struct smi *s, const struct csv_row *row, double time, char text[24])
{
	enum role by = s->at[INDEX] < s->n ? INDEX : s->at[UUID] < s->n ? UUID : BUS;

	if (s->rows.rows == 0 || time - s->tick >= s->apart || time < s->tick)
		s->in_tick = 0;
	s->tick = time;
	(void)snprintf(text, 24, "%" PRId64, MIN(s->in_tick, SMI_ROWS_GPUS - 1));
	s->in_tick++;
	return s->at[by] < row->n ? cell_of(s, row, by) : span_of(text);
}

/* "30123 MiB", "[N/A]"; "0x0000000000000004": bits. */
static void take_cell(struct smi *s, size_t i, struct span cell)
{
	enum measure m = s->measure[i];
	uint64_t bits;
	double v = NAN;

	if (span_starts_in(cell, "0x|0X") && num_u64(cell, &bits))
		v = (double)bits;
	else if (cell.n && cell.p[0] != '[' && !smi_cell(cell, &v, &m))
		return;
	smi_rows_put(&s->rows, s->name[i], m, v);
}

static enum took take_figures(struct smi *s, const struct csv_row *row)
{
	bool has_time = s->at[TIME] < row->n;
	double time = NAN, x = (double)s->rows.rows;
	char text[24];

	if (has_time && !smi_time(cell_of(s, row, TIME), &s->last, &time))
		return TOOK_ALIEN;
	if (!smi_rows_begin(&s->rows, gpu_of(s, row, has_time ? time : x, text), time))
		return TOOK;
	if (!has_time)
		s->rows.x = x;
	smi_rows_describe(&s->rows, cell_of(s, row, NAME), cell_of(s, row, UUID));
	for (size_t i = 0; i < s->n; i++)
		if (s->name[i].n)
			take_cell(s, i, row->cell[i]);
	return TOOK;
}

static void say_gpus(void *state)
{
	const struct smi *s = state;
	size_t n = s->rows.ngpu;

	if (n > 1 && s->at[INDEX] >= s->n && s->at[UUID] >= s->n && s->at[BUS] >= s->n)
		reading_note(s->rows.in, NOTE_INFO, "gpus_by_order", (int64_t)n, -1,
			"no index or uuid: GPUs are told apart by the order of rows of one time");
}

ORDER(by_size, double, compare3(*a, *b))

/* How far apart ticks are: rows of one tick differ by some milliseconds, and where no gap of the
 * first rows is much longer than another, each row is a tick. */
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

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct smi *s = ctx;

	if (is_heading(row)) {
		take_heading(s, row->cell, row->n);
		return TOOK;
	}
	if (isnan(s->apart))
		s->apart = apart_of(s->rows.in->head, s->at[TIME]);
	return row->n == s->n ? take_figures(s, row) : TOOK_ALIEN;
}

static void begin(void *state, const void *form UNUSED)
{
	struct smi *s = state;
	struct span columns[COUNT_OF(usual)];

	s->last = s->apart = NAN;
	for (size_t i = 0; i < COUNT_OF(usual); i++)
		columns[i] = span_of(usual[i]);
	take_heading(s, columns, COUNT_OF(usual));
}

const struct artifact artifact_smi_csv = {
	.name = "smi_csv",
	.title = "samples of nvidia-smi (CSV)",
	.summary = "nvidia-smi --query-gpu with --format=csv, in every variant",
	.is_log = true,
	.heading = probe,
	TAKES_ROWS(struct smi, take_row),
	.begin = begin,
	.end = say_gpus,
	.alien = SMI_ALIEN,
	.none = SMI_NONE,
};
