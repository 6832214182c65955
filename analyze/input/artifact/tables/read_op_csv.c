/*
 * Operations as CSV, in three shapes: op_stats.csv with one row an event and the micro sign in
 * either spelling, op_stats.csv of the sibling kit, and ops.csv with unquoted commas in names.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/tables/op_rows.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { COLUMNS_MAX = 64 };

struct columns {
	size_t n, name;
	bool known[COLUMNS_MAX];
	struct op_heading heading[COLUMNS_MAX];
	size_t nknown;
	bool has_total_device, has_total_cpu;
};

static bool is_name(struct span t)
{
	return span_is_nocase(t, "name") || span_is(t, "op_name") || span_is_nocase(t, "op") ||
		span_is_nocase(t, "operation");
}

static bool columns_of(const struct csv_row *row, struct columns *c)
{
	bool has_name = false;

	*c = (struct columns){ .n = row->n };
	if (row->n < 2 || row->n > COLUMNS_MAX)
		return false;
	for (size_t i = 0; i < row->n; i++) {
		if (is_name(row->cell[i])) {
			c->name = i;
			has_name = true;
		} else if (op_rows_heading(row->cell[i], &c->heading[i])) {
			c->known[i] = true;
			c->nknown++;
		}
	}
	return has_name && c->nknown >= 2;
}

static enum match probe(const struct head *h)
{
	struct csv_row row;
	struct columns c;

	if (!csv_head(h, &row))
		return MATCH_NO;
	return columns_of(&row, &c) ? MATCH_STRONG : MATCH_NO;
}

static void take_row(struct op_rows *o, const struct columns *c, const struct csv_row *row)
{
	size_t at = op_rows_row(o, NULL, row->cell[c->name]);
	double v;

	for (size_t i = 0; i < c->n && at != SIZE_MAX; i++)
		if (c->known[i] && !c->heading[i].is_mean && real_of(row->cell[i], &v))
			op_rows_add(o, at, c->heading[i].col, v, c->heading[i].measure);
}

struct oddities {
	struct passed mended, short_rows;
};

static void say(struct reading *in, const struct oddities *odd, const struct op_rows *o)
{
	reading_passed(in, NOTE_WARNING, "unquoted_commas", &odd->mended,
		"row{|s} with unquoted commas in the name, split from the right");
	reading_passed(in, NOTE_WARNING, "alien_lines", &odd->short_rows,
		"row{|s} with too few cells, passed over");
	if (o->rows > (int64_t)o->sheet->table.nrow)
		reading_note(in, NOTE_INFO, "rows_by_name", o->rows, -1,
			"%" PRId64 " rows, one an event, summed up to %zu names", o->rows,
			o->sheet->table.nrow);
}

static enum status read_ops(struct reading *in, struct err *e)
{
	struct oddities odd = { 0 };
	struct columns c = { 0 }, other;
	struct op_rows o;
	struct csv csv;

	op_rows_open(&o, in);
	csv_open(&csv, in);
	bool known = csv_next(&csv) && columns_of(&csv.row, &c);
	while (known && csv_next(&csv)) {
		if (csv.row.n == c.n && is_name(csv.row.cell[c.name]) &&
			columns_of(&csv.row, &other)) {
			c = other;
			continue;
		}
		if (csv.row.n > c.n)
			passed_add(&odd.mended, csv.offset);
		if (csv_mend(&csv.row, c.n, c.name))
			take_row(&o, &c, &csv.row);
		else
			passed_add(&odd.short_rows, csv.offset);
	}
	if (csv.lines.is_torn &&
		((odd.short_rows.n == 1 && odd.short_rows.at == csv.offset) ||
			(known && o.rows == 0 && odd.short_rows.n == 0))) {
		odd.short_rows.n = 0;
		reading_torn(in, csv.offset);
	}
	enum status st = csv_end(&csv, e);
	reading_artifact(in)->rows = o.rows;
	say(in, &odd, &o);
	op_rows_close(&o);
	if (st == OK && !known)
		return err_set(e, E_NODATA, 0, "the first line is no heading of operations");
	return st;
}

const struct artifact artifact_op_csv = {
	.name = "op_csv",
	.title = "table of operations (CSV)",
	.summary = "op_stats.csv and ops.csv in each of their shapes",
	.probe = probe,
	.read = read_ops,
};
