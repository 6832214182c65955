/*
 * Nineteen digits and a power of ten cover what programs print.  m * 10^-k is then one division of
 * integers: m and 5^k fit 64 bits for k <= 27, the power of two is the exponent's, and the
 * remainder says which way to round.  Everything else is left to num_f64.
 */
#include "analyze/input/text/real.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analyze/input/text/num.h"
#include "base/ascii.h"
#include "base/compiler.h"

enum { MOST_DIGITS = 19, MOST_FIVES = 27, EXACT_TENS = 22 };

typedef unsigned __int128 wide;

static const uint64_t fives[MOST_FIVES + 1] = { 1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u,
	390625u, 1953125u, 9765625u, 48828125u, 244140625u, 1220703125u, 6103515625u, 30517578125u,
	152587890625u, 762939453125u, 3814697265625u, 19073486328125u, 95367431640625u,
	476837158203125u, 2384185791015625u, 11920928955078125u, 59604644775390625u,
	298023223876953125u, 1490116119384765625u, 7450580596923828125u };

static const double tens[EXACT_TENS + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* mantissa * 2^exponent, where 2^52 <= mantissa <= 2^53 and the result is normal. */
static double assemble(uint64_t mantissa, int exponent)
{
	uint64_t bits;
	double v;

	if (mantissa >> 53) {
		mantissa >>= 1;
		exponent++;
	}
	bits = (uint64_t)(exponent + 52 + 1023) << 52 | (mantissa & ((UINT64_C(1) << 52) - 1));
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* m / 10^k, m > 0, 0 < k <= MOST_FIVES: at least 1e-27, so never subnormal. */
static double divide(uint64_t m, unsigned k)
{
	uint64_t five = fives[k], quotient, low;
	int up = __builtin_clzll(m), down = __builtin_clzll(five), exponent;
	wide n, rest;

	m <<= up;
	five <<= down;
	exponent = down - up - (int)k;
	n = (wide)m << 63; /* the quotient then has 63 or 64 bits */
	quotient = (uint64_t)(n / five);
	rest = n % five;
	exponent -= 63;
	if (!(quotient >> 63)) {
		quotient <<= 1;
		exponent -= 1;
	}
	low = quotient & 0x7ff;
	quotient >>= 11;
	if (low > 0x400 || (low == 0x400 && (rest != 0 || (quotient & 1))))
		quotient++;
	return assemble(quotient, exponent + 11);
}

static double scaled(uint64_t m, int exp10)
{
	if (m >> 53 == 0 && exp10 >= -EXACT_TENS && exp10 <= EXACT_TENS)
		return exp10 < 0 ? (double)m / tens[-exp10] : (double)m * tens[exp10];
	return divide(m, (unsigned)-exp10);
}

/* Are the eight bytes at p digits?  *v is their value then. */
HOT_INLINE bool eight_digits(const char *p, uint64_t *v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
	uint64_t w;

	memcpy(&w, p, 8);
	if ((w & high) != zeros || ((w + UINT64_C(0x0606060606060606)) & high) != zeros)
		return false;
	w -= zeros;
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	*v = (w * 10000 + (w >> 32)) & UINT64_C(0xffffffff);
	return true;
#else
	(void)p;
	(void)v;
	return false;
#endif
}

/* Digits onto *m; more than MOST_DIGITS overflow it, which the caller notices by their number. */
HOT_INLINE const char *take_digits(const char *p, uint64_t *m)
{
	uint64_t eight;

	for (; eight_digits(p, &eight); p += 8)
		*m = *m * 100000000 + eight;
	for (; is_digit(*p); p++)
		*m = *m * 10 + (uint64_t)(*p - '0');
	return p;
}

static const char *word(const char *p, const char *end, double *v, bool *missing)
{
	static const struct {
		const char *text;
		double value;
		bool missing;
	} words[] = {
		{ "NaN", (double)NAN, false },
		{ "Infinity", (double)INFINITY, false },
		{ "-Infinity", -(double)INFINITY, false },
		{ "null", (double)NAN, true },
		{ "nan", (double)NAN, false },
		{ "inf", (double)INFINITY, false },
		{ "-inf", -(double)INFINITY, false },
		{ "None", (double)NAN, true },
	};
	size_t i;

	for (i = 0; i < COUNT_OF(words); i++) {
		size_t n = strlen(words[i].text);

		if ((size_t)(end - p) >= n && memcmp(p, words[i].text, n) == 0) {
			*v = words[i].value;
			*missing = words[i].missing;
			return p + n;
		}
	}
	return NULL;
}

static const char *exponent(const char *p, int *exp10)
{
	bool negative = false;
	int e = 0;

	if (*p == '+' || *p == '-')
		negative = *p++ == '-';
	if (!is_digit(*p))
		return NULL;
	for (; is_digit(*p); p++)
		e = e < 100000 ? e * 10 + (*p - '0') : e;
	*exp10 += negative ? -e : e;
	return p;
}

static const char *the_slow_way(const char *p, const char *q, double *v)
{
	return num_f64((struct span){ p, (size_t)(q - p) }, v) ? q : NULL;
}

const char *real_parse(const char *p, const char *end, double *v, bool *missing)
{
	const char *q = p, *first, *dot;
	bool negative = false;
	uint64_t m = 0;
	int exp10 = 0;
	ptrdiff_t n;

	*missing = false;
	if (p < end && *q == '-')
		negative = *q++ == '-';
	first = q;
	q = take_digits(q, &m);
	n = q - first;
	if (UNLIKELY(n == 0 && *q != '.'))
		return word(p, end, v, missing);
	if (*q == '.') {
		dot = q++;
		q = take_digits(q, &m);
		exp10 = (int)(dot + 1 - q);
		n += q - dot - 1;
	}
	if (q < end && (*q == 'e' || *q == 'E'))
		q = exponent(q + 1, &exp10);
	if (!q || q > end || n == 0)
		return NULL;
	if (UNLIKELY(n > MOST_DIGITS || exp10 < -MOST_FIVES || exp10 > EXACT_TENS ||
		    (exp10 >= 0 && m >> 53)))
		return the_slow_way(p, q, v);
	*v = m == 0 ? 0 : scaled(m, exp10);
	if (negative)
		*v = -*v;
	return q;
}

bool real_of(struct span t, double *v)
{
	char copy[64 + REAL_PADDING] = { 0 };
	const char *q;
	bool missing;

	while (t.n && (t.p[0] == ' ' || t.p[0] == '\t')) {
		t.p++;
		t.n--;
	}
	while (t.n && (t.p[t.n - 1] == ' ' || t.p[t.n - 1] == '\t' || t.p[t.n - 1] == '\r'))
		t.n--;
	if (t.n == 0 || t.n > 64)
		return false;
	memcpy(copy, t.p, t.n);
	q = real_parse(copy + (copy[0] == '+'), copy + t.n, v, &missing);
	if (q == copy + t.n)
		return !missing;
	return num_f64(t, v);
}
