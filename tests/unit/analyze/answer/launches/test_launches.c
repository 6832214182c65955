/* Launches: delays, short kernels and queues by hand, halves without the other half. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/device/launchstat.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS, US = 1000, MANY = 1100 };

static uint32_t call(struct run *r, uint32_t t, const char *name, nsec at, nsec dur, uint64_t id)
{
	uint32_t row = hand_event(r, KIND_RUNTIME, t, name, at, dur);

	hand_ids(r, row, id, 0);
	return row;
}

static uint32_t work(struct run *r, uint32_t q, const char *name, nsec at, nsec dur, uint64_t id)
{
	uint32_t row = hand_event(r, KIND_KERNEL, q, name, at, dur);

	hand_ids(r, row, id, 0);
	return row;
}

/* In us; a graph of three nodes, the last on another stream.
 *
 *	thread    l1 [0 10)   l2 [20 90)   graph [100 110)   l9 [120 125), no work   pin [130 131)
 *	stream 7  a [30 35)   b [80 180)   n1 [190 200) n2 [200 210)   lost [220 230), no call
 *	stream 9                           n3 [200 260) */
static void make_run(struct run *r, uint32_t *q7, uint32_t *q9)
{
	uint32_t t;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	*q7 = hand_stream(r, 0, 7);
	*q9 = hand_stream(r, 0, 9);
	(void)call(r, t, "cudaLaunchKernel", 0, 10 * US, 1);
	(void)call(r, t, "cudaLaunchKernel", 20 * US, 70 * US, 2);
	(void)call(r, t, "cudaGraphLaunch", 100 * US, 10 * US, 3);
	(void)call(r, t, "cudaLaunchKernel", 120 * US, 5 * US, 9);
	(void)call(r, t, "cudaHostAlloc", 130 * US, 1 * US, 10);
	(void)work(r, *q7, "a", 30 * US, 5 * US, 1);
	(void)work(r, *q7, "b", 80 * US, 100 * US, 2);
	(void)work(r, *q7, "n1", 190 * US, 10 * US, 3);
	(void)work(r, *q7, "n2", 200 * US, 10 * US, 3);
	(void)work(r, *q9, "n3", 200 * US, 60 * US, 3);
	(void)work(r, *q7, "lost", 220 * US, 10 * US, 77);
}

static void test_delays(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t q7, q9;
	size_t row;

	(void)state;
	make_run(&r, &q7, &q9);
	hand_ask(&h, &analysis_launches, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "device_events"), 6);
	assert_int_equal(hand_int(t, 0, "linked"), 2);
	assert_int_equal(hand_int(t, 0, "graph"), 3);
	assert_int_equal(hand_int(t, 0, "unlinked"), 1);
	assert_int_equal(hand_int(t, 0, "launches"), 3);
	assert_int_equal(hand_int(t, 0, "graph_launches"), 1);
	assert_int_equal(hand_int(t, 0, "launches_without_device"), 1);
	assert_int_equal(hand_int(t, 0, "short_kernels"), 1); /* a: 5 < 10; b's call is slow */
	assert_int_equal(hand_int(t, 0, "slow_calls"), 1);
	assert_int_equal(hand_int(t, 0, "call_ns"), 90 * US);
	t = hand_table(&h, "delays");
	row = 9; /* all, start */
	assert_true(span_is(hand_text(t, row, "of"), "all"));
	assert_int_equal(hand_int(t, row, "count"), 5);
	assert_int_equal(hand_int(t, row, "sum_ns"), (30 + 60 + 90 + 100 + 100) * US);
	assert_int_equal(hand_int(t, row + 1, "sum_ns"), (20 - 10 + 80 + 90 + 90) * US);
	assert_int_equal(hand_int(t, row + 1, "negative"), 1);
	assert_int_equal(hand_int(t, row + 2, "sum_ns"), (20 + 0 + 80 + 90 + 90) * US);
	assert_int_equal(hand_int(t, row + 2, "min_ns"), 0);
	hand_release(&h);
	run_clear(&r);
}

static void test_lists(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t q7, q9;
	size_t row;

	(void)state;
	make_run(&r, &q7, &q9);
	hand_ask(&h, &analysis_launches, &r, false);
	t = hand_table(&h, "launchers");
	row = hand_find(t, "name", "cudaGraphLaunch");
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_int_equal(hand_int(t, row, "device_events"), 3);
	assert_int_equal(hand_int(t, row, "delay_max_ns"), 80 * US); /* the first node */
	t = hand_table(&h, "graphs");
	assert_int_equal(hand_int(t, 0, "nodes"), 3);
	assert_true(hand_real(t, 0, "device_mean_ns") == 80 * US);
	t = hand_table(&h, "short");
	assert_int_equal(t->nrow, 1);
	assert_true(span_is(hand_text(t, 0, "name"), "a"));
	assert_int_equal(hand_int(t, 0, "excess_ns"), 5 * US);
	t = hand_table(&h, "outliers");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "time_ns"), 70 * US);
	t = hand_table(&h, "unmatched");
	assert_int_equal(t->nrow, 2);
	assert_true(span_is(hand_text(t, 0, "what"), "call without work"));
	assert_true(span_is(hand_text(t, 0, "name"), "cudaLaunchKernel"));
	assert_true(span_is(hand_text(t, 1, "name"), "lost"));
	hand_release(&h);
	run_clear(&r);
}

