/* Number parsing.  The fast path takes what traces hold a million times, plain digits with up to
 * three decimals; everything else goes the general way, digit by digit in 128 bits. */
#include "analyze/input/text/num.h"

enum { MAX_EXPONENT = 400, MAX_F64_TEXT = 63 };
enum { MOST_DIGITS = 19, MOST_FIVES = 27, EXACT_TENS = 22, REAL_TEXT = 64 };
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

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static const unsigned power[9] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
#endif

/* Are the n bytes at p digits, 1 to 16 of them?  *v is their value then.  Reads no others. */
HOT_INLINE bool all_digits(const char *p, size_t n, uint64_t *v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
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
	uint64_t us;

	if (t.n < 5 || t.p[t.n - 4] != '.')
		return false;
	const char *f = t.p + t.n - 3;
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
	const char *p = t.p, *end = t.p + t.n;
	uint64_t whole, frac = 0;
	const char *q = digits(p, MIN(end, p + 18), &whole);

	if (UNLIKELY(q == p || q - p > 16 || whole > LARGEST_FAST_US))
		return false;
	if (q == end) {
		*ns = (int64_t)(whole * 1000);
		return true;
	}
	if (UNLIKELY(*q != '.' || end - q > 4 || end - q < 2))
		return false;
	const char *f = digits(q + 1, end, &frac);
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
	if (p == end || !is_digit(*p))
		return NULL;
	for (; p < end && is_digit(*p); p++)
		e = e < 100000 ? e * 10 + (*p - '0') : e;
	*exp10 += negative ? -e : e;
	return p;
}

