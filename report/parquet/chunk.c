/* The values of a column as pages.
 *
 * Source: parquet-format, README.md (data pages, version 1), parquet.thrift. */
#include "report/parquet/chunk.h"

#include "base/gzip/deflate.h"
#include "base/utf8.h"
#include "report/parquet/dictionary.h"
#include "report/parquet/packing.h"
#include "report/parquet/thrift.h"

enum { TRIED = 1 << 14 };

/* A column while its pages are written: its values stand one behind the other, without those that
 * are not known. */
struct paging {
	struct parquet_chunk *c;
	enum parquet_type type;
	const struct parquet_values *v;
	struct dictionary d;
	size_t row, value; /* what the page begins with */
	size_t nrow, nvalue;
	struct str raw, packed, scratch;
};

static void text_put(struct str *out, struct span s)
{
	put_u32(out, (uint32_t)s.n);
	str_add(out, s.p, s.n);
}

/* ---- compression ---- */

static void deflate_raw(const struct str *raw, struct str *out)
{
	struct deflate_sum sum = { 0 };

	str_reset(out);
	deflate_head(out);
	struct deflated piece = deflate_piece((struct span){ raw->s, raw->n }, DEFLATE_FAST, out);
	deflate_add(&sum, &piece);
	deflate_tail(&sum, out);
}

/* Appends the head of the page in p->raw, and the page. */
static void page_put(
	struct paging *p, enum parquet_page type, enum parquet_encoding encoding, size_t n)
{
	struct parquet_chunk *c = p->c;
	struct thrift t = { .out = &c->bytes };
	const struct str *page = &p->raw;
	size_t before = c->bytes.n;

	if (c->is_gzip) {
		deflate_raw(&p->raw, &p->packed);
		page = &p->packed;
	}
	thrift_begin(&t);
	thrift_int(&t, 1, THRIFT_I32, type);
	thrift_int(&t, 2, THRIFT_I32, (int64_t)p->raw.n);
	thrift_int(&t, 3, THRIFT_I32, (int64_t)page->n);
	thrift_struct(&t, type == PARQUET_PAGE_DATA ? 5 : 7);
	thrift_int(&t, 1, THRIFT_I32, (int64_t)n);
	thrift_int(&t, 2, THRIFT_I32, encoding);
	if (type == PARQUET_PAGE_DATA) {
		thrift_int(&t, 3, THRIFT_I32, PARQUET_RLE); /* whether a row has a value */
		thrift_int(&t, 4, THRIFT_I32, PARQUET_RLE);
		c->npage[encoding]++;
	}
	thrift_end(&t);
	thrift_end(&t);
	c->raw_bytes += (int64_t)(c->bytes.n - before + p->raw.n);
	str_add(&c->bytes, page->s, page->n);
}

/* ---- values ---- */

static void plain_put(struct paging *p, enum parquet_type type, size_t from, size_t n)
{
	struct str *out = &p->raw;

	switch (type) {
	case PARQUET_BOOL: bools_put(out, p->v->b + from, n); break;
	case PARQUET_INT:
	case PARQUET_REAL:
		for (size_t i = from; i < from + n; i++)
			put_u64(out, (uint64_t)p->v->i[i]);
		break;
	case PARQUET_TEXT:
		for (size_t i = from; i < from + n; i++)
			text_put(out, utf8_mended(p->v->s[i], &p->scratch));
		break;
	}
}

/* Which rows have a value: in front of the values, behind its length. */
static void levels_put(struct paging *p)
{
	uint32_t *level = xmalloc(p->nrow * sizeof(*level));
	SCOPED_STR runs = { 0 };

	for (size_t i = 0; i < p->nrow; i++)
		level[i] = p->v->known[p->row + i];
	rle_put(&runs, level, p->nrow, 1);
	text_put(&p->raw, (struct span){ runs.s, runs.n });
	free(level);
}

