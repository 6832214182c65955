/* Links: the join by correlation, graphs, duplicates, the op around a launch, External ids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/idmap.h"
#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

static uint32_t launch_of(const struct run *r, uint32_t row)
{
	return r->links->launch[r->events.args[row] - 1];
}

static uint32_t op_of(const struct run *r, uint32_t row)
{
	return r->links->op[r->events.args[row] - 1];
}

/*
 *	thread 1   step       [0                                              100)   annotation
 *	           linear       [10        30)     mm [40  60)      bare c5 [70]
 *	           addmm           [12 28)                                           inside linear
 *	           launch             c1             c2 c2'           c3 graph   c4 nothing
 *	stream 7   k1 (c1)  k2 (c2)  g1 g2 (c3)  late (no launch, ext 21)  lost (no launch, ext 99)
 *	           sync (c2)
 *
 * k1 belongs to addmm, the innermost; k2 to mm, by the earlier of two calls with correlation 2; the
 * graph's two kernels to the annotation, as no op is around their call; late to mm by External id.
 */
static void every_kind_of_link(void **state)
{
	struct run r;
	uint32_t t, s, step, addmm, mm, c2, later, c3, k1, k2, g1, g2, late, lost, sync, again;

	(void)state;
	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	step = hand_event(&r, KIND_ANNOTATION, t, "step", 0, 100);
	(void)hand_event(&r, KIND_OP, t, "linear", 10, 20);
	addmm = hand_event(&r, KIND_OP, t, "addmm", 12, 16);
	mm = hand_event(&r, KIND_OP, t, "mm", 40, 20);
	again = hand_event(&r, KIND_OP, t, "again", 90, 1);
	hand_ids(&r, addmm, 0, 20);
	hand_ids(&r, mm, 0, 21);
	hand_ids(&r, again, 0, 21);
	k1 = hand_launch(&r, t, s, 15, 20, 5, 1);
	later = hand_event(&r, KIND_RUNTIME, t, "cudaLaunchKernel", 50, 2);
	c2 = hand_event(&r, KIND_RUNTIME, t, "cudaLaunchKernel", 45, 2);
	hand_ids(&r, later, 2, 0);
	hand_ids(&r, c2, 2, 0);
	k2 = hand_event(&r, KIND_MEMCPY, s, "Memcpy", 50, 5);
	hand_ids(&r, k2, 2, 0);
	c3 = hand_event(&r, KIND_RUNTIME, t, "cudaGraphLaunch", 70, 4);
	hand_ids(&r, c3, 3, 0);
	g1 = hand_event(&r, KIND_KERNEL, s, "g1", 80, 1);
	g2 = hand_event(&r, KIND_KERNEL, s, "g2", 82, 1);
	hand_ids(&r, g1, 3, 0);
	hand_ids(&r, g2, 3, 0);
	hand_ids(&r, hand_event(&r, KIND_RUNTIME, t, "cudaMemsetAsync", 76, 1), 4, 0);
	hand_ids(&r, hand_event(&r, KIND_RUNTIME, t, "cudaLaunchHostFunc", 77, 1), 5, 0);
	hand_ids(&r, hand_event(&r, KIND_RUNTIME, t, "cudaStreamSynchronize", 78, 1), 6, 0);
	late = hand_event(&r, KIND_KERNEL, s, "late", 90, 1);
	hand_ids(&r, late, 77, 21);
	lost = hand_event(&r, KIND_KERNEL, s, "lost", 92, 1);
	hand_ids(&r, lost, 0, 99);
	sync = hand_event(&r, KIND_SYNC, s, "Stream Sync", 93, 1);
	hand_ids(&r, sync, 2, 0);
	index_build(&r, NEED_LINKS);

	assert_int_equal(op_of(&r, k1), addmm);
	assert_int_equal(launch_of(&r, k2), c2);
	assert_int_equal(op_of(&r, k2), mm);
	assert_int_equal(launch_of(&r, g1), c3);
	assert_int_equal(launch_of(&r, g2), c3);
	assert_int_equal(op_of(&r, g2), step);
	assert_int_equal(launch_of(&r, late), NO_ROW);
	assert_int_equal(op_of(&r, late), mm);
	assert_int_equal(op_of(&r, lost), NO_ROW);
	assert_int_equal(launch_of(&r, sync), c2);
	assert_int_equal(r.links->op_of_launch[r.events.args[later] - 1], mm);
	assert_int_equal(r.links->linked, 2);
	assert_int_equal(r.links->graph, 2);
	assert_int_equal(r.links->unlinked, 2);
	assert_int_equal(r.links->by_external_id, 1);
	assert_int_equal(r.links->graph_launches, 1);
	assert_int_equal(r.links->nwithout_device, 1);
	assert_int_equal(r.links->duplicate_correlations, 1);
	assert_int_equal(links_duplicate_external_ids(&r), 1);
	run_clear(&r);
}

