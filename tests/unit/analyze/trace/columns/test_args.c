/* Side tables: which columns are kept, what unknown looks like, and that rows survive growing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/args.h"

static void digest_file_columns(void **state)
{
	struct args a;

	(void)state;
	args_init(&a, NEED_BYTES | NEED_KERNEL);
	assert_true(args_keeps(&a, ARG_DEVICE_BYTES));
	assert_true(args_keeps(&a, ARG_DEVICE_GRID));
	assert_false(args_keeps(&a, ARG_DEVICE_CORRELATION));
	assert_int_equal(args_row(&a, ARGS_DEVICE), 1);
	assert_null(a.col[ARG_DEVICE_BYTES].any); /* no row has any */
	args_change(&a, ARG_DEVICE_BYTES, 0, (union arg_value){ .i64 = 5 });
	assert_non_null(a.col[ARG_DEVICE_BYTES].any);
	assert_null(a.col[ARG_DEVICE_CORRELATION].any);
	assert_null(a.col[ARG_OP_FLOPS].any);
	assert_false(args_keeps(&a, ARG_OP_DIMS));
	assert_int_equal(a.n[ARGS_DEVICE], 1);
	assert_int_equal(a.n[ARGS_OP], 0);
	args_clear(&a);
}

static void unknown(void **state)
{
	static const uint32_t none[3];
	uint32_t v[3] = { 1, 1, 1 };
	struct args a;

	(void)state;
	args_init(&a, ~0u);
	assert_int_equal(args_row(&a, ARGS_DEVICE), 1);
	assert_int_equal(a.col[ARG_DEVICE_CORRELATION].id[0], 0);
	assert_int_equal(args_i64(&a, ARG_DEVICE_BYTES, 0), ARG_UNKNOWN);
	assert_true(isnan(args_f64(&a, ARG_DEVICE_OCCUPANCY, 0)));
	assert_int_equal(args_sym(&a, ARG_DEVICE_COLLECTIVE, 0), 0);
	args_vec3(&a, ARG_DEVICE_GRID, 0, v);
	assert_memory_equal(v, none, sizeof(none));
	args_change(&a, ARG_DEVICE_BYTES, 0, (union arg_value){ .i64 = 0 }); /* 0 bytes are known */
	assert_int_equal(args_i64(&a, ARG_DEVICE_BYTES, 0), 0);
	args_unknown(&a, ARG_DEVICE_BYTES, 0);
	assert_int_equal(a.col[ARG_DEVICE_BYTES].i64[0], ARG_UNKNOWN);
	args_clear(&a);
}

/* A column and a set that come with the 700th of 1,000 rows: nothing is known of those before it,
 * nor of those behind it; and nothing of all when they are forgotten, with the memory kept. */
static void late(void **state)
{
	struct args a;
	uint32_t i;
	int round;

	(void)state;
	args_init(&a, ~0u);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 1000; i++) {
			(void)args_row(&a, ARGS_DEVICE);
			assert_int_equal(args_has(&a, ARG_DEVICE_FLOPS), i > 700);
			assert_int_equal(args_has(&a, ARG_DEVICE_GRID), i > 700);
			if (i != 700)
				continue;
			args_change(&a, ARG_DEVICE_FLOPS, i, (union arg_value){ .i64 = 9 });
			args_change(&a, ARG_DEVICE_REGISTERS, i, (union arg_value){ .i64 = 64 });
		}
		for (i = 0; i < 1000; i++) {
			assert_int_equal(
				args_i64(&a, ARG_DEVICE_FLOPS, i), i == 700 ? 9 : ARG_UNKNOWN);
			assert_int_equal(
				args_i64(&a, ARG_DEVICE_REGISTERS, i), i == 700 ? 64 : ARG_UNKNOWN);
			assert_true(isnan(args_f64(&a, ARG_OP_FLOPS, i)));
		}
		args_empty(&a);
		assert_false(args_has(&a, ARG_DEVICE_FLOPS));
		assert_false(args_any_text(&a, ARG_DEVICE_COPY));
	}
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

