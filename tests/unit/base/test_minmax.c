/* base/minmax: the smaller and the larger, of all types, each argument evaluated once. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/minmax.h"
#include "base/real.h"

/* Both numbers as they are, through a macro of two and through itself. */
#define BOTH_WAYS(type, low, high)                              \
	do {                                                    \
		type x = (low), y = (high), less = x, more = y; \
                                                                \
		assert_true(MIN(x, y) == x);                    \
		assert_true(MIN(y, x) == x);                    \
		assert_true(MAX(x, y) == y);                    \
		assert_true(MAX(y, x) == y);                    \
		assert_true(MIN(x, MAX(x, y)) == x);            \
		assert_true(MAX(MIN(y, x), x) == x);            \
		assert_true(CLAMP(x, less, y) == x);            \
		assert_true(CLAMP(y, x, less) == x);            \
		assert_true(CLAMP(x, y, more) == y);            \
		assert_true(sizeof(MIN(x, y)) >= sizeof(type)); \
	} while (0)

static void types(void **state)
{
	static const char text[] = "ab";

	(void)state;
	BOTH_WAYS(int, -1, 1);
	BOTH_WAYS(unsigned, 1, UINT_MAX);
	BOTH_WAYS(int64_t, INT64_MIN, INT64_MAX);
	BOTH_WAYS(uint64_t, 1, UINT64_MAX);
	BOTH_WAYS(long long, INT64_MIN, INT64_MAX);
	BOTH_WAYS(unsigned long long, 0, UINT64_MAX);
	BOTH_WAYS(size_t, 0, SIZE_MAX);
	BOTH_WAYS(uint8_t, 3, 255);
	BOTH_WAYS(int16_t, -300, 300);
	BOTH_WAYS(double, -0.5, INFINITY);
	assert_true(
		MIN((__int128)INT64_MAX * 4, (__int128)INT64_MAX * 5) == (__int128)INT64_MAX * 4);
	assert_ptr_equal(MIN(text, text + 1), text);
	assert_ptr_equal(MAX(text, text + 1), text + 1);
	assert_true(MIN((size_t)7, 8) == 7); /* a constant takes the other's type */
	assert_true(MAX(INT64_MIN, 0) == 0);
	assert_true(MIN(2, 2.5) == 2.0);
	assert_true(MAX(2, 2.5) == 2.5);
}

/* As a ternary has it: the second, where a number is unknown. */
static void unknown(void **state)
{
	(void)state;
	assert_true(MIN(NAN, 1.0) == 1.0);
	assert_true(MAX(NAN, 1.0) == 1.0);
	assert_true(isnan(MIN(1.0, NAN)));
	assert_true(isnan(MAX(1.0, NAN)));
	assert_true(isnan(CLAMP(NAN, 0.0, 1.0)));
}

static void evaluated_once(void **state)
{
	int i = 1, k = 5, n = 0;

	(void)state;
	assert_int_equal(MIN(i++, k++), 1);
	assert_int_equal(MAX(i++, k++), 6);
	assert_int_equal(i, 3);
	assert_int_equal(k, 7);
	assert_int_equal(CLAMP(n++, i++, k++), 3);
	assert_int_equal(n, 1);
	assert_int_equal(i, 4);
	assert_int_equal(k, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(unknown),
		cmocka_unit_test(evaluated_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