/* The host tree's rule: what ends before the launch does, or with it begins, is not around it.
 *
 *	thread 1   left   [0     20)
 *	           empty            [20]
 *	           call          [15     25)      crosses the end of left: no op
 *	           right                  [30   40)
 *	           call2                  [30 32)
 *	thread 2   elsewhere [0             50)   another thread's op is no one's parent here */
static void crossing_is_not_nesting(void **state)
{
	struct run r;
	uint32_t t, s, right, k1, k2, call;

	(void)state;
	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 2), "elsewhere", 0, 50);
	(void)hand_event(&r, KIND_OP, t, "left", 0, 20);
	(void)hand_event(&r, KIND_OP, t, "empty", 20, 0);
	call = hand_event(&r, KIND_RUNTIME, t, "cudaLaunchKernel", 15, 10);
	hand_ids(&r, call, 1, 0);
	right = hand_event(&r, KIND_OP, t, "right", 30, 10);
	k1 = hand_event(&r, KIND_KERNEL, s, "k1", 40, 1);
	hand_ids(&r, k1, 1, 0);
	k2 = hand_launch(&r, t, s, 30, 45, 1, 2);
	index_build(&r, NEED_LINKS);
	assert_int_equal(launch_of(&r, k1), call);
	assert_int_equal(op_of(&r, k1), NO_ROW);
	assert_int_equal(op_of(&r, k2), right);
	run_clear(&r);
}

/* Without any correlation, and with a run that has nothing at all. */
static void nothing_to_join(void **state)
{
	struct run r;

	(void)state;
	run_init(&r, NEED_LINKS);
	index_build(&r, NEED_LINKS);
	assert_int_equal(r.links->unlinked, 0);
	run_clear(&r);

	run_init(&r, NEED_LINKS);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 0, 1);
	(void)hand_event(&r, KIND_RUNTIME, hand_thread(&r, 1), "cudaLaunchKernel", 0, 1);
	index_build(&r, NEED_LINKS);
	assert_int_equal(r.links->unlinked, 1);
	assert_int_equal(r.links->linked, 0);
	assert_int_equal(r.links->nwithout_device, 0);
	run_clear(&r);
}

/* Dense, sparse and wide ids give the same answers. */
static void ids_of_all_sizes(void **state)
{
	static const uint32_t strides[] = { 1, 3, 5, 1000003, 4000037 };
	enum { N = 1000 };
	uint32_t id[N + 1], i;
	size_t k;

	(void)state;
	for (k = 0; k < COUNT_OF(strides); k++) {
		struct idmap m;

		for (i = 0; i < N; i++)
			id[i] = 7 + i * strides[k];
		id[N] = 0;
		idmap_init(&m, id, N + 1);
		for (i = 0; i < N; i += 2) {
			assert_int_equal(*idmap_slot(&m, id[i]), 0);
			*idmap_slot(&m, id[i]) = i + 1;
		}
		for (i = 0; i < N; i++)
			assert_int_equal(idmap_get(&m, id[i]), i % 2 ? NO_ROW : i);
		assert_int_equal(idmap_get(&m, 0), NO_ROW);
		assert_int_equal(idmap_get(&m, 1), NO_ROW);
		assert_int_equal(idmap_get(&m, UINT32_MAX), NO_ROW);
		idmap_clear(&m);
	}
}

/* Ids beyond 2^31 join as small ones do. */
static void wide_ids(void **state)
{
	struct run r;
	uint32_t t, s, near, far;

	(void)state;
	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	near = hand_launch(&r, t, s, 0, 10, 1, 1);
	far = hand_launch(&r, t, s, 5, 20, 1, UINT64_MAX);
	index_build(&r, NEED_LINKS);
	assert_int_equal(r.events.start[launch_of(&r, near)], 0);
	assert_int_equal(r.events.start[launch_of(&r, far)], 5);
	assert_int_equal(r.links->linked, 2);
	run_clear(&r);
}

static uint32_t process(struct run *r, const char *pid)
{
	struct lane key = { .pid = strings_intern(&r->strings, span_of(pid)),
		.tid = strings_intern(&r->strings, SPAN("1")),
		.pid_number = LANE_NO_NUMBER,
		.tid_number = 1,
		.device = -1,
		.stream = -1 };

	return lanes_add(&r->lanes, &key);
}

static uint32_t call(struct run *r, uint32_t lane, nsec at, uint64_t id)
{
	uint32_t row = hand_event(r, KIND_RUNTIME, lane, "cudaLaunchKernel", at, 1);

	hand_ids(r, row, id, 0);
	return row;
}

static uint32_t work(struct run *r, uint32_t lane, nsec at, uint64_t id)
{
	uint32_t row = hand_event(r, KIND_KERNEL, lane, "k", at, 1);

	hand_ids(r, row, id, 0);
	return row;
}

/* Two processes that count from 1, each with a device of its own: what came first was launched
 * first, but for 3, where the first device is late; there it is what the device ran before.
 *
 *	process A   1 at 10       2 at 110        3 at 210
 *	process B   1 at 12       2 at 112        3 at 212
 *	device 0    1 at 20       2 at 120        3 at 230
 *	device 1    1 at 22       2 at 122        3 at 220 */
