/* A packed table: a bit for each cell that is known, then the known cells row by row.  Integers and
 * numbers of texts are in base 128, low digits first, signs in the lowest bit; so are whole reals,
 * the others as they are. */
#include "base/base.h"
#include "base/table_work.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/xalloc.h"
#include "base/zeroed.h"
#include "base/table.h"

#define SEED UINT64_C(0x7461626c65706b00)

enum { FIRST_SLOTS = 256, WHOLE_MAX = 1 << 20, DIGIT_BITS = 7, DIGIT_MORE = 0x80 };

struct table_pack {
	struct result *of;
	struct span *text; /* by number; bytes in of->keep, ending with 0 */
	size_t n, cap;
	uint64_t *hash; /* by number */
	size_t hash_cap;
	uint32_t *slot; /* open addressing; 0: free, else number + 1 */
	size_t nslot;
	struct str bytes;          /* scratch */
	const struct table *shown; /* the table whose cells are below */
	union cell *cell;
	bool *known;
	size_t cell_cap, known_cap;
};

struct table_pack *pack_new(struct result *r)
{
	struct table_pack *p = zeroed(1, sizeof(*p));

	p->of = r;
	p->nslot = FIRST_SLOTS;
	p->slot = zeroed(p->nslot, sizeof(*p->slot));
	return p;
}

void pack_free(struct table_pack *p)
{
	if (!p)
		return;
	FREE_ALL(p->text, p->hash, p->slot, p->cell, p->known);
	str_free(&p->bytes);
	free(p);
}

static void rehash(struct table_pack *p)
{
	free(p->slot);
	p->nslot *= 2;
	p->slot = zeroed(p->nslot, sizeof(*p->slot));
	for (size_t i = 0; i < p->n; i++) {
		size_t at = p->hash[i] & (p->nslot - 1);

		while (p->slot[at])
			at = (at + 1) & (p->nslot - 1);
		p->slot[at] = (uint32_t)i + 1;
	}
}

/* The number of that text, new or old. */
static uint32_t number_of(struct table_pack *p, struct span t)
{
	uint64_t hash = XXH3_64bits_withSeed(t.p, t.n, SEED);
	size_t at = hash & (p->nslot - 1);

	for (; p->slot[at]; at = (at + 1) & (p->nslot - 1))
		if (p->hash[p->slot[at] - 1] == hash && span_eq(p->text[p->slot[at] - 1], t))
			return p->slot[at] - 1;
	if (p->n == UINT32_MAX - 1)
		die_oom(SIZE_MAX);
	p->text = array_grow(p->text, &p->cap, p->n + 1, sizeof(*p->text));
	p->hash = array_grow(p->hash, &p->hash_cap, p->n + 1, sizeof(*p->hash));
	p->text[p->n] = (struct span){ arena_copy(&p->of->keep, t.p, t.n), t.n };
	p->hash[p->n] = hash;
	p->slot[at] = (uint32_t)++p->n;
	if (p->n * 2 > p->nslot)
		rehash(p);
	return (uint32_t)p->n - 1;
}

/* A text that may be in the memory that goes. */
static const char *kept(struct table_pack *p, const char *text)
{
	if (!text || !arena_has(&p->of->mem, text))
		return text;
	uint32_t number = number_of(p, span_of(text));
	return p->text[number].p;
}

/* Columns that were made for one table are those of many: bytes as a text's, which are aligned. */
static const struct column *digest_file_columns(
	struct table_pack *p, const struct column *col, size_t ncol)
{
	size_t i;

	if (ncol == 0 || !arena_has(&p->of->mem, col))
		return col;
	struct column *own = arena_array(&p->of->mem, ncol, sizeof(*own));
	memcpy(own, col, ncol * sizeof(*own));
	for (i = 0; i < ncol; i++) {
		own[i].key = kept(p, col[i].key);
		own[i].title = kept(p, col[i].title);
		own[i].doc = kept(p, col[i].doc);
		own[i].source = kept(p, col[i].source);
		own[i].words = kept(p, col[i].words);
		own[i].pattern = kept(p, col[i].pattern);
	}
	i = number_of(p, (struct span){ (const char *)own, ncol * sizeof(*own) });
	return (const void *)p->text[i].p;
}