static bool take_decimal(struct span t, struct decimal *x)
{
	int scale = 0, seen = 0;

	*x = (struct decimal){ 0 };
	if (t.n == 0) /* perhaps of no text at all */
		return false;
	const char *p = t.p, *end = t.p + t.n;
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

/* Kineto prints a negative time as "{}.{:03}" of its microseconds and the nanoseconds that are
 * left, each with its sign: -5005 is "-5.-05", -123 is "0.-123". */
static bool twice_signed_ns(struct span t, int64_t *ns)
{
	const char *dot = t.n ? memchr(t.p, '.', t.n) : NULL;
	int64_t us, rest = 0;

	if (!dot || !general_ns((struct span){ t.p, (size_t)(dot - t.p) }, &us))
		return false;
	const char *p = dot + 1;
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
	*v = 0;
	if (t.n < 3 || t.n > 18)
		return false;
	for (size_t i = 2; i < t.n; i++) {
		if (!is_hex_digit(t.p[i]))
			return false;
		*v = *v << 4 | (unsigned)hex_digit(t.p[i]);
	}
	return true;
}

bool num_u64(struct span text, uint64_t *v)
{
	if (text.n > 1 && text.p[0] == '0' && (text.p[1] | 32) == 'x')
		return hex_u64(text, v);
	if (LIKELY(text.n > 0 && text.n <= 16))
		return all_digits(text.p, text.n, v);
	if (text.n > 0 && text.n <= 18)
		return digits(text.p, text.p + text.n, v) == text.p + text.n;
	if (text.n == 0)
		return false;
	*v = 0;
	return !ANY(i, text.n,
		!is_digit(text.p[i]) || mul_overflows(*v, 10u, v) ||
			add_overflows(*v, (uint64_t)(text.p[i] - '0'), v));
}

/* ---- doubles ---- */

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

static bool slow_f64(struct span text, double *v)
{
	char copy[MAX_F64_TEXT + 1], *end;

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

/* Nineteen digits and a power of ten cover what programs print.  m * 10^-k is then one division of
 * integers: m and 5^k fit 64 bits for k <= 27, the power of two is the exponent's, and the
 * remainder says which way to round.  Everything else is left to strtod. */
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
	double v;

	if (mantissa >> 53) {
		mantissa >>= 1;
		exponent++;
	}
	uint64_t bits =
		(uint64_t)(exponent + 52 + 1023) << 52 | (mantissa & ((UINT64_C(1) << 52) - 1));
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* m / 10^k, m > 0, 0 < k <= MOST_FIVES: at least 1e-27, so never subnormal. */
static double divide(uint64_t m, unsigned k)
{
	uint64_t five = fives[k];
	int up = __builtin_clzll(m), down = __builtin_clzll(five);

	m <<= up;
	five <<= down;
	int exponent = down - up - (int)k;
	wide n = (wide)m << 63; /* the quotient then has 63 or 64 bits */
	uint64_t quotient = (uint64_t)(n / five);
	wide rest = n % five;
	exponent -= 63;
	if (!(quotient >> 63)) {
		quotient <<= 1;
		exponent -= 1;
	}
	uint64_t low = quotient & 0x7ff;
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

/* The same of the eight bytes at p. */
HOT_INLINE bool eight_digits_at(const char *p, uint64_t *v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t w;

	memcpy(&w, p, 8);
	return eight_digits(w, v);
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

	for (; eight_digits_at(p, &eight); p += 8)
		*m = *m * 100000000 + eight;
	for (; is_digit(*p); p++)
		*m = *m * 10 + (uint64_t)(*p - '0');
	return p;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* Bytes of w that are no digit, by their highest bit. */
HOT_INLINE uint64_t not_digits(uint64_t w)
{
	w ^= ZEROS; /* a digit's byte is its value */
	return (w | (w + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
}

/* The value of the n digits in the lowest bytes of w, 0 < n <= 8. */
HOT_INLINE int64_t value_of(uint64_t w, unsigned n)
{
	w = (w ^ ZEROS) << (64 - 8 * n);
	w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (int64_t)((w * 10000 + (w >> 32)) & UINT64_C(0xffffffff));
}

/* How many digits the eight bytes at p begin with, 8 for all; *v is their value unless all are. */
HOT_INLINE unsigned some_digits(const char *p, int64_t *v)
{
	uint64_t w;

	memcpy(&w, p, 8);
	uint64_t other = not_digits(w);
	unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	if (n > 0 && n < 8)
		*v = value_of(w, n);
	return n;
}

/* "E+02", "e-5" at p, one or two digits: what is behind it and *exp10 raised, or NULL. */
static const char *short_exponent(const char *p, int *exp10)
{
	bool negative = *++p == '-';
	int64_t v = 0;

	p += negative || *p == '+';
	unsigned n = some_digits(p, &v);
	*exp10 += negative ? (int)-v : (int)v;
	return n > 0 && n < 3 && *exp10 >= -EXACT_TENS && *exp10 <= EXACT_TENS ? p + n : NULL;
}

const char *real_short(const char *p, double *v)
{
	bool negative = *p == '-';
	int64_t m = 0, part = 0;
	int exp10 = 0;
	uint64_t w;

	p += negative;
	memcpy(&w, p, 8);
	uint64_t other = not_digits(w), second = other & (other - 1);
	unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	if (n == 0 || n == 8)
		return NULL;
	if (p[n] == '.' && second) { /* all of it is in w: without the point */
		unsigned all = (unsigned)__builtin_ctzll(second) / 8 - 1;
		uint64_t low = (UINT64_C(1) << 8 * n) - 1;

		m = value_of((w & low) | (w >> 8 & ~low), all);
		exp10 = (int)n - (int)all;
		p += all + 1;
	} else {
		m = value_of(w, n);
		p += n;
		if (*p == '.') {
			n = some_digits(++p, &part);
			if (n == 8)
				return NULL;
			m = m * power[n] + part;
			exp10 = -(int)n;
			p += n;
		}
	}
	for (; *p == ',' && is_digit(p[1]); p += 4) { /* thousands */
		if (exp10 || some_digits(p + 1, &part) != 3 || m > INT32_MAX)
			return NULL;
		m = m * 1000 + part;
		if (p[4] == '.' || (p[4] | 0x20) == 'e')
			return NULL;
	}
	if ((*p | 0x20) == 'e' && !(p = short_exponent(p, &exp10)))
		return NULL;
	double d = exp10 < 0 ? (double)m / tens[-exp10] : (double)m * tens[exp10];
	*v = negative ? -d : d;
	return p;
}
#else
const char *real_short(const char *p UNUSED, double *v UNUSED)
{
	return NULL;
}
#endif

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

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t n = strlen(words[i].text);

		if ((size_t)(end - p) >= n && memcmp(p, words[i].text, n) == 0) {
			*v = words[i].value;
			*missing = words[i].missing;
			return p + n;
		}
	}
	return NULL;
}

const char *real_parse(const char *p, const char *end, double *v, bool *missing)
{
	const char *q = p, *dot;
	bool negative = false;
	uint64_t m = 0;
	int exp10 = 0;

	*missing = false;
	if (p < end && *q == '-')
		negative = *q++ == '-';
	const char *first = q;
	q = take_digits(q, &m);
	ptrdiff_t n = q - first;
	if (UNLIKELY(n == 0 && *q != '.'))
		return word(p, end, v, missing);
	if (*q == '.') {
		dot = q++;
		q = take_digits(q, &m);
		exp10 = (int)(dot + 1 - q);
		n += q - dot - 1;
	}
	if (q < end && (*q == 'e' || *q == 'E'))
		q = take_exponent(q + 1, end, &exp10);
	if (!q || q > end || n == 0)
		return NULL;
	if (UNLIKELY(n > MOST_DIGITS || exp10 < -MOST_FIVES || exp10 > EXACT_TENS ||
		    (exp10 >= 0 && m >> 53)))
		return slow_f64((struct span){ p, (size_t)(q - p) }, v) ? q : NULL;
	*v = m == 0 ? 0 : scaled(m, exp10);
	if (negative)
		*v = -*v;
	return q;
}

/* A whole text of up to REAL_TEXT bytes, copied to where it has its padding. */
static bool whole_real(struct span t, double *v, bool *missing)
{
	char copy[REAL_TEXT + REAL_PADDING] = { 0 };

	memcpy(copy, t.p, t.n);
	return real_parse(copy, copy + t.n, v, missing) == copy + t.n;
}

bool num_f64(struct span text, double *v)
{
	bool missing;

	if (text.n && text.n <= REAL_TEXT && whole_real(text, v, &missing) && !missing)
		return true;
	return slow_f64(text, v);
}

bool real_of(struct span t, double *v)
{
	bool missing;

	while (t.n && (t.p[0] == ' ' || t.p[0] == '\t')) {
		t.p++;
		t.n--;
	}
	while (t.n && (t.p[t.n - 1] == ' ' || t.p[t.n - 1] == '\t' || t.p[t.n - 1] == '\r'))
		t.n--;
	if (t.n == 0 || t.n > REAL_TEXT)
		return false;
	bool plus = t.p[0] == '+';
	if (whole_real((struct span){ t.p + plus, t.n - plus }, v, &missing))
		return !missing;
	return slow_f64(t, v);
}
