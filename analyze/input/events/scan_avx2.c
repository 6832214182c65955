/* The scanner on AVX2: 32 bytes a compare, carry-less multiply for the in-string mask. */
#include "analyze/input/events/scan.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "base/base.h"

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

/* By the low four bits of a byte: the sign with them that is looked for, to be compared with the
 * byte folded.  Where there is none, a byte that no folded one is.  Folding turns ] into }, and
 * control characters, which are blanks, into others. */
static inline __m128i end_signs(void) /* " , } ] */
{
	return _mm_setr_epi8(0, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, ',', '}', 0, 0);
}

static inline __m128i follow_signs(void) /* , : } ] */
{
	return _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', 0, ',', '}', 0, 0);
}

static inline __m256i folded(__m256i v)
{
	return _mm256_or_si256(v, _mm256_set1_epi8(0x20));
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
		__m256i signs = _mm256_broadcastsi128_si256(end_signs());
		__m256i is_sign = _mm256_cmpeq_epi8(folded(v), _mm256_shuffle_epi8(signs, v));
		uint32_t m = bits(_mm256_or_si256(is_sign, is_blank(v)));

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE bool same(const char *p, const char *q, uint32_t n)
{
	uint32_t differ = ~bits(_mm256_cmpeq_epi8(load(p), load(q)));

	return _bzhi_u32(differ, n) == 0;
}

HOT_INLINE bool alike(const char *p, const char *q, uint32_t n)
{
	__m256i a = load(p), b = load(q), zero = _mm256_set1_epi8('0');
	__m256i most = _mm256_max_epu8(_mm256_sub_epi8(a, zero), _mm256_sub_epi8(b, zero));
	__m256i digits = _mm256_cmpeq_epi8(_mm256_min_epu8(most, _mm256_set1_epi8(9)), most);
	uint32_t differ = ~bits(_mm256_or_si256(_mm256_cmpeq_epi8(a, b), digits));

	return _bzhi_u32(differ, n) == 0;
}

/* Masks of the 32 bytes at p, in the low halves. */
HOT_INLINE struct masks classify_half(const char *p, char opening)
{
	__m256i v = load(p);
	__m256i all = _mm256_broadcastsi128_si256(follow_signs());
	__m256i signs = _mm256_cmpeq_epi8(folded(v), _mm256_shuffle_epi8(all, v));
	struct masks m;

	m.quote = bits(is(v, '"'));
	m.backslash = bits(is(v, '\\'));
	m.open = bits(is(v, opening));
	m.close = bits(is(v, CLOSING(opening)));
	m.follow = bits(_mm256_or_si256(signs, is_blank(v)));
	return m;
}

/* No loop and no arrays: halves that are stored one by one and loaded as a whole stall. */
HOT_INLINE void classify(const char *p, char opening, struct masks *m)
{
	struct masks low = classify_half(p, opening), high = classify_half(p + 32, opening);

	m->quote = low.quote | high.quote << 32;
	m->backslash = low.backslash | high.backslash << 32;
	m->open = low.open | high.open << 32;
	m->close = low.close | high.close << 32;
	m->follow = low.follow | high.follow << 32;
}

HOT_INLINE uint64_t prefix_xor(uint64_t x)
{
	__m128i all = _mm_set1_epi8((char)0xff);

	return (uint64_t)_mm_cvtsi128_si64(
		_mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)x), all, 0));
}

#define SCANNER        scanner_avx2
#define SCANNER_NAME   "avx2"
#define SCANNER_LEARNS 1
#define SCANNER_XORS   1
#include "analyze/input/events/scan_impl.h"
#endif
