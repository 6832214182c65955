/*
 * Side tables: which columns are kept, what unknown looks like, and that rows survive growing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "analyze/store/args.h"

static void kept_columns(void **state)
{
	struct args a;

	(void)state;
	args_init(&a, NEED_BYTES | NEED_KERNEL);
	assert_true(args_keeps(&a, ARG_DEVICE_BYTES));
	assert_true(args_keeps(&a, ARG_DEVICE_GRID));
	assert_false(args_keeps(&a, ARG_DEVICE_CORRELATION));
	assert_int_equal(args_row(&a, ARGS_DEVICE), 1);
	assert_non_null(a.col[ARG_DEVICE_BYTES].any);
	assert_null(a.col[ARG_DEVICE_CORRELATION].any);
	assert_null(a.col[ARG_OP_DIMS].any);
	assert_int_equal(a.n[ARGS_DEVICE], 1);
	assert_int_equal(a.n[ARGS_OP], 0);
	args_clear(&a);
}

static void unknown(void **state)
{
	static const uint32_t none[3];
	struct args a;

	(void)state;
	args_init(&a, ~0u);
	assert_int_equal(args_row(&a, ARGS_DEVICE), 1);
	assert_int_equal(a.col[ARG_DEVICE_CORRELATION].id[0], 0);
	assert_int_equal(a.col[ARG_DEVICE_BYTES].i64[0], ARG_UNKNOWN);
	assert_true(isnan(a.col[ARG_DEVICE_BANDWIDTH].f64[0]));
	assert_int_equal(a.col[ARG_DEVICE_COLLECTIVE].sym[0], 0);
	assert_memory_equal(a.col[ARG_DEVICE_GRID].vec3[0], none, sizeof(none));
	a.col[ARG_DEVICE_BYTES].i64[0] = 0; /* 0 bytes are known */
	args_unknown(&a, ARG_DEVICE_BYTES, 0);
	assert_int_equal(a.col[ARG_DEVICE_BYTES].i64[0], ARG_UNKNOWN);
	args_clear(&a);
}

static void growing(void **state)
{
	struct args a;
	uint32_t i;

	(void)state;
	args_init(&a, ~0u);
	for (i = 0; i < 5000; i++) {
		assert_int_equal(args_row(&a, ARGS_MEMORY), i + 1);
		a.col[ARG_MEMORY_BYTES].i64[i] = i * 3;
		a.col[ARG_MEMORY_RESERVED].i64[i] = -(int64_t)i;
	}
	for (i = 0; i < 5000; i++) {
		assert_int_equal(a.col[ARG_MEMORY_BYTES].i64[i], i * 3);
		assert_int_equal(a.col[ARG_MEMORY_RESERVED].i64[i], -(int64_t)i);
		assert_int_equal(a.col[ARG_MEMORY_ADDRESS].i64[i], ARG_UNKNOWN);
	}
	args_reserve(&a, ARGS_MEMORY, 100000);
	a.col[ARG_MEMORY_BYTES].i64[104999] = 1;
	assert_int_equal(a.n[ARGS_MEMORY], 5000);
	args_clear(&a);
}

static void tables(void **state)
{
	int i;

	(void)state;
	assert_int_equal(args_table_of(KIND_KERNEL), ARGS_DEVICE);
	assert_int_equal(args_table_of(KIND_RUNTIME), ARGS_LAUNCH);
	assert_int_equal(args_table_of(KIND_OP), ARGS_OP);
	assert_int_equal(args_table_of(KIND_PYTHON), ARGS_OP);
	assert_int_equal(args_table_of(KIND_MEMORY), ARGS_MEMORY);
	assert_int_equal(args_table_of(KIND_FLOW), ARGS_NONE);
	assert_int_equal(arg_size(ARG_VEC3), 12);
	assert_int_equal(arg_size(ARG_ID), 4);
	assert_int_equal(arg_size(ARG_F64), 8);
	for (i = 0; i < ARG_COUNT; i++) {
		assert_true(arg_infos[i].need != 0 && arg_infos[i].table != ARGS_NONE);
		assert_true(strlen(arg_infos[i].key) > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_columns),
		cmocka_unit_test(unknown),
		cmocka_unit_test(growing),
		cmocka_unit_test(tables),
	};

	return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
