/* nsys stats --format csv: tables of sums and of launches, one or many in a file, between lines
 * that say what nsys does; the same as it prints them, in any text.  Kernels and memory operations
 * are device work, calls of CUDA and of the system host work, ranges of NVTX stages.  Headings of
 * old versions have no units behind "Average". */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/tables/kernel_rows.h"
#include "analyze/input/artifact/tables/ncu_metric.h"
#include "analyze/input/artifact/tables/nsys_tables.h"
#include "base/base.h"

enum { HEADING_LEAST = 3, PRINTED_BYTES = 1024 };

enum what { WHAT_UNKNOWN, WHAT_LAUNCHES, WHAT_KERNELS, WHAT_MEMORY, WHAT_CALLS, WHAT_RANGES };

#define NONE SIZE_MAX

/* Columns of the newest heading. */
struct sums {
	enum what what;
	size_t n, name, category, grid, block, calls, total, average, median, min, max, std;
	enum measure measure; /* of all times */
};

struct nsys {
	struct reading *in;
	struct sums is;
	struct kernel_rows device;
	struct op_rows host;
	struct sheet *ranges;
	bool has_device, has_host;
	int64_t rows, unused;
	struct untaken untaken; /* aliens: a last line that is torn */
	struct str unquote;
	struct csv_row row;
};

/* "Total Time (ns)" is "Total Time".  names: with bars between. */
static size_t column(const struct csv_row *row, const char *names)
{
	return FIND_VALUE(i, row->n,
		span_in_nocase(span_trim(span_before(row->cell[i], '(')), names), i, NONE);
}

/* The unit in brackets; MEASURE_NONE: there is none that is known. */
static enum measure measure_of(struct span heading)
{
	static const struct meaning words[] = { { span_in, "nsec", MEASURE_NS },
		{ span_in, "usec", MEASURE_US }, { span_in, "msec", MEASURE_MS } };
	struct span name, unit;

	(void)span_bracketed(heading, '(', &name, &unit);
	return (enum measure)MEANING_OF(unit, words, (int)measure_of_unit(unit));
}

static enum what what_of(const struct csv_row *row, const struct sums *s)
{
	if (s->name == NONE || s->calls == NONE)
		return WHAT_UNKNOWN;
	if (span_is(row->cell[s->name], "Range"))
		return WHAT_RANGES;
	if (span_is(row->cell[s->calls], "Num Calls"))
		return WHAT_CALLS;
	if (span_is(row->cell[s->name], "Operation"))
		return WHAT_MEMORY; /* with a category, row by row */
	return span_is(row->cell[s->calls], "Instances") ? WHAT_KERNELS : WHAT_UNKNOWN;
}

/* "Start (ns)", "Duration (ns)", "GrdX": a row each launch, copy or set; "Result": each call. */
static bool is_trace(const struct csv_row *row, struct sums *s)
{
	*s = (struct sums){ .what = WHAT_LAUNCHES,
		.n = row->n,
		.name = column(row, "Name"),
		.category = NONE,
		.grid = column(row, "GrdX"),
		.block = column(row, "BlkX"),
		.calls = NONE,
		.total = column(row, "Duration") };
	if (s->grid == NONE)
		s->what = WHAT_CALLS;
	if (column(row, "Start") != 0 || s->name == NONE || s->total == NONE ||
		(s->grid == NONE && column(row, "Result") == NONE))
		return false;
	s->measure = measure_of(row->cell[s->total]);
	return true;
}

/* False: it is no heading of a table of sums or of launches. */
static bool is_heading(const struct csv_row *row, struct sums *s)
{
	if (row->n >= HEADING_LEAST && is_trace(row, s))
		return true;
	if (row->n < HEADING_LEAST || column(row, "Time") != 0 || !span_has(row->cell[0], "(%)"))
		return false;
	*s = (struct sums){ .n = row->n,
		.name = column(row, "Range|Name|Operation"),
		.category = column(row, "Category"),
		.calls = column(row, "Instances|Num Calls|Count|Operations"),
		.total = column(row, "Total Time"),
		.average = column(row, "Avg|Average"),
		.median = column(row, "Med|Median"),
		.min = column(row, "Min|Minimum"),
		.max = column(row, "Max|Maximum"),
		.std = column(row, "StdDev") };
	if (s->total == NONE)
		return false;
	s->measure = measure_of(row->cell[s->total]);
	s->what = what_of(row, s);
	return true;
}

static bool is_heading_line(struct span line)
{
	struct csv_row row;
	struct sums s;

	if (!span_has(line, "Total Time") && !span_starts(line, "Start ("))
		return false;
	csv_split(line, ',', &row, NULL);
	return is_heading(&row, &s);
}

/* ---- rows ---- */

static double number(const struct csv_row *row, size_t col)
{
	static const struct ncu_numbers usual = { false };
	double v;

	return col < row->n && ncu_number(&usual, row->cell[col], &v) ? v : NAN;
}

