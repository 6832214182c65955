/*
 * Numbers to text: scales that compare down a column, exact texts, torch's formats, every locale.
 */
#include <float.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/unit.h"

/* Compares what was written and empties it. */
static void expect(struct str *b, const char *want)
{
	assert_string_equal(b->s, want);
	str_reset(b);
}

static struct unit_range range(const double *v, size_t n)
{
	struct unit_range g = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		unit_range_add(&g, v[i]);
	return g;
}

/* The columns of the `top` mock-up: one unit and one number of decimals each. */
static void test_column_of_times(void **state)
{
	static const double self[] = { 68080000, 62520000, 5200000, 282220000 };
	static const double step[] = { 11347000, 867000, 47037000 };
	static const double avg[] = { 118200, 5210000, 9800, 9000 };
	struct unit_scale s = unit_scale_time(range(self, 4), NULL);
	SCOPED_STR b = { 0 };

	(void)state;
	unit_put(&b, self[0], s);
	expect(&b, "68.08 ms");
	unit_put(&b, self[2], s);
	expect(&b, "5.20 ms");
	unit_put(&b, self[3], s);
	expect(&b, "282.22 ms");
	s = unit_scale_time(range(step, 3), NULL);
	unit_put(&b, step[1], s);
	expect(&b, "0.867 ms");
	unit_put(&b, step[2], s);
	expect(&b, "47.037 ms");
	s = unit_scale_time(range(avg, 4), NULL);
	unit_put(&b, avg[1], s);
	expect(&b, "5210.0 us");
	unit_put(&b, avg[3], s);
	expect(&b, "9.0 us");
}

static void test_forced_unit(void **state)
{
	static const double v[] = { 1500000, 5000, 12 };
	SCOPED_STR b = { 0 };
	struct unit_scale s = unit_scale_time(range(v, 2), "s");

	(void)state;
	unit_put(&b, v[0], s);
	expect(&b, "0.001500 s");
	unit_put(&b, v[1], s);
	expect(&b, "0.000005 s");
	s = unit_scale_time(range(v, 1), "us");
	unit_put(&b, v[0], s);
	expect(&b, "1500 us");
	s = unit_scale_time(range(v, 3), "ns");
	unit_put(&b, v[0], s);
	expect(&b, "1500000 ns");
	s = unit_scale_time(range(v, 3), "fortnights");
	unit_put(&b, v[0], s);
	expect(&b, "1500.00 us");
}

static void test_single_values(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	unit_put_time(&b, 0);
	expect(&b, "0 ns");
	unit_put_time(&b, 999);
	expect(&b, "999 ns");
	unit_put_time(&b, 1000);
	expect(&b, "1.000 us");
	unit_put_time(&b, 62400000);
	expect(&b, "62.40 ms");
	unit_put_time(&b, -62400000);
	expect(&b, "-62.40 ms");
	unit_put_time(&b, 90e9);
	expect(&b, "90.00 s");
	unit_put_time(&b, 9223372036854775807.0);
	expect(&b, "9223372037 s");
	unit_put_bytes(&b, 0);
	expect(&b, "0 B");
	unit_put_bytes(&b, 1023);
	expect(&b, "1023 B");
	unit_put_bytes(&b, 1024);
	expect(&b, "1.00 KiB");
	unit_put_bytes(&b, 31.2 * 1024 * 1024 * 1024);
	expect(&b, "31.20 GiB");
	unit_put_bytes(&b, -1.5 * 1024 * 1024);
	expect(&b, "-1.50 MiB");
	unit_put_percent(&b, 0.653);
	expect(&b, "65.3%");
	unit_put_percent(&b, -0.0001);
	expect(&b, "0.0%");
}

/* Several numbers in one sentence; the longest there is. */
static void test_texts_of_numbers(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	str_addf(&b, "%s of %s in %s", IN_PERCENT(0.653), IN_BYTES(31.2 * 1073741824),
		IN_TIME(62.4e6));
	expect(&b, "65.3% of 31.20 GiB in 62.40 ms");
	str_addf(&b, "%s", IN_BYTES(-DBL_MAX));
	assert_true(b.n > 290 && strcmp(b.s + b.n - 4, " TiB") == 0);
}

static void test_plain_numbers(void **state)
{
	static const double whole[] = { 3, 1000000 }, parts[] = { 12.5, 0.25 },
			    tiny[] = { 9e-6, 0.5 };
	SCOPED_STR b = { 0 };

	(void)state;
	unit_put(&b, 1000000, unit_scale_plain(range(whole, 2)));
	expect(&b, "1000000");
	unit_put(&b, 12.5, unit_scale_plain(range(parts, 2)));
	expect(&b, "12.500");
	unit_put(&b, 9e-6, unit_scale_plain(range(tiny, 2)));
	expect(&b, "9e-06");
	unit_put(&b, 1e300, unit_scale_plain(range((double[]){ 1e300 }, 1)));
	expect(&b, "1e+300");
	unit_put(&b, (double)INFINITY, unit_scale_plain(range((double[]){ (double)INFINITY }, 1)));
	expect(&b, "inf");
}

