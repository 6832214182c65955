/* A table of the schema as Parquet. */
#include "edit/export/export.h"
#include "report/parquet/parquet.h"

static enum parquet_type type_of(enum schema_type type)
{
	switch (type) {
	case SCHEMA_I64: return PARQUET_INT;
	case SCHEMA_REAL: return PARQUET_REAL;
	case SCHEMA_BOOL: return PARQUET_BOOL;
	case SCHEMA_TEXT:
	case SCHEMA_TYPE_COUNT: break;
	}
	return PARQUET_TEXT;
}

/* Cells of a column, in the order they are written in, into an array of its type. */
#define FILL_BY(t, col, get, first, v, n)                                                  \
	do {                                                                               \
		if (!(t)->order)                                                           \
			(col)->fill((t)->c, (first), (n), (v));                            \
		else                                                                       \
			for (size_t i_ = 0; i_ < (n); i_++)                                \
				(v)[i_] = (col)->at.get((t)->c, (t)->order[(first) + i_]); \
	} while (0)

static void fill_ints(const struct export_table *t, const struct schema_column *col, size_t first,
	struct parquet_values *v)
{
	FILL_BY(t, col, i64, first, v->i, v->n);
	for (size_t i = 0; i < v->n; i++)
		v->known[i] = v->i[i] != SCHEMA_NO_INT;
}

static void fill_reals(const struct export_table *t, const struct schema_column *col, size_t first,
	struct parquet_values *v)
{
	FILL_BY(t, col, real, first, v->r, v->n);
	for (size_t i = 0; i < v->n; i++)
		v->known[i] = !isnan(v->r[i]);
}

static void fill_bools(const struct export_table *t, const struct schema_column *col, size_t first,
	struct parquet_values *v)
{
	int64_t *is = xmalloc(v->n * sizeof(*is));

	FILL_BY(t, col, i64, first, is, v->n);
	for (size_t i = 0; i < v->n; i++) {
		v->known[i] = is[i] != SCHEMA_NO_INT;
		v->b[i] = is[i] > 0;
	}
	free(is);
}

static void fill_texts(const struct export_table *t, const struct schema_column *col, size_t first,
	struct parquet_values *v)
{
	uint32_t *id = xmalloc(v->n * sizeof(*id));

	FILL_BY(t, col, text, first, id, v->n);
	for (size_t i = 0; i < v->n; i++) {
		v->known[i] = id[i] != SCHEMA_NO_TEXT;
		v->s[i] = i > 0 && id[i] == id[i - 1] ? v->s[i - 1]
						      : columns_text(t->c, col->dictionary, id[i]);
	}
	free(id);
}

static void fill(const void *ctx, size_t column, size_t first, struct parquet_values *v)
{
	const struct export_table *t = ctx;
	const struct schema_column *col = &t->schema->column[column];

	switch (col->type) {
	case SCHEMA_I64: fill_ints(t, col, first, v); break;
	case SCHEMA_REAL: fill_reals(t, col, first, v); break;
	case SCHEMA_BOOL: fill_bools(t, col, first, v); break;
	case SCHEMA_TEXT:
	case SCHEMA_TYPE_COUNT: fill_texts(t, col, first, v); break;
	}
}

enum status export_parquet(FILE *out, const struct export_table *t, unsigned threads, struct err *e)
{
	SCOPED_ARENA mem = { 0 };
	struct parquet_column *column = arena_array(&mem, t->schema->n, sizeof(*column));
	const struct parquet_fact facts[] = {
		{ "traceq.schema", arena_printf(&mem, "%d", SCHEMA_VERSION) },
		{ "traceq.table", t->schema->name },
	};

	for (size_t i = 0; i < t->schema->n; i++)
		column[i] = (struct parquet_column){ t->schema->column[i].key,
			type_of(t->schema->column[i].type) };
	const struct parquet_table table = { .column = column,
		.ncolumn = t->schema->n,
		.nrow = t->n,
		.from = { fill, t },
		.fact = facts,
		.nfact = COUNT_OF(facts),
		.threads = threads };
	return parquet_put(out, &table, e);
}
