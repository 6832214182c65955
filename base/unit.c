/* Numbers to text, for people (one scale for a column) and for machines (exact).  Nothing here
 * knows tables.  printf writes the digits; the decimal point is put right afterwards, because it is
 * the only thing in which locales differ here. */
#include "base/unit.h"

#include <stdio.h>
#include <time.h>

/* A double in %f needs 309 digits, a sign, a point and the decimals. */
enum { NUMBER_MAX = 352, PERSON_DIGITS = 5, FORCED_DIGITS = 8 };

struct rung {
	const char *suffix;
	double divisor;
	int decimals; /* at most */
};

/* clang-format off */
static const struct rung TIMES[] = {
	{" ns", 1, 0}, {" us", 1e3, 3}, {" ms", 1e6, 3}, {" s", 1e9, 3},
};
static const struct rung FORCED[] = {
	{" ns", 1, 0}, {" us", 1e3, 3}, {" ms", 1e6, 6}, {" s", 1e9, 6},
};
static const struct rung SIZES[] = {
	{" B", 1, 0}, {" KiB", 0x1p10, 2}, {" MiB", 0x1p20, 2}, {" GiB", 0x1p30, 2},
	{" TiB", 0x1p40, 2},
};
static const struct rung RATES[] = {
	{" B/s", 1, 0}, {" kB/s", 1e3, 2}, {" MB/s", 1e6, 2}, {" GB/s", 1e9, 2}, {" TB/s", 1e12, 2},
};
static const struct rung WORK[] = {
	{"", 1, 0}, {" k", 1e3, 3}, {" M", 1e6, 3}, {" G", 1e9, 3}, {" T", 1e12, 3}, {" P", 1e15, 3},
};
static const struct rung ENERGIES[] = {
	{" nJ", 1, 0}, {" uJ", 1e3, 2}, {" mJ", 1e6, 2}, {" J", 1e9, 2}, {" kJ", 1e12, 2}, {" MJ", 1e15, 2},
};
/* clang-format on */

void unit_range_add(struct unit_range *g, double v)
{
	double a = fabs(v);

	if (!isfinite(v))
		return;
	if (a > g->max)
		g->max = a;
	if (a > 0 && (g->min <= 0 || a < g->min))
		g->min = a;
	if (floor(a) < a)
		g->fractional = true;
}

/* The decimal exponent of x > 0: 0 for 1..9.99, 2 for 282, -1 for 0.5. */
static int exponent(double x)
{
	int e = 0;

	for (; x >= 10; x /= 10)
		e++;
	for (; x > 0 && x < 1; x *= 10)
		e--;
	return e;
}

/* Decimals for values of g in units of divisor: at most `most`, at most `digits` digits in all. */
static int decimals_for(struct unit_range g, double divisor, int most, int digits)
{
	int top = exponent(g.max / divisor);
	int low = exponent(g.min / divisor);
	int whole = top < 0 ? 1 : top + 1;
	int of_max = 3 - top;
	int of_min = CLAMP(2 - low, 0, CLAMP(digits - whole, 0, digits));

	return g.max <= 0 ? 0 : CLAMP(MAX(of_max, of_min), 0, most);
}

static struct unit_scale climb(const struct rung *r, size_t n, struct unit_range g)
{
	size_t i = 0;

	while (i + 1 < n && g.max >= r[i + 1].divisor)
		i++;
	while (i > 0 && g.min < 0.01 * r[i].divisor && g.max / r[i - 1].divisor < 1e4)
		i--;
	int decimals = decimals_for(g, r[i].divisor, r[i].decimals, PERSON_DIGITS);
	if (decimals < -exponent(g.min / r[i].divisor) && decimals < r[i].decimals)
		decimals++;
	return (struct unit_scale){ r[i].divisor, decimals, r[i].suffix };
}

struct unit_scale unit_scale_time(struct unit_range g, const char *forced)
{
	for (size_t i = 0; forced && i < COUNT_OF(FORCED); i++) {
		const struct rung *r = &FORCED[i];

		if (strcmp(forced, r->suffix + 1) == 0)
			return (struct unit_scale){ r->divisor,
				decimals_for(g, r->divisor, r->decimals, FORCED_DIGITS),
				r->suffix };
	}
	return climb(TIMES, COUNT_OF(TIMES), g);
}

#define SCALE(of, ladder)                                      \
	struct unit_scale unit_scale_##of(struct unit_range g) \
	{                                                      \
		return climb(ladder, COUNT_OF(ladder), g);     \
	}
SCALE(bytes, SIZES)
SCALE(rate, RATES)
SCALE(flops, WORK)
SCALE(energy, ENERGIES)

struct unit_scale unit_scale_percent(void)
{
	return (struct unit_scale){ 0.01, 1, "%" };
}

struct unit_scale unit_scale_plain(struct unit_range g)
{
	struct unit_scale s = { 1, 0, "" };

	if (g.max >= 1e15 || (g.min > 0 && g.min < 1e-3))
		s.decimals = -1;
	else if (g.fractional)
		s.decimals = decimals_for(g, 1, 4, PERSON_DIGITS);
	return s;
}

