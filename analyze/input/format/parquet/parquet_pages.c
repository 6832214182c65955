/* Pages of a column.
 *
 * Source: parquet-format, README.md (data pages, version 1). */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/input/format/parquet/parquet_in.h"
#include "analyze/input/format/parquet/thrift_in.h"
#include "analyze/input/format/parquet/unpacking.h"
#include "analyze/input/source/inflate.h"

enum {
	PAGE_MAX = 1 << 28,   /* bytes of a page when it is inflated */
	PAGES_MAX = 1 << 30,  /* of all of a column in one group */
	INFLATION_MAX = 1100, /* bytes that one byte can become: deflate's most is 1032 */
	GZIP_HEAD = 10,
	GZIP_TAIL = 8,
	DICTIONARY_MAX = 1 << 16
};

struct page {
	int64_t type, raw, packed, n, encoding;
};

/* Values of a column while its pages are read. */
struct filling {
	struct parquet_rows *to;
	const struct parquet_pages *pages;
	struct span rest; /* pages that are still to come */
	const struct inflater *inflater;
	void *state;
	size_t row;
	int64_t inflated;
	uint32_t *index; /* scratch, by row */
	union {
		int64_t *number; /* of the dictionary */
		struct span *text;
		void *any;
	} word;
	size_t nword;
};

static size_t size_of(enum parquet_physical type)
{
	switch (type) {
	case PARQUET_BOOLEAN: return sizeof(bool);
	case PARQUET_INT64:
	case PARQUET_DOUBLE: return sizeof(int64_t);
	case PARQUET_BYTE_ARRAY: break;
	}
	return sizeof(struct span);
}

static void page_part(struct thrift_in *t, struct page *p)
{
	for (struct thrift_field at = { 0 }; thrift_next(t, &at);)
		switch (at.id) {
		case 1: p->n = thrift_number(t, &at); break;
		case 2: p->encoding = thrift_number(t, &at); break;
		default: thrift_skip(t, &at);
		}
}

static bool page_head(struct filling *f, struct page *p)
{
	struct thrift_in t = { .at = (const unsigned char *)f->rest.p,
		.end = (const unsigned char *)f->rest.p + f->rest.n };

	*p = (struct page){ -1, -1, -1, -1, -1 };
	for (struct thrift_field at = { 0 }; thrift_next(&t, &at);)
		switch (at.id) {
		case 1: p->type = thrift_number(&t, &at); break;
		case 2: p->raw = thrift_number(&t, &at); break;
		case 3: p->packed = thrift_number(&t, &at); break;
		case 5:
		case 7:
			thrift_open(&t, &at);
			page_part(&t, p);
			break;
		default: thrift_skip(&t, &at);
		}
	f->rest = span_between((const char *)t.at, f->rest.p + f->rest.n);
	return !t.is_bad && p->packed >= 0 && (uint64_t)p->packed <= f->rest.n && p->raw >= 0 &&
		p->raw <= PAGE_MAX && p->n >= 0;
}

/* One member of gzip, as deflate_head and deflate_tail make it. */
static bool inflate_page(struct filling *f, struct span packed, char *out, size_t n)
{
	const unsigned char *in = (const unsigned char *)packed.p + GZIP_HEAD;
	unsigned char *to = (unsigned char *)out;
	size_t nin;
	struct span tail;
	uint32_t crc, size;

	if (packed.n < GZIP_HEAD + GZIP_TAIL || memcmp(packed.p, "\x1f\x8b\x08", 4) != 0)
		return false;
	nin = packed.n - GZIP_HEAD - GZIP_TAIL;
	tail = (struct span){ packed.p + packed.n - GZIP_TAIL, GZIP_TAIL };
	f->inflater->reset(f->state);
	size_t room = n;
	if (f->inflater->run(f->state, &in, &nin, &to, &room) != INFLATE_END || room > 0)
		return false;
	return u32_take(&tail, &crc) && u32_take(&tail, &size) && size == n &&
		crc == f->inflater->crc32(0, (const unsigned char *)out, n);
}

/* The page's bytes, as they were before they were compressed. */
static bool page_bytes(struct filling *f, const struct page *p, struct span *bytes)
{
	struct span packed = { f->rest.p, (size_t)p->packed };

	f->rest = span_from(f->rest, packed.n);
	*bytes = packed;
	if (!f->pages->is_packed)
		return p->raw == p->packed;
	f->inflated += p->raw;
	if (p->raw > p->packed * INFLATION_MAX || f->inflated > PAGES_MAX)
		return false;
	char *out = arena_alloc(&f->to->mem, (size_t)p->raw + UNPACKING_PADDING);
	*bytes = (struct span){ out, (size_t)p->raw };
	return inflate_page(f, packed, out, (size_t)p->raw);
}

static bool take_dictionary(struct filling *f, const struct page *p, struct span bytes)
{
	if (f->word.any || f->row > 0 || p->encoding != PARQUET_PLAIN || p->n > DICTIONARY_MAX)
		return false;
	f->nword = (size_t)p->n;
	f->word.any = arena_array(&f->to->mem, f->nword + 1, size_of(f->to->type));
	switch (f->to->type) {
	case PARQUET_BOOLEAN: return false;
	case PARQUET_INT64:
	case PARQUET_DOUBLE: return numbers_take(&bytes, f->word.number, f->nword);
	case PARQUET_BYTE_ARRAY: break;
	}
	return texts_take(&bytes, f->word.text, f->nword);
}

