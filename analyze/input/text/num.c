/*
 * Number parsing.  The fast path takes what traces hold a million times, plain digits with up to
 * three decimals; everything else goes the general way, digit by digit in 128 bits.
 */
#include "analyze/input/text/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/compiler.h"
#include "base/minmax.h"

enum { MAX_EXPONENT = 400, MAX_F64_TEXT = 63, MAX_EXACT_DIGITS = 15 };
#define LARGEST_FAST_US UINT64_C(9000000000000000) /* times 1000 still fits int64 */

typedef unsigned __int128 wide; /* digits of a decimal; an overflow guard keeps it below 2^120 */

#define ZEROS UINT64_C(0x3030303030303030) /* eight of the digit */

/* Are the eight bytes of w digits, the first the lowest?  *v is their value then. */
HOT_INLINE bool eight_digits(uint64_t w, uint64_t *v)
{
	const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = ZEROS;

	if ((w & high) != zeros || ((w + UINT64_C(0x0606060606060606)) & high) != zeros)
		return false;
	w -= zeros; /* pairs, fours, eights of digits; the first digit is the lowest byte */
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	*v = (w * 10000 + (w >> 32)) & UINT64_C(0xffffffff);
	return true;
}

/* Digits only, at most 18 of them, so that the sum cannot overflow. */
HOT_INLINE const char *digits(const char *p, const char *end, uint64_t *v)
{
	uint64_t n = 0;

	for (; p < end && is_digit(*p); p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*v = n;
	return p;
}

/* The last `keep` bytes of the eight of w, digits 0 before them. */
HOT_INLINE uint64_t last_bytes(uint64_t w, size_t keep)
{
	uint64_t mask = keep ? ~UINT64_C(0) << 8 * (8 - keep) : 0;

	return (w & mask) | (ZEROS & ~mask);
}

/* Are the n bytes at p digits, 1 to 16 of them?  *v is their value then.  Reads no others. */
HOT_INLINE bool all_digits(const char *p, size_t n, uint64_t *v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	static const unsigned power[9] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000 };
	uint64_t first, last;
	uint32_t four, last_four;

	if (n >= 8 && n <= 16) {
		memcpy(&first, p, 8);
		memcpy(&last, p + n - 8, 8);
		if (!eight_digits(first, v) || !eight_digits(last_bytes(last, n - 8), &last))
			return false;
		*v = *v * power[n - 8] + last;
		return true;
	}
	if (n >= 4 && n < 8) { /* the last four bytes, and the first four below them, overlapping */
		memcpy(&four, p, 4);
		memcpy(&last_four, p + n - 4, 4);
		first = (uint64_t)four << 8 * (8 - n) & UINT32_MAX;
		return eight_digits(last_bytes((uint64_t)last_four << 32 | first, n), v);
	}
#endif
	return n > 0 && n <= 16 && digits(p, p + n, v) == p + n;
}

/* 1419121241534.781, as Kineto writes its times. */
HOT_INLINE bool usual_ns(struct span t, int64_t *ns)
{
	const char *f;
	uint64_t us;

	if (t.n < 5 || t.p[t.n - 4] != '.')
		return false;
	f = t.p + t.n - 3;
	if (!is_digit(f[0]) || !is_digit(f[1]) || !is_digit(f[2]) ||
		!all_digits(t.p, t.n - 4, &us) || us > LARGEST_FAST_US)
		return false;
	*ns = (int64_t)(us * 1000) + (f[0] - '0') * 100 + (f[1] - '0') * 10 + (f[2] - '0');
	return true;
}

/* 123456789.123: up to 16 digits, up to 3 decimals. */
HOT_INLINE bool fast_ns(struct span t, int64_t *ns)
{
	static const unsigned scale[4] = { 1000, 100, 10, 1 };
	const char *p = t.p, *end = t.p + t.n, *q, *f;
	uint64_t whole, frac = 0;

	q = digits(p, MIN(end, p + 18), &whole);
	if (UNLIKELY(q == p || q - p > 16 || whole > LARGEST_FAST_US))
		return false;
	if (q == end) {
		*ns = (int64_t)(whole * 1000);
		return true;
	}
	if (UNLIKELY(*q != '.' || end - q > 4 || end - q < 2))
		return false;
	f = digits(q + 1, end, &frac);
	if (UNLIKELY(f != end))
		return false;
	*ns = (int64_t)(whole * 1000 + frac * scale[end - q - 1]);
	return true;
}

