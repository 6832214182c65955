/* base/plural: one of something, none, many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/plural.h"

static void words(void **state)
{
	size_t n = 1;
	int64_t below = -1;

	(void)state;
	assert_string_equal(plural(n, "is", "are"), "is");
	assert_string_equal(plural(n - 1, "is", "are"), "are");
	assert_string_equal(plural(n + 1, "is", "are"), "are");
	assert_string_equal(plural(below, "it", "them"), "them");
	assert_string_equal(plural_s(n), "");
	assert_string_equal(plural_s(0), "s");
	assert_string_equal(plural_s(n - 2), "s");
	assert_string_equal(plural_s(n++), "");
	assert_int_equal(n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
