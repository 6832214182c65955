/* Nsight Compute as CSV: ncu --csv with --page raw, one row a launch and one column a metric, whose
 * units are a row of their own; or with --page details, one row a metric; or with --print-summary,
 * one row a metric of all launches of a kernel and shape: how many, least, most and mean.  What ncu
 * and the program print stands in front and between. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/tables/ncu_metric.h"
#include "base/base.h"

enum { COLUMNS_KEPT = 4096 };

#define CALLS_MAX 1e15

#define NONE      SIZE_MAX

/* Columns of the newest heading. */
struct ncu_columns {
	size_t n, id, process, kernel, grid, block;
	size_t metric, unit, value;  /* of details and summaries; there the average */
	size_t calls, min, max, key; /* summaries only; key: how many columns tell the kernel */
};

struct ncu {
	struct reading *in;
	struct ncu_columns col;
	struct ncu_numbers numbers;
	struct span name[COLUMNS_KEPT];          /* raw: of each column */
	enum kernel_figure figure[COLUMNS_KEPT]; /* raw: known with the units */
	double factor[COLUMNS_KEPT];
	bool has_units;
	struct kernel_rows rows;
	struct kernel_launch launch; /* details: the one at hand */
	struct str kernel, key, grid, block, unquote;
	struct csv_row row;
	struct untaken untaken;
	int64_t uncounted, unknown, of_gpus;
	char unknown_unit[32];
	struct strings unused; /* metrics of launches that are not used */
};

static bool is_heading(const struct csv_row *row, struct ncu_columns *c)
{
	*c = (struct ncu_columns){ .n = row->n,
		.id = csv_column(row, "ID"),
		.process = csv_column(row, "Process ID"),
		.kernel = csv_column(row, "Kernel Name"),
		.grid = csv_column(row, "Grid Size"),
		.block = csv_column(row, "Block Size"),
		.metric = csv_column(row, "Metric Name"),
		.unit = csv_column(row, "Metric Unit"),
		.value = csv_column(row, "Metric Value"),
		.calls = csv_column(row, "Invocations"),
		.min = csv_column(row, "Minimum"),
		.max = csv_column(row, "Maximum"),
		.key = csv_column(row, "Section Name") };
	if (c->id != NONE)
		return c->process != NONE && c->kernel != NONE;
	c->value = csv_column(row, "Average");
	c->key = MIN(c->key, c->metric);
	return c->process != NONE && c->calls != NONE && c->metric != NONE && c->value != NONE;
}

/* A summary; one of a GPU as a whole has no column of kernels. */
static bool is_summary(const struct ncu_columns *c)
{
	return c->id == NONE;
}

static bool is_heading_line(struct span line)
{
	struct csv_row row;
	struct ncu_columns c;

	if (!span_has(line, "Kernel Name") && !span_has(line, "Invocations"))
		return false;
	csv_split(line, ',', &row, NULL);
	return is_heading(&row, &c);
}

/* "(1,024, 1, 1)" as "1024,1,1": where parts stand apart, other commas are of thousands; into b. */
static struct span shape(struct span t, struct str *b)
{
	bool is_apart = span_has(t, ", ");

	str_reset(b);
	for (size_t i = 0; i < t.n && b->n < 48; i++) {
		bool is_thousands =
			is_apart && t.p[i] == ',' && (i + 1 == t.n || t.p[i + 1] != ' ');

		if (!strchr("() ", t.p[i]) && !is_thousands)
			str_addc(b, t.p[i]);
	}
	return (struct span){ b->n ? b->s : "", b->n };
}

static struct span cell(const struct csv_row *row, size_t i)
{
	return i < row->n ? row->cell[i] : SPAN("");
}

static void take_unknown(struct ncu *g, struct span unit)
{
	size_t n = MIN(unit.n, sizeof(g->unknown_unit) - 1);

	if (g->unknown++ > 0)
		return;
	memcpy(g->unknown_unit, unit.p, n);
	g->unknown_unit[n] = '\0';
}

/* ---- raw: a column a metric ---- */

static void take_units(struct ncu *g, const struct csv_row *row)
{
	g->has_units = true;
	for (size_t i = 0; i < row->n && i < COLUMNS_KEPT; i++) {
		enum ncu_unit unit = ncu_unit_of(row->cell[i], &g->factor[i]);
		bool is_unknown;

		g->figure[i] = ncu_figure_of(g->name[i], unit, &is_unknown);
		if (is_unknown)
			take_unknown(g, row->cell[i]);
		if (g->figure[i] == KERNEL_FIGURES && span_has(g->name[i], "__"))
			(void)strings_intern(&g->unused, g->name[i]);
	}
}

