/* Numbers: every shape that occurs in traces by hand, and random decimals against 128-bit
 * arithmetic of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/input/text/num.h"
#include "base/compiler.h"
#include "tests/unit/loading.h"

#define NOT_A_NUMBER INT64_MIN

struct expected {
	const char *text;
	int64_t value;
};

static int64_t ns_of(const char *text)
{
	int64_t ns;

	return num_ns(span_of(text), &ns) ? ns : NOT_A_NUMBER;
}

static int64_t i64_of(const char *text)
{
	int64_t v;

	return num_i64(span_of(text), &v) ? v : NOT_A_NUMBER;
}

static void check(const struct expected *e, size_t n, int64_t (*parse)(const char *))
{
	for (; n-- > 0; e++) {
		if (parse(e->text) != e->value)
			print_error("\"%s\" gives %lld\n", e->text, (long long)parse(e->text));
		assert_int_equal(parse(e->text), e->value);
	}
}

/* The same digits with 0 to 19 decimals; what is behind the third is rounded half to even. */
static void decimals(void **state)
{
	static const struct expected shapes[] = {
		{ "0", 0 },
		{ "7", 7000 },
		{ "1365627949885185", 1365627949885185000 },
		{ "12.3", 12300 },
		{ "12.34", 12340 },
		{ "12.345", 12345 },
		{ "12.3456", 12346 },
		{ "12.34564", 12346 },
		{ "12.3454999", 12345 },
		{ "1419116254140.723", 1419116254140723 },
		{ "1712195498123456.789", 1712195498123456789 },
		{ "0.001", 1 },
		{ "0.0004", 0 },
		{ "0.0005", 0 },
		{ "0.0015", 2 },
		{ "0.0025", 2 },
		{ "0.0035", 4 },
		{ "0.00250000000000001", 3 },
		{ "0.0024999999999999999", 2 },
		{ "0.0005000000000000001", 1 },
		{ "0.00005", 0 },
		{ "0.30000000000000004", 300 },
		{ "7.1234567890123456789", 7123 },
		{ "12.", 12000 },
		{ ".5", 500 },
		{ "5.0", 5000 },
		{ "1.9999", 2000 },
		{ "1.9995", 2000 },
		{ "1.9985", 1998 },
		{ "999999999999.9999", 1000000000000000 },
	};

	(void)state;
	check(shapes, COUNT_OF(shapes), ns_of);
}

static void signs_and_zeros(void **state)
{
	static const struct expected shapes[] = {
		{ "-1", -1000 },
		{ "-17.250", -17250 },
		{ "-0.0005", 0 },
		{ "-0.0015", -2 },
		{ "-0", 0 },
		{ "0123.5", 123500 },
		{ "001419116254999.125", 1419116254999125 },
		{ "00000000000000000000000000000000000000005", 5000 },
		{ "+5", 5000 },
	};

	(void)state;
	check(shapes, COUNT_OF(shapes), ns_of);
}

/* "{}.{:03}" of ns / 1000 and ns % 1000, both negative: the second part is a count of ns. */
static void twice_signed(void **state)
{
	static const struct expected shapes[] = {
		{ "-5.-123", -5123 },
		{ "-5.-05", -5005 },
		{ "-5.-12", -5012 },
		{ "0.-123", -123 },
		{ "0.-01", -1 },
		{ "-1419116254140.-723", -1419116254140723 },
		{ "5.-123", NOT_A_NUMBER },
		{ "-5.-", NOT_A_NUMBER },
		{ "-5.-1234", NOT_A_NUMBER },
		{ "-5.--12", NOT_A_NUMBER },
	};

	(void)state;
	check(shapes, COUNT_OF(shapes), ns_of);
}

static void exponents(void **state)
{
	static const struct expected shapes[] = {
		{ "1e-06", 0 },
		{ "1e-3", 1 },
		{ "1.75e15", 1750000000000000000 },
		{ "1E3", 1000000 },
		{ "1e+3", 1000000 },
		{ "1.419116254999125e12", 1419116254999125 },
		{ "5e-4", 0 },
		{ "15e-4", 2 },
		{ "25e-4", 2 },
		{ "1e-400", 0 },
		{ "1e-99999999999", 0 },
		{ "0e400", 0 },
		{ "0e99999999999", 0 },
		{ "1e400", NOT_A_NUMBER },
		{ "1e99999999999", NOT_A_NUMBER },
		{ "-1e400", NOT_A_NUMBER },
		{ "123456789e-9", 123 },
		{ "100000000000000000000000000000000000000000e-40", 1000 + 9000 },
		{ "1e", NOT_A_NUMBER },
		{ "1e+", NOT_A_NUMBER },
		{ "e5", NOT_A_NUMBER },
		{ "1e5.0", NOT_A_NUMBER },
	};

	(void)state;
	check(shapes, COUNT_OF(shapes), ns_of);
}

