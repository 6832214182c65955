/* `kernels` on runs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/kernels/kernels.h"
#include "analyze/analysis/analysis.h"
#include "analyze/costmodel/roof.h"
#include "analyze/trace/index.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

static const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_KERNEL;

static void set_config(
	struct run *r, uint32_t row, uint32_t grid, uint32_t block, int64_t registers)
{
	hand_arg(r, row, ARG_DEVICE_GRID, (union arg_value){ .vec3 = { grid, 1, 1 } });
	hand_arg(r, row, ARG_DEVICE_BLOCK, (union arg_value){ .vec3 = { block, 1, 1 } });
	hand_arg(r, row, ARG_DEVICE_REGISTERS, (union arg_value){ .i64 = registers });
}

/*
 *	  stream 7    gemm [10,30)  gemm [40,80)  gemm [100,130)   durations 20 40 30
 *	  stream 7    relu [200,205)
 *
 * gemm: sum 90, mean 30, std sqrt((100+100+0)/2) = 10, p50 30, p95 39; grids 8, 16, 16
 */
static void test_statistics(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t stream;

	(void)state;
	run_init(&r, needs);
	stream = hand_stream(&r, 0, 7);
	set_config(&r, hand_event(&r, KIND_KERNEL, stream, "gemm", 10, 20), 8, 128, 64);
	set_config(&r, hand_event(&r, KIND_KERNEL, stream, "gemm", 40, 40), 16, 128, 64);
	set_config(&r, hand_event(&r, KIND_KERNEL, stream, "gemm", 100, 30), 16, 128, 64);
	(void)hand_event(&r, KIND_KERNEL, stream, "relu", 200, 5);
	hand_ask(&h, &analysis_kernels, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "kernels");
	assert_int_equal(t->nrow, 2);
	assert_true(span_is(hand_text(t, 0, "name"), "gemm"));
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 90);
	assert_int_equal(hand_int(t, 0, "calls"), 3);
	assert_float_equal(hand_real(t, 0, "mean_ns"), 30, 0);
	assert_float_equal(hand_real(t, 0, "std_ns"), 10, 0);
	assert_float_equal(hand_real(t, 0, "p50_ns"), 30, 0);
	assert_float_equal(hand_real(t, 0, "p95_ns"), 39, 1e-9);
	assert_int_equal(hand_int(t, 0, "min_ns"), 20);
	assert_int_equal(hand_int(t, 0, "max_ns"), 40);
	assert_true(span_is(hand_text(t, 0, "grid"), "16,1,1"));
	assert_int_equal(hand_int(t, 0, "configs"), 2);
	assert_int_equal(hand_int(t, 0, "config_calls"), 2);
	assert_int_equal(hand_int(t, 0, "registers"), 64);
	assert_float_equal(hand_real(t, 0, "share_ratio"), 90.0 / 95, 1e-12);
	/* One call has no deviation; no launch in the trace: no launching op, no short kernels. */
	assert_false(hand_knows(t, 1, "std_ns"));
	assert_false(hand_knows(t, 1, "grid"));
	assert_false(hand_knows(t, 0, "op"));
	assert_false(hand_knows(t, 0, "below_launch"));
	hand_release(&h);
	run_clear(&r);
}

/*
 *	  CPU       aten::mm [0, 100), launch [10, 12)   aten::relu [200, 300), launch [210, 212)
 *	  stream 7  kernel [20, 21): below               kernel [220, 260): not
 */
static void test_short_and_op(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, stream;

	(void)state;
	run_init(&r, needs);
	thread = hand_thread(&r, 1);
	stream = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, thread, "aten::mm", 0, 100);
	(void)hand_launch(&r, thread, stream, 10, 20, 1, 1);
	(void)hand_event(&r, KIND_OP, thread, "aten::relu", 200, 100);
	(void)hand_launch(&r, thread, stream, 210, 220, 40, 2);
	hand_ask(&h, &analysis_kernels, &r, false);
	t = hand_table(&h, "kernels");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "below_launch"), 1);
	assert_int_equal(hand_int(t, 0, "below_launch_ns"), 2);
	assert_int_equal(hand_int(t, 0, "ops"), 2);
	assert_int_equal(hand_int(t, 0, "op_calls"), 1);
	assert_true(span_is(hand_text(t, 0, "op"), "aten::mm")); /* of equals the first by name */
	t = hand_table(&h, "durations");
	assert_int_equal(t->nrow, 6);
	assert_int_equal(hand_int(t, 0, "kernels"), 2);
	assert_int_equal(hand_int(t, 0, "below_launch"), 1);
	hand_release(&h);
	run_clear(&r);
}