static double ns(const struct nsys *g, const struct csv_row *row, size_t col)
{
	return measure_base(g->is.measure, number(row, col));
}

enum { SIZE_TEXT = 64 };

/* "128,1,1" of three columns; empty: one says nothing. */
static struct span size_of(const struct csv_row *row, size_t col, char text[SIZE_TEXT])
{
	if (col == NONE || col + 2 >= row->n || !row->cell[col].n)
		return SPAN("");
	(void)snprintf(text, SIZE_TEXT, "%.0f,%.0f,%.0f", number(row, col), number(row, col + 1),
		number(row, col + 2));
	return span_of(text);
}

static void put_launch(struct nsys *g, const struct csv_row *row)
{
	struct kernel_launch l = kernel_launch_new();
	struct span name = row->cell[g->is.name];
	char grid[SIZE_TEXT], block[SIZE_TEXT];

	if (!g->has_device)
		kernel_rows_open(&g->device, g->in);
	g->has_device = true;
	l.v[KERNEL_NS] = ns(g, row, g->is.total);
	l.grid = size_of(row, g->is.grid, grid);
	l.block = size_of(row, g->is.block, block);
	if (l.grid.n)
		kernel_rows_launch(&g->device, name, &l);
	else
		kernel_rows_other(&g->device, name, 1, l.v[KERNEL_NS]);
}

static void put_device(struct nsys *g, const struct csv_row *row, bool is_kernel)
{
	struct span name = row->cell[g->is.name];
	struct kernel_sum s = { .calls = number(row, g->is.calls),
		.total = ns(g, row, g->is.total),
		.median = ns(g, row, g->is.median),
		.min = ns(g, row, g->is.min),
		.max = ns(g, row, g->is.max),
		.std = ns(g, row, g->is.std) };

	if (!g->has_device)
		kernel_rows_open(&g->device, g->in);
	g->has_device = true;
	if (is_kernel)
		kernel_rows_sum(&g->device, name, &s);
	else
		kernel_rows_other(&g->device, name, s.calls, s.total);
}

static void put_host(struct nsys *g, const struct csv_row *row)
{
	if (!g->has_host)
		op_rows_open(&g->host, g->in);
	g->has_host = true;
	size_t at = op_rows_row(&g->host, NULL, row->cell[g->is.name]);
	op_rows_add(&g->host, at, OPS_CALLS, g->is.calls == NONE ? 1 : number(row, g->is.calls),
		MEASURE_COUNT);
	op_rows_add(&g->host, at, OPS_SELF_CPU, ns(g, row, g->is.total), MEASURE_NS);
	op_rows_add(&g->host, at, OPS_CPU, ns(g, row, g->is.total), MEASURE_NS);
}

static void put_range(struct nsys *g, const struct csv_row *row)
{
	double calls = number(row, g->is.calls);

	if (!g->ranges)
		g->ranges = record_sheet(g->in->record, g->in->artifact, SHEET_STAGES);
	if (!record_row(g->ranges))
		return;
	struct table *t = &g->ranges->table;
	table_text(t, STAGES_NAME, record_text(g->in->record, row->cell[g->is.name]));
	if (calls >= 0 && calls < 9e15)
		table_int(t, STAGES_CALLS, saturate_whole(calls));
	table_real(t, STAGES_TOTAL, ns(g, row, g->is.total));
	table_real(t, STAGES_MEAN, ns(g, row, g->is.average));
	table_real(t, STAGES_MIN, ns(g, row, g->is.min));
	table_real(t, STAGES_MAX, ns(g, row, g->is.max));
}

static void put_row(struct nsys *g, const struct csv_row *row)
{
	bool is_kernel = g->is.what == WHAT_KERNELS ||
		(g->is.category < row->n && span_has(row->cell[g->is.category], "KERNEL"));

	g->rows++;
	switch (g->is.what) {
	case WHAT_LAUNCHES: put_launch(g, row); break;
	case WHAT_KERNELS:
	case WHAT_MEMORY: put_device(g, row, is_kernel); break;
	case WHAT_CALLS: put_host(g, row); break;
	case WHAT_RANGES: put_range(g, row); break;
	case WHAT_UNKNOWN: g->unused++; break;
	}
}

/* A number in front, as all rows have, and a number of calls. */
static bool take_row(struct nsys *g, struct csv_row *row)
{
	if (g->is.n == 0 || row->n < g->is.n || isnan(number(row, 0)))
		return false;
	if (row->n > g->is.n && !csv_mend(row, g->is.n, g->is.n - 1))
		return false;
	if (isnan(number(row, g->is.total)) ||
		(g->is.calls != NONE && isnan(number(row, g->is.calls))))
		return false;
	if (g->is.measure == MEASURE_NONE)
		g->unused++;
	else
		put_row(g, row);
	return true;
}

static enum took take_line(void *ctx, struct span line, const struct lines *lines)
{
	struct nsys *g = ctx;
	struct csv_row *row = &g->row;
	struct sums s;

