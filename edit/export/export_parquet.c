/* A table of the schema as Parquet. */
#include "edit/export/export.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/analysis/jobpage.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/digest/digest_wire.h"
#include "analyze/trace/digest/run_facts.h"
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

/* The columns that are written. */
struct exporting {
	const struct export_table *t;
	const struct schema_column **column;
};

static void fill(const void *ctx, size_t column, size_t first, struct parquet_values *v)
{
	const struct exporting *x = ctx;
	const struct export_table *t = x->t;
	const struct schema_column *col = x->column[column];

	switch (col->type) {
	case SCHEMA_I64: fill_ints(t, col, first, v); break;
	case SCHEMA_REAL: fill_reals(t, col, first, v); break;
	case SCHEMA_BOOL: fill_bools(t, col, first, v); break;
	case SCHEMA_TEXT:
	case SCHEMA_TYPE_COUNT: fill_texts(t, col, first, v); break;
	}
}

void export_kept_init(struct export_kept *k, const struct run *r, bool is_one_of_several)
{
	struct run all = *r; /* a walk that writes changes nothing */
	unsigned needs = r->args.needs;
	struct wire_out w;

	*k = (struct export_kept){ 0 };
	if (!r->has_trace || r->kept || r->cut)
		return;
	if (!r->record || r->record->nseries == 0) /* none of its counters is one that is followed
	                                            */
		needs &= ~(unsigned)NEED_SAMPLES;
	wire_begin(&w);
	run_facts_walk(&(struct walk){ .out = &w }, &all, &needs);
	const struct span bytes = wire_seal(&w);
	str_add(&k->bytes, bytes.p, bytes.n);
	wire_free(&w);
	str_addf(&k->run, "%016" PRIx64, XXH3_64bits(k->bytes.s, k->bytes.n));
	const size_t before = k->bytes.n;
	if (is_one_of_several)
		jobpage_record(r, &k->bytes);
	k->njob = k->bytes.n - before;
}

void export_kept_clear(struct export_kept *k)
{
	str_free(&k->bytes);
	str_free(&k->run);
}

/* Columns that are not written: what others add up to, of the table that has most rows. */
static bool is_left_out(const struct export_table *t, const char *key)
{
	return t->schema == &schema_tables[SCHEMA_EVENTS] &&
		(strcmp(key, "at_ns") == 0 || strcmp(key, "end_ns") == 0);
}

enum status export_parquet(FILE *out, const struct export_table *t, const struct export_kept *kept,
	unsigned threads, struct err *e)
{
	SCOPED_ARENA mem = { 0 };
	struct parquet_column *column = arena_array(&mem, t->schema->n, sizeof(*column));
	struct exporting x = { t, arena_array(&mem, t->schema->n, sizeof(*x.column)) };
	const struct parquet_fact facts[] = {
		{ PARQUET_FACT_SCHEMA, arena_printf(&mem, "%d", SCHEMA_VERSION) },
		{ PARQUET_FACT_TABLE, t->schema->name },
		{ PARQUET_FACT_RUN, kept->run.s },
		{ PARQUET_FACT_JOB, arena_printf(&mem, "%zu", kept->njob) },
	};
	const bool is_events = t->schema == &schema_tables[SCHEMA_EVENTS];
	size_t n = 0;

	for (EACH(const struct schema_column, col, t->schema->column, t->schema->n)) {
		if (is_left_out(t, col->key))
			continue;
		x.column[n] = col;
		column[n++] = (struct parquet_column){ col->key, type_of(col->type) };
	}
	const struct parquet_table table = { .column = column,
		.ncolumn = n,
		.nrow = t->n,
		.from = { fill, &x },
		.fact = facts,
		.nfact = COUNT_OF(facts) - (kept->run.n == 0) - !(is_events && kept->njob > 0),
		.kept = is_events ? (struct span){ kept->bytes.s, kept->bytes.n } : SPAN(""),
		.threads = threads };
	return parquet_put(out, &table, e);
}
