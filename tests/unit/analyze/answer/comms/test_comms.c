/* `comms` on runs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

static const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_COMM;

static void set_args(struct run *r, uint32_t row, const char *name, const char *dtype, int64_t in,
	int64_t out, int64_t ranks)
{
	hand_arg(r, row, ARG_DEVICE_COLLECTIVE,
		(union arg_value){ .sym = strings_intern(&r->strings, span_of(name)) });
	hand_arg(r, row, ARG_DEVICE_DTYPE,
		(union arg_value){ .sym = strings_intern(&r->strings, span_of(dtype)) });
	hand_arg(r, row, ARG_DEVICE_IN_ELEMENTS, (union arg_value){ .i64 = in });
	hand_arg(r, row, ARG_DEVICE_OUT_ELEMENTS, (union arg_value){ .i64 = out });
	hand_arg(r, row, ARG_DEVICE_GROUP_SIZE, (union arg_value){ .i64 = ranks });
}

/*
 *	  t            0    10   20   30   40   50   60   70
 *	  gemm         [---------)
 *	  all_reduce        [--------------)                   exposed 20-40
 *	  Memset                      [----)                   hides, but is no kernel
 *	  all_reduce                            [----)         exposed 50-60
 *	  Memcpy                                [---------)    hides nothing
 */
static void test_exposed(void **state)
{
	static const char name[] = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL";
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t stream;

	(void)state;
	run_init(&r, needs);
	stream = hand_stream(&r, 0, 20);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 20);
	set_args(&r, hand_event(&r, KIND_KERNEL, stream, name, 10, 30), "allreduce", "BFloat16", 30,
		30, 4);
	(void)hand_event(&r, KIND_MEMSET, hand_stream(&r, 0, 7), "Memset (Device)", 30, 10);
	set_args(&r, hand_event(&r, KIND_KERNEL, stream, name, 50, 10), "allreduce", "BFloat16", 30,
		30, 4);
	(void)hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 8), "Memcpy HtoD", 50, 20);
	hand_ask(&h, &analysis_comms, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "devices");
	assert_int_equal(hand_int(t, 0, "union_ns"), 40);
	assert_int_equal(hand_int(t, 0, "exposed_ns"), 20);
	assert_int_equal(hand_int(t, 0, "compute_overlap_ns"), 20);
	assert_int_equal(hand_int(t, 0, "kernel_overlap_ns"), 10);
	assert_float_equal(hand_real(t, 0, "compute_overlap_ratio"), 0.5, 1e-12);
	t = hand_table(&h, "collectives");
	assert_int_equal(t->nrow, 1);
	assert_true(span_is(hand_text(t, 0, "collective"), "all_reduce"));
	assert_int_equal(hand_int(t, 0, "bytes"), 60);
	assert_int_equal(hand_int(t, 0, "calls"), 2);
	/* 120 bytes in 40 ns are 3 GB/s; x 2 x 3/4 on the bus. */
	assert_float_equal(hand_real(t, 0, "algorithm_bytes_per_s"), 3e9, 1e-3);
	assert_float_equal(hand_real(t, 0, "bus_bytes_per_s"), 4.5e9, 1e-3);
	assert_int_equal(hand_int(hand_table(&h, "streams"), 0, "stream"), 20);
	hand_release(&h);
	run_clear(&r);
}

/* Peer defects 3 and 12: every library's kernels are collectives, also without arguments. */
static void test_by_name(void **state)
{
	static const char *const names[] = {
		"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)",
		"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
		"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 4>", "rcclGenericKernel"
	};
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t i, row;

	(void)state;
	run_init(&r, needs);
	for (i = 0; i < COUNT_OF(names); i++)
		(void)hand_event(
			&r, KIND_KERNEL, hand_stream(&r, 0, 20), names[i], (nsec)i * 20, 10);
	hand_ask(&h, &analysis_comms, &r, false);
	t = hand_table(&h, "collectives");
	assert_int_equal(t->nrow, COUNT_OF(names));
	row = hand_find(t, "collective", "send_recv");
	assert_false(hand_knows(t, row, "bytes"));
	assert_false(hand_knows(t, row, "dtype"));
	assert_false(hand_knows(t, row, "bus_bytes_per_s"));
	assert_int_not_equal(hand_find(t, "collective", "unknown"), SIZE_MAX);
	assert_int_not_equal(hand_find(t, "dtype", "float"), SIZE_MAX);
	assert_string_equal(h.result.note[0].id, "collectives_by_name");
	assert_int_equal(h.result.note[0].count, COUNT_OF(names));
	hand_release(&h);
	run_clear(&r);
}

/* Peer defect 16: a collective's time is its device work, not the op around it; where it runs on
 * the CPU (gloo) it is the record's. */
static void test_host(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, kernel;

	(void)state;
	run_init(&r, needs);
	thread = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "gloo:all_reduce", 0, 1000);
	(void)hand_event(&r, KIND_OP, thread, "record_param_comms", 2000, 500);
	kernel = hand_launch(&r, thread, hand_stream(&r, 0, 20), 2100, 2200, 40, 1);
	hand_ask(&h, &analysis_comms, &r, false);
	/* Whatever its name, a kernel of such a record communicates. */
	assert_true(span_is(run_name(&r, kernel), "kernel"));
	assert_int_equal(hand_int(hand_table(&h, "devices"), 0, "device_sum_ns"), 40);
	t = hand_table(&h, "host");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(
		hand_int(t, hand_find(t, "name", "gloo:all_reduce"), "cpu_total_ns"), 1000);
	assert_true(span_is(hand_text(t, 0, "collective"), "all_reduce"));
	assert_int_equal(hand_int(t, hand_find(t, "name", "record_param_comms"), "calls"), 1);
	hand_release(&h);
	run_clear(&r);
}

static void test_none(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 10);
	hand_ask(&h, &analysis_comms, &r, true);
	assert_int_equal(h.status, OK);
	assert_int_equal(h.result.ntable, 0);
	assert_string_equal(h.result.note[0].id, "no_collectives");
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exposed),
		cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
