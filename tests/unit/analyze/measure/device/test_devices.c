/* Devices that have work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/device/devices.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

static void test_ascending(void **state)
{
	struct devices d;
	struct arena mem = { 0 };
	struct run r;

	(void)state;
	run_init(&r, NEED_ORDER);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 3, 7), "k", 0, 1);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "k", 0, 1);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 3, 8), "k", 0, 1);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "op", 0, 1);
	(void)hand_event(&r, KIND_SYNC, hand_stream(&r, 2, 7), "Context Sync", 0, 1);
	index_build(&r, NEED_ORDER);
	devices_init(&d, &r, &mem);
	assert_int_equal(d.n, 2);
	assert_int_equal(d.id[0], 1);
	assert_int_equal(d.id[1], 3);
	assert_int_equal(devices_find(&d, 3), 1);
	assert_int_equal(devices_find(&d, 2), SIZE_MAX);
	arena_clear(&mem);
	run_clear(&r);
}

static void test_too_many(void **state)
{
	struct devices d;
	struct result out;
	struct arena mem = { 0 };
	struct run r;
	int64_t i;

	(void)state;
	run_init(&r, NEED_ORDER);
	for (i = 0; i < DEVICES_MAX + 5; i++)
		(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, i, 7), "k", 0, 1);
	index_build(&r, NEED_ORDER);
	devices_init(&d, &r, &mem);
	assert_int_equal(d.n, DEVICES_MAX);
	assert_int_equal(d.nmore, 5);
	result_init(&out, "test/1");
	devices_note(&d, &out, 0);
	assert_string_equal(out.note[0].id, "many_devices");
	assert_int_equal(out.note[0].count, DEVICES_MAX + 5);
	assert_string_equal(out.note[0].text, "1029 GPUs; figures of the first 1024 only");
	result_clear(&out);
	arena_clear(&mem);
	run_clear(&r);
}

static void test_none(void **state)
{
	struct devices d;
	struct arena mem = { 0 };
	struct run r;

	(void)state;
	run_init(&r, NEED_ORDER);
	index_build(&r, NEED_ORDER);
	devices_init(&d, &r, &mem);
	assert_int_equal(d.n, 0);
	assert_int_equal(devices_find(&d, 0), SIZE_MAX);
	arena_clear(&mem);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ascending),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
