/* Finding and reading tables of key_averages().  The dashes below the heading tell the columns; the
 * heading tells what they are, as torch has named them over the years. */
#include "analyze/input/artifact/tables/op_table.h"

#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"

enum { DASHES_MIN = 6, RUNS_MIN = 3 };

void op_table_open(struct op_table *t, struct reading *in)
{
	*t = (struct op_table){ .in = in };
}

void op_table_close(struct op_table *t)
{
	str_free(&t->heading);
}

bool op_table_is_heading(struct span line)
{
	return span_has(line, "Name") && span_has(line, "Self CPU") &&
		(span_has(line, "# of Calls") || span_has(line, "Number of Calls"));
}

/* Runs of dashes with blanks between; fills the columns. */
static bool is_dashes(struct op_table *t, struct span line)
{
	size_t i = 0, n = 0;

	while (i < line.n) {
		size_t from = FIRST_FROM(k, i, line.n, line.p[k] != ' ');

		i = FIRST_FROM(k, from, line.n, line.p[k] != '-');
		if (from == line.n)
			break;
		if (i - from < DASHES_MIN || n == OP_TABLE_COLUMNS)
			return false;
		t->column[n++] = (struct op_table_column){ from, i, -1 };
	}
	if (n < RUNS_MIN)
		return false;
	t->n = n;
	return true;
}

/* Characters [from, to) of a line, trimmed. */
static struct span slice(struct span line, size_t from, size_t to)
{
	size_t chars = 0, a = line.n, b = line.n;

	for (size_t i = 0; i < line.n; i++) {
		if (((unsigned char)line.p[i] & 0xc0) == 0x80)
			continue;
		if (chars == from)
			a = i;
		if (chars == to) {
			b = i;
			break;
		}
		chars++;
	}
	return span_trim((struct span){ line.p + a, b > a ? b - a : 0 });
}

static const struct {
	const char *words;
	int col;
} headings[] = {
	{ "Name", OPS_NAME },
	{ "Self CPU|Self CPU total", OPS_SELF_CPU },
	{ "CPU total", OPS_CPU },
	{ "CPU Mem", OPS_CPU_BYTES },
	{ "Self CPU Mem", OPS_SELF_CPU_BYTES },
	{ "# of Calls|Number of Calls", OPS_CALLS },
	{ "Input Shapes", OPS_SHAPES },
	{ "Source Location", OPS_STACK },
};

/* "Self CUDA", "XPU total", "CUDA Mem": whatever the device is called. */
static int device_column(struct span h)
{
	bool self = span_starts(h, "Self ");

	if (span_has(h, "CPU") || span_ends(h, "%") || span_ends(h, "avg"))
		return -1;
	if (span_ends(h, " Mem"))
		return self ? OPS_SELF_DEVICE_BYTES : OPS_DEVICE_BYTES;
	if (span_ends(h, " total"))
		return self ? OPS_SELF_DEVICE : OPS_DEVICE;
	return self ? OPS_SELF_DEVICE : -1;
}

/* "Total MFLOPs": 1e6; 0: it is another heading. */
static double flops_unit(struct span h)
{
	static const char units[] = "FKMGTP";
	const char *at =
		span_starts(h, "Total ") && span_ends(h, "FLOPs") ? strchr(units, h.p[6]) : NULL;

	return at ? pow(1e3, (double)(at - units)) : 0;
}

/* What two blanks or more separate.  A heading or cell that is wider than its column moves those
 * behind it, and what was pasted has lost the blanks in front: places tell less than order. */
static size_t split_line(struct span line, struct span *word, size_t most)
{
	size_t n = 0, i = 0;

	while (i < line.n) {
		size_t from = FIRST_FROM(k, i, line.n, line.p[k] != ' ');

		i = FIRST_FROM(k, from, line.n,
			line.p[k] == ' ' && (k + 1 == line.n || line.p[k + 1] == ' '));
		if (i > from && n == most)
			return 0;
		if (i > from)
			word[n++] = (struct span){ line.p + from, i - from };
	}
	return n;
}

/* False: no column has names, so that this is no table of operations. */
static bool name_columns(struct op_table *t)
{
	struct span word[OP_TABLE_COLUMNS];
	bool in_order = split_line((struct span){ t->heading.s, t->heading.n }, word,
				OP_TABLE_COLUMNS) == t->n;

	t->flops = 0;
	t->name = t->n;
	for (size_t i = 0; i < t->n; i++) {
		struct op_table_column *c = &t->column[i];
		struct span h = in_order
			? word[i]
			: slice((struct span){ t->heading.s, t->heading.n }, c->from, c->to);

		c->col = device_column(h);
		for (size_t k = 0; k < COUNT_OF(headings); k++)
			if (span_in(h, headings[k].words))
				c->col = headings[k].col;
		if (flops_unit(h) > 0) {
			t->flops = flops_unit(h);
			c->col = OPS_FLOPS;
		}
		if (c->col == OPS_NAME && t->name == t->n)
			t->name = i;
	}
	return t->name < t->n;
}

