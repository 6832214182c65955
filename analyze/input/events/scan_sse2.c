/* The scanner on SSE2, which every x86-64 has: 16 bytes a compare. */
#include "analyze/input/events/scan.h"

#if defined(__x86_64__)
#include <emmintrin.h>

#include "base/base.h"

static inline __m128i load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline uint32_t bits(__m128i v)
{
	return (uint32_t)_mm_movemask_epi8(v);
}

static inline __m128i is(__m128i v, char c)
{
	return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

static inline __m128i is_blank(__m128i v)
{
	return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x20)), v);
}

HOT_INLINE const char *find_quote(const char *p)
{
	for (;; p += 16) {
		__m128i v = load(p);
		uint32_t m = bits(_mm_or_si128(is(v, '"'), is(v, '\\')));

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE const char *find_nonblank(const char *p)
{
	if ((unsigned char)*p > 0x20)
		return p;
	for (;; p += 16) {
		uint32_t m = ~bits(is_blank(load(p))) & 0xffff;

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE const char *find_scalar_end(const char *p)
{
	for (;; p += 16) {
		__m128i v = load(p);
		__m128i stop = _mm_or_si128(_mm_or_si128(is_blank(v), is(v, ',')),
			_mm_or_si128(is(v, '}'), is(v, ']')));
		uint32_t m = bits(_mm_or_si128(stop, is(v, '"')));

		if (m)
			return p + __builtin_ctz(m);
	}
}

HOT_INLINE bool same(const char *p, const char *q, uint32_t n)
{
	uint32_t equal = bits(_mm_cmpeq_epi8(load(p), load(q))) |
		bits(_mm_cmpeq_epi8(load(p + 16), load(q + 16))) << 16;

	return (~equal & (uint32_t)((UINT64_C(1) << n) - 1)) == 0;
}

static inline __m128i alike_half(__m128i a, __m128i b)
{
	__m128i zero = _mm_set1_epi8('0');
	__m128i most = _mm_max_epu8(_mm_sub_epi8(a, zero), _mm_sub_epi8(b, zero));
	__m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(most, _mm_set1_epi8(9)), most);

	return _mm_or_si128(_mm_cmpeq_epi8(a, b), digits);
}

HOT_INLINE bool alike(const char *p, const char *q, uint32_t n)
{
	uint32_t are = bits(alike_half(load(p), load(q))) |
		bits(alike_half(load(p + 16), load(q + 16))) << 16;

	return (~are & (uint32_t)((UINT64_C(1) << n) - 1)) == 0;
}

HOT_INLINE void classify(const char *p, char opening, struct masks *m)
{
	*m = (struct masks){ 0 };
	for (int i = 0; i < 4; i++) {
		__m128i v = load(p + i * 16);
		__m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20)); /* [ ] to { } */
		__m128i closing = is(folded, '}');
		__m128i follow = _mm_or_si128(
			_mm_or_si128(closing, is_blank(v)), _mm_or_si128(is(v, ','), is(v, ':')));

		m->quote |= (uint64_t)bits(is(v, '"')) << i * 16;
		m->backslash |= (uint64_t)bits(is(v, '\\')) << i * 16;
		m->open |= (uint64_t)bits(is(v, opening)) << i * 16;
		m->close |= (uint64_t)bits(is(v, CLOSING(opening))) << i * 16;
		m->follow |= (uint64_t)bits(follow) << i * 16;
	}
}

#define SCANNER        scanner_sse2
#define SCANNER_NAME   "sse2"
#define SCANNER_LEARNS 1
#include "analyze/input/events/scan_impl.h"
#endif
