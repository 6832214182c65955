/* Runs, groups, differences.
 *
 * Source: parquet-format, Encodings.md. */
#include "analyze/input/format/parquet/unpacking.h"

#include "analyze/input/format/parquet/thrift_in.h"

enum { GROUP = 8, BLOCK = 128, QUARTERS = 4, QUARTER = BLOCK / QUARTERS, WORD_BITS = 64 };

static void take(struct span *from, size_t n)
{
	from->p += n;
	from->n -= n;
}

static uint64_t load(const char *p)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < sizeof(v); i++)
		v |= (uint64_t)(unsigned char)p[i] << 8 * i;
	return v;
}

/* The i-th number of `width` bits, 1 to 64. */
static inline uint64_t bits_at(const char *p, size_t i, unsigned width)
{
	const size_t bit = i * width;
	const unsigned in = bit & 7;
	uint64_t v = load(p + bit / 8) >> in;

	if (in + width > WORD_BITS)
		v |= (uint64_t)(unsigned char)p[bit / 8 + sizeof(v)] << (WORD_BITS - in);
	return width == WORD_BITS ? v : v & ((UINT64_C(1) << width) - 1);
}

bool u32_take(struct span *from, uint32_t *v)
{
	if (from->n < sizeof(*v))
		return false;
	*v = (uint32_t)load(from->p);
	take(from, sizeof(*v));
	return true;
}

/* A number of seven bits a byte. */
static bool varint_take(struct span *from, uint64_t *v)
{
	struct thrift_in t = { .at = (const unsigned char *)from->p,
		.end = (const unsigned char *)from->p + from->n };

	*v = thrift_varint(&t);
	take(from, (size_t)(t.at - (const unsigned char *)from->p));
	return !t.is_bad;
}

static bool zigzag_take(struct span *from, int64_t *v)
{
	uint64_t all;

	if (!varint_take(from, &all))
		return false;
	*v = (int64_t)(all >> 1 ^ (all & 1 ? UINT64_MAX : 0));
	return true;
}

static bool groups_take(struct span *from, uint32_t *v, size_t *n, uint64_t ngroup, unsigned width)
{
	if (ngroup == 0 || ngroup > *n / GROUP + 1 || ngroup * width > from->n)
		return false;
	*n = MIN(*n, (size_t)ngroup * GROUP);
	for (size_t i = 0; i < *n; i++)
		v[i] = (uint32_t)bits_at(from->p, i, width);
	take(from, (size_t)ngroup * width);
	return true;
}

static bool run_take(struct span *from, uint32_t *v, size_t *n, uint64_t many, unsigned width)
{
	const size_t bytes = (width + 7) / 8;

	if (many == 0 || many > *n || bytes > from->n)
		return false;
	*n = (size_t)many;
	uint32_t one = (uint32_t)bits_at(from->p, 0, (unsigned)bytes * 8);
	FILL(v, *n, one);
	take(from, bytes);
	return true;
}

bool rle_take(struct span *from, uint32_t *v, size_t n, unsigned width)
{
	if (width == 0 || width > 32)
		return false;
	for (size_t i = 0, more; i < n; i += more) {
		uint64_t head;

		more = n - i;
		if (!varint_take(from, &head))
			return false;
		bool ok = head & 1 ? groups_take(from, v + i, &more, head >> 1, width)
				   : run_take(from, v + i, &more, head >> 1, width);
		if (!ok)
			return false;
	}
	return true;
}

bool bools_take(struct span *from, bool *v, size_t n)
{
	if (from->n < (n + 7) / 8)
		return false;
	for (size_t i = 0; i < n; i++)
		v[i] = from->p[i / 8] >> i % 8 & 1;
	take(from, (n + 7) / 8);
	return true;
}

/* The block of n differences behind `before`, at most BLOCK. */
static bool block_take(struct span *from, int64_t *v, size_t n, int64_t before)
{
	unsigned char width[QUARTERS];
	int64_t least;

	if (!zigzag_take(from, &least) || from->n < QUARTERS)
		return false;
	memcpy(width, from->p, QUARTERS);
	take(from, QUARTERS);
	for (size_t q = 0; q * QUARTER < n; q++) {
		const size_t bytes = QUARTER / 8 * (size_t)width[q];

		if (width[q] > WORD_BITS || bytes > from->n)
			return false;
		for (size_t i = q * QUARTER; i < MIN(n, (q + 1) * QUARTER); i++) {
			uint64_t more = width[q] ? bits_at(from->p, i - q * QUARTER, width[q]) : 0;

			v[i] = before = (int64_t)((uint64_t)before + (uint64_t)least + more);
		}
		take(from, bytes);
	}
	return true;
}

bool delta_take(struct span *from, int64_t *v, size_t n)
{
	uint64_t block, quarters, many;
	int64_t first;

	if (!varint_take(from, &block) || !varint_take(from, &quarters) ||
		!varint_take(from, &many) || !zigzag_take(from, &first) || block != BLOCK ||
		quarters != QUARTERS || many != n || n == 0)
		return false;
	v[0] = first;
	for (size_t i = 1; i < n; i += BLOCK)
		if (!block_take(from, v + i, MIN((size_t)BLOCK, n - i), v[i - 1]))
			return false;
	return true;
}

bool numbers_take(struct span *from, int64_t *v, size_t n)
{
	if (from->n / sizeof(*v) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		v[i] = (int64_t)load(from->p + i * sizeof(*v));
	take(from, n * sizeof(*v));
	return true;
}

bool texts_take(struct span *from, struct span *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t bytes;

		if (!u32_take(from, &bytes) || bytes > from->n)
			return false;
		v[i] = (struct span){ from->p, bytes };
		take(from, bytes);
	}
	return true;
}
