/* Collectives by name and by arguments; bandwidths as nccl-tests define them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/comm/commclass.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

static void assert_op(const char *name, enum comm_op want)
{
	enum comm_op got = commclass_of(span_of(name));

	if (got != want)
		fail_msg("%s: %s", name, commclass_word(got));
}

static void test_names(void **state)
{
	(void)state;
	assert_op("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
		COMM_ALL_REDUCE);
	assert_op("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", COMM_ALL_REDUCE);
	assert_op("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL", COMM_REDUCE_SCATTER);
	assert_op("ncclDevKernel_AllGather_RING_LL", COMM_ALL_GATHER);
	assert_op("ncclDevKernel_Broadcast_RING_LL", COMM_BROADCAST);
	assert_op("ncclDevKernel_Reduce_Sum_f16_RING_LL", COMM_REDUCE);
	assert_op("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", COMM_SEND_RECV);
	assert_op("ncclDevKernel_Generic(AllReduceParameters)", COMM_UNKNOWN);
	assert_op("void vllm::cross_device_reduce_2stage<float, 8>", COMM_ALL_REDUCE);
	assert_op("one_shot_all_reduce_kernel", COMM_ALL_REDUCE);
	assert_op("_allgather_base", COMM_ALL_GATHER);
	assert_op("all_gather_into_tensor_coalesced", COMM_ALL_GATHER);
	assert_op("_reduce_scatter_base", COMM_REDUCE_SCATTER);
	assert_op("reduce_scatter_tensor_coalesced", COMM_REDUCE_SCATTER);
	assert_op("all_to_allv", COMM_ALL_TO_ALL);
	assert_op("nccl:all_to_all", COMM_ALL_TO_ALL);
	assert_op("gloo:gather", COMM_GATHER);
	assert_op("nccl:scatter", COMM_SCATTER);
	assert_op("nccl:send 0->1", COMM_SEND);
	assert_op("nccl:recv 0<-1", COMM_RECV);
	assert_op("barrier", COMM_BARRIER);
	assert_op("record_param_comms", COMM_UNKNOWN);
	assert_op("", COMM_UNKNOWN);
}

static int bytes_of(const char *dtype)
{
	return commclass_dtype_bytes(span_of(dtype));
}

static void test_dtypes(void **state)
{
	(void)state;
	assert_int_equal(bytes_of("BFloat16"), 2);
	assert_int_equal(bytes_of("c10::Half"), 2);
	assert_int_equal(bytes_of("Half"), 2);
	assert_int_equal(bytes_of("Float"), 4);
	assert_int_equal(bytes_of("float"), 4);
	assert_int_equal(bytes_of("Int"), 4);
	assert_int_equal(bytes_of("long int"), 8);
	assert_int_equal(bytes_of("Long"), 8);
	assert_int_equal(bytes_of("Short"), 2);
	assert_int_equal(bytes_of("Bool"), 1);
	assert_int_equal(bytes_of("int8_t"), 1);
	assert_int_equal(bytes_of("uint64_t"), 8);
	assert_int_equal(bytes_of("Float8_e4m3fn"), 1);
	assert_int_equal(bytes_of("torch.bfloat16"), 2);
	assert_int_equal(bytes_of("Double"), 8);
	assert_int_equal(bytes_of("t"), -1);
	assert_int_equal(bytes_of("_t"), -1);
	assert_int_equal(bytes_of("QInt32"), -1);
	assert_int_equal(bytes_of(""), -1);
}

static void test_dtype_of_kernel(void **state)
{
	(void)state;
	assert_true(span_is(
		commclass_dtype_of_kernel(SPAN("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)")),
		"bf16"));
	assert_true(span_is(commclass_dtype_of_kernel(
				    SPAN("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)")),
		"float"));
	assert_true(span_is(
		commclass_dtype_of_kernel(SPAN("ncclKernel_AllReduce_RING_LL_Max_int8_t(x)")),
		"int8_t"));
	/* Moves bytes, whatever they are. */
	assert_int_equal(commclass_dtype_of_kernel(
				 SPAN("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWork*)"))
				 .n,
		0);
	assert_int_equal(commclass_dtype_of_kernel(SPAN("ncclDevKernel_AllReduce_Sum_")).n, 0);
}

static void test_bandwidth(void **state)
{
	(void)state;
	assert_int_equal(commclass_elements(COMM_ALL_REDUCE, 10, 10), 10);
	assert_int_equal(commclass_elements(COMM_ALL_GATHER, 10, 80), 80);
	assert_int_equal(commclass_elements(COMM_REDUCE_SCATTER, 80, 10), 80);
	assert_int_equal(commclass_elements(COMM_ALL_GATHER, 10, ARG_UNKNOWN), ARG_UNKNOWN);
	assert_int_equal(commclass_elements(COMM_BARRIER, 1, 1), ARG_UNKNOWN);
	assert_float_equal(commclass_bus_factor(COMM_ALL_REDUCE, 8), 1.75, 0);
	assert_float_equal(commclass_bus_factor(COMM_ALL_REDUCE, 1), 0, 0);
	assert_float_equal(commclass_bus_factor(COMM_ALL_GATHER, 4), 0.75, 0);
	assert_float_equal(commclass_bus_factor(COMM_ALL_TO_ALL, 2), 0.5, 0);
	assert_float_equal(commclass_bus_factor(COMM_BROADCAST, ARG_UNKNOWN), 1, 0);
	assert_true(isnan(commclass_bus_factor(COMM_ALL_REDUCE, ARG_UNKNOWN)));
	assert_true(isnan(commclass_bus_factor(COMM_ALL_REDUCE, 0)));
	assert_true(isnan(commclass_bus_factor(COMM_BARRIER, 8)));
}

