/* Parquet: one table of the result, exact, in base units, for DuckDB, pandas and their kin. */
#include "report/format/one_table.h"
#include "report/format/renderer.h"
#include "report/parquet/parquet.h"

/* Columns as the file has them: that of inputs, where there is one, and those of the table. */
struct rows {
	struct one_table t;
	size_t *at;          /* of one part (one_table_columns) */
	struct arena *texts; /* those of a packed table do not stay */
};

static enum parquet_type type_of(enum cell_type type)
{
	switch (type) {
	case CELL_BOOL: return PARQUET_BOOL;
	case CELL_INT: return PARQUET_INT;
	case CELL_REAL: return PARQUET_REAL;
	case CELL_TEXT: break;
	}
	return PARQUET_TEXT;
}

static void set(struct parquet_values *v, size_t i, enum parquet_type type, const union cell *cell,
	struct arena *texts)
{
	v->known[i] = cell;
	if (!cell)
		return;
	switch (type) {
	case PARQUET_BOOL: v->b[i] = cell->b; break;
	case PARQUET_INT: v->i[i] = cell->i; break;
	case PARQUET_REAL: v->r[i] = cell->r; break;
	case PARQUET_TEXT:
		v->s[i] = (struct span){ arena_copy(texts, cell->s.p, cell->s.n), cell->s.n };
		break;
	}
}

/* Rows of a part from `row` on, as values from i on; how many there were. */
static size_t fill_part(const struct rows *rows, const struct table *part, size_t column,
	size_t row, struct parquet_values *v, size_t i)
{
	const size_t n = MIN(table_rows(part) - row, v->n - i);

	one_table_columns(&rows->t, part, rows->at);
	for (size_t k = 0; k < n; k++)
		if (rows->t.has_input && column == 0) {
			v->s[i + k] = one_table_input(&rows->t, part);
		} else {
			const size_t col = column - rows->t.has_input, at = rows->at[col];
			const enum cell_type type = rows->t.column[col]->type;
			const bool is_it = at > 0 && part->col[at - 1].type == type;

			set(v, i + k, type_of(type),
				is_it ? table_cell(part, row + k, at - 1) : NULL, rows->texts);
		}
	return n;
}

static void fill(const void *ctx, size_t column, size_t first, struct parquet_values *v)
{
	const struct rows *rows = ctx;
	size_t i = 0;

	arena_clear(rows->texts);
	for (size_t k = 0; k < rows->t.ntable; k++) {
		const struct table *part = rows->t.table[k];
		const size_t n = table_rows(part);

		if (first < n)
			i += fill_part(rows, part, column, first, v, i);
		first -= MIN(first, n);
	}
}

static enum status put_parquet(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	SCOPED_ARENA mem = { 0 };
	SCOPED_ARENA texts = { 0 };
	struct rows rows = { .texts = &texts };
	size_t n = 0;

	one_table_of(&rows.t, r, &mem);
	if (rows.t.ncolumn == 0)
		return err_set(e, E_USAGE, -1, "the answer has no table that Parquet could hold");
	rows.at = arena_array(&mem, rows.t.ncolumn, sizeof(*rows.at));
	struct parquet_column *column = arena_array(&mem, rows.t.ncolumn + 1, sizeof(*column));
	if (rows.t.has_input)
		column[n++] = (struct parquet_column){ "input", PARQUET_TEXT };
	for (size_t i = 0; i < rows.t.ncolumn; i++)
		column[n++] = (struct parquet_column){ rows.t.column[i]->key,
			type_of(rows.t.column[i]->type) };
	const struct parquet_fact fact = { "traceq.schema", r->schema };
	const struct parquet_table table = { .column = column,
		.ncolumn = n,
		.nrow = SUM(size_t, i, rows.t.ntable, table_rows(rows.t.table[i])),
		.from = { fill, &rows },
		.fact = &fact,
		.nfact = 1,
		.threads = 1 };
	return parquet_put(out, &table, e);
}

const struct renderer renderer_parquet = {
	.name = "parquet",
	.summary = "columns for DuckDB, Spark and pandas: one table, exact, in base units",
	.suffix = ".parquet",
	.is_one_table = true,
	.mark = PARQUET_HEAD,
	.put = put_parquet,
};
