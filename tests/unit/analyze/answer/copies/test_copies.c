/* `copies` on runs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

static const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_BYTES | NEED_TYPES;

static uint32_t copy(
	struct run *r, int64_t stream, const char *name, nsec start, nsec dur, int64_t bytes)
{
	uint32_t row = hand_event(r, KIND_MEMCPY, hand_stream(r, 0, stream), name, start, dur);

	args_change(&r->args, ARG_DEVICE_BYTES, r->events.args[row] - 1,
		(union arg_value){ .i64 = bytes });
	return row;
}

/*
 *	  t          0    10   20   30   40   50
 *	  gemm       [---------)
 *	  pageable        [---------)                 200 bytes; exposed 20-30
 *	  pinned               [---------)            no bytes; exposed 20-40
 *	  Memset                              [----)  hides nothing here
 *
 * together the copies are exposed 20-40
 */
static void test_exposed(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	run_init(&r, needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 20);
	(void)copy(&r, 8, "Memcpy HtoD (Pageable -> Device)", 10, 20, 200);
	(void)copy(&r, 9, "Memcpy HtoD (Pinned -> Device)", 20, 20, ARG_UNKNOWN);
	(void)hand_event(&r, KIND_MEMSET, hand_stream(&r, 0, 8), "Memset (Device)", 50, 10);
	hand_ask(&h, &analysis_copies, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "copies");
	assert_int_equal(t->nrow, 3);
	row = hand_find(t, "from", "pageable");
	assert_int_equal(hand_int(t, row, "exposed_ns"), 10);
	assert_int_equal(hand_int(t, row, "bytes"), 200);
	/* Peer defect 40: GB is 1e9 bytes: 200 bytes in 20 ns are 10 GB/s. */
	assert_float_equal(hand_real(t, row, "bandwidth_bytes_per_s"), 10e9, 1e-3);
	row = hand_find(t, "from", "pinned");
	assert_int_equal(hand_int(t, row, "exposed_ns"), 20);
	assert_false(hand_knows(t, row, "bytes"));
	assert_false(hand_knows(t, row, "bandwidth_bytes_per_s"));
	row = hand_find(t, "direction", "set");
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_false(hand_knows(t, row, "exposed_ns"));
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "calls"), 2);
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 40);
	assert_int_equal(hand_int(t, 0, "union_ns"), 30);
	assert_int_equal(hand_int(t, 0, "exposed_ns"), 20);
	assert_float_equal(hand_real(t, 0, "share_ratio"), 40.0 / 70, 1e-12);
	hand_release(&h);
	run_clear(&r);
}

/* A kernel of aten::copy_ whose name does not say what it does, with the types of its op. */
static void launch_copy_kernel(struct run *r, nsec at, uint64_t id, const char *types)
{
	uint32_t thread = hand_thread(r, 1);
	uint32_t op = hand_event(r, KIND_OP, thread, "aten::copy_", at, 50);
	uint32_t kernel = hand_launch(r, thread, hand_stream(r, 0, 7), at + 10, at + 20, 10, id);

	r->events.name[kernel] = strings_intern(&r->strings,
		SPAN("void at::native::elementwise_kernel<128, 2, "
		     "at::native::gpu_kernel_impl<at::native::direct_copy_kernel_cuda>>"));
	if (types)
		hand_arg(r, op, ARG_OP_TYPES,
			(union arg_value){ .sym = strings_intern(&r->strings, span_of(types)) });
}

static void test_casts_by_types(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, needs);
	launch_copy_kernel(&r, 0, 1, "[\"float\",\"c10::Half\",\"Scalar\"]");
	launch_copy_kernel(&r, 100, 2, "[\"float\",\"float\",\"Scalar\"]");
	launch_copy_kernel(&r, 200, 3, NULL);
	launch_copy_kernel(&r, 300, 4, "[\"float\"]");
	hand_ask(&h, &analysis_copies, &r, false);
	t = hand_table(&h, "kernels");
	assert_int_equal(t->nrow, 3);
	assert_int_equal(hand_int(t, hand_find(t, "moves", "cast"), "calls"), 1);
	assert_int_equal(hand_int(t, hand_find(t, "moves", "copy"), "calls"), 1);
	assert_int_equal(hand_int(t, hand_find(t, "moves", "cast or copy"), "calls"), 2);
	assert_null(hand_table(&h, "copies"));
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 3);
	assert_true(span_is(hand_text(t, 0, "op"), "aten::copy_"));
	assert_int_equal(hand_int(hand_table(&h, "totals"), 0, "cast_sum_ns"), 10);
	hand_release(&h);
	run_clear(&r);
}

/* Peer defect 1: hipMemcpy is memory work, and so are the kernels ROCm copies with. */
static void test_rocm(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)copy(&r, 0, "hipMemcpyHostToDevice", 0, 10, 40);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 0), "__amd_rocclr_copyBuffer", 20, 10);
	(void)hand_event(
		&r, KIND_KERNEL, hand_stream(&r, 0, 0), "__amd_rocclr_fillBufferAligned", 40, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 0), "hip_gelu", 60, 10);
	hand_ask(&h, &analysis_copies, &r, false);
	t = hand_table(&h, "copies");
	assert_int_equal(t->nrow, 3);
	assert_int_equal(hand_int(t, hand_find(t, "direction", "HtoD"), "bytes"), 40);
	assert_true(span_is(hand_text(t, hand_find(t, "direction", "unknown"), "kind"), "kernel"));
	assert_true(span_is(hand_text(t, hand_find(t, "direction", "set"), "kind"), "kernel"));
	assert_int_equal(hand_int(hand_table(&h, "totals"), 0, "exposed_ns"), 20);
	hand_release(&h);
	run_clear(&r);
}

/* Work of another device hides nothing; each device has rows of its own. */
static void test_devices(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)copy(&r, 8, "Memcpy PtoP (Device -> Device)", 0, 10, 8);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "gemm", 0, 10);
	(void)hand_event(
		&r, KIND_MEMCPY, hand_stream(&r, 1, 8), "Memcpy PtoP (Device -> Device)", 5, 10);
	hand_ask(&h, &analysis_copies, &r, true);
	t = hand_table(&h, "copies");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(hand_int(t, 0, "device"), 0);
	assert_int_equal(hand_int(t, 0, "exposed_ns"), 10);
	assert_int_equal(hand_int(t, 1, "device"), 1);
	assert_int_equal(hand_int(t, 1, "exposed_ns"), 5);
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
	hand_ask(&h, &analysis_copies, &r, true);
	assert_int_equal(h.status, OK);
	assert_string_equal(h.result.note[0].id, "no_copies");
	assert_int_equal(hand_int(hand_table(&h, "totals"), 0, "calls"), 0);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exposed),
		cmocka_unit_test(test_casts_by_types),
		cmocka_unit_test(test_rocm),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
