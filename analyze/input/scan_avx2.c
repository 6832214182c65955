/*
 * The scanner on AVX2: 32 bytes a compare, carry-less multiply for the in-string mask.
 */
#include "analyze/input/scan.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "base/compiler.h"

struct masks {
	uint64_t quote, backslash;
	uint64_t open, close;
	uint64_t follow;
};

static inline __m256i load(const char *p)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline uint32_t bits(__m256i v)
{
	return (uint32_t)_mm256_movemask_epi8(v);
}

static inline __m256i is(__m256i v, char c)
{
	return _mm256_cmpeq_epi8(v, _mm256_set1_epi8(c));
}

static inline __m256i is_blank(__m256i v)
{
	return _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x20)), v);
}

HOT_INLINE const char *find_quote(const char *p)
{
	for (;; p += 32) {
		__m256i v = load(p);
		uint32_t m = bits(_mm256_or_si256(is(v, '"'), is(v, '\\')));

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE const char *find_nonblank(const char *p)
{
	if ((unsigned char)*p > 0x20)
		return p;
	for (;; p += 32) {
		uint32_t m = ~bits(is_blank(load(p)));

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE const char *find_scalar_end(const char *p)
{
	for (;; p += 32) {
		__m256i v = load(p);
		__m256i stop = _mm256_or_si256(_mm256_or_si256(is_blank(v), is(v, ',')),
			_mm256_or_si256(is(v, '}'), is(v, ']')));
		uint32_t m = bits(_mm256_or_si256(stop, is(v, '"')));

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE bool same(const char *p, const char *q, uint32_t n)
{
	uint32_t differ = ~bits(_mm256_cmpeq_epi8(load(p), load(q)));

	return (differ & (uint32_t)((UINT64_C(1) << n) - 1)) == 0;
}

HOT_INLINE void classify(const char *p, struct masks *m)
{
	uint32_t quote[2], backslash[2], open[2], close[2], follow[2];
	int i;

	for (i = 0; i < 2; i++) {
		__m256i v = load(p + i * 32);
		__m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20)); /* [ ] to { } */
		__m256i closing = is(folded, '}');

		quote[i] = bits(is(v, '"'));
		backslash[i] = bits(is(v, '\\'));
		open[i] = bits(is(folded, '{'));
		close[i] = bits(closing);
		follow[i] = bits(_mm256_or_si256(_mm256_or_si256(closing, is_blank(v)),
			_mm256_or_si256(is(v, ','), is(v, ':'))));
	}
	m->quote = quote[0] | (uint64_t)quote[1] << 32;
	m->backslash = backslash[0] | (uint64_t)backslash[1] << 32;
	m->open = open[0] | (uint64_t)open[1] << 32;
	m->close = close[0] | (uint64_t)close[1] << 32;
	m->follow = follow[0] | (uint64_t)follow[1] << 32;
}

HOT_INLINE uint64_t prefix_xor(uint64_t x)
{
	__m128i all = _mm_set1_epi8((char)0xff);

	return (uint64_t)_mm_cvtsi128_si64(
		_mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)x), all, 0));
}

#define SCANNER      scanner_avx2
#define SCANNER_NAME "avx2"
#include "analyze/input/scan_impl.h"
#endif