static void put_digits(struct str *b, uint64_t v)
{
	for (; v >= DIGIT_MORE; v >>= DIGIT_BITS)
		str_addc(b, (char)(v | DIGIT_MORE));
	str_addc(b, (char)v);
}

static uint64_t take_digits(const unsigned char **at)
{
	unsigned shift = 0;
	uint64_t v = 0;

	for (; **at & DIGIT_MORE; shift += DIGIT_BITS)
		v |= (uint64_t)(*(*at)++ & (DIGIT_MORE - 1)) << shift;
	return v | (uint64_t) * (*at)++ << shift;
}

static uint64_t folded(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

/* Shares of 0 and 1 are most: 1 + a small whole number, or 0 and the bytes. */
static void put_real(struct str *b, double v)
{
	if (v > -WHOLE_MAX && v < WHOLE_MAX && v == nearbyint(v) && !(v == 0 && signbit(v))) {
		put_digits(b, 1 + folded((int)saturate_whole(v)));
		return;
	}
	put_digits(b, 0);
	str_add(b, (const char *)&v, sizeof(v));
}

static double take_real(const unsigned char **at)
{
	uint64_t whole = take_digits(at);
	double v;

	if (whole)
		return (double)unfolded(whole - 1);
	memcpy(&v, *at, sizeof(v));
	*at += sizeof(v);
	return v;
}

static void put_cell(struct table_pack *p, enum cell_type type, const union cell *c)
{
	struct str *b = &p->bytes;

	switch (type) {
	case CELL_TEXT: put_digits(b, number_of(p, c->s)); break;
	case CELL_INT: put_digits(b, folded(c->i)); break;
	case CELL_REAL: put_real(b, c->r); break;
	case CELL_BOOL: put_digits(b, c->b); break;
	}
}

static void take_cell(
	struct table_pack *p, enum cell_type type, const unsigned char **at, union cell *c)
{
	switch (type) {
	case CELL_TEXT: c->s = p->text[take_digits(at)]; break;
	case CELL_INT: c->i = unfolded(take_digits(at)); break;
	case CELL_REAL: c->r = take_real(at); break;
	case CELL_BOOL: c->b = take_digits(at) != 0; break;
	}
}

void pack_table(struct table_pack *p, struct table *t)
{
	struct result *r = p->of;
	size_t n = t->nrow * t->ncol;
	struct str *b = &p->bytes;

	b->n = 0;
	for (size_t i = 0; i < n; i += 8) {
		unsigned bits = 0;

		for (unsigned k = 0; k < 8 && i + k < n; k++)
			bits |= (unsigned)t->known[i + k] << k;
		str_addc(b, (char)bits);
	}
	for (size_t i = 0; i < n; i++)
		if (t->known[i])
			put_cell(p, t->col[i % t->ncol].type, &t->cell[i]);
	t->id = kept(p, t->id);
	t->title = kept(p, t->title);
	t->footnote = kept(p, t->footnote);
	t->col = digest_file_columns(p, t->col, t->ncol);
	t->unit = t->nrow && ANY(i, t->ncol, t->col[i].unit == UNIT_OF_ROW)
		? memcpy(arena_alloc(&r->keep, t->nrow), t->unit, t->nrow)
		: NULL;
	t->packed = memcpy(arena_alloc(&r->keep, b->n + 1), b->n ? b->s : "", b->n);
	t->pack = p;
	t->cell = NULL;
	t->known = NULL;
	t->cap = 0;
}

static void show(struct table_pack *p, const struct table *t)
{
	size_t n = t->nrow * t->ncol;
	const unsigned char *at = t->packed + (n + 7) / 8;

	p->cell = array_grow(p->cell, &p->cell_cap, n, sizeof(*p->cell));
	p->known = array_grow(p->known, &p->known_cap, n, sizeof(*p->known));
	for (size_t i = 0; i < n; i++) {
		p->known[i] = t->packed[i / 8] >> i % 8 & 1;
		if (p->known[i])
			take_cell(p, t->col[i % t->ncol].type, &at, &p->cell[i]);
	}
	p->shown = t;
}

const union cell *pack_cell(const struct table *t, size_t row, size_t col)
{
	struct table_pack *p = t->pack;
	size_t at = row * t->ncol + col;

	if (p->shown != t)
		show(p, t);
	return p->known[at] ? &p->cell[at] : NULL;
}
