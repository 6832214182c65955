/* A Parquet file: groups of rows, and the footer that says where they are.
 *
 * Source: parquet-format, README.md and parquet.thrift. */
#include "report/parquet/parquet.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/parallel.h"
#include "report/cells.h"
#include "report/parquet/packing.h"
#include "report/parquet/thrift.h"

enum { VERSION = 2, OPTIONAL = 1, UTF8 = 0 };

struct file {
	const struct parquet_table *t;
	FILE *out;
	int64_t bytes;
	struct str groups; /* what the footer says of them */
	size_t ngroup;
	struct str checks; /* of their chunks */
};

static void put(struct file *f, struct str *text)
{
	f->bytes += (int64_t)text->n;
	cells_flush(f->out, text);
}

static enum parquet_physical physical_of(enum parquet_type type)
{
	switch (type) {
	case PARQUET_BOOL: return PARQUET_BOOLEAN;
	case PARQUET_INT: return PARQUET_INT64;
	case PARQUET_REAL: return PARQUET_DOUBLE;
	case PARQUET_TEXT: break;
	}
	return PARQUET_BYTE_ARRAY;
}

/* ---- groups ---- */

struct group {
	const struct parquet_table *t;
	size_t first, n;
	struct parquet_chunk *chunk; /* by column */
};

static void fill_chunk(void *ctx, size_t column)
{
	static const size_t sizes[] = PARQUET_SIZES;
	const struct group *g = ctx;
	const enum parquet_type type = g->t->column[column].type;
	struct parquet_values v = {
		.n = g->n, .known = xmalloc(g->n), .b = xmalloc(g->n * sizes[type])
	};

	memset(v.known, true, g->n);
	g->t->from.fill(g->t->from.ctx, column, g->first, &v);
	chunk_fill(&g->chunk[column], type, &v);
	FREE_ALL(v.known, v.b);
}

static void describe_statistics(struct thrift *t, const struct parquet_chunk *c)
{
	thrift_struct(t, 12);
	thrift_int(t, 3, THRIFT_I64, c->nnull);
	if (c->has_bounds) {
		thrift_text(t, 5, (struct span){ c->most.s, c->most.n });
		thrift_text(t, 6, (struct span){ c->least.s, c->least.n });
		thrift_bool(t, 7, true);
		thrift_bool(t, 8, true);
	}
	thrift_end(t);
}

static void describe_encodings(struct thrift *t, const struct parquet_chunk *c)
{
	bool used[PARQUET_ENCODINGS] = { [PARQUET_RLE] = true };

	for (size_t i = 0; i < PARQUET_ENCODINGS; i++)
		used[i] |= c->npage[i] > 0;
	used[PARQUET_PLAIN] |= c->dictionary_size > 0;
	thrift_list(t, 2, THRIFT_I32, SUM(size_t, i, PARQUET_ENCODINGS, used[i]));
	for (size_t i = 0; i < PARQUET_ENCODINGS; i++)
		if (used[i])
			zigzag_put(t->out, (int64_t)i);
}

/* The pages of a chunk that begins at that place of the file. */
static void describe_chunk(struct thrift *t, const struct parquet_column *col,
	const struct parquet_chunk *c, int64_t at)
{
	thrift_begin(t);
	thrift_int(t, 2, THRIFT_I64, at);
	thrift_struct(t, 3);
	thrift_int(t, 1, THRIFT_I32, physical_of(col->type));
	describe_encodings(t, c);
	thrift_list(t, 3, THRIFT_TEXT, 1);
	thrift_element(t, span_of(col->name));
	thrift_int(t, 4, THRIFT_I32, c->is_gzip ? PARQUET_PACKED_GZIP : PARQUET_PACKED_NOT);
	thrift_int(t, 5, THRIFT_I64, c->nvalue);
	thrift_int(t, 6, THRIFT_I64, c->raw_bytes);
	thrift_int(t, 7, THRIFT_I64, (int64_t)c->bytes.n);
	thrift_int(t, 9, THRIFT_I64, at + (int64_t)c->dictionary_size);
	if (c->dictionary_size > 0)
		thrift_int(t, 11, THRIFT_I64, at);
	describe_statistics(t, c);
	thrift_end(t);
	thrift_end(t);
}

/* The group whose chunks come next, as the footer has it: an element of a list. */
static void describe_group(struct file *f, const struct group *g)
{
	struct thrift t = { .out = &f->groups };
	int64_t raw = 0, packed = 0, at = f->bytes;

	for (EACH(const struct parquet_chunk, c, g->chunk, g->t->ncolumn)) {
		raw += c->raw_bytes;
		packed += (int64_t)c->bytes.n;
	}
	thrift_begin(&t);
	thrift_list(&t, 1, THRIFT_STRUCT, g->t->ncolumn);
	for (size_t i = 0; i < g->t->ncolumn; i++) {
		describe_chunk(&t, &g->t->column[i], &g->chunk[i], at);
		at += (int64_t)g->chunk[i].bytes.n;
	}
	thrift_int(&t, 2, THRIFT_I64, raw);
	thrift_int(&t, 3, THRIFT_I64, (int64_t)g->n);
	thrift_int(&t, 5, THRIFT_I64, f->bytes);
	thrift_int(&t, 6, THRIFT_I64, packed);
	thrift_end(&t);
	f->ngroup++;
}

