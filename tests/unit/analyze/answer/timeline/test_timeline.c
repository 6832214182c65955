/*
 * `timeline` on runs drawn by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/query/analysis.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
