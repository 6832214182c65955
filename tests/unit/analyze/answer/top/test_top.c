/* `top` on small runs whose every figure is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/answer/top/top.h"
#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "tests/unit/analyze/answer/top/top_ask.h"
#include "tests/unit/handmade.h"

static void figures_of_ops(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	top_training(&r);
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "ops");

	row = top_row(t, "to"); /* counted twice, after the dedup once */
	assert_int_equal(hand_int(t, row, "calls"), 2);
	assert_int_equal(hand_int(t, row, "calls_dedup"), 1);
	assert_int_equal(hand_int(t, row, "cpu_total_ns"), 74);
	assert_int_equal(hand_int(t, row, "cpu_total_dedup_ns"), 40);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 6 + 14);
	assert_int_equal(hand_int(t, row, "self_cpu_dedup_ns"), 20);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 0);
	assert_int_equal(hand_int(t, row, "device_total_ns"), 30);
	assert_int_equal(hand_int(t, row, "min_ns"), 34);
	assert_int_equal(hand_int(t, row, "max_ns"), 40);
	assert_true(hand_real(t, row, "mean_ns") == 37);
	assert_true(hand_real(t, row, "p50_ns") == 37);
	assert_true(fabs(hand_real(t, row, "p95_ns") - 39.7) < 1e-9);

	row = top_row(t, "copy"); /* the launch is a child, except in the tree of ops only */
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 18);
	assert_int_equal(hand_int(t, row, "self_cpu_ops_ns"), 20);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 30);

	row = top_row(t, "mm");
	assert_int_equal(hand_int(t, row, "calls"), 2);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 56);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 50);
	assert_true(hand_real(t, row, "per_step_ns") == 28);

	row = top_row(t, "ProfilerStep*"); /* both steps */
	assert_int_equal(hand_int(t, row, "calls"), 2);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 30 + 70);
	assert_int_equal(hand_int(t, row, "device_total_ns"), 80);

	row = top_row(t, "cudaLaunchKernel");
	assert_false(hand_knows(t, row, "self_device_ns"));
	assert_false(hand_knows(t, row, "self_cpu_ops_ns"));

	/* the total: self times sum to the roots; the heaviest is first */
	assert_int_equal(t->nfoot, 1);
	assert_int_equal(hand_int(t, t->nrow - 1, "self_cpu_ns"), 200);
	assert_true(span_is(hand_text(t, 0, "name"), "ProfilerStep*"));
	assert_true(hand_real(t, 0, "share_ratio") == 0.5);
	assert_true(fabs(hand_real(t, t->nrow - 2, "cumulative_ratio") - 1) < 1e-12);
	hand_release(&h);
	run_clear(&r);
}

/* Overlapping kernels: their sum is 80, the time the device was busy 30-90 and 150-160. */
static void sum_and_busy(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	top_training(&r);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "calls"), 3);
	t = hand_table(&h, "devices");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 70);
	assert_int_equal(hand_int(t, 0, "span_ns"), 130);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 60);
	assert_int_equal(hand_int(t, 0, "streams"), 2);
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 70);
	assert_int_equal(hand_int(t, 0, "cpu_total_ns"), 200);
	assert_int_equal(hand_int(t, 0, "cpu_total_ops_ns"), 200);
	assert_int_equal(hand_int(t, 0, "steps"), 2);
	/* Work of #5 has ended when #6 launches: steps are their marks. */
	assert_true(hand_real(t, 0, "step_median_ns") == 100);
	hand_release(&h);
	run_clear(&r);
}

static void by_stream(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.opts.by = "stream";
	top_training(&r);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "device");
	assert_null(hand_table(&h, "ops"));
	assert_int_equal(hand_int(t, 0, "stream"), 7); /* a tie: by name */
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 40);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 40);
	assert_int_equal(hand_int(t, 1, "stream"), 9);
	hand_release(&h);
	run_clear(&r);
}

