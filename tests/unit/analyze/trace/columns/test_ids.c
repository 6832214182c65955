/* Ids in 32 bits: equal stored forms are equal ids, at the borders and for many wide ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/idmap.h"
#include "base/compiler.h"

static void borders(void **state)
{
	static const uint64_t narrow[] = { 0, 1, 0x7fffffff };
	static const uint64_t wide[] = { 0x80000000u, 0x80000001u, UINT32_MAX,
		(uint64_t)UINT32_MAX + 1, 9007199254740993u, (uint64_t)INT64_MAX + 1, UINT64_MAX };
	struct ids t;
	size_t i, round;

	(void)state;
	ids_init(&t);
	for (i = 0; i < COUNT_OF(narrow); i++)
		assert_int_equal(ids_pack(&t, narrow[i]), narrow[i]);
	assert_int_equal(t.wide.n, 0);
	for (round = 0; round < 2; round++)
		for (i = 0; i < COUNT_OF(wide); i++)
			assert_int_equal(ids_pack(&t, wide[i]), ID_WIDE | i);
	for (i = 0; i < COUNT_OF(wide); i++)
		assert_true(ids_wide(&t, i) == wide[i]);
	ids_clear(&t);
}

/* Differing in their upper half only, as ids with a rank in front do. */
static void many(void **state)
{
	struct ids t;
	uint32_t i;

	(void)state;
	ids_init(&t);
	for (i = 0; i < 50000; i++)
		assert_int_equal(ids_pack(&t, (uint64_t)(i + 1) << 40), ID_WIDE | i);
	for (i = 0; i < 50000; i++) {
		assert_int_equal(ids_pack(&t, (uint64_t)(i + 1) << 40), ID_WIDE | i);
		assert_true(ids_wide(&t, i) == (uint64_t)(i + 1) << 40);
	}
	ids_clear(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(borders), cmocka_unit_test(many) };

	return cmocka_run_group_tests_name("ids", tests, NULL, NULL);
}