/* Fills p->raw with the page's values; how they are encoded. */
static enum parquet_encoding data_fill(struct paging *p)
{
	str_reset(&p->raw);
	levels_put(p);
	if (p->value < p->d.covered) {
		unsigned width = MAX(1u, bits_of(p->d.n - 1));

		str_addc(&p->raw, (char)width);
		rle_put(&p->raw, p->d.index + p->value, p->nvalue, width);
		return PARQUET_DICTIONARY;
	}
	if (p->type == PARQUET_INT && p->nvalue > 0) {
		delta_put(&p->raw, p->v->i + p->value, p->nvalue);
		return PARQUET_DELTA;
	}
	plain_put(p, p->type, p->value, p->nvalue);
	return PARQUET_PLAIN;
}

static void dictionary_fill(struct paging *p)
{
	str_reset(&p->raw);
	for (size_t i = 0; i < p->d.n; i++)
		if (p->type == PARQUET_TEXT)
			text_put(&p->raw, p->d.text[i]);
		else
			put_u64(&p->raw, (uint64_t)p->d.number[i]);
}

/* The page ends where there are enough rows or texts, and where the dictionary does. */
static bool page_next(struct paging *p)
{
	const size_t covered = p->d.covered;
	size_t bytes = 0;

	p->row += p->nrow;
	p->value += p->nvalue;
	p->nrow = p->nvalue = 0;
	while (p->row + p->nrow < p->v->n && p->nrow < PAGE_ROWS && bytes < PAGE_BYTES) {
		if (p->v->known[p->row + p->nrow]) {
			size_t at = p->value + p->nvalue;

			if (at == covered && p->nvalue > 0 && covered > 0)
				break;
			bytes += p->type == PARQUET_TEXT && at >= covered ? p->v->s[at].n : 0;
			p->nvalue++;
		}
		p->nrow++;
	}
	return p->nrow > 0;
}

/* Whether the column is worth compressing, its dictionary and first page say. */
static bool is_worth_it(struct paging *p)
{
	size_t raw, packed;

	deflate_raw(&p->raw, &p->packed);
	raw = p->raw.n;
	packed = p->packed.n;
	if (p->d.covered > 0) {
		dictionary_fill(p);
		deflate_raw(&p->raw, &p->packed);
		raw += p->raw.n;
		packed += p->packed.n;
	}
	return packed < raw - raw / 16;
}

static void pages_put(struct paging *p)
{
	bool is_first = true;

	for (; page_next(p); is_first = false) {
		enum parquet_encoding encoding = data_fill(p);

		if (is_first)
			p->c->is_gzip = is_worth_it(p);
		if (is_first && p->d.covered > 0) {
			dictionary_fill(p);
			page_put(p, PARQUET_PAGE_DICTIONARY, PARQUET_PLAIN, p->d.n);
			p->c->dictionary_size = p->c->bytes.n;
			encoding = data_fill(p);
		}
		page_put(p, PARQUET_PAGE_DATA, encoding, p->nrow);
	}
}

/* ---- what the footer says of them ---- */

static void bounds_of_numbers(struct parquet_chunk *c, const int64_t *v, size_t n)
{
	int64_t least = v[0], most = v[0];

	for (size_t i = 1; i < n; i++) {
		least = MIN(least, v[i]);
		most = MAX(most, v[i]);
	}
	put_u64(&c->least, (uint64_t)least);
	put_u64(&c->most, (uint64_t)most);
	c->has_bounds = true;
}

/* NaN has no place in an order, and a zero may be either: the one says -0, the other +0. */
static void bounds_of_reals(struct parquet_chunk *c, const double *v, size_t n)
{
	double bound[2] = { 0 };
	uint64_t bits;

	if (ANY(i, n, isnan(v[i])))
		return;
	bound[0] = bound[1] = v[0];
	for (size_t i = 1; i < n; i++) {
		bound[0] = MIN(bound[0], v[i]);
		bound[1] = MAX(bound[1], v[i]);
	}
	if (bound[0] == 0)
		bound[0] = -0.0;
	if (bound[1] == 0)
		bound[1] = 0.0;
	memcpy(&bits, &bound[0], sizeof(bits));
	put_u64(&c->least, bits);
	memcpy(&bits, &bound[1], sizeof(bits));
	put_u64(&c->most, bits);
	c->has_bounds = true;
}

static void bounds_of_bools(struct parquet_chunk *c, const bool *v, size_t n)
{
	str_addc(&c->least, ALL(i, n, v[i]) ? 1 : 0);
	str_addc(&c->most, ANY(i, n, v[i]) ? 1 : 0);
	c->has_bounds = true;
}