/* Each decade's lower end is in it, its upper end is in the next. */
static void test_decades(void **state)
{
	static const nsec dur[] = { 0, 999, 1000, 9999, 10000, 100000, 1000000, 9999999, 10000000,
		INT64_MAX / 4 };
	static const int64_t want[] = { 2, 2, 1, 1, 2, 2 };
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t i;

	(void)state;
	run_init(&r, needs);
	for (i = 0; i < COUNT_OF(dur); i++)
		(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 0, dur[i]);
	hand_ask(&h, &analysis_kernels, &r, false);
	t = hand_table(&h, "durations");
	assert_int_equal(t->nrow, COUNT_OF(want));
	for (i = 0; i < COUNT_OF(want); i++)
		assert_int_equal(hand_int(t, i, "kernels"), want[i]);
	/* Squares that do not fit: the deviation is unknown, not wrong. */
	assert_false(hand_knows(hand_table(&h, "kernels"), 0, "std_ns"));
	hand_release(&h);
	run_clear(&r);
}

static nsec time_of(const struct table *t, const char *types)
{
	size_t row = hand_find(t, "types", types);

	return row == SIZE_MAX ? 0 : hand_int(t, row, "time_ns");
}

/*
 *	  t             0    10   20   30   40   50   60   70
 *	  gemm          [--------------)
 *	  nccl               [--------------)
 *	  Memcpy                  [--------------)
 *	  Memset                                      [----)
 *	  cuda_sync     [----------------------------------)    never busy
 *
 * 0-10 computation, 10-20 and comm, 20-30 all, 30-40 comm and memory, 40-50 memory, 60-70 memory
 */
static void test_types(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	nsec busy = 0;
	size_t i;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 30);
	(void)hand_event(
		&r, KIND_KERNEL, hand_stream(&r, 0, 20), "ncclDevKernel_AllReduce", 10, 30);
	(void)hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 8), "Memcpy HtoD", 20, 30);
	(void)hand_event(&r, KIND_MEMSET, hand_stream(&r, 0, 8), "Memset (Device)", 60, 10);
	(void)hand_event(&r, KIND_SYNC, hand_stream(&r, 0, 7), "Stream Sync", 0, 70);
	hand_ask(&h, &analysis_kernels, &r, false);
	t = hand_table(&h, "types");
	assert_int_equal(time_of(t, "computation"), 10);
	assert_int_equal(time_of(t, "communication"), 0);
	assert_int_equal(time_of(t, "memory"), 20);
	assert_int_equal(time_of(t, "computation overlapping communication"), 10);
	assert_int_equal(time_of(t, "computation overlapping memory"), 0);
	assert_int_equal(time_of(t, "communication overlapping memory"), 10);
	assert_int_equal(time_of(t, "computation overlapping communication and memory"), 10);
	for (i = 0; i < t->nrow; i++)
		busy += hand_int(t, i, "time_ns");
	assert_int_equal(busy, 60);
	hand_release(&h);
	run_clear(&r);
}

/* Peer defect 2: names with "dma" and "Sync" in them are no other class than computing. */
static void test_names_that_mislead(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "tdma_gemm_kernel", 0, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "BatchNormSyncKernel", 10, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "hip_gelu", 20, 10);
	hand_ask(&h, &analysis_kernels, &r, false);
	t = hand_table(&h, "types");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(time_of(t, "computation"), 30);
	hand_release(&h);
	run_clear(&r);
}

/* Several devices are apart; no kernels: a note, and no table with zeros. */
static void test_devices_and_none(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "gemm", 0, 30);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 10);
	hand_ask(&h, &analysis_kernels, &r, false);
	assert_int_equal(hand_table(&h, "devices")->nrow, 2);
	assert_int_equal(hand_int(hand_table(&h, "devices"), 0, "device"), 0);
	assert_int_equal(hand_int(hand_table(&h, "devices"), 1, "kernel_sum_ns"), 30);
	assert_false(hand_knows(hand_table(&h, "devices"), 0, "est_occupancy_ratio"));
	assert_false(hand_knows(hand_table(&h, "devices"), 0, "est_sm_efficiency_ratio"));
	hand_release(&h);
	run_clear(&r);

	run_init(&r, needs);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "aten::mm", 0, 10);
	hand_ask(&h, &analysis_kernels, &r, false);
	assert_int_equal(h.status, OK);
	assert_int_equal(h.result.ntable, 0);
	assert_string_equal(h.result.note[0].id, "no_device_events");
	hand_release(&h);
	run_clear(&r);
}