/* n values of the dictionary into row `at` and those behind it. */
static bool take_words(struct filling *f, struct span *bytes, size_t at, size_t n)
{
	struct parquet_rows *to = f->to;

	if (n == 0)
		return true;
	if (bytes->n == 0 || !f->word.any)
		return false;
	const unsigned width = (unsigned char)bytes->p[0];
	*bytes = span_from(*bytes, 1);
	if (!rle_take(bytes, f->index, n, width) || ANY(i, n, f->index[i] >= f->nword))
		return false;
	if (to->type == PARQUET_BYTE_ARRAY)
		for (size_t i = 0; i < n; i++)
			to->s[at + i] = f->word.text[f->index[i]];
	else
		for (size_t i = 0; i < n; i++)
			to->i[at + i] = f->word.number[f->index[i]];
	return true;
}

static bool take_values(
	struct filling *f, const struct page *p, struct span *bytes, size_t at, size_t n)
{
	struct parquet_rows *to = f->to;

	if (p->encoding == PARQUET_DICTIONARY)
		return to->type != PARQUET_BOOLEAN && take_words(f, bytes, at, n);
	if (p->encoding == PARQUET_DELTA)
		return to->type == PARQUET_INT64 && delta_take(bytes, to->i + at, n);
	if (p->encoding != PARQUET_PLAIN)
		return false;
	switch (to->type) {
	case PARQUET_BOOLEAN: return bools_take(bytes, to->b + at, n);
	case PARQUET_INT64:
	case PARQUET_DOUBLE: return numbers_take(bytes, to->i + at, n);
	case PARQUET_BYTE_ARRAY: break;
	}
	return texts_take(bytes, to->s + at, n);
}

static void put_nothing(struct parquet_rows *to, size_t row)
{
	switch (to->type) {
	case PARQUET_BOOLEAN: to->b[row] = false; return;
	case PARQUET_INT64: to->i[row] = INT64_MIN; return;
	case PARQUET_DOUBLE: to->r[row] = NAN; return;
	case PARQUET_BYTE_ARRAY: to->s[row] = (struct span){ NULL, 0 }; return;
	}
}

static void move(struct parquet_rows *to, size_t into, size_t from)
{
	switch (to->type) {
	case PARQUET_BOOLEAN: to->b[into] = to->b[from]; return;
	case PARQUET_INT64:
	case PARQUET_DOUBLE: to->i[into] = to->i[from]; return;
	case PARQUET_BYTE_ARRAY: to->s[into] = to->s[from]; return;
	}
}

/* n values stand from row `at` on: each moves to its row, the last first. */
static void spread(struct filling *f, size_t at, size_t nrow, size_t n)
{
	for (size_t i = nrow; i-- > 0 && n < nrow;)
		if (!f->index[i])
			put_nothing(f->to, at + i);
		else if (--n < i)
			move(f->to, at + i, at + n);
		else
			return;
}

static bool take_data(struct filling *f, const struct page *p, struct span bytes)
{
	const size_t at = f->row, nrow = (size_t)p->n;
	uint32_t nlevel;

	if ((uint64_t)p->n > f->to->n - f->row || !u32_take(&bytes, &nlevel) || nlevel > bytes.n)
		return false;
	struct span level = { bytes.p, nlevel };
	bytes = span_from(bytes, nlevel);
	uint32_t *said = f->index + f->to->n; /* values' own indexes stand in front of it */
	if (!rle_take(&level, said, nrow, 1) || level.n > 0)
		return false;
	const size_t n = SUM(size_t, i, nrow, said[i]);
	if (!take_values(f, p, &bytes, at, n) || bytes.n > 0)
		return false;
	uint32_t *scratch = f->index;
	f->index = said;
	spread(f, at, nrow, n);
	f->index = scratch;
	f->row += nrow;
	return true;
}

static bool take_pages(struct filling *f)
{
	struct page p;
	struct span bytes;

	while (f->rest.n > 0) {
		if (!page_head(f, &p) || !page_bytes(f, &p, &bytes))
			return false;
		bool ok = p.type == PARQUET_PAGE_DICTIONARY ? take_dictionary(f, &p, bytes)
			: p.type == PARQUET_PAGE_DATA       ? take_data(f, &p, bytes)
							    : false;
		if (!ok)
			return false;
	}
	return f->row == f->to->n;
}

enum status parquet_read(const struct parquet_in *p, size_t group, size_t column,
	struct parquet_rows *rows, struct err *e)
{
	const struct parquet_group *g = &p->group[group];
	const struct parquet_pages *pages = &g->pages[column];
	struct filling f = { .to = rows, .pages = pages, .rest = pages->bytes };

	parquet_rows_clear(rows);
	if (p->is_checked && XXH3_64bits(pages->bytes.p, pages->bytes.n) != pages->check)
		return parquet_damaged("a column was changed", e);
	rows->type = p->column[column].type;
	rows->n = g->n;
	rows->i = arena_alloc(&rows->mem, (g->n + 1) * size_of(rows->type));
	f.index = xmalloc((2 * g->n + 1) * sizeof(*f.index));
	f.inflater = inflater_pick(NULL);
	f.state = f.inflater->open();
	const bool ok = take_pages(&f);
	f.inflater->close(f.state);
	free(f.index);
	return ok ? OK : parquet_damaged("a column is not what it should be", e);
}

void parquet_rows_clear(struct parquet_rows *rows)
{
	arena_clear(&rows->mem);
	rows->i = NULL;
	rows->n = 0;
}
