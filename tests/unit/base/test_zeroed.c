/* base/zeroed: zeroes of all sizes, also where freed memory is handed out again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/zeroed.h"

static void sizes(void **state)
{
	static const size_t counts[] = { 0, 1, 7, 1000, 16383, 16384, 16385, 500000 };
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint64_t *p = zeroed(counts[i], sizeof(*p));

		assert_non_null(p);
		for (k = 0; k < counts[i]; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xff, counts[i] * sizeof(*p)); /* what the next one may get */
		free(p);
		p = zeroed(counts[i], sizeof(*p));
		for (k = 0; k < counts[i]; k++)
			assert_int_equal(p[k], 0);
		free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