/* Without device events: no table of them, no zeros, and it is said. */
static void cpu_only(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	thread = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_OP, thread, "a", 0, 10);
	(void)hand_event(&r, KIND_OP, thread, "b", 20, 30);
	a.opts.by = "name";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_null(hand_table(&h, "device"));
	t = hand_table(&h, "ops");
	assert_true(span_is(hand_text(t, 0, "name"), "b"));
	assert_false(hand_knows(t, 0, "self_device_ns"));
	assert_false(hand_knows(t, 0, "device_total_ns"));
	assert_false(hand_knows(t, 0, "per_step_ns"));
	assert_false(hand_knows(hand_table(&h, "totals"), 0, "device_busy_ns"));
	assert_true(top_has_note(&h, "no_device_events"));
	assert_true(top_has_note(&h, "sort_fallback"));
	assert_true(top_has_note(&h, "no_steps"));
	hand_release(&h);
	run_clear(&r);
}

/* Only device events, on two devices, one of them with two streams. */
static void device_only(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "k", 0, 100);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 50, 100);
	(void)hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 8), "c", 60, 20);
	(void)hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 8), "c", 60, 0); /* no length */
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_null(hand_table(&h, "ops"));
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, top_row(t, "k"), "device_sum_ns"), 200);
	assert_int_equal(hand_int(t, top_row(t, "c"), "calls"), 2);
	assert_int_equal(hand_int(t, top_row(t, "c"), "min_ns"), 0);
	t = hand_table(&h, "devices");
	assert_int_equal(hand_int(t, 0, "device"), 0);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 100);
	assert_int_equal(hand_int(t, 0, "sum_ns"), 120);
	assert_int_equal(hand_int(t, 1, "busy_ns"), 100);
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 200);
	assert_int_equal(hand_int(t, 0, "kernel_ns"), 200);
	assert_int_equal(hand_int(t, 0, "memcpy_ns"), 20);
	hand_release(&h);
	run_clear(&r);
}

/* One call launches a graph of two kernels: both are the op's. */
static void graph_launch(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, s, call, k1, k2;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	thread = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, thread, "replay", 0, 100);
	call = hand_event(&r, KIND_RUNTIME, thread, "cudaGraphLaunch", 10, 5);
	k1 = hand_event(&r, KIND_KERNEL, s, "k1", 20, 30);
	k2 = hand_event(&r, KIND_KERNEL, s, "k2", 60, 11);
	hand_ids(&r, call, 9, 0);
	hand_ids(&r, k1, 9, 0);
	hand_ids(&r, k2, 9, 0);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(hand_int(t, top_row(t, "replay"), "self_device_ns"), 41);
	hand_release(&h);
	run_clear(&r);
}

static void empty_run(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_true(top_has_note(&h, "no_rows"));
	assert_null(hand_table(&h, "ops"));
	hand_release(&h);
	run_clear(&r);
}

/* Durations near the end of int64 do not overflow. */
static void huge_durations(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t s;
	int i;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	s = hand_stream(&r, 0, 7);
	for (i = 0; i < 3; i++) {
		(void)hand_event(&r, KIND_KERNEL, s, "k", 0, INT64_MAX - 1);
		(void)hand_event(&r, KIND_OP, hand_thread(&r, i), "op", 0, INT64_MAX - 1);
	}
	top_ask(&h, &r, &a);
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), INT64_MAX);
	assert_int_equal(hand_int(hand_table(&h, "devices"), 0, "busy_ns"), INT64_MAX - 1);
	t = hand_table(&h, "ops");
	assert_int_equal(hand_int(t, 0, "cpu_total_ns"), INT64_MAX);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_ops),
		cmocka_unit_test(sum_and_busy),
		cmocka_unit_test(by_stream),
		cmocka_unit_test(cpu_only),
		cmocka_unit_test(device_only),
		cmocka_unit_test(graph_launch),
		cmocka_unit_test(empty_run),
		cmocka_unit_test(huge_durations),
	};

	return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
