/* The scanner on NEON, which every 64-bit Arm has: 16 bytes a compare. */
#include "analyze/input/events/scan.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#include "base/base.h"

static inline uint8x16_t load(const char *p)
{
	return vld1q_u8((const uint8_t *)p);
}

static inline uint8x16_t is(uint8x16_t v, char c)
{
	return vceqq_u8(v, vdupq_n_u8((uint8_t)c));
}

static inline uint8x16_t is_blank(uint8x16_t v)
{
	return vcleq_u8(v, vdupq_n_u8(0x20));
}

/* Four bits a byte: all set where the compare was true. */
static inline uint64_t nibbles(uint8x16_t v)
{
	uint8x8_t narrow = vshrn_n_u16(vreinterpretq_u16_u8(v), 4);

	return vget_lane_u64(vreinterpret_u64_u8(narrow), 0);
}

/* One bit a byte, of four compares. */
static inline uint64_t bits(const uint8x16_t v[4])
{
	static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64,
		128 };
	uint8x16_t w = vld1q_u8(weights);
	uint8x16_t low = vpaddq_u8(vandq_u8(v[0], w), vandq_u8(v[1], w));
	uint8x16_t high = vpaddq_u8(vandq_u8(v[2], w), vandq_u8(v[3], w));

	low = vpaddq_u8(low, high);
	low = vpaddq_u8(low, low);
	return vgetq_lane_u64(vreinterpretq_u64_u8(low), 0);
}

HOT_INLINE const char *find_quote(const char *p)
{
	for (;; p += 16) {
		uint8x16_t v = load(p);
		uint64_t m = nibbles(vorrq_u8(is(v, '"'), is(v, '\\')));

		if (m)
			return p + __builtin_ctzll(m) / 4;
	}
}

HOT_INLINE const char *find_nonblank(const char *p)
{
	if ((unsigned char)*p > 0x20)
		return p;
	for (;; p += 16) {
		uint64_t m = ~nibbles(is_blank(load(p)));

		if (m)
			return p + __builtin_ctzll(m) / 4;
	}
}

HOT_INLINE const char *find_scalar_end(const char *p)
{
	for (;; p += 16) {
		uint8x16_t v = load(p);
		uint8x16_t stop = vorrq_u8(
			vorrq_u8(is_blank(v), is(v, ',')), vorrq_u8(is(v, '}'), is(v, ']')));
		uint64_t m = nibbles(vorrq_u8(stop, is(v, '"')));

		if (m)
			return p + __builtin_ctzll(m) / 4;
	}
}

/* The first n of two times 16 compares are true. */
static inline bool all_of(uint8x16_t first, uint8x16_t second, uint32_t n)
{
	uint64_t low = ~nibbles(first), high = ~nibbles(second);

	if (n < 16)
		return (low & ((UINT64_C(1) << 4 * n) - 1)) == 0;
	if (n < 32)
		return low == 0 && (high & ((UINT64_C(1) << 4 * (n - 16)) - 1)) == 0;
	return (low | high) == 0;
}

HOT_INLINE bool same(const char *p, const char *q, uint32_t n)
{
	return all_of(vceqq_u8(load(p), load(q)), vceqq_u8(load(p + 16), load(q + 16)), n);
}

static inline uint8x16_t alike_half(uint8x16_t a, uint8x16_t b)
{
	uint8x16_t zero = vdupq_n_u8('0');
	uint8x16_t most = vmaxq_u8(vsubq_u8(a, zero), vsubq_u8(b, zero));

	return vorrq_u8(vceqq_u8(a, b), vcleq_u8(most, vdupq_n_u8(9)));
}

HOT_INLINE bool alike(const char *p, const char *q, uint32_t n)
{
	return all_of(alike_half(load(p), load(q)), alike_half(load(p + 16), load(q + 16)), n);
}

HOT_INLINE void classify(const char *p, char opening, struct masks *m)
{
	uint8x16_t quote[4], backslash[4], open[4], close[4], follow[4];

	for (int i = 0; i < 4; i++) {
		uint8x16_t v = load(p + i * 16);
		uint8x16_t folded = vorrq_u8(v, vdupq_n_u8(0x20)); /* [ ] to { } */

		quote[i] = is(v, '"');
		backslash[i] = is(v, '\\');
		open[i] = is(v, opening);
		close[i] = is(v, CLOSING(opening));
		follow[i] = vorrq_u8(
			vorrq_u8(is(folded, '}'), is_blank(v)), vorrq_u8(is(v, ','), is(v, ':')));
	}
	m->quote = bits(quote);
	m->backslash = bits(backslash);
	m->open = bits(open);
	m->close = bits(close);
	m->follow = bits(follow);
}

#define SCANNER        scanner_neon
#define SCANNER_NAME   "neon"
#define SCANNER_LEARNS 1
#include "analyze/input/events/scan_impl.h"
#endif
