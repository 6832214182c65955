/* Sets of time, against a bitmap of every nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/busy.h"
#include "analyze/measure/interval.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

enum { SPAN_NS = 200 };

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Up to eleven random intervals, in the set and in the bitmap. */
static void random_set(struct intervals *s, bool *bit, uint64_t *seed)
{
	int n = (int)(next_random(seed) % 12);

	*s = (struct intervals){ 0 };
	memset(bit, 0, SPAN_NS);
	while (n-- > 0) {
		nsec start = (nsec)(next_random(seed) % (SPAN_NS - 30));
		nsec end = start + (nsec)(next_random(seed) % 30);

		intervals_add(s, start, end);
		for (; start < end; start++)
			bit[start] = true;
	}
	intervals_unite(s);
}

/* A set is sorted, disjoint, joined where it touches, and holds the bits. */
static void assert_is(const struct intervals *s, const bool *bit)
{
	bool have[SPAN_NS] = { false };
	nsec length = 0, t;
	size_t i;

	for (i = 0; i < s->n; i++) {
		assert_true(s->v[i].start < s->v[i].end);
		if (i > 0)
			assert_true(s->v[i - 1].end < s->v[i].start);
		for (t = s->v[i].start; t < s->v[i].end; t++, length++)
			have[t] = true;
	}
	assert_memory_equal(have, bit, sizeof(have));
	assert_int_equal(intervals_length(s), length);
}

static void against_a_bitmap(void **state)
{
	uint64_t seed = 7;
	int round;

	(void)state;
	for (round = 0; round < 2000; round++) {
		struct intervals a;
		bool bit_a[SPAN_NS];
		nsec from = (nsec)(next_random(&seed) % SPAN_NS), to = from + 40, inside = 0, t;

		random_set(&a, bit_a, &seed);
		assert_is(&a, bit_a);
		for (t = from; t < to && t < SPAN_NS; t++)
			inside += bit_a[t];
		assert_int_equal(intervals_within(&a, from, to), inside);
		intervals_clear(&a);
	}
}

/*
 *	device 0   stream 7   k [10  20)       k [25 30)
 *	           stream 8        copy [15 27)            k [40 45)
 *	device 1   stream 7   k [0                               100)
 *
 * Together [10 30) and [40 45); kernels alone 10 + 5 + 5.
 */
static void device_time(void **state)
{
	struct intervals all = { 0 }, kernels = { 0 }, none = { 0 };
	struct run r;
	uint32_t s7, s8;

	(void)state;
	run_init(&r, 0);
	s8 = hand_stream(&r, 0, 8);
	s7 = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "k", 0, 100);
	(void)hand_event(&r, KIND_MEMCPY, s8, "copy", 15, 12);
	(void)hand_event(&r, KIND_KERNEL, s8, "k", 40, 5);
	(void)hand_event(&r, KIND_KERNEL, s7, "k", 10, 10);
	(void)hand_event(&r, KIND_KERNEL, s7, "other", 25, 5);
	(void)hand_event(&r, KIND_SYNC, s7, "sync", 0, 1000);
	index_build(&r, NEED_ORDER);
	intervals_of_device(&all, &r, 0, KINDS_DEVICE);
	assert_int_equal(all.n, 2);
	assert_int_equal(all.v[0].start, 10);
	assert_int_equal(all.v[0].end, 30);
	assert_int_equal(intervals_length(&all), 25);
	intervals_of_device(&kernels, &r, 0, KIND_BIT(KIND_KERNEL));
	assert_int_equal(intervals_length(&kernels), 20);
	intervals_of_device(&none, &r, 2, KINDS_DEVICE);
	assert_int_equal(none.n, 0);
	intervals_clear(&all);
	intervals_clear(&kernels);
	run_clear(&r);
}

/* Without the list: the same, in windows of any order that overlap, touch, are empty. */
static void busy_in_windows(void **state)
{
	enum { WINDOWS = 20, ROUNDS = 300 };
	uint64_t seed = 3;
	int round, i;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		struct intervals set = { 0 };
		struct interval window[WINDOWS];
		nsec ns[WINDOWS];
		uint32_t lane[2];
		struct run r;

		run_init(&r, 0);
		lane[0] = hand_stream(&r, 0, 7);
		lane[1] = hand_stream(&r, 0, 8);
		for (i = (int)(next_random(&seed) % 12); i > 0; i--)
			(void)hand_event(&r, KIND_KERNEL, lane[i % 2], "k",
				(nsec)(next_random(&seed) % SPAN_NS) - 50,
				(nsec)(next_random(&seed) % 30));
		for (i = 0; i < WINDOWS; i++) {
			window[i].start = (nsec)(next_random(&seed) % SPAN_NS) - 50;
			window[i].end = window[i].start + (nsec)(next_random(&seed) % 60);
		}
		index_build(&r, NEED_ORDER);
		intervals_of_device(&set, &r, 0, KINDS_DEVICE);
		assert_int_equal(
			busy_of_device(&r, 0, window, WINDOWS, ns), intervals_length(&set));
		for (i = 0; i < WINDOWS; i++)
			assert_int_equal(
				ns[i], intervals_within(&set, window[i].start, window[i].end));
		assert_int_equal(busy_of_device(&r, 1, window, 0, ns), 0);
		intervals_clear(&set);
		run_clear(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_a_bitmap),
		cmocka_unit_test(device_time),
		cmocka_unit_test(busy_in_windows),
	};

	return cmocka_run_group_tests_name("interval", tests, NULL, NULL);
}