static void test_counts(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	unit_put_count(&b, 0);
	expect(&b, "0");
	unit_put_count(&b, 999);
	expect(&b, "999");
	unit_put_count(&b, 132152);
	expect(&b, "132,152");
	unit_put_count(&b, -1000);
	expect(&b, "-1,000");
	unit_put_count(&b, INT64_MAX);
	expect(&b, "9,223,372,036,854,775,807");
	unit_put_count(&b, INT64_MIN);
	expect(&b, "-9,223,372,036,854,775,808");
}

static void test_exact(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	unit_put_exact(&b, 1234567, 3);
	expect(&b, "1234.567");
	unit_put_exact(&b, 7, 3);
	expect(&b, "0.007");
	unit_put_exact(&b, -7, 3);
	expect(&b, "-0.007");
	unit_put_exact(&b, 0, 3);
	expect(&b, "0.000");
	unit_put_exact(&b, 1000, 3);
	expect(&b, "1.000");
	unit_put_exact(&b, INT64_MAX, 3);
	expect(&b, "9223372036854775.807");
	unit_put_exact(&b, INT64_MIN, 9);
	expect(&b, "-9223372036.854775808");
	unit_put_exact(&b, INT64_MIN, 0);
	expect(&b, "-9223372036854775808");
}

static void test_shortest_real(void **state)
{
	static const double v[] = { 0.1, 1.0 / 3, 2.0 / 3, 1e22, 5e-324, DBL_MAX, DBL_MIN,
		9007199254740993.0, 123456789.125, -0.1, 100 };
	uint64_t bits = 88172645463325252u;
	SCOPED_STR b = { 0 };
	size_t i;

	(void)state;
	unit_put_real(&b, 0.1);
	expect(&b, "0.1");
	unit_put_real(&b, -0.0);
	expect(&b, "0");
	unit_put_real(&b, 0.1 + 0.2);
	expect(&b, "0.30000000000000004");
	unit_put_real(&b, 0.15000000000000002);
	expect(&b, "0.15000000000000002");
	unit_put_real(&b, 1e22);
	expect(&b, "1e+22");
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		unit_put_real(&b, v[i]);
		assert_memory_equal(&(double){ strtod(b.s, NULL) }, &v[i], sizeof(v[i]));
		str_reset(&b);
	}
	for (i = 0; i < 20000; i++) {
		double x;

		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&x, &bits, sizeof(x));
		if (!isfinite(x))
			continue;
		str_reset(&b);
		unit_put_real(&b, x);
		assert_memory_equal(&(double){ strtod(b.s, NULL) }, &x, sizeof(x));
		assert_true(b.n <= 24);
	}
}

/* What torch.autograd.profiler_util gives for the same numbers. */
static void test_torch_formats(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	unit_torch_time(&b, 0, NULL);
	expect(&b, "0.000us");
	unit_torch_time(&b, 999999, NULL);
	expect(&b, "999.999us");
	unit_torch_time(&b, 1000000, NULL);
	expect(&b, "1.000ms");
	unit_torch_time(&b, 1234567890, NULL);
	expect(&b, "1.235s");
	unit_torch_time(&b, -12000000, NULL);
	expect(&b, "-12000.000us");
	unit_torch_time(&b, 1234567, "us");
	expect(&b, "1234.567us");
	unit_torch_time(&b, 1234567, "s");
	expect(&b, "0.001s");
	unit_torch_time(&b, 1234567, "ms");
	expect(&b, "1.235ms");
	unit_torch_bytes(&b, 0);
	expect(&b, "0 B");
	unit_torch_bytes(&b, -12);
	expect(&b, "-12 B");
	unit_torch_bytes(&b, 1536);
	expect(&b, "1.50 KB");
	unit_torch_bytes(&b, -3 * 1024 * 1024);
	expect(&b, "-3.00 MB");
	unit_torch_bytes(&b, INT64_C(5) << 30);
	expect(&b, "5.00 GB");
	unit_torch_share(&b, 1, 3);
	expect(&b, "33.33%");
	unit_torch_share(&b, 0, 0);
	expect(&b, "NaN");
}

/* A decimal comma must never reach the output.  Skipped where no such locale is installed. */
static void test_every_locale(void **state)
{
	static const char *const name[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8",
		"es_ES.UTF-8", "pl_PL.UTF-8", "de_DE", "fr_FR", "ps_AF" };
	SCOPED_STR b = { 0 };
	const char *found = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(name) / sizeof(name[0]) && !found; i++)
		found = setlocale(LC_NUMERIC, name[i]);
	if (!found)
		skip();
	unit_put_time(&b, 62400000);
	unit_put_real(&b, -0.25);
	unit_put_real(&b, 1.5e-10);
	unit_torch_time(&b, 1500, NULL);
	setlocale(LC_NUMERIC, "C");
	expect(&b, "62.40 ms-0.251.5e-101.500us");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_column_of_times),
		cmocka_unit_test(test_forced_unit),
		cmocka_unit_test(test_single_values),
		cmocka_unit_test(test_texts_of_numbers),
		cmocka_unit_test(test_plain_numbers),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_shortest_real),
		cmocka_unit_test(test_torch_formats),
		cmocka_unit_test(test_every_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
