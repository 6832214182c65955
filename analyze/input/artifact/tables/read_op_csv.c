/* Operations as CSV, in three shapes: op_stats.csv with one row an event and the micro sign in
 * either spelling, op_stats.csv of the sibling kit, and ops.csv with unquoted commas in names. */
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
};

static bool is_name(struct span t)
{
	return span_in_nocase(t, "name|op_name|op|operation");
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

static enum match probe(const struct csv_row *row)
{
	struct columns c;

	return columns_of(row, &c) ? MATCH_STRONG : MATCH_NO;
}

struct op_csv {
	struct op_rows ops;
	struct columns c;
	bool is_begun, is_known, is_torn; /* is_torn: the heading */
	struct passed mended;
};

static void take_figures(struct op_rows *o, const struct columns *c, const struct csv_row *row)
{
	size_t at = op_rows_row(o, NULL, row->cell[c->name]);
	double v;

	for (size_t i = 0; i < c->n && at != SIZE_MAX; i++)
		if (c->known[i] && !c->heading[i].is_mean && real_of(row->cell[i], &v))
			op_rows_add(o, at, c->heading[i].col, v, c->heading[i].measure);
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct op_csv *g = ctx;
	struct columns other;

	if (!g->is_begun) {
		g->is_begun = true;
		g->is_known = columns_of(row, &g->c);
		g->is_torn = row->is_torn;
		return TOOK;
	}
	if (!g->is_known)
		return TOOK;
	if (row->n == g->c.n && is_name(row->cell[g->c.name]) && columns_of(row, &other)) {
		g->c = other;
		return TOOK;
	}
	if (row->n > g->c.n)
		passed_add(&g->mended, row->offset);
	if (!csv_mend(row, g->c.n, g->c.name))
		return TOOK_ALIEN;
	take_figures(&g->ops, &g->c, row);
	return TOOK;
}

static enum status read_ops(struct reading *in, struct err *e)
{
	struct op_csv g = { .is_begun = false };

	op_rows_open(&g.ops, in);
	enum status st =
		csv_read(in, take_row, &g, "row{|s} with too few cells, passed over", NULL, e);
	if (g.is_torn)
		reading_torn(in, 0);
	reading_artifact(in)->rows = g.ops.rows;
	reading_passed(in, NOTE_WARNING, "unquoted_commas", &g.mended,
		"row{|s} with unquoted commas in the name, split from the right");
	op_rows_say(&g.ops);
	op_rows_close(&g.ops);
	if (st == OK && !g.is_known)
		return err_set(e, E_NODATA, 0, "the first line is no heading of operations");
	return st;
}

const struct artifact artifact_op_csv = {
	.name = "op_csv",
	.title = "table of operations (CSV)",
	.summary = "op_stats.csv and ops.csv in each of their shapes",
	.heading = probe,
	.read = read_ops,
};