/* Rows: 0 nothing, 1 grid 8 and 64 registers, 2 the same, 3 the same but 32 registers. */
static void sets(void **state)
{
	struct args a;
	uint32_t v[3];
	int i;

	(void)state;
	args_init(&a, NEED_KERNEL);
	for (i = 0; i < 4; i++)
		(void)args_row(&a, ARGS_DEVICE);
	for (i = 1; i < 4; i++) {
		args_change(
			&a, ARG_DEVICE_GRID, (size_t)i, (union arg_value){ .vec3 = { 8, 1, 1 } });
		args_change(&a, ARG_DEVICE_REGISTERS, (size_t)i,
			(union arg_value){ .i64 = i == 3 ? 32 : 64 });
	}
	assert_null(a.col[ARG_DEVICE_GRID].any);
	assert_int_equal(a.set[SET_KERNEL].of[0], 0);
	assert_int_equal(a.set[SET_KERNEL].of[1], a.set[SET_KERNEL].of[2]);
	assert_int_not_equal(a.set[SET_KERNEL].of[2], a.set[SET_KERNEL].of[3]);
	assert_int_equal(args_i64(&a, ARG_DEVICE_REGISTERS, 0), ARG_UNKNOWN);
	assert_int_equal(args_i64(&a, ARG_DEVICE_REGISTERS, 2), 64);
	assert_int_equal(args_i64(&a, ARG_DEVICE_REGISTERS, 3), 32);
	args_vec3(&a, ARG_DEVICE_GRID, 3, v);
	assert_int_equal(v[0], 8);
	assert_true(isnan(args_f64(&a, ARG_DEVICE_OCCUPANCY, 3)));
	assert_int_equal(args_sym(&a, ARG_DEVICE_DTYPE, 3), 0); /* was not asked for */
	args_empty(&a);
	assert_int_equal(args_row(&a, ARGS_DEVICE), 1);
	assert_int_equal(args_i64(&a, ARG_DEVICE_REGISTERS, 0), ARG_UNKNOWN);
	args_clear(&a);
}

/* Every argument of a set is of its table and need, and stands in its combination's bytes. */
static void members_of_sets(void **state)
{
	size_t size, i, members = 0, of_set[SET_COUNT] = { 0 };

	(void)state;
	for (i = 0; i < ARG_COUNT; i++) {
		enum args_set set = arg_set((enum arg)i);

		if (set == SET_NONE)
			continue;
		(void)args_nothing(set, &size);
		assert_int_equal(arg_infos[i].table, args_table_of_set(set));
		assert_true(arg_offset((enum arg)i) + arg_size(arg_infos[i].type) <= size);
		assert_true(size <= SET_MAX_BYTES);
		members++;
		of_set[set]++;
		assert_true(of_set[set] <= SET_MAX_ARGS);
	}
	assert_int_equal(members, 6 + 6 + 6 + 2 + 4 + 6 + 6);
}

static void tables(void **state)
{
	int i;

	(void)state;
	assert_int_equal(args_table_of(KIND_KERNEL), ARGS_DEVICE);
	assert_int_equal(args_table_of(KIND_RUNTIME), ARGS_LAUNCH);
	assert_int_equal(args_table_of(KIND_OP), ARGS_OP);
	assert_int_equal(args_table_of(KIND_PYTHON), ARGS_PYTHON);
	assert_int_equal(args_table_of(KIND_MEMORY), ARGS_MEMORY);
	assert_int_equal(args_table_of(KIND_FLOW), ARGS_NONE);
	assert_int_equal(arg_size(ARG_VEC3), 12);
	assert_int_equal(arg_size(ARG_ID), 4);
	assert_int_equal(arg_size(ARG_F64), 8);
	for (i = 0; i < ARG_COUNT; i++) {
		assert_true(arg_infos[i].need != 0 && arg_infos[i].table != ARGS_NONE);
		assert_true((strlen(arg_infos[i].key) > 0) == (i != ARG_COUNTER_VALUE));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digest_file_columns),
		cmocka_unit_test(unknown),
		cmocka_unit_test(late),
		cmocka_unit_test(growing),
		cmocka_unit_test(sets),
		cmocka_unit_test(members_of_sets),
		cmocka_unit_test(tables),
	};

	return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
