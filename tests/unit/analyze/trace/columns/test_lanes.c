/* Lanes: what makes one, and which texts are numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/lanes.h"
#include "base/compiler.h"

static void numbers(void **state)
{
	static const char *const others[] = { "", "-", "07", "7 ", " 7", "+7", "-0", "-07", "7.0",
		"1e3", "stream 7", "0x7", "1234567890123456789" };
	size_t i;

	(void)state;
	assert_int_equal(lane_number(SPAN("0")), 0);
	assert_int_equal(lane_number(SPAN("7")), 7);
	assert_int_equal(lane_number(SPAN("-3")), -3);
	assert_int_equal(lane_number(SPAN("-19360192")), -19360192);
	assert_int_equal(lane_number(SPAN("9007199254740993")), 9007199254740993);
	assert_int_equal(lane_number(SPAN("123456789012345678")), 123456789012345678);
	for (i = 0; i < COUNT_OF(others); i++)
		assert_int_equal(lane_number(span_of(others[i])), LANE_NO_NUMBER);
}

/* pid 0 as a process, as a device with two streams, and as a device of another number. */
static void keys(void **state)
{
	static const struct lane keys[] = {
		{ .pid = 1, .tid = 2, .device = -1, .stream = -1 },
		{ .pid = 1, .tid = 2, .is_device = true, .device = 0, .stream = 7 },
		{ .pid = 1, .tid = 2, .is_device = true, .device = 0, .stream = 8 },
		{ .pid = 1, .tid = 2, .is_device = true, .device = 1, .stream = 7 },
		{ .pid = 1, .tid = 3, .device = -1, .stream = -1 },
		{ .pid = 3, .tid = 2, .device = -1, .stream = -1 },
	};
	struct lanes l;
	size_t i, round;

	(void)state;
	lanes_init(&l);
	for (round = 0; round < 2; round++)
		for (i = 0; i < COUNT_OF(keys); i++)
			assert_int_equal(lanes_add(&l, &keys[i]), i);
	assert_int_equal(l.n, COUNT_OF(keys));
	lanes_clear(&l);
}

static void names_are_no_key(void **state)
{
	struct lane key = { .pid = 1, .tid = 2, .device = -1, .stream = -1, .thread_name = 9 };
	struct lanes l;

	(void)state;
	lanes_init(&l);
	assert_int_equal(lanes_add(&l, &key), 0);
	assert_int_equal(l.lane[0].thread_name, 0);
	l.lane[0].process_name = 5;
	key.thread_name = 0;
	assert_int_equal(lanes_add(&l, &key), 0);
	assert_int_equal(l.lane[0].process_name, 5);
	lanes_clear(&l);
}

static void many(void **state)
{
	struct lanes l;
	uint32_t i;

	(void)state;
	lanes_init(&l);
	for (i = 0; i < 100000; i++) {
		struct lane key = { .pid = i % 317, .tid = i, .device = -1, .stream = -1 };

		assert_int_equal(lanes_add(&l, &key), i);
	}
	for (i = 0; i < 100000; i++) {
		struct lane key = { .pid = i % 317, .tid = i, .device = -1, .stream = -1 };

		assert_int_equal(lanes_add(&l, &key), i);
	}
	lanes_clear(&l);
}

/* By device, then stream; of lanes of one stream the one that was seen first. */
static void places(void **state)
{
	static const int64_t device[] = { 1, 0, 0, 0 }, stream[] = { 7, 20, 7, 20 };
	static const uint32_t want[] = { 2, 1, 3, 0 };
	struct lane_place v[4];
	struct lanes l;
	uint32_t i;

	(void)state;
	lanes_init(&l);
	for (i = 0; i < 4; i++) {
		struct lane key = { .pid = 1,
			.tid = i,
			.is_device = true,
			.device = device[i],
			.stream = stream[i] };

		v[3 - i] = lane_place(&l, lanes_add(&l, &key));
	}
	lane_places_sort(v, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(v[i].lane, want[i]);
		assert_int_equal(v[i].device, device[want[i]]);
	}
	lane_places_sort(v, 0);
	lanes_clear(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(keys),
		cmocka_unit_test(names_are_no_key),
		cmocka_unit_test(many),
		cmocka_unit_test(places),
	};

	return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