static void widen(struct span *least, struct span *most, struct span s)
{
	if (!s.p)
		s.p = "";
	if (!least->p || span_cmp(s, *least) < 0)
		*least = s;
	if (!most->p || span_cmp(s, *most) > 0)
		*most = s;
}

static void bounds_of_texts(struct paging *p, const struct span *v, size_t n)
{
	struct span least = { 0 }, most = { 0 };
	struct arena mem = { 0 };

	for (size_t i = 0; i < p->d.n && p->d.covered > 0; i++)
		widen(&least, &most, p->d.text[i]);
	for (size_t i = p->d.covered; i < n; i++) {
		struct span s = utf8_mended(v[i], &p->scratch);

		if (s.p != v[i].p)
			s.p = arena_copy(&mem, s.p, s.n);
		widen(&least, &most, s);
	}
	p->c->has_bounds = least.n <= STATISTICS_BYTES && most.n <= STATISTICS_BYTES;
	if (p->c->has_bounds) {
		str_add(&p->c->least, least.p, least.n);
		str_add(&p->c->most, most.p, most.n);
	}
	arena_clear(&mem);
}

static void bounds_of(struct paging *p, size_t n)
{
	if (n == 0)
		return;
	switch (p->type) {
	case PARQUET_BOOL: bounds_of_bools(p->c, p->v->b, n); break;
	case PARQUET_INT: bounds_of_numbers(p->c, p->v->i, n); break;
	case PARQUET_REAL: bounds_of_reals(p->c, p->v->r, n); break;
	case PARQUET_TEXT: bounds_of_texts(p, p->v->s, n); break;
	}
}

/* Values move together; how many there are. */
#define CLOSE_RANKS(v, known, n, of)     \
	for (size_t i = 0; i < (n); i++) \
		if ((known)[i])          \
	(v)[(of)++] = (v)[i]

static size_t close_ranks(enum parquet_type type, struct parquet_values *v)
{
	size_t n = 0;

	if (!memchr(v->known, false, v->n))
		return v->n;
	switch (type) {
	case PARQUET_BOOL: CLOSE_RANKS(v->b, v->known, v->n, n); break;
	case PARQUET_INT:
	case PARQUET_REAL: CLOSE_RANKS(v->i, v->known, v->n, n); break;
	case PARQUET_TEXT: CLOSE_RANKS(v->s, v->known, v->n, n); break;
	}
	return n;
}

/* Numbers that only grow, as ids do, need less room as differences than as words: the first ones
 * tell.  Bytes of words that are 0 count for nothing: they are deflated. */
static bool is_less_as_differences(struct paging *p, size_t n)
{
	const size_t first = MIN(n, (size_t)TRIED);
	const size_t words = SUM(size_t, i, p->d.n, bits_of((uint64_t)p->d.number[i]) / 8);

	str_reset(&p->raw);
	rle_put(&p->raw, p->d.index, first, MAX(1u, bits_of(p->d.n - 1)));
	str_reset(&p->scratch);
	delta_put(&p->scratch, p->v->i, first);
	return (double)p->scratch.n < (double)p->raw.n + (double)words * (double)first / (double)n;
}

void chunk_fill(struct parquet_chunk *c, enum parquet_type type, struct parquet_values *v)
{
	struct paging p = { .c = c, .type = type, .v = v };
	size_t n = close_ranks(type, v);

	if (type == PARQUET_TEXT)
		dictionary_of_texts(&p.d, v->s, n);
	else if (type != PARQUET_BOOL)
		dictionary_of_numbers(&p.d, v->i, n);
	if (type == PARQUET_INT && p.d.covered == n && n > 0 && is_less_as_differences(&p, n))
		p.d.covered = 0;
	c->nvalue = (int64_t)v->n;
	c->nnull = (int64_t)(v->n - n);
	bounds_of(&p, n);
	pages_put(&p);
	dictionary_clear(&p.d);
	str_free(&p.raw);
	str_free(&p.packed);
	str_free(&p.scratch);
}

void chunk_clear(struct parquet_chunk *c)
{
	str_free(&c->bytes);
	str_free(&c->least);
	str_free(&c->most);
}