/* A decimal taken apart: digits d, scaled by 10^exp10; sticky: nonzero digits were dropped. */
struct decimal {
	wide d;
	int exp10;
	bool negative, sticky;
};

static void take_digit(struct decimal *x, char c, int *scale_down)
{
	if (x->d >> 116) { /* full: drop the digit, remember that it was there */
		x->sticky |= c != '0';
		x->exp10++;
	} else {
		x->d = x->d * 10 + (unsigned)(c - '0');
	}
	*scale_down -= 1;
}

static const char *take_exponent(const char *p, const char *end, int *exp10)
{
	bool negative = false;
	int e = 0;

	if (p < end && (*p == '+' || *p == '-'))
		negative = *p++ == '-';
	if (p == end)
		return NULL;
	for (; p < end && is_digit(*p); p++)
		e = e < 100000 ? e * 10 + (*p - '0') : e;
	*exp10 += negative ? -e : e;
	return p;
}

static bool take_decimal(struct span t, struct decimal *x)
{
	const char *p = t.p, *end = t.p + t.n;
	int scale = 0, seen = 0;

	*x = (struct decimal){ 0 };
	if (p < end && (*p == '-' || *p == '+'))
		x->negative = *p++ == '-';
	for (; p < end && is_digit(*p); p++, seen++)
		take_digit(x, *p, &(int){ 0 });
	if (p < end && *p == '.') {
		p++;
		for (; p < end && is_digit(*p); p++, seen++)
			take_digit(x, *p, &scale);
	}
	x->exp10 += scale;
	if (seen && p < end && (*p == 'e' || *p == 'E'))
		p = take_exponent(p + 1, end, &x->exp10);
	return seen && p == end;
}

/* x * 10^shift to int64, rounded half to even; false when it does not fit. */
static bool to_int(struct decimal x, int shift, bool exact_only, int64_t *v)
{
	bool sticky = x.sticky;
	unsigned last = 0;
	int e = x.exp10 + shift;

	if (e > MAX_EXPONENT && x.d)
		return false;
	for (; e > 0 && x.d; e--) {
		if (x.d >> 70)
			return false;
		x.d *= 10;
	}
	for (; e < 0 && (x.d || last); e++) {
		sticky |= last != 0;
		last = (unsigned)(x.d % 10);
		x.d /= 10;
	}
	if (e < 0) { /* the last digit is further down than a rounding digit */
		sticky |= last != 0;
		last = 0;
	}
	if (exact_only && (last || sticky))
		return false;
	if (last > 5 || (last == 5 && (sticky || (x.d & 1))))
		x.d++;
	if (x.d > (wide)INT64_MAX)
		return false;
	*v = x.negative ? -(int64_t)x.d : (int64_t)x.d;
	return true;
}

static bool general_ns(struct span t, int64_t *ns)
{
	struct decimal x;

	return take_decimal(t, &x) && to_int(x, 3, false, ns);
}

/*
 * Kineto prints a negative time as "{}.{:03}" of its microseconds and the nanoseconds that are
 * left, each with its sign: -5005 is "-5.-05", -123 is "0.-123".
 */
static bool twice_signed_ns(struct span t, int64_t *ns)
{
	const char *dot = t.n ? memchr(t.p, '.', t.n) : NULL, *p;
	int64_t us, rest = 0;

	if (!dot || !general_ns((struct span){ t.p, (size_t)(dot - t.p) }, &us))
		return false;
	p = dot + 1;
	if (us > 0 || t.p + t.n - p < 3 || t.p + t.n - p > 4 || *p++ != '-')
		return false;
	for (; p < t.p + t.n && is_digit(*p); p++)
		rest = rest * 10 + (*p - '0');
	return p == t.p + t.n && !sub_overflows(us, rest, ns);
}

bool num_ns(struct span text, int64_t *ns)
{
	return LIKELY(usual_ns(text, ns)) || fast_ns(text, ns) || general_ns(text, ns) ||
		twice_signed_ns(text, ns);
}