static void processes_share_ids(void **state)
{
	uint32_t a, b, s0, s1, call_a[3], call_b[3], k0[3], k1[3], op;
	struct run r;
	size_t i;

	(void)state;
	run_init(&r, NEED_LINKS);
	a = process(&r, "100");
	b = process(&r, "200");
	s0 = hand_stream(&r, 0, 7);
	s1 = hand_stream(&r, 1, 7);
	op = hand_event(&r, KIND_OP, b, "of B", 200, 50);
	for (i = 0; i < 3; i++) {
		nsec at = (nsec)i * 100;

		call_a[i] = call(&r, a, at + 10, i + 1);
		call_b[i] = call(&r, b, at + 12, i + 1);
		k0[i] = work(&r, s0, i == 2 ? at + 30 : at + 20, i + 1);
		k1[i] = work(&r, s1, i == 2 ? at + 20 : at + 22, i + 1);
	}
	index_build(&r, NEED_LINKS);
	for (i = 0; i < 3; i++) {
		assert_int_equal(launch_of(&r, k0[i]), call_a[i]);
		assert_int_equal(launch_of(&r, k1[i]), call_b[i]);
	}
	assert_int_equal(op_of(&r, k1[2]), op);
	assert_int_equal(op_of(&r, k0[2]), NO_ROW);
	assert_int_equal(r.links->linked, 6);
	assert_int_equal(r.links->graph, 0);
	assert_int_equal(r.links->graph_launches, 0);
	assert_int_equal(r.links->duplicate_correlations, 0);
	assert_int_equal(r.links->nwithout_device, 0);
	run_clear(&r);
}

/* One device, two processes on streams 7 and 9; graphs of two kernels.  B's began when A's was
 * nearly done; A's second kernel is its stream's.
 *
 *	process A   1 at 10
 *	process B                        1 at 32
 *	stream 7         1 at 20    1 at 40
 *	stream 9                              1 at 45    1 at 50 */
static void graphs_of_two_processes(void **state)
{
	uint32_t call_a, call_b, k[4];
	struct run r;

	(void)state;
	run_init(&r, NEED_LINKS);
	call_a = call(&r, process(&r, "100"), 10, 1);
	call_b = call(&r, process(&r, "200"), 32, 1);
	k[0] = work(&r, hand_stream(&r, 0, 7), 20, 1);
	k[1] = work(&r, hand_stream(&r, 0, 7), 40, 1);
	k[2] = work(&r, hand_stream(&r, 0, 9), 45, 1);
	k[3] = work(&r, hand_stream(&r, 0, 9), 50, 1);
	index_build(&r, NEED_LINKS);
	assert_int_equal(launch_of(&r, k[0]), call_a);
	assert_int_equal(launch_of(&r, k[1]), call_a);
	assert_int_equal(launch_of(&r, k[2]), call_b);
	assert_int_equal(launch_of(&r, k[3]), call_b);
	assert_int_equal(r.links->graph, 4);
	assert_int_equal(r.links->graph_launches, 2);
	run_clear(&r);
}

/* XLA's traces give a wait the correlation of two device rows: both are linked, none is of a graph.
 */
static void waits_are_no_graphs(void **state)
{
	uint32_t t, s, wait, k;
	struct run r;

	(void)state;
	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	wait = hand_event(&r, KIND_RUNTIME, t, "hipStreamWaitEvent", 10, 2);
	hand_ids(&r, wait, 5, 0);
	k = work(&r, s, 20, 5);
	(void)work(&r, s, 30, 5);
	index_build(&r, NEED_LINKS);
	assert_int_equal(launch_of(&r, k), wait);
	assert_int_equal(r.links->linked, 2);
	assert_int_equal(r.links->graph, 0);
	assert_int_equal(r.links->graph_launches, 0);
	assert_int_equal(r.links->launching, 1);
	run_clear(&r);
}

/* Device work with the pid of its process, as some producers write it, in the other order. */
static void work_says_its_process(void **state)
{
	uint32_t a, b, call_a, call_b, k[2];
	struct run r;

	(void)state;
	run_init(&r, NEED_LINKS);
	a = process(&r, "0");
	b = process(&r, "1");
	call_a = call(&r, a, 10, 1);
	call_b = call(&r, b, 12, 1);
	k[0] = work(&r, hand_stream(&r, 1, 7), 20, 1);
	k[1] = work(&r, hand_stream(&r, 0, 7), 22, 1);
	index_build(&r, NEED_LINKS);
	assert_int_equal(launch_of(&r, k[0]), call_b);
	assert_int_equal(launch_of(&r, k[1]), call_a);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_link),
		cmocka_unit_test(crossing_is_not_nesting),
		cmocka_unit_test(nothing_to_join),
		cmocka_unit_test(ids_of_all_sizes),
		cmocka_unit_test(wide_ids),
		cmocka_unit_test(processes_share_ids),
		cmocka_unit_test(graphs_of_two_processes),
		cmocka_unit_test(waits_are_no_graphs),
		cmocka_unit_test(work_says_its_process),
	};

	return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