static void text(struct run *r, uint32_t row, enum arg arg, const char *s)
{
	hand_arg(r, row, arg, (union arg_value){ .sym = strings_intern(&r->strings, span_of(s)) });
}

/* 2 x 3 by 3 x 5: 60 FLOP.  Launches a kernel called `name`, and one called "sum" if that is long.
 */
static void product(struct run *r, uint32_t thread, nsec at, const char *name, nsec dur, nsec sum)
{
	uint32_t stream = hand_stream(r, 0, 7),
		 row = hand_event(r, KIND_OP, thread, "aten::mm", at, 90);

	text(r, row, ARG_OP_DIMS, "[[2, 3], [3, 5]]");
	text(r, row, ARG_OP_TYPES, "[\"float\", \"float\"]");
	row = hand_launch(r, thread, stream, at + 10, at + 1000, dur, (uint64_t)at + 1);
	r->events.name[row] = strings_intern(&r->strings, span_of(name));
	if (sum == 0)
		return;
	row = hand_launch(r, thread, stream, at + 20, at + 1000 + dur, sum, (uint64_t)at + 2);
	r->events.name[row] = strings_intern(&r->strings, SPAN("sum"));
}

static void ask_roof(struct hand_answer *h, struct run *r)
{
	static const struct filter filter;
	const struct kernels_options opts = {
		.limit = -1, .roof = true, .peak = "fp32=1T,mem=10G"
	};
	const struct run *list[] = { r };
	const struct query q = { .run = list, .nrun = 1, .filter = &filter, .opts = &opts };

	index_build(r, needs | ROOF_NEEDS);
	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "traceq.kernels/1");
	(void)result_input(&h->result, "hand.json");
	h->status = analysis_answer(&analysis_kernels, &q, &h->result, &h->exit_code, &h->err);
}

/*
 *	  mm   gemm 8 ns, sum 2 ns     mm   gemm 10 ns     mm   split 3 ns, sum 7 ns     lone 5 ns
 *
 * 124 bytes at 10 GB/s are 12.4 ns.  gemm has two calls in 20 ns, sum the third in 10; the 2 ns of
 * sum in the first call and split are of calls in other rows; lone is of no op.
 */
static void test_roof(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;
	size_t gemm, sum, split, lone;

	(void)state;
	run_init(&r, needs | ROOF_NEEDS);
	thread = hand_thread(&r, 1);
	product(&r, thread, 0, "gemm", 8, 2);
	product(&r, thread, 2000, "gemm", 10, 0);
	product(&r, thread, 4000, "split", 3, 7);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "lone", 9000, 5);
	ask_roof(&h, &r);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "kernels");
	gemm = hand_find(t, "name", "gemm");
	sum = hand_find(t, "name", "sum");
	split = hand_find(t, "name", "split");
	lone = hand_find(t, "name", "lone");
	assert_int_equal(hand_int(t, gemm, "owned_calls"), 2);
	assert_int_equal(hand_int(t, gemm, "owned_busy_ns"), 20);
	assert_int_equal(hand_int(t, gemm, "flop"), 120);
	assert_float_equal(hand_real(t, gemm, "tflop_per_s"), 0.006, 1e-12);
	assert_float_equal(hand_real(t, gemm, "roof_ratio"), 24.8 / 20, 1e-9);
	assert_true(span_is(hand_text(t, gemm, "bound"), "memory"));
	assert_false(hand_knows(t, gemm, "why"));
	assert_int_equal(hand_int(t, sum, "flop"), 60);
	assert_int_equal(hand_int(t, sum, "owned_busy_ns"), 10);
	assert_true(span_is(hand_text(t, sum, "why"), "a longer kernel of the same call has them"));
	assert_false(hand_knows(t, split, "flop"));
	assert_false(hand_knows(t, split, "owned_calls"));
	assert_true(
		span_is(hand_text(t, split, "why"), "a longer kernel of the same call has them"));
	assert_false(hand_knows(t, lone, "flop"));
	assert_int_equal(hand_int(t, lone, "owned_calls"), 1);
	assert_true(span_is(hand_text(t, lone, "why"), "no op in the trace launched it"));
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statistics),
		cmocka_unit_test(test_short_and_op),
		cmocka_unit_test(test_decades),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_names_that_mislead),
		cmocka_unit_test(test_devices_and_none),
		cmocka_unit_test(test_roof),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