bool num_i64(struct span text, int64_t *v)
{
	struct decimal x;
	uint64_t n;

	if (LIKELY(all_digits(text.p, text.n, &n)) ||
		(text.n > 16 && text.n <= 18 &&
			digits(text.p, text.p + text.n, &n) == text.p + text.n)) {
		*v = (int64_t)n;
		return true;
	}
	return take_decimal(text, &x) && to_int(x, 0, true, v);
}

static bool hex_u64(struct span t, uint64_t *v)
{
	size_t i;

	*v = 0;
	if (t.n < 3 || t.n > 18)
		return false;
	for (i = 2; i < t.n; i++) {
		char c = t.p[i];
		unsigned d = is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a' + 10);

		if (!is_digit(c) && ((c | 32) < 'a' || (c | 32) > 'f'))
			return false;
		*v = *v << 4 | d;
	}
	return true;
}

bool num_u64(struct span text, uint64_t *v)
{
	size_t i;

	if (text.n > 1 && text.p[0] == '0' && (text.p[1] | 32) == 'x')
		return hex_u64(text, v);
	if (LIKELY(text.n > 0 && text.n <= 16))
		return all_digits(text.p, text.n, v);
	if (text.n > 0 && text.n <= 18)
		return digits(text.p, text.p + text.n, v) == text.p + text.n;
	if (text.n == 0)
		return false;
	*v = 0;
	for (i = 0; i < text.n; i++)
		if (!is_digit(text.p[i]) || mul_overflows(*v, 10u, v) ||
			add_overflows(*v, (uint64_t)(text.p[i] - '0'), v))
			return false;
	return true;
}

static bool named_f64(struct span t, double *v)
{
	bool negative = t.n && t.p[0] == '-';
	struct span word = { t.p + negative, t.n - negative };

	if (span_is_nocase(word, "nan"))
		*v = NAN;
	else if (span_is_nocase(word, "inf") || span_is_nocase(word, "infinity"))
		*v = negative ? -INFINITY : INFINITY;
	else
		return false;
	return true;
}

/*
 * 12.5, -0.03, 38, 1.5e3: up to 15 digits and a power of ten up to 22, both of which doubles hold
 * exactly, so one division or product rounds once.  Source: Clinger 1990, "How to read floating
 * point numbers accurately".
 */
static bool fast_f64(struct span t, double *v)
{
	static const double tens[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	const char *p = t.p, *end = t.p + t.n;
	bool negative = p < end && *p == '-';
	uint64_t n = 0;
	int seen = 0, scale = 0;

	for (p += negative; p < end && is_digit(*p); p++, seen++)
		n = seen < MAX_EXACT_DIGITS ? n * 10 + (uint64_t)(*p - '0') : n;
	if (p < end && *p == '.')
		for (p++; p < end && is_digit(*p); p++, seen++, scale--)
			n = seen < MAX_EXACT_DIGITS ? n * 10 + (uint64_t)(*p - '0') : n;
	if (seen == 0 || seen > MAX_EXACT_DIGITS)
		return false;
	if (p < end && (*p == 'e' || *p == 'E'))
		p = take_exponent(p + 1, end, &scale);
	if (p != end || scale < -22 || scale > 22)
		return false;
	*v = scale < 0 ? (double)n / tens[-scale] : (double)n * tens[scale];
	*v = negative ? -*v : *v;
	return true;
}

bool num_f64(struct span text, double *v)
{
	char copy[MAX_F64_TEXT + 1], *end;

	if (LIKELY(fast_f64(text, v)))
		return true;
	*v = NAN;
	if (text.n == 0 || text.n > MAX_F64_TEXT)
		return false;
	if (named_f64(text, v))
		return true;
	if (!is_digit(text.p[0]) && text.p[0] != '-' && text.p[0] != '.')
		return false;
	if (memchr(text.p, 'x', text.n) || memchr(text.p, 'X', text.n))
		return false; /* strtod would take hexadecimal */
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	*v = strtod(copy, &end); /* lint: allow strtod: not for times, only long ones */
	if (end == copy + text.n)
		return true;
	*v = NAN;
	return false;
}