/* Later columns of one figure do not take the place of earlier ones. */
static void put_value(
	struct ncu *g, struct kernel_launch *l, enum kernel_figure f, struct span t, double factor)
{
	double v;

	if (f < KERNEL_FIGURES && isnan(l->v[f]) && ncu_number(&g->numbers, t, &v))
		l->v[f] = v * factor;
}

static void take_raw(struct ncu *g, const struct csv_row *row)
{
	struct kernel_launch l = kernel_launch_new();

	for (size_t i = 0; i < row->n && i < COLUMNS_KEPT; i++)
		put_value(g, &l, g->figure[i], row->cell[i], g->factor[i]);
	l.grid = shape(cell(row, g->col.grid), &g->grid);
	l.block = shape(cell(row, g->col.block), &g->block);
	kernel_rows_launch(&g->rows, cell(row, g->col.kernel), &l);
}

/* ---- details: a row a metric ---- */

static void end_launch(struct ncu *g)
{
	if (g->key.n == 0)
		return;
	kernel_rows_launch(&g->rows, (struct span){ g->kernel.s, g->kernel.n }, &g->launch);
	str_reset(&g->key);
}

/* What tells launches, or in a summary kernels of a shape, apart. */
static void put_key(const struct ncu *g, const struct csv_row *row, struct str *key)
{
	struct span id = cell(row, g->col.id), process = cell(row, g->col.process);

	if (!is_summary(&g->col))
		str_addf(key, "%.*s %.*s", (int)id.n, id.p, (int)process.n, process.p);
	for (size_t i = 0; is_summary(&g->col) && i < g->col.key; i++) {
		str_add(key, cell(row, i).p, cell(row, i).n);
		str_addc(key, '\n');
	}
}

/* NaN: it is none. */
static double number(const struct ncu *g, const struct csv_row *row, size_t col)
{
	double v;

	return ncu_number(&g->numbers, cell(row, col), &v) ? v : NAN;
}

static bool is_count(const struct ncu *g, const struct csv_row *row)
{
	double v = number(g, row, g->col.calls);

	return v >= 1 && v <= CALLS_MAX;
}

/* How many launches, and the extremes of their times. */
static void take_summary(struct ncu *g, const struct csv_row *row, bool is_time, double factor)
{
	struct kernel_launch *l = &g->launch;

	if (is_count(g, row))
		l->calls = floor(number(g, row, g->col.calls));
	if (is_time && isnan(l->min_ns))
		l->min_ns = number(g, row, g->col.min) * factor;
	if (is_time && isnan(l->max_ns))
		l->max_ns = number(g, row, g->col.max) * factor;
}

static void begin_launch(struct ncu *g, const struct csv_row *row)
{
	struct span kernel = cell(row, g->col.kernel);
	SCOPED_STR key = { 0 };

	put_key(g, row, &key);
	if (g->key.n == key.n && memcmp(g->key.s, key.s, key.n) == 0)
		return;
	end_launch(g);
	str_add(&g->key, key.s, key.n);
	str_reset(&g->kernel);
	str_add(&g->kernel, kernel.p, kernel.n);
	g->launch = kernel_launch_new();
	g->launch.grid = shape(cell(row, g->col.grid), &g->grid);
	g->launch.block = shape(cell(row, g->col.block), &g->block);
}

static void take_detail(struct ncu *g, const struct csv_row *row)
{
	struct span name = cell(row, g->col.metric), word = cell(row, g->col.unit);
	bool is_unknown;
	double factor;

	if (g->col.kernel == NONE) {
		g->of_gpus++;
		return;
	}
	begin_launch(g, row);
	if (name.n == 0) /* a rule's advice */
		return;
	enum kernel_figure figure = ncu_figure_of(name, ncu_unit_of(word, &factor), &is_unknown);
	if (is_unknown)
		take_unknown(g, word);
	if (figure == KERNEL_FIGURES)
		(void)strings_intern(&g->unused, name);
	if (is_summary(&g->col))
		take_summary(g, row, figure == KERNEL_NS, factor);
	put_value(g, &g->launch, figure, cell(row, g->col.value), factor);
}

/* ---- lines ---- */

static bool is_details(const struct ncu *g)
{
	return g->col.metric != NONE && g->col.value != NONE;
}

