/* Numbers in few bits. */
#include "report/parquet/packing.h"

#include "report/parquet/thrift.h"

enum { GROUP = 8, BLOCK = 128, QUARTERS = 4, QUARTER = BLOCK / QUARTERS, WORD_BITS = 64 };

/* Bits that are written, the lowest first. */
struct bits {
	uint64_t word;
	unsigned n; /* in the word, which has more room */
	unsigned char *to;
};

static inline void word_put(struct bits *b)
{
	for (unsigned i = 0; i < WORD_BITS; i += 8)
		*b->to++ = (unsigned char)(b->word >> i);
}

/* The low `width` bits of v, the others of which are 0. */
static inline void bits_put(struct bits *b, uint64_t v, unsigned width)
{
	b->word |= v << b->n;
	if (b->n + width < WORD_BITS) {
		b->n += width;
		return;
	}
	word_put(b);
	b->word = b->n > 0 ? v >> (WORD_BITS - b->n) : 0;
	b->n += width - WORD_BITS;
}

/* Room for n numbers and a word; bits_end closes it. */
static struct bits bits_begin(struct str *out, size_t n, unsigned width)
{
	out->s = array_grow(
		out->s, &out->cap, out->n + (n * width + 7) / 8 + 2 * sizeof(uint64_t), 1);
	return (struct bits){ .to = (unsigned char *)out->s + out->n };
}

static void bits_end(struct bits *b, struct str *out)
{
	unsigned char *end = b->to + (b->n + 7) / 8;

	word_put(b);
	out->n = (size_t)(end - (unsigned char *)out->s);
	out->s[out->n] = '\0';
}

static void put_bytes(struct str *out, uint64_t v, unsigned bits)
{
	char byte[sizeof(v)];
	size_t n = 0;

	for (unsigned i = 0; i < bits; i += 8)
		byte[n++] = (char)(v >> i & 0xff);
	str_add(out, byte, n);
}

void put_u32(struct str *out, uint32_t v)
{
	put_bytes(out, v, 32);
}

void put_u64(struct str *out, uint64_t v)
{
	put_bytes(out, v, WORD_BITS);
}

unsigned bits_of(uint64_t v)
{
	return v == 0 ? 0 : WORD_BITS - (unsigned)__builtin_clzll(v);
}

void bools_put(struct str *out, const bool *v, size_t n)
{
	struct bits b = bits_begin(out, n, 1);

	for (size_t i = 0; i < n; i++)
		bits_put(&b, v[i], 1);
	bits_end(&b, out);
}

/* What is no run, in groups, the last of which is filled up. */
static void groups_put(struct str *out, const uint32_t *v, size_t n, unsigned width)
{
	size_t ngroup = (n + GROUP - 1) / GROUP;

	if (n == 0)
		return;
	varint_put(out, ngroup << 1 | 1);
	struct bits b = bits_begin(out, ngroup * GROUP, width);
	for (size_t i = 0; i < n; i++)
		bits_put(&b, v[i], width);
	for (size_t i = n; i < ngroup * GROUP; i++)
		bits_put(&b, 0, width);
	bits_end(&b, out);
}

static void run_put(struct str *out, uint32_t v, size_t n, unsigned width)
{
	varint_put(out, n << 1);
	put_bytes(out, v, width);
}

void rle_put(struct str *out, const uint32_t *v, size_t n, unsigned width)
{
	size_t from = 0, i = 0; /* what stands from `from` to i is no run */

	while (i < n) {
		size_t end = FIRST_FROM(j, i + 1, n, v[j] != v[i]);
		size_t fill = (GROUP - (i - from) % GROUP) % GROUP;

		if (end - i >= GROUP + fill) {
			groups_put(out, v + from, i + fill - from, width);
			run_put(out, v[i], end - i - fill, width);
			from = end;
		}
		i = end;
	}
	groups_put(out, v + from, n - from, width);
}

static void block_put(struct str *out, uint64_t *v, size_t n)
{
	int64_t least = (int64_t)v[0];
	unsigned width[QUARTERS] = { 0 };

	for (size_t i = 1; i < n; i++)
		least = MIN(least, (int64_t)v[i]);
	zigzag_put(out, least);
	for (size_t q = 0; q < QUARTERS; q++) {
		uint64_t all = 0;

		for (size_t i = q * QUARTER; i < MIN(n, (q + 1) * QUARTER); i++) {
			v[i] -= (uint64_t)least;
			all |= v[i];
		}
		width[q] = bits_of(all);
		str_addc(out, (char)width[q]);
	}
	for (size_t q = 0; q * QUARTER < n; q++) {
		struct bits b = bits_begin(out, QUARTER, width[q]);

		if (width[q] == 0)
			continue;
		for (size_t i = q * QUARTER; i < (q + 1) * QUARTER; i++)
			bits_put(&b, i < n ? v[i] : 0, width[q]);
		bits_end(&b, out);
	}
}

void delta_put(struct str *out, const int64_t *v, size_t n)
{
	uint64_t delta[BLOCK];

	varint_put(out, BLOCK);
	varint_put(out, QUARTERS);
	varint_put(out, n);
	zigzag_put(out, n > 0 ? v[0] : 0);
	for (size_t from = 1; from < n; from += BLOCK) {
		size_t more = MIN((size_t)BLOCK, n - from);

		for (size_t i = 0; i < more; i++)
			delta[i] = (uint64_t)v[from + i] - (uint64_t)v[from + i - 1];
		block_put(out, delta, more);
	}
}
