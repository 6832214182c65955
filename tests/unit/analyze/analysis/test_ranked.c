/* The order of what becomes rows: the largest first, of equals by name, then as they came. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analysis/ranked.h"
#include "base/compiler.h"

static void order(void **state)
{
	struct ranked v[] = { { 1, 0, SPAN("z") }, { 7, 1, SPAN("b") }, { INT64_MIN, 2, SPAN("") },
		{ 7, 3, SPAN("a") }, { 1, 5, SPAN("z") }, { INT64_MAX, 6, SPAN("q") },
		{ 1, 4, SPAN("z") } };
	static const size_t want[] = { 6, 3, 1, 0, 4, 5, 2 };
	size_t i;

	(void)state;
	ranked_sort(v, COUNT_OF(v));
	for (i = 0; i < COUNT_OF(v); i++)
		assert_int_equal(v[i].at, want[i]);
	ranked_sort(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(order) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