/* Appends printf's digits with "." where the locale wanted something else, of one byte or more. */
static void put_digits(struct str *b, const char *s)
{
	static const char same[] = "0123456789+-einfa";
	size_t n = strspn(s, same);

	str_add(b, s, n);
	if (s[n] == '\0')
		return;
	str_addc(b, '.');
	s += n;
	str_adds(b, s + strcspn(s, same));
}

/* Whether the text is a zero with a sign: "-0", "-0.00". */
static bool is_negative_zero(const char *s)
{
	return s[0] == '-' && strpbrk(s, "123456789naif") == NULL;
}

void unit_put_fixed(struct str *b, double v, int decimals)
{
	char s[NUMBER_MAX];

	(void)snprintf(s, sizeof(s), "%.*f", CLAMP(decimals, 0, 17), v);
	put_digits(b, is_negative_zero(s) ? s + 1 : s);
}

void unit_put(struct str *b, double v, struct unit_scale s)
{
	char g[NUMBER_MAX];

	if (s.decimals >= 0) {
		unit_put_fixed(b, v / s.divisor, s.decimals);
	} else {
		(void)snprintf(g, sizeof(g), "%.4g", v / s.divisor);
		put_digits(b, g);
	}
	str_adds(b, s.suffix);
}

static struct unit_range range_of(double v)
{
	struct unit_range g = { 0 };

	unit_range_add(&g, v);
	return g;
}

void unit_put_time(struct str *b, double ns)
{
	unit_put(b, ns, unit_scale_time(range_of(ns), NULL));
}

void unit_put_bytes(struct str *b, double bytes)
{
	unit_put(b, bytes, unit_scale_bytes(range_of(bytes)));
}

void unit_put_percent(struct str *b, double ratio)
{
	unit_put(b, ratio, unit_scale_percent());
}

struct unit_text unit_text(void (*put)(struct str *b, double v), double v)
{
	struct unit_text t;
	SCOPED_STR b = { 0 };

	put(&b, v);
	(void)snprintf(t.s, sizeof(t.s), "%s", b.s);
	return t;
}

#define TEXT(of)                                                               \
	const char *unit_##of(struct arena *mem, double v)                     \
	{                                                                      \
		return arena_printf(mem, "%s", unit_text(unit_put_##of, v).s); \
	}
TEXT(time)
TEXT(bytes)
TEXT(percent)

/* Decimal digits of the magnitude of v, which may be INT64_MIN; returns how many. */
static size_t magnitude(int64_t v, char digits[24])
{
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	int n = snprintf(digits, 24, "%llu", (unsigned long long)u);

	return (size_t)n;
}

void unit_put_count(struct str *b, int64_t v)
{
	char digits[24];
	size_t n = magnitude(v, digits);

	if (v < 0)
		str_addc(b, '-');
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			str_addc(b, ',');
		str_addc(b, digits[i]);
	}
}

void unit_put_exact(struct str *b, int64_t v, int decimals)
{
	char digits[24];
	size_t n = magnitude(v, digits), d = (size_t)CLAMP(decimals, 0, 18);

	if (v < 0)
		str_addc(b, '-');
	if (n <= d)
		str_addc(b, '0');
	else
		str_add(b, digits, n - d);
	if (d == 0)
		return;
	str_addc(b, '.');
	for (size_t i = n; i < d; i++)
		str_addc(b, '0');
	str_add(b, n > d ? digits + n - d : digits, MIN(d, n));
}

/* 15 digits survive the way decimal -> double -> decimal, so more are tried only where 15 lose. */
void unit_put_day(struct str *b, int64_t seconds)
{
	time_t s = (time_t)seconds;
	struct tm tm;

	if (gmtime_r(&s, &tm))
		str_addf(b, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

void unit_put_real(struct str *b, double v)
{
	char s[NUMBER_MAX];
	int precision = 15;

	do {
		(void)snprintf(s, sizeof(s), "%.*g", precision, v);
	} while (isfinite(v) && memcmp(&(double){ strtod(s, NULL) }, &v, sizeof(v)) != 0 &&
		++precision <= 17);
	put_digits(b, is_negative_zero(s) ? s + 1 : s);
}

void unit_torch_time(struct str *b, double ns, const char *unit)
{
	double us = ns / 1000.0;
	const char *u = unit;

	if (!u)
		u = us >= 1e6 ? "s" : us >= 1e3 ? "ms" : "us";
	unit_put_fixed(b, strcmp(u, "s") == 0 ? us / 1e6 : strcmp(u, "ms") == 0 ? us / 1e3 : us, 3);
	str_adds(b, u);
}

void unit_torch_bytes(struct str *b, int64_t bytes)
{
	double n = (double)bytes, a = fabs(n);
	int rung = a >= 0x1p30 ? 3 : a >= 0x1p20 ? 2 : a >= 0x1p10 ? 1 : 0;

	if (rung == 0) {
		unit_put_exact(b, bytes, 0);
		str_adds(b, " B");
		return;
	}
	unit_put_fixed(b, n / SIZES[rung].divisor, 2);
	str_adds(b, rung == 3 ? " GB" : rung == 2 ? " MB" : " KB");
}

void unit_torch_share(struct str *b, double part, double total)
{
	if (fabs(total) <= 0) {
		str_adds(b, "NaN");
		return;
	}
	unit_put_fixed(b, part * 100.0 / total, 2);
	str_addc(b, '%');
}