/* 2^63 - 1 ns is the largest time; INT64_MIN means "none" elsewhere and is no time. */
static void limits(void **state)
{
	static const struct expected shapes[] = {
		{ "9223372036854775.807", INT64_MAX },
		{ "9223372036854775.8070", INT64_MAX },
		{ "9223372036854775.80749999", INT64_MAX },
		{ "9223372036854775.8075", NOT_A_NUMBER },
		{ "9223372036854775.808", NOT_A_NUMBER },
		{ "9223372036854776", NOT_A_NUMBER },
		{ "-9223372036854775.807", -INT64_MAX },
		{ "-9223372036854775.808", NOT_A_NUMBER },
		{ "9000000000000000", 9000000000000000000 },
		{ "9000000000000001", 9000000000000001000 },
		{ "9000000000000000.999", 9000000000000000999 },
		{ "9999999999999999", NOT_A_NUMBER },
		{ "99999999999999999999", NOT_A_NUMBER },
		{ "18446744073709551616", NOT_A_NUMBER },
		{ "18446744073709.551616", 18446744073709552 },
		{ "340282366920938463463374607431768211456", NOT_A_NUMBER },
		{ "340282366920938463463374607431768211456e-30", 340282367 * INT64_C(1000) - 79 },
	};

	(void)state;
	check(shapes, COUNT_OF(shapes), ns_of);
}

static void no_numbers(void **state)
{
	static const char *const texts[] = { "", "-", ".", "-.", "+", "null", "nan", "NaN", "inf",
		"N/A", "0x14a7e3b", "1 ", " 1", "1,5", "12.34.5", "--5", "1-", "{}", "\"5\"",
		"1_000", "12.345us", "1.2x", "123456789012345678x" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++) {
		assert_int_equal(ns_of(texts[i]), NOT_A_NUMBER);
		assert_int_equal(i64_of(texts[i]), NOT_A_NUMBER);
	}
}

/* whole.fraction of `decimals` digits in microseconds, rounded half to even, in 128 bits. */
static int64_t rounded(uint64_t whole, uint64_t fraction, int decimals)
{
	unsigned __int128 scale = 1, all, ns, rest;
	int i;

	for (i = 0; i < decimals; i++)
		scale *= 10;
	all = ((unsigned __int128)whole * scale + fraction) * 1000;
	ns = all / scale;
	rest = all % scale;
	ns += rest * 2 > scale || (rest * 2 == scale && (ns & 1));
	return (int64_t)ns;
}

static void random_decimals(void **state)
{
	uint64_t seed = 42;
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		uint64_t whole = ((uint64_t)loading_random(&seed) << 31 | loading_random(&seed)) %
			9000000000000000u;
		uint64_t fraction = (uint64_t)loading_random(&seed) << 31 | loading_random(&seed);
		int decimals = (int)(loading_random(&seed) % 19) + 1, k;
		uint64_t most = 1;
		bool negative = loading_random(&seed) & 1;
		char text[64];
		int64_t want;

		whole >>= loading_random(&seed) % 53;
		for (k = 0; k < decimals; k++)
			most *= 10;
		fraction %= most;
		if (i % 3 == 0 && decimals > 3) /* exactly a half, or near it */
			fraction = fraction / (most / 1000) * (most / 1000) + most / 2000 +
				(uint64_t)(i % 2);
		want = rounded(whole, fraction, decimals);
		snprintf(text, sizeof(text), "%s%llu.%0*llu", negative ? "-" : "",
			(unsigned long long)whole, decimals, (unsigned long long)fraction);
		if (ns_of(text) != (negative ? -want : want))
			print_error("%s\n", text);
		assert_int_equal(ns_of(text), negative ? -want : want);
	}
}