	line = span_trim(line);
	if (line.n == 0)
		return TOOK;
	csv_split(line, ',', row, &g->unquote);
	if (is_heading(row, &s)) {
		g->is = s;
		return TOOK;
	}
	if (take_row(g, row))
		return TOOK;
	if (g->is.n > 0 && lines->is_torn && is_digit(line.p[0]))
		return TOOK_ALIEN;
	if (!is_digit(line.p[0]) && row->n >= HEADING_LEAST)
		g->is.n = 0; /* another kind of table begins */
	return TOOK_OTHER;
}

/* ---- tables as they are printed ---- */

struct nsys_tables {
	struct nsys g;
	char heading[PRINTED_BYTES];
	size_t n; /* of the heading; 0: there is none */
	bool is_inside;
	size_t from[CSV_CELLS], to[CSV_CELLS];
	size_t ncolumn;
};

bool nsys_is_printed(struct span line)
{
	struct span t = span_trim(line);

	return (span_starts(t, "Time (%)  ") && span_has(t, "Total Time (")) ||
		(span_starts(t, "Start (") && span_has(t, "  Duration (") &&
			(span_has(t, " GrdX ") || span_has(t, " Result ")));
}

struct nsys_tables *nsys_tables_open(struct reading *in)
{
	struct nsys_tables *t = arena_alloc(&in->mem, sizeof(*t));

	t->g.in = in;
	return t;
}

/* Runs of dashes with blanks between tell the columns; false: they are none. */
static bool is_dashes(struct nsys_tables *t, struct span line)
{
	t->ncolumn = 0;
	for (size_t i = 0; i < line.n;) {
		size_t from = FIRST_FROM(k, i, line.n, line.p[k] != ' ');

		i = FIRST_FROM(k, from, line.n, line.p[k] != '-');
		if (from < line.n && (i == from || t->ncolumn == CSV_CELLS))
			return false;
		if (i > from) {
			t->from[t->ncolumn] = from;
			t->to[t->ncolumn++] = i;
		}
	}
	return t->ncolumn >= HEADING_LEAST;
}

/* The last column goes on to the line's end. */
static void split(const struct nsys_tables *t, struct span line, struct csv_row *row)
{
	row->n = t->ncolumn;
	for (size_t i = 0; i < t->ncolumn; i++) {
		size_t from = MIN(t->from[i], line.n);
		size_t to = i + 1 == t->ncolumn ? line.n : MIN(t->to[i], line.n);

		row->cell[i] = span_trim((struct span){ line.p + from, to - from });
	}
}

bool nsys_tables_line(struct nsys_tables *t, struct span line)
{
	struct csv_row *row = &t->g.row;

	if (nsys_is_printed(line) && line.n < sizeof(t->heading)) {
		memcpy(t->heading, line.p, line.n);
		t->n = line.n;
		t->is_inside = false;
		return true;
	}
	if (t->n) {
		bool is = is_dashes(t, line);

		split(t, (struct span){ t->heading, t->n }, row);
		t->is_inside = is && is_heading(row, &t->g.is);
		t->n = 0;
		return t->is_inside;
	}
	if (!t->is_inside)
		return false;
	split(t, line, row);
	t->is_inside = span_trim(line).n > 0 && take_row(&t->g, row);
	return t->is_inside;
}

bool nsys_tables_inside(const struct nsys_tables *t)
{
	return t->n > 0 || t->is_inside;
}

static void close_rows(struct nsys *g)
{
	if (g->has_device)
		kernel_rows_close(&g->device);
	if (g->has_host)
		op_rows_close(&g->host);
	str_free(&g->unquote);
}

int64_t nsys_tables_close(struct nsys_tables *t)
{
	close_rows(&t->g);
	return t->g.rows;
}

/* ---- CSV ---- */

static void say(struct nsys *g)
{
	if (g->untaken.alien.n)
		reading_torn(g->in, g->untaken.alien.at);
	reading_passed(g->in, NOTE_INFO, "other_lines", &g->untaken.other,
		"line{|s} of nsys or of other tables, not read");
	reading_passed(g->in, NOTE_WARNING, "unknown_unit", &(struct passed){ g->unused, -1 },
		"row{|s} of tables whose columns or unit of time are not known, not used");
}

static enum status read_nsys(struct reading *in, struct err *e)
{
	struct nsys *g = arena_alloc(&in->mem, sizeof(*g));

	g->in = in;
	enum status st = reading_lines(in, take_line, g, &g->untaken, e);
	close_rows(g);
	reading_artifact(in)->rows = g->rows;
	say(g);
	if (st == OK && g->rows - g->unused <= 0)
		return err_set(e, E_NODATA, 0, "no row in it that is known: a heading only");
	return st;
}

const struct artifact artifact_nsys_csv = {
	.name = "nsys_csv",
	.title = "sums of Nsight Systems (CSV)",
	.summary =
		"nsys stats --format csv: kernels, memory operations, calls of CUDA, NVTX ranges",
	.line = is_heading_line,
	.lines = 400,
	.read = read_nsys,
};
