/* edit/time_range and edit/number: times as people write them, and as traces do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/time_range.h"

/* The run is from 1 s to 3 s. */
enum { FIRST = 1000000000 };
static const nsec last = 3000000000;

static void well_formed(void **state)
{
	static const struct {
		const char *text;
		nsec start, end;
	} v[] = {
		{ "1.2s-1.5s", 2200000000, 2500000000 },
		{ "1.2-1.5s", 2200000000, 2500000000 }, /* the unit is lent */
		{ "300ms-", 1300000000, 3000000001 }, { "-20us", 1000000000, 1000020000 },
		{ "0s-1ns", 1000000000, 1000000001 }, { "5ns-7us", 1000000005, 1000007000 },
		{ "0.5us-1us", 1000000500, 1000001000 }, { "0min-1min", 1000000000, 61000000000 },
		{ "2s-", 3000000000, 3000000001 }, /* the last event */
	};
	struct interval t;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(time_range_read(v[i].text, FIRST, last, &t, &e), OK);
		assert_int_equal(t.start, v[i].start);
		assert_int_equal(t.end, v[i].end);
	}
}

static void malformed(void **state)
{
	static const char *const v[] = { "", "-", "1s", "1-2", "1s-2", "1.2-", "s-1s", "-s", "ms-",
		"1h-2h", "1s-2s-3s", "1s--2s", "x-1s", "1s-1s", "2s-1s", "1e400s-", "-1.5ns",
		"0s-9223372036854775807s", "0s-9223372036854775807ns", "1 s-2 s", "1S-2S" };
	struct interval t;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		err_clear(&e);
		if (time_range_read(v[i], FIRST, last, &t, &e) != E_USAGE)
			fail_msg("'%s' is taken", v[i]);
		assert_true(e.text[0] && e.hint[0]);
	}
	assert_int_equal(time_range_read("2001ms-", FIRST, last, &t, &e), E_NODATA);
	assert_non_null(strstr(e.text, "2.000000 s"));
}

static void lengths(void **state)
{
	static const char *const wrong[] = { "", "10", "ms", "-1ms", "0s", "1h", "1ms ", "1.5ns" };
	struct err e;
	nsec ns;
	size_t i;

	(void)state;
	assert_int_equal(time_range_length("10ms", "--sample", &ns, &e), OK);
	assert_int_equal(ns, 10000000);
	assert_int_equal(time_range_length("1ns", "--sample", &ns, &e), OK);
	assert_int_equal(ns, 1);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(time_range_length(wrong[i], "--sample", &ns, &e), E_USAGE);
		assert_non_null(strstr(e.text, "--sample"));
	}
}

static void numbers(void **state)
{
	static const struct {
		nsec t;
		const char *text;
	} v[] = { { 0, "0.000" }, { 1, "0.001" }, { -1, "-0.001" }, { 999, "0.999" },
		{ 1000, "1.000" }, { -1500, "-1.500" }, { INT64_MAX, "9223372036854775.807" },
		{ INT64_MIN, "-9223372036854775.808" } };
	char to[NUMBER_US_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(number_us(to, v[i].t), strlen(v[i].text));
		assert_string_equal(to, v[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed),
		cmocka_unit_test(malformed),
		cmocka_unit_test(lengths),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