/* The same value with the point elsewhere and an exponent that makes up for it. */
static void random_exponents(void **state)
{
	uint64_t seed = 7;
	int i;

	(void)state;
	for (i = 0; i < 50000; i++) {
		uint64_t digits =
			(uint64_t)loading_random(&seed) << 20 | loading_random(&seed) >> 11;
		int places = (int)(loading_random(&seed) % 14);
		unsigned __int128 v = (unsigned __int128)digits * 1000, scale = 1, ns;
		char text[64];
		int k;

		for (k = 0; k < places; k++)
			scale *= 10;
		ns = v / scale;
		ns += v % scale * 2 > scale || (v % scale * 2 == scale && (ns & 1));
		snprintf(text, sizeof(text), "%llue-%d", (unsigned long long)digits, places);
		assert_int_equal(ns_of(text), (int64_t)ns);
		snprintf(text, sizeof(text), "0.%018llue%d", (unsigned long long)digits,
			18 - places);
		assert_int_equal(ns_of(text), (int64_t)ns);
	}
}

static void integers(void **state)
{
	static const struct expected shapes[] = {
		{ "0", 0 },
		{ "-7", -7 },
		{ "42", 42 },
		{ "1.0", 1 },
		{ "1e3", 1000 },
		{ "1.5e1", 15 },
		{ "1.5", NOT_A_NUMBER },
		{ "1e-1", NOT_A_NUMBER },
		{ "10e-1", 1 },
		{ "9223372036854775807", INT64_MAX },
		{ "9223372036854775808", NOT_A_NUMBER },
		{ "-9223372036854775807", -INT64_MAX },
		{ "-9223372036854775808", NOT_A_NUMBER },
		{ "999999999999999999", 999999999999999999 },
		{ "007", 7 },
		{ "true", NOT_A_NUMBER },
		{ "1751410836000000000", 1751410836000000000 },
	};

	(void)state;
	check(shapes, COUNT_OF(shapes), i64_of);
}

/* 1 to 18 digits against a sum of digits, and with another byte at each place; in blocks of exactly
 * their size, so that a sanitizer sees a byte too much. */
static void digits_of_any_length(void **state)
{
	static const char wrong[] = "/:. \xb0\x10";
	uint64_t seed = 29;
	size_t n, i;
	int k;

	(void)state;
	for (k = 0; k < 2000; k++) {
		uint64_t want = 0, id;
		int64_t v, ns;
		char *text;

		n = 1 + loading_random(&seed) % 18;
		text = malloc(n);
		assert_non_null(text);
		for (i = 0; i < n; i++) {
			text[i] = (char)('0' + loading_random(&seed) % 10);
			want = want * 10 + (uint64_t)(text[i] - '0');
		}
		assert_true(num_u64((struct span){ text, n }, &id) && id == want);
		assert_true(num_i64((struct span){ text, n }, &v) && v == (int64_t)want);
		if (n > 4 && want / 10000 <= 9000000000000000) {
			int64_t whole = (int64_t)(want / 10000) * 1000 + (int64_t)(want % 1000);

			text[n - 4] = '.';
			assert_true(num_ns((struct span){ text, n }, &ns) && ns == whole);
		}
		text[loading_random(&seed) % n] =
			wrong[loading_random(&seed) % (sizeof(wrong) - 1)];
		assert_false(num_u64((struct span){ text, n }, &id));
		free(text);
	}
}

static void ids(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t value;
	} shapes[] = { { "0", true, 0 }, { "4294967296", true, 4294967296u },
		{ "9007199254740993", true, 9007199254740993u }, /* 2^53 + 1 */
		{ "18446744073709551615", true, UINT64_MAX }, { "18446744073709551616", false, 0 },
		{ "000000000000000000000000000012", true, 12 }, { "0x1f", true, 31 },
		{ "0XfFfFfFfFfFfFfFfF", true, UINT64_MAX }, { "0x1ffffffffffffffff", false, 0 },
		{ "0x", false, 0 }, { "0xg", false, 0 }, { "-1", false, 0 }, { "", false, 0 },
		{ "1.0", false, 0 }, { "12 ", false, 0 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(shapes); i++) {
		uint64_t v;

		assert_int_equal(num_u64(span_of(shapes[i].text), &v), shapes[i].ok);
		if (shapes[i].ok)
			assert_true(v == shapes[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimals),
		cmocka_unit_test(signs_and_zeros),
		cmocka_unit_test(twice_signed),
		cmocka_unit_test(exponents),
		cmocka_unit_test(limits),
		cmocka_unit_test(no_numbers),
		cmocka_unit_test(random_decimals),
		cmocka_unit_test(random_exponents),
		cmocka_unit_test(integers),
		cmocka_unit_test(digits_of_any_length),
		cmocka_unit_test(ids),
	};

	return cmocka_run_group_tests_name("num", tests, NULL, NULL);
}