/* "12.345ms", "-12 b", "42": the number and its measure; false for "--" and others. */
static bool number_of(struct span cell, double *v, enum measure *m)
{
	size_t n = cell.n;

	*m = MEASURE_NONE;
	while (n > 0 && !is_digit(cell.p[n - 1]) && cell.p[n - 1] != '.')
		n--;
	if (n == 0 || !real_of((struct span){ cell.p, n }, v))
		return false;
	if (n < cell.n)
		*m = measure_of_unit(span_trim(span_from(cell, n)));
	return n == cell.n || *m != MEASURE_NONE;
}

static bool is_numeric(struct span cell)
{
	enum measure m;
	double v;

	return span_is(cell, "--") || number_of(cell, &v, &m);
}

static void put_cell(struct op_table *t, int col, struct span cell)
{
	struct table *to = &t->sheet->table;
	enum measure m;
	double v;

	if (cell.n == 0 || (col != OPS_NAME && span_is(cell, "--")))
		return;
	if (to->col[col].type == CELL_TEXT)
		table_text(to, (size_t)col, record_text(t->in->record, cell));
	else if (number_of(cell, &v, &m))
		jsondoc_cell(to, (size_t)col, col == OPS_FLOPS ? v * t->flops : v, m);
}

/* torch prints FLOPs and source in each other's column when a table has both. */
static bool are_swapped(const struct op_table *t, const struct span *cell)
{
	size_t flops = t->n, stack = t->n;

	for (size_t i = 0; i < t->n; i++) {
		flops = t->column[i].col == OPS_FLOPS ? i : flops;
		stack = t->column[i].col == OPS_STACK ? i : stack;
	}
	return flops < t->n && stack < t->n && cell[flops].n && !is_numeric(cell[flops]) &&
		is_numeric(cell[stack]);
}

/* A further frame of the row above: nothing but the last columns. */
static void add_frame(struct op_table *t, struct span frame)
{
	struct table *to = &t->sheet->table;

	if (to->nrow == 0 || frame.n == 0)
		return;
	union cell *c = &to->cell[(to->nrow - 1) * to->ncol + OPS_STACK];
	if (!to->known[(to->nrow - 1) * to->ncol + OPS_STACK] || c->s.n > RECORD_TEXT / 2)
		return;
	table_textf(
		to, OPS_STACK, "%.*s;%.*s", (int)c->s.n, c->s.p, (int)MIN(frame.n, 512), frame.p);
}

/* In order where each column has its cell, by their places where some are empty. */
static void cells_of(const struct op_table *t, struct span line, struct span *cell)
{
	if (split_line(line, cell, t->n) == t->n)
		return;
	for (size_t i = 0; i < t->n; i++)
		cell[i] = slice(line, t->column[i].from, i + 1 < t->n ? t->column[i].to : SIZE_MAX);
}

static void take_row(struct op_table *t, struct span line)
{
	struct span cell[OP_TABLE_COLUMNS] = { { "", 0 } };

	cells_of(t, line, cell);
	if (cell[t->name].n == 0) {
		add_frame(t, span_trim(line));
		return;
	}
	if (!record_row(t->sheet))
		return;
	t->rows++;
	if (t->title[0])
		table_text(
			&t->sheet->table, OPS_LIST, record_text(t->in->record, span_of(t->title)));
	bool swapped = are_swapped(t, cell);
	for (size_t i = 0; i < t->n; i++) {
		int col = t->column[i].col;

		if (swapped && (col == OPS_FLOPS || col == OPS_STACK))
			col = OPS_FLOPS + OPS_STACK - col;
		if (col >= 0)
			put_cell(t, col, cell[i]);
	}
}

void op_table_title(struct op_table *t, struct span line)
{
	line = span_trim(line);
	if (line.n > 0 && !is_letter(line.p[0]) && ALL(i, line.n, strchr("=-*# ", line.p[i])))
		return;
	if (line.n >= OP_TABLE_TITLE)
		line.n = 0;
	memcpy(t->title, line.p, line.n);
	t->title[line.n] = '\0';
}

bool op_table_line(struct op_table *t, struct span line)
{
	switch (t->state) {
	case TABLE_OUTSIDE:
		if (op_table_is_heading(line)) {
			str_reset(&t->heading);
			str_add(&t->heading, line.p, line.n);
			t->state = TABLE_HEADING;
			return true;
		}
		op_table_title(t, line);
		return false;
	case TABLE_HEADING:
		t->state = TABLE_OUTSIDE;
		if (!is_dashes(t, line) || !name_columns(t))
			return false;
		t->sheet = record_sheet(t->in->record, t->in->artifact, SHEET_OPS);
		t->tables++;
		t->state = TABLE_ROWS;
		return true;
	case TABLE_ROWS: break;
	}
	if (is_dashes(t, line)) {
		t->state = TABLE_OUTSIDE;
		t->title[0] = '\0';
		return true;
	}
	if (span_trim(line).n > 0)
		take_row(t, line);
	return true;
}