/* Stream 7: l1 [0 30)  l2 [20 80)  graph [100 190): depth 1 [0 20), 2 [20 30), 1 [30 80), 0 [80
 * 100), 1 [100 190).  "lost" has no call; the graph is one entry here and one on stream 9. */
static void test_queue(void **state)
{
	struct launch_queue q;
	uint32_t scratch[16] = { 0 }, q7, q9;
	struct run r;

	(void)state;
	make_run(&r, &q7, &q9);
	index_build(&r, NEEDS);
	launch_queue_init(&q, &r, q7, scratch);
	assert_int_equal(q.entries, 3);
	assert_int_equal(q.unlinked, 1);
	assert_int_equal(q.max, 2);
	assert_int_equal(q.start, 0);
	assert_int_equal(q.end, 190 * US);
	assert_int_equal(q.at_depth[0], 20 * US);
	assert_int_equal(q.at_depth[1], 160 * US);
	assert_int_equal(q.at_depth[2], 10 * US);
	assert_int_equal(q.queued_ns, 180 * US);
	assert_int_equal(q.waiting_ns, 170 * US);
	assert_int_equal(q.blocked_ns, 0);
	assert_int_equal(q.points[1], 3); /* 1, 2, 1, 0, 1, 0 */
	assert_int_equal(launch_queue_time_quantile(&q, 0.5), 1);
	assert_int_equal(launch_queue_time_quantile(&q, 0.99), 2);
	launch_queue_clear(&q);
	launch_queue_init(&q, &r, q9, scratch);
	assert_int_equal(q.entries, 1);
	assert_int_equal(q.at_depth[1], 100 * US);
	launch_queue_clear(&q);
	run_clear(&r);
}

/* 1,100 launches, one each ns, before any work starts: depth 1024 and more is blocked time. */
static void test_blocked(void **state)
{
	struct launch_queue q;
	uint32_t *scratch, t, s;
	struct arena mem = { 0 };
	struct run r;
	int i;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	for (i = 0; i < MANY; i++)
		(void)call(&r, t, "cudaLaunchKernel", i, 1, (uint64_t)i + 1);
	for (i = 0; i < MANY; i++)
		(void)work(&r, s, "k", 2000 + i * 10, 10, (uint64_t)i + 1);
	index_build(&r, NEEDS);
	scratch = arena_array(&mem, r.args.n[ARGS_LAUNCH], sizeof(*scratch));
	launch_queue_init(&q, &r, s, scratch);
	assert_int_equal(q.max, MANY);
	/* from the 1024th call at 1023 to the start of work number 76 (0 is the first) at 2760 */
	assert_int_equal(q.blocked_ns, 2760 - 1023);
	launch_queue_clear(&q);
	arena_clear(&mem);
	run_clear(&r);
}

/* Calls out of order, work before its call, several streams: no assertion, nothing is negative. */
static void test_odd_halves(void **state)
{
	struct launch_queue q;
	uint32_t scratch[8] = { 0 }, t, s;
	struct run r;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	(void)call(&r, t, "cudaLaunchKernel", 50, 5, 1);
	(void)call(&r, t, "cudaLaunchKernel", 10, 5, 2);
	(void)call(&r, t, "cudaLaunchKernel", 90, 5, 3);
	(void)work(&r, s, "x", 60, 5, 1);
	(void)work(&r, s, "y", 70, 5, 2);
	(void)work(&r, s, "early", 80, 5, 3);
	index_build(&r, NEEDS);
	launch_queue_init(&q, &r, s, scratch);
	assert_int_equal(q.entries, 2);
	assert_int_equal(q.early, 1);
	assert_int_equal(q.max, 2);
	assert_int_equal(q.at_depth[1], 40 + 10);
	assert_int_equal(q.at_depth[2], 10);
	launch_queue_clear(&q);
	run_clear(&r);
}

/* Device rows only: delays and queues are unknown, and a note says so; nothing is 0. */
static void test_device_only(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, NEEDS);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 0, 10);
	hand_ask(&h, &analysis_launches, &r, false);
	assert_int_equal(h.status, OK);
	assert_null(hand_table(&h, "delays"));
	assert_null(hand_table(&h, "queues"));
	assert_int_equal(hand_int(hand_table(&h, "totals"), 0, "unlinked"), 1);
	assert_false(hand_knows(hand_table(&h, "totals"), 0, "short_ratio"));
	assert_false(hand_knows(hand_table(&h, "totals"), 0, "call_ns"));
	assert_string_equal(h.result.note[h.result.nnote - 1].id, "no_launches");
	hand_release(&h);
	run_clear(&r);
}

static void test_names(void **state)
{
	static const char *const yes[] = { "cudaLaunchKernel", "cudaLaunchKernelExC",
		"cuLaunchKernelEx", "cudaLaunchCooperativeKernel", "cudaGraphLaunch",
		"hipExtModuleLaunchKernel", "hipMemcpyWithStream", "cudaMemsetAsync" };
	static const char *const no[] = { "cudaLaunchHostFunc", "cudaStreamSynchronize",
		"cudaGraphAddMemcpyNode", "cudaMalloc" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(yes); i++)
		assert_true(launch_is_name(span_of(yes[i])));
	for (i = 0; i < COUNT_OF(no); i++)
		assert_false(launch_is_name(span_of(no[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delays),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_odd_halves),
		cmocka_unit_test(test_device_only),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
