/* Order: lanes apart, ties, and the sort against a plain one on many kinds of disorder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/columns/order.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

/* Written child first, and two threads mixed:
 *
 *	thread 1   outer    [0         100)
 *	           inner      [10  40)
 *	           same       [10  40)        the later one of two equal slices stays the later
 *	           longer     [10    50)      the longer of two that start together comes first
 *	           empty    [0]
 *	thread 2   other     [5   30)
 *	stream 7   kernel       [20  30)      the device's order, not the host's
 *	           earlier  [2 8) */
static void lanes_and_ties(void **state)
{
	struct run r;
	uint32_t t1, t2, s7, inner, same, other, longer, outer, empty, kernel, earlier;

	(void)state;
	run_init(&r, NEED_ORDER);
	t1 = hand_thread(&r, 1);
	t2 = hand_thread(&r, 2);
	s7 = hand_stream(&r, 0, 7);
	inner = hand_event(&r, KIND_OP, t1, "inner", 10, 30);
	same = hand_event(&r, KIND_OP, t1, "inner", 10, 30);
	other = hand_event(&r, KIND_RUNTIME, t2, "other", 5, 25);
	kernel = hand_event(&r, KIND_KERNEL, s7, "kernel", 20, 10);
	longer = hand_event(&r, KIND_OTHER, t1, "longer", 10, 40);
	empty = hand_event(&r, KIND_OP, t1, "empty", 0, 0);
	outer = hand_event(&r, KIND_ANNOTATION, t1, "outer", 0, 100);
	earlier = hand_event(&r, KIND_MEMCPY, s7, "earlier", 2, 6);
	(void)hand_event(&r, KIND_PYTHON, t1, "python", 1, 2);
	(void)hand_event(&r, KIND_GPU_ANNOTATION, s7, "annotation", 1, 2);
	(void)hand_event(&r, KIND_OTHER, s7, "on a device lane", 1, 2);
	index_build(&r, NEED_ORDER);

	assert_int_equal(r.order->host_begin[0], 0);
	assert_int_equal(r.order->host_begin[1], 5);
	assert_int_equal(r.order->host_begin[2], 6);
	assert_int_equal(r.order->host_begin[3], 6);
	assert_int_equal(r.order->host[0], outer);
	assert_int_equal(r.order->host[1], empty);
	assert_int_equal(r.order->host[2], longer);
	assert_int_equal(r.order->host[3], inner);
	assert_int_equal(r.order->host[4], same);
	assert_int_equal(r.order->host[5], other);
	assert_int_equal(r.order->device_begin[2], 0);
	assert_int_equal(r.order->device_begin[3], 2);
	assert_int_equal(r.order->device[0], earlier);
	assert_int_equal(r.order->device[1], kernel);
	run_clear(&r);
}

static void empty_run(void **state)
{
	struct run r;

	(void)state;
	run_init(&r, NEED_ORDER);
	index_build(&r, NEED_ORDER);
	assert_int_equal(r.order->host_begin[0], 0);
	assert_int_equal(r.order->device_begin[0], 0);
	run_clear(&r);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

enum disorder { SORTED, SWAPS, REVERSED, RUNS, FEW_VALUES, CHILD_FIRST, RANDOM, DISORDERS };

static nsec start_of(enum disorder d, int64_t i, int64_t n, uint64_t *seed)
{
	switch (d) {
	case SORTED: return i;
	case SWAPS: return next_random(seed) % 50 ? i * 10 : i * 10 - 35;
	case REVERSED: return n - i;
	case RUNS: return i % (n / 3 + 1) * 3;
	case FEW_VALUES: return (nsec)(next_random(seed) % 4);
	case CHILD_FIRST: return i % 8 == 7 ? i - 7 : i + 1;
	default: break;
	}
	return (nsec)(next_random(seed) % 1000000) - 500000;
}

/* Whether row a may stand before b: the definition, written a second time. */
static bool in_order(const struct run *r, uint32_t a, uint32_t b)
{
	const struct events *ev = &r->events;

	if (ev->start[a] != ev->start[b])
		return ev->start[a] < ev->start[b];
	if (events_end(ev, a) != events_end(ev, b))
		return events_end(ev, a) > events_end(ev, b);
	return a < b;
}

static void sorts_everything(void **state)
{
	static const int64_t sizes[] = { 1, 2, 3, 23, 24, 25, 49, 100, 1000, 5000 };
	uint64_t seed = 1;
	size_t z, i;
	int d;

	(void)state;
	for (d = 0; d < DISORDERS; d++) {
		for (z = 0; z < COUNT_OF(sizes); z++) {
			struct run r;
			uint32_t lane;
			uint8_t *seen = calloc((size_t)sizes[z], 1);

			run_init(&r, NEED_ORDER);
			lane = hand_thread(&r, 1);
			for (i = 0; i < (size_t)sizes[z]; i++)
				(void)hand_event(&r, KIND_OP, lane, "op",
					start_of((enum disorder)d, (int64_t)i, sizes[z], &seed),
					(nsec)(next_random(&seed) % 3));
			index_build(&r, NEED_ORDER);
			for (i = 0; i < r.events.n; i++)
				seen[r.order->host[i]]++;
			for (i = 0; i < r.events.n; i++)
				assert_int_equal(seen[i], 1);
			for (i = 1; i < r.events.n; i++)
				assert_true(in_order(&r, r.order->host[i - 1], r.order->host[i]));
			run_clear(&r);
			free(seen);
		}
	}
}

/* Devices with 1, 2 and 3 streams by turns, written in descending order: the lanes of one are found
 * without looking at those of the others, so looking at all devices looks at each lane once. */
static void lanes_of_devices(void **state)
{
	enum { DEVICES = 20000 };
	size_t begin, end, before = 0, looked_at = 0;
	struct run r;
	int64_t d, s;

	(void)state;
	run_init(&r, NEED_ORDER);
	for (d = DEVICES - 1; d >= 0; d--)
		for (s = 0; s <= d % 3; s++)
			(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, d, s), "k", d, 1);
	(void)hand_stream(&r, 7, 99); /* without work */
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "op", 0, 1);
	index_build(&r, NEED_ORDER);
	for (d = 0; d < DEVICES; d++) {
		order_device_lanes(r.order, &r, d, &begin, &end);
		assert_int_equal(begin, before);
		assert_int_equal(end - begin, d % 3 + 1);
		for (; begin < end; begin++, looked_at++)
			assert_int_equal(r.lanes.lane[r.order->device_lane[begin]].device, d);
		before = end;
	}
	assert_int_equal(looked_at, r.order->ndevice_lane);
	order_device_lanes(r.order, &r, DEVICES, &begin, &end);
	assert_int_equal(begin, end);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_and_ties),
		cmocka_unit_test(empty_run),
		cmocka_unit_test(sorts_everything),
		cmocka_unit_test(lanes_of_devices),
	};

	return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
