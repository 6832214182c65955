/* Doubles from text agree with strtod to the last bit, wherever the division path is taken. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/text/num.h"

static uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static void same(const char *text)
{
	char padded[128 + REAL_PADDING] = { 0 };
	size_t n = strlen(text);
	const char *q;
	double got, want = strtod(text, NULL);
	bool missing;

	memcpy(padded, text, n);
	q = real_parse(padded, padded + n, &got, &missing);
	if (q != padded + n || missing || memcmp(&got, &want, sizeof(got)) != 0)
		fail_msg("%s: %.17g, not %.17g", text, got, want);
	q = real_short(padded, &got);
	if (q && (q != padded + n || memcmp(&got, &want, sizeof(got)) != 0))
		fail_msg("%s, short: %.17g, not %.17g", text, got, want);
}

static void short_ones(void **state)
{
	static const struct {
		const char *text;
		double value; /* NaN: it is not taken */
	} rows[] = { { "7", 7 }, { "-12.5", -12.5 }, { "1234567.7654321", 1234567.7654321 },
		{ "5.", 5 }, { "1,206", 1206 }, { "12,345,678", 12345678 }, { "0.5, 1", 0.5 },
		{ "3,", 3 }, { "12345678", NAN }, { "1,23", NAN }, { "1,2345", NAN },
		{ "1,234.5", NAN }, { "1.5,234", NAN }, { "1e5", 1e5 }, { "2.5E-1", 0.25 },
		{ "8.313059E+00", 8.313059 }, { "1.5e-30", NAN }, { "1e", NAN }, { "1e+", NAN },
		{ "1e001", NAN }, { "1,234e5", NAN }, { "1234.567", 1234.567 },
		{ "123456.7", 123456.7 }, { "1234567.", 1234567 }, { ".5", NAN }, { "nan", NAN },
		{ "-", NAN }, { "", NAN } };
	uint64_t seed = 88172645463325252u;
	char text[32 + REAL_PADDING];
	double v;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		memset(text, 0, sizeof(text));
		memcpy(text, rows[i].text, strlen(rows[i].text));
		const char *q = real_short(text, &v);

		if ((q != NULL) != !isnan(rows[i].value) || (q && v != rows[i].value))
			fail_msg("%s: %.17g", rows[i].text, q ? v : (double)NAN);
	}
	for (int i = 0; i < 300000; i++) {
		uint64_t r = next(&seed);
		int whole = (int)(r % 7) + 1, part = (int)(r >> 8) % 8;

		(void)snprintf(text, sizeof(text), "%.*s%.*" PRIu64 ".%.*" PRIu64,
			(int)(r >> 60 & 1), "-", whole,
			(r >> 16) % 10000000 % (uint64_t)pow(10, whole), MAX(part, 1),
			(r >> 32) % 10000000 % (uint64_t)pow(10, MAX(part, 1)));
		same(text);
		size_t n = strlen(text);
		(void)snprintf(text + n, sizeof(text) - n, "%c%+03d", r & 1 ? 'e' : 'E',
			(int)(r >> 40 & 31) - 15);
		same(text);
	}
}

static void random_ones(void **state)
{
	uint64_t seed = 88172645463325252u;
	char text[80];
	int i;

	(void)state;
	for (i = 0; i < 300000; i++) {
		uint64_t r = next(&seed), bits = next(&seed);
		double v = (double)(int64_t)bits / 9e15;

		(void)snprintf(text, sizeof(text), "%.*g", 15 + (int)(r % 3), v);
		same(text);
		(void)snprintf(text, sizeof(text), "%.17f", v - floor(v));
		same(text);
		(void)snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64 "e-%d", r % 100000,
			bits % 10000000000000u, (int)(r >> 40) % 20);
		same(text);
	}
}

/* Halfway between two doubles, one below and one above it: 2^53 + 1 and its neighbours, scaled. */
static void halfway(void **state)
{
	static const char *const texts[] = { "9007199254740993", "900719925474099.3",
		"4503599627370496.5", "4503599627370497.5", "4503599627370496.499",
		"450359962737049.75", "1.0000000000000002220", "1.000000000000000111",
		"0.1000000000000000055", "2.2250738585072014e-308", "4.9e-324", "1e400", "-1e-400",
		"179769313486231570000", "123456789012345678901234567890", "0.0", "-0", "-0.0",
		"0.00000000000000000000000000001", "1e22", "1e23", "18446744073709551615",
		"18446744073709551615e-27", "1844674407370955161.5", "9999999999999999999e-1",
		"9007199254740992e-27" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		same(texts[i]);
}

static void words(void **state)
{
	char text[] = "NaN,-Infinity,null,tru,-,.,1e,        ";
	const char *end = text + strlen(text) - REAL_PADDING;
	double v;
	bool missing;

	(void)state;
	assert_ptr_equal(real_parse(text, end, &v, &missing), text + 3);
	assert_true(isnan(v) && !missing);
	assert_ptr_equal(real_parse(text + 4, end, &v, &missing), text + 13);
	assert_true(isinf(v) && v < 0);
	assert_ptr_equal(real_parse(text + 14, end, &v, &missing), text + 18);
	assert_true(missing);
	assert_null(real_parse(text + 19, end, &v, &missing));
	assert_null(real_parse(text + 23, end, &v, &missing));
	assert_null(real_parse(text + 25, end, &v, &missing));
	assert_null(real_parse(text + 27, end, &v, &missing));
}

static void whole_texts(void **state)
{
	double v;

	(void)state;
	assert_true(real_of(SPAN(" 12.5 \r"), &v) && v == 12.5);
	assert_true(real_of(SPAN("+3"), &v) && v == 3);
	assert_true(real_of(SPAN("nan"), &v) && isnan(v));
	assert_false(real_of(SPAN("12 %"), &v));
	assert_false(real_of(SPAN("null"), &v));
	assert_false(real_of(SPAN(""), &v));
	assert_false(real_of(SPAN("1.2.3"), &v));
	assert_false(real_of(SPAN("0x10"), &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_ones),
		cmocka_unit_test(random_ones),
		cmocka_unit_test(halfway),
		cmocka_unit_test(words),
		cmocka_unit_test(whole_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
