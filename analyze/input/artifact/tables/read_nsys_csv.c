/*
 * nsys stats --format csv: tables of sums, one or many in a file, between lines that say what nsys
 * does.  Kernels and memory operations are device work, calls of CUDA and of the system host work,
 * ranges of NVTX stages.  Headings of old versions have no units behind "Average".
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/tables/kernel_rows.h"
#include "analyze/input/artifact/tables/ncu_metric.h"
#include "base/ascii.h"
#include "base/base.h"

enum { HEADING_LEAST = 3 };

enum what { WHAT_UNKNOWN, WHAT_KERNELS, WHAT_MEMORY, WHAT_CALLS, WHAT_RANGES };

#define NONE SIZE_MAX

/* Columns of the newest heading. */
struct sums {
	enum what what;
	size_t n, name, category, calls, total, average, median, min, max, std;
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

/* False: it is no heading of a table of sums. */
static bool is_heading(const struct csv_row *row, struct sums *s)
{
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

	if (!span_has(line, "Total Time"))
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
	op_rows_add(&g->host, at, OPS_CALLS, number(row, g->is.calls), MEASURE_COUNT);
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
	if (g->has_device)
		kernel_rows_close(&g->device);
	if (g->has_host)
		op_rows_close(&g->host);
	str_free(&g->unquote);
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