static void take_row(struct ncu *g, const struct csv_row *row)
{
	if (is_summary(&g->col) && !is_count(g, row))
		g->uncounted++;
	else if (is_details(g))
		take_detail(g, row);
	else if (cell(row, g->col.id).n == 0 && cell(row, g->col.kernel).n == 0)
		take_units(g, row);
	else
		take_raw(g, row);
}

/* Whether a row may be whole: its cells are in quotes, and a cut one lacks the last. */
static bool is_whole(const struct lines *lines, struct span line)
{
	return !lines->is_torn || line.p[line.n - 1] == '"';
}

static enum took take_line(void *ctx, struct span line, const struct lines *lines)
{
	struct ncu *g = ctx;
	struct csv_row *row = &g->row;
	struct ncu_columns c;

	line = span_trim(line);
	if (line.n == 0)
		return TOOK;
	csv_split(line, ',', row, &g->unquote);
	if (is_heading(row, &c)) {
		end_launch(g);
		g->col = c;
		g->has_units = false;
		for (size_t i = 0; i < row->n && i < COLUMNS_KEPT; i++) {
			g->name[i] = record_text(g->in->record, row->cell[i]);
			g->figure[i] = KERNEL_FIGURES;
		}
		return TOOK;
	}
	if (g->col.n == 0 || line.p[0] != '"')
		return TOOK_OTHER; /* ==PROF==, and what the program printed */
	/* Of details maybe without the columns of rules. */
	if (!is_whole(lines, line) ||
		(row->n != g->col.n && !(is_details(g) && row->n > g->col.value)))
		return TOOK_ALIEN;
	take_row(g, row);
	return TOOK;
}

static void say(struct ncu *g)
{
	struct reading *in = g->in;

	g->untaken.alien.n += g->uncounted;
	reading_untaken(in, &g->untaken,
		"row{|s} with another number of cells than the heading, or a count that is none, "
		"passed over",
		"line{|s} of ncu or the program, not read");
	if (g->unknown)
		reading_note(in, NOTE_WARNING, "unknown_unit", g->unknown, -1,
			"%" PRId64 " metric%s in units that are not known (\"%s\"), not used",
			g->unknown, plural_s(g->unknown), g->unknown_unit);
	if (!is_details(g) && g->rows.launches > 0 && !g->has_units)
		reading_note(in, NOTE_WARNING, "unknown_unit", g->rows.launches, -1,
			"the row of units is missing: what the numbers are is not known, and only "
			"launches are counted");
	if (is_summary(&g->col) && g->rows.launches > 0)
		reading_note(in, NOTE_INFO, "summary_of_ncu", g->rows.launches, -1,
			"a summary: sums are ncu's averages times the invocations, as exact as ncu wrote "
			"them");
	reading_passed(in, NOTE_INFO, "metrics_unused",
		&(struct passed){ (int64_t)g->unused.n - 1, -1 },
		"metric{|s} of ncu {is|are} not used: time, occupancy, throughput of SM and memory, "
		"bytes, registers and shared memory are");
}

static enum status no_kernel(const struct ncu *g, struct err *e)
{
	if (g->of_gpus == 0)
		return err_set(e, E_NODATA, 0, "no kernel in it: a heading only");
	(void)err_set(e, E_NODATA, 0,
		"a summary of GPUs: %" PRId64 " row%s of all kernels together, which are none's",
		g->of_gpus, plural_s(g->of_gpus));
	return err_hint(e, "ncu --csv --print-summary per-kernel says it kernel by kernel");
}

static enum status read_ncu(struct reading *in, struct err *e)
{
	struct ncu *g = arena_alloc(&in->mem, sizeof(*g));

	*g = (struct ncu){ .in = in, .numbers = ncu_numbers_of(in->head->text) };
	strings_init(&g->unused, 0x6e6375u);
	kernel_rows_open(&g->rows, in);
	enum status st = reading_lines(in, take_line, g, &g->untaken, e);
	end_launch(g);
	reading_artifact(in)->rows = g->rows.launches;
	say(g);
	if (st == OK && g->rows.launches == 0)
		st = no_kernel(g, e);
	kernel_rows_close(&g->rows);
	strings_clear(&g->unused);
	FREE_ALL(g->kernel.s, g->key.s, g->grid.s, g->block.s, g->unquote.s);
	return st;
}

const struct artifact artifact_ncu_csv = {
	.name = "ncu_csv",
	.title = "kernels of Nsight Compute (CSV)",
	.summary =
		"ncu --csv with --page raw or details, or with --print-summary: launches with time, "
		"occupancy, throughput",
	.line = is_heading_line,
	.lines = 4000,
	.read = read_ncu,
};