static enum status put_group(struct file *f, size_t first, size_t n, struct err *e)
{
	const size_t ncolumn = f->t->ncolumn;
	struct group g = { f->t, first, n, xcalloc(ncolumn, sizeof(*g.chunk)) };

	parallel_run(ncolumn, parallel_threads(f->t->threads, n * ncolumn), fill_chunk, &g);
	describe_group(f, &g);
	for (EACH(struct parquet_chunk, c, g.chunk, ncolumn)) {
		put_u64(&f->checks, XXH3_64bits(c->bytes.s, c->bytes.n));
		put(f, &c->bytes);
		chunk_clear(c);
	}
	free(g.chunk);
	return cells_done(f->out, e);
}

/* ---- the footer ---- */

static void describe_schema(struct thrift *t, const struct parquet_table *table)
{
	thrift_list(t, 2, THRIFT_STRUCT, table->ncolumn + 1);
	thrift_begin(t);
	thrift_text(t, 4, SPAN("schema"));
	thrift_int(t, 5, THRIFT_I32, (int64_t)table->ncolumn);
	thrift_end(t);
	for (EACH(const struct parquet_column, c, table->column, table->ncolumn)) {
		thrift_begin(t);
		thrift_int(t, 1, THRIFT_I32, physical_of(c->type));
		thrift_int(t, 3, THRIFT_I32, OPTIONAL);
		thrift_text(t, 4, span_of(c->name));
		if (c->type == PARQUET_TEXT) {
			thrift_int(t, 6, THRIFT_I32, UTF8);
			thrift_struct(t, 10);
			thrift_struct(t, 1);
			thrift_end(t);
			thrift_end(t);
		}
		thrift_end(t);
	}
}

/* That bounds of columns are in the order of their types. */
static void describe_orders(struct thrift *t, size_t ncolumn)
{
	thrift_list(t, 7, THRIFT_STRUCT, ncolumn);
	for (size_t i = 0; i < ncolumn; i++) {
		thrift_begin(t);
		thrift_struct(t, 1);
		thrift_end(t);
		thrift_end(t);
	}
}

static void put_fact(struct thrift *t, const char *key, const char *value)
{
	thrift_begin(t);
	thrift_text(t, 1, span_of(key));
	thrift_text(t, 2, span_of(value));
	thrift_end(t);
}

/* What stands before it (base/parquet/parquet_words.h), and the footer. */
static void put_footer(struct file *f)
{
	SCOPED_STR footer = { 0 }, size = { 0 };
	struct thrift t = { .out = &footer };

	str_add(&footer, f->t->kept.p, f->t->kept.n);
	str_add(&footer, f->checks.s, f->checks.n);
	const size_t before = footer.n;
	str_addf(&size, "%zu", f->t->kept.n);
	thrift_begin(&t);
	thrift_int(&t, 1, THRIFT_I32, VERSION);
	describe_schema(&t, f->t);
	thrift_int(&t, 3, THRIFT_I64, (int64_t)f->t->nrow);
	thrift_list(&t, 4, THRIFT_STRUCT, f->ngroup);
	str_add(&footer, f->groups.s, f->groups.n);
	thrift_list(&t, 5, THRIFT_STRUCT, f->t->nfact + 1);
	for (EACH(const struct parquet_fact, fact, f->t->fact, f->t->nfact))
		put_fact(&t, fact->key, fact->value);
	put_fact(&t, PARQUET_FACT_KEPT, size.s);
	thrift_text(&t, 6, SPAN(PARQUET_WRITER));
	describe_orders(&t, f->t->ncolumn);
	thrift_end(&t);
	SCOPED_STR all = { 0 };
	str_add(&all, footer.s, before);
	put_u64(&all, XXH3_64bits(footer.s, footer.n));
	str_add(&all, footer.s + before, footer.n - before);
	put_u32(&all, (uint32_t)(footer.n - before));
	str_adds(&all, "PAR1");
	put(f, &all);
}

enum status parquet_put(FILE *out, const struct parquet_table *t, struct err *e)
{
	struct file f = { .t = t, .out = out };
	SCOPED_STR head = { 0 };
	enum status st = OK;

	str_adds(&head, PARQUET_HEAD);
	put(&f, &head);
	for (size_t first = 0; first < t->nrow && st == OK; first += PARQUET_GROUP_ROWS)
		st = put_group(&f, first, MIN(t->nrow - first, (size_t)PARQUET_GROUP_ROWS), e);
	if (st == OK)
		put_footer(&f);
	str_free(&f.groups);
	str_free(&f.checks);
	return st == OK ? cells_done(out, e) : st;
}