/* 3 ranks: 4/3 of 10 bytes thrice is 40, in whatever order; 2/3 of 9 is 6. */
static void test_bus(void **state)
{
	comm_bus ten = commclass_bus(COMM_ALL_REDUCE, 3, 10);

	(void)state;
	assert_float_equal(commclass_bus_bytes(3 * ten), 40, 1e-5);
	assert_float_equal(commclass_bus_bytes(commclass_bus(COMM_ALL_GATHER, 3, 9)), 6, 0);
	assert_float_equal(
		commclass_bus_bytes(commclass_bus(COMM_BROADCAST, ARG_UNKNOWN, 9)), 9, 0);
	assert_float_equal(commclass_bus_bytes(commclass_bus(COMM_ALL_REDUCE, 1, 9)), 0, 0);
	assert_float_equal(commclass_bus_rate(commclass_bus(COMM_ALL_REDUCE, 8, 800), 2), 7e11, 0);
	assert_true(commclass_bus(COMM_ALL_REDUCE, ARG_UNKNOWN, 9) == COMM_BUS_UNKNOWN);
	assert_true(commclass_bus(COMM_ALL_REDUCE, 8, ARG_UNKNOWN) == COMM_BUS_UNKNOWN);
	assert_true(commclass_bus(COMM_ALL_REDUCE, 8, -1) == COMM_BUS_UNKNOWN);
	assert_true(commclass_bus(COMM_ALL_REDUCE, INT64_MAX, 9) == COMM_BUS_UNKNOWN);
	assert_true(commclass_bus(COMM_UNKNOWN, 8, 9) == COMM_BUS_UNKNOWN);
	/* The most there can be fits, and sums of 2^32 of it. */
	assert_float_equal(commclass_bus_bytes(commclass_bus(COMM_ALL_REDUCE, 1 << 24, INT64_MAX)),
		0x1p64, 0x1p41);
	assert_true(commclass_bus(COMM_ALL_REDUCE, 1 << 24, INT64_MAX) < (comm_bus)1 << 94);
}

static const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_COMM;

/* record_param_comms around the launch has the arguments; the kernel has none. */
static void test_arguments_of_the_op(void **state)
{
	struct run r;
	struct comm_call c;
	uint32_t thread, op, kernel;

	(void)state;
	run_init(&r, needs);
	thread = hand_thread(&r, 1);
	op = hand_event(&r, KIND_OP, thread, "record_param_comms", 0, 100);
	kernel = hand_launch(&r, thread, hand_stream(&r, 0, 20), 10, 50, 30, 5);
	hand_arg(&r, op, ARG_OP_COLLECTIVE,
		(union arg_value){ .sym = strings_intern(&r.strings, SPAN("_allgather_base")) });
	hand_arg(&r, op, ARG_OP_DTYPE,
		(union arg_value){ .sym = strings_intern(&r.strings, SPAN("Half")) });
	hand_arg(&r, op, ARG_OP_IN_ELEMENTS, (union arg_value){ .i64 = 100 });
	hand_arg(&r, op, ARG_OP_OUT_ELEMENTS, (union arg_value){ .i64 = 400 });
	hand_arg(&r, op, ARG_OP_GROUP_SIZE, (union arg_value){ .i64 = 4 });
	index_build(&r, needs);
	c = commclass_call(&r, kernel);
	assert_true(c.has_args);
	assert_int_equal(c.op, COMM_ALL_GATHER);
	assert_int_equal(c.bytes, 800);
	assert_int_equal(c.ranks, 4);
	run_clear(&r);
}

static void test_no_arguments(void **state)
{
	struct run r;
	struct comm_call c;
	uint32_t kernel;

	(void)state;
	run_init(&r, needs);
	kernel = hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 20),
		"ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 0, 10);
	index_build(&r, needs);
	c = commclass_call(&r, kernel);
	assert_false(c.has_args);
	assert_int_equal(c.op, COMM_ALL_REDUCE);
	assert_int_equal(c.bytes, ARG_UNKNOWN);
	assert_int_equal(c.ranks, ARG_UNKNOWN);
	assert_true(span_is(c.dtype_text, "bf16"));
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_dtypes),
		cmocka_unit_test(test_dtype_of_kernel),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_bus),
		cmocka_unit_test(test_arguments_of_the_op),
		cmocka_unit_test(test_no_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
