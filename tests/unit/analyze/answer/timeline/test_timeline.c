/* `timeline` on runs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/timeline/timeline.h"
#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

static const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_BYTES;

/*
 *	  t        0    10   20   30   40
 *	  gemm     [---------)
 *	  nccl          [---------)          exposed 20-30
 *	  Memcpy                       [--)  36-40, 8 bytes
 *
 * 40 ns are less than the usual 500 slices, so each has 1 ns.
 */
static void test_slices(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t copy, i;
	double bytes = 0;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 20);
	(void)hand_event(
		&r, KIND_KERNEL, hand_stream(&r, 0, 20), "ncclDevKernel_AllReduce", 10, 20);
	copy = hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 7), "Memcpy HtoD", 36, 4);
	hand_arg(&r, copy, ARG_DEVICE_BYTES, (union arg_value){ .i64 = 8 });
	hand_ask(&h, &analysis_timeline, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "timeline");
	assert_int_equal(t->nrow, 40);
	for (i = 0; i < 40; i++) {
		assert_int_equal(hand_int(t, i, "at_ns"), i);
		assert_int_equal(hand_int(t, i, "length_ns"), 1);
		assert_float_equal(hand_real(t, i, "compute_ratio"), i < 20, 1e-12);
		assert_float_equal(hand_real(t, i, "exposed_comm_ratio"), i >= 20 && i < 30, 1e-12);
		assert_float_equal(hand_real(t, i, "exposed_memcpy_ratio"), i >= 36, 1e-12);
		assert_float_equal(hand_real(t, i, "idle_ratio"), i >= 30 && i < 36, 1e-12);
	}
	t = hand_table(&h, "copies");
	assert_int_equal(t->nrow, 40);
	for (i = 0; i < 40; i++)
		bytes += hand_real(t, i, "bytes");
	assert_float_equal(bytes, 8, 1e-12);
	assert_float_equal(hand_real(t, 36, "bytes"), 2, 1e-12);
	assert_float_equal(hand_real(t, 36, "bytes_per_s"), 2e9, 1e-3);
	hand_release(&h);
	run_clear(&r);
}

/* Without device work there are no slices, and a note says so. */
static void test_nothing(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, needs);
	hand_ask(&h, &analysis_timeline, &r, false);
	assert_int_equal(h.status, OK);
	assert_int_equal(h.result.ntable, 0);
	assert_int_equal(h.result.nnote, 1);
	hand_release(&h);
	run_clear(&r);
}

static void expect_mark(const struct table *t, size_t row, const char *lane, const char *kind,
	int64_t at, int64_t length, int64_t busy, int64_t pieces)
{
	assert_true(span_is(hand_text(t, row, "lane"), lane));
	assert_true(span_is(hand_text(t, row, "kind"), kind));
	assert_int_equal(hand_int(t, row, "at_ns"), at);
	assert_int_equal(hand_int(t, row, "length_ns"), length);
	assert_int_equal(hand_int(t, row, "busy_ns"), busy);
	assert_int_equal(hand_int(t, row, "pieces"), pieces);
}

/* A column is 100 us, a part in 1000 of the time.
 *
 *	  t in us   0   10   40   51   60        200     250     350      99700      100000
 *	  gemm      [---)    [----)    [------------------)                [------------)
 *	  nccl                                   [---------------)
 *
 * The first two are short and begin in the first column: they are one mark, 21 us of its 51 us. */
static void test_marks(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 10000);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm2", 40000, 11000);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 60000, 190000);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 20), "ncclDevKernel", 200000, 150000);
	(void)hand_event(
		&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 100000000 - 300000, 300000);
	hand_ask(&h, &analysis_timeline, &r, true);
	assert_int_equal(h.status, OK);
	assert_int_equal(h.result.ntable, 1);
	t = hand_table(&h, "marks");
	assert_int_equal(t->layout, TABLE_LANES);
	assert_int_equal(t->nrow, 10);
	assert_true(span_is(hand_text(t, 0, "sort"), "whole"));
	assert_int_equal(hand_int(t, 0, "at_ns"), 0);
	assert_int_equal(hand_int(t, 0, "length_ns"), 100000000);
	expect_mark(t, 1, "GPU 0", "compute", 0, 51000, 21000, 2);
	assert_true(span_is(hand_text(t, 1, "name"), "gemm2"));
	expect_mark(t, 2, "GPU 0", "compute", 60000, 190000, 190000, 1);
	expect_mark(t, 3, "GPU 0", "comm", 250000, 100000, 100000, 1);
	expect_mark(t, 4, "GPU 0", "unknown launch", 350000, 99350000, 99350000, 1);
	expect_mark(t, 5, "GPU 0", "compute", 99700000, 300000, 300000, 1);
	expect_mark(t, 6, "GPU 0, stream 7", "compute", 0, 51000, 21000, 2);
	expect_mark(t, 7, "GPU 0, stream 7", "compute", 60000, 190000, 190000, 1);
	expect_mark(t, 8, "GPU 0, stream 7", "compute", 99700000, 300000, 300000, 1);
	expect_mark(t, 9, "GPU 0, stream 20", "comm", 200000, 150000, 150000, 1);
	hand_release(&h);
	run_clear(&r);
}

/* What --at may say. */
static void test_at(void **state)
{
	static const char *const wrong[] = { "", "-", "5-", "-5", "6-5", "1.5", "5ms", "5ms-6",
		"5-6x", "1s-1s", "2s-1s", "5 6", "five" };
	static const struct {
		const char *text;
		struct timeline_at at;
	} right[] = { { "5", { false, 5, 5 } }, { "5-6", { false, 5, 6 } },
		{ "1.2s-1.5s", { true, 1200000000, 1500000000 } },
		{ "10-20ms", { true, 10000000, 20000000 } },
		{ "999us-1ms", { true, 999000, 1000000 } }, { "0-1ns", { true, 0, 1 } } };
	struct timeline_at at;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(timeline_at_parse(wrong[i], &at));
	for (i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		assert_true(timeline_at_parse(right[i].text, &at));
		assert_int_equal(at.is_time, right[i].at.is_time);
		assert_int_equal(at.from, right[i].at.from);
		assert_int_equal(at.to, right[i].at.to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
