/* Distinct keys and their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/keymap.h"

enum { MANY = 5000 };

static void test_numbers_by_first_sight(void **state)
{
	const uint32_t a[2] = { 1, 2 }, b[2] = { 2, 1 };
	struct keymap m;

	(void)state;
	keymap_init(&m, sizeof(a));
	assert_int_equal(keymap_find(&m, a), KEYMAP_NONE);
	assert_int_equal(keymap_add(&m, a), 0);
	assert_int_equal(keymap_add(&m, b), 1);
	assert_int_equal(keymap_add(&m, a), 0);
	assert_int_equal(m.n, 2);
	assert_memory_equal(keymap_key(&m, 1), b, sizeof(b));
	keymap_clear(&m);
}

/* Numbers stay when the table grows. */
static void test_many(void **state)
{
	struct keymap m;
	uint64_t i;

	(void)state;
	keymap_init(&m, sizeof(i));
	for (i = 0; i < MANY; i++)
		assert_int_equal(keymap_add(&m, &(uint64_t){ i * 7 }), i);
	for (i = 0; i < MANY; i++) {
		assert_int_equal(keymap_find(&m, &(uint64_t){ i * 7 }), i);
		assert_int_equal(keymap_find(&m, &(uint64_t){ i * 7 + 1 }), KEYMAP_NONE);
	}
	assert_int_equal(m.n, MANY);
	keymap_clear(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_by_first_sight),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
