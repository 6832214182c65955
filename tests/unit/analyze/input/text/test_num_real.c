/* Decimals read as doubles, against libc bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/input/text/num.h"
#include "base/compiler.h"

#define NOT_A_NUMBER INT64_MIN

static void doubles(void **state)
{
	static const char *const bad[] = { "", "-", "N/A", "null", "0x10", "-0x1p3", "1.5 ", " 1",
		"nano", "infinit", "true", "1e5x", "1.2.3" };
	double v;
	size_t i;

	(void)state;
	assert_true(num_f64(span_of("0.1"), &v) && v == 0.1);
	assert_true(num_f64(span_of("-2.5e-3"), &v) && v == -2.5e-3);
	assert_true(num_f64(span_of("100"), &v) && v == 100);
	assert_true(num_f64(span_of("1e400"), &v) && isinf(v));
	assert_true(num_f64(span_of("NaN"), &v) && isnan(v));
	assert_true(num_f64(span_of("-nan"), &v) && isnan(v));
	assert_true(num_f64(span_of("inf"), &v) && isinf(v) && v > 0);
	assert_true(num_f64(span_of("-Infinity"), &v) && isinf(v) && v < 0);
	for (i = 0; i < COUNT_OF(bad); i++) {
		v = 1;
		assert_false(num_f64(span_of(bad[i]), &v));
		assert_true(isnan(v));
	}
}

/* Random decimals, most of them short enough for the fast path, against libc bit by bit. */
static void doubles_as_strtod(void **state)
{
	static const char *const form[] = { "%s%llu", "%s%llu.%llu", "%s%llu.%llue%d",
		"%s%llue%d" };
	uint64_t x = 88172645463325252u;
	size_t i;

	(void)state;
	for (i = 0; i < 400000; i++) {
		unsigned long long a, b;
		int exponent, kind;
		char text[64];
		double v, want;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		a = (x >> 8) % (1ULL << (x % 55));
		b = (x >> 16) % (1ULL << (x / 64 % 30));
		exponent = (int)(x >> 40) % 60 - 30;
		kind = (int)(x >> 33 & 3);
		if (kind == 3)
			(void)snprintf(text, sizeof(text), form[3], x & 1 ? "-" : "", a, exponent);
		else
			(void)snprintf(
				text, sizeof(text), form[kind], x & 1 ? "-" : "", a, b, exponent);
		want = strtod(text, NULL);
		assert_true(num_f64(span_of(text), &v));
		if (memcmp(&v, &want, sizeof(v)) != 0)
			fail_msg("%s: %a, not %a", text, v, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubles),
		cmocka_unit_test(doubles_as_strtod),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
