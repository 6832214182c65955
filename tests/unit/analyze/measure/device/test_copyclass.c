/* Copies by name: every producer's spelling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/device/copyclass.h"

static void assert_class(
	const char *name, enum copy_direction d, enum copy_memory from, enum copy_memory to)
{
	struct copy_class c = copyclass_of(span_of(name));

	if (c.direction != d || c.from != from || c.to != to)
		fail_msg("%s: %s %s -> %s", name, copyclass_direction_word(c.direction),
			copyclass_memory_word(c.from), copyclass_memory_word(c.to));
}

static void assert_details(const char *name, const char *details, enum copy_direction d,
	enum copy_memory from, enum copy_memory to)
{
	struct copy_class c = copyclass_of_details(span_of(name), span_of(details));

	if (c.direction != d || c.from != from || c.to != to)
		fail_msg("%s, %s: %s %s -> %s", name, details,
			copyclass_direction_word(c.direction), copyclass_memory_word(c.from),
			copyclass_memory_word(c.to));
}

#define M(word) COPY_MEMORY_##word

static void test_cuda(void **state)
{
	(void)state;
	assert_class("Memcpy HtoD (Pageable -> Device)", COPY_HTOD, M(PAGEABLE), M(DEVICE));
	assert_class("Memcpy HtoD (Pinned -> Device)", COPY_HTOD, M(PINNED), M(DEVICE));
	assert_class("Memcpy DtoH (Device -> Pageable)", COPY_DTOH, M(DEVICE), M(PAGEABLE));
	assert_class("Memcpy DtoD (Device -> Device)", COPY_DTOD, M(DEVICE), M(DEVICE));
	assert_class("Memcpy PtoP (Device -> Device)", COPY_PTOP, M(DEVICE), M(DEVICE));
	assert_class("Memcpy HtoA (Pinned -> Array)", COPY_HTOD, M(PINNED), M(ARRAY));
	assert_class("Memcpy AtoA (Array -> Array)", COPY_DTOD, M(ARRAY), M(ARRAY));
	assert_class("Memcpy HtoD (Managed -> Device)", COPY_HTOD, M(MANAGED), M(DEVICE));
	assert_class("Memcpy HtoH (Pageable -> Pinned)", COPY_HTOH, M(PAGEABLE), M(PINNED));
	assert_class("Memcpy Unknown (Pinned -> Device)", COPY_HTOD, M(PINNED), M(DEVICE));
	assert_class("Memcpy DtoH (Device Static -> Pinned)", COPY_DTOH, M(DEVICE), M(PINNED));
	assert_class("memcpy htod", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("[CUDA memcpy Host-to-Device]", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("Memcpy", COPY_UNKNOWN, M(UNKNOWN), M(UNKNOWN));
	assert_class("", COPY_UNKNOWN, M(UNKNOWN), M(UNKNOWN));
	assert_class("Memcpy (", COPY_UNKNOWN, M(UNKNOWN), M(UNKNOWN));
	assert_class("Memcpy ( ->", COPY_UNKNOWN, M(UNKNOWN), M(UNKNOWN));
}

/* XLA: kinds of memory beside the name, or only the size. */
static void test_details(void **state)
{
	(void)state;
	assert_details("MemcpyH2D", "kind_src:pinned kind_dst:device size:4 dest:0 async:1",
		COPY_HTOD, M(PINNED), M(DEVICE));
	assert_details("MemcpyD2H", "kind_src:device kind_dst:pageable size:4 dest:0 async:0",
		COPY_DTOH, M(DEVICE), M(PAGEABLE));
	assert_details("MemcpyOther", "kind_src:pageable kind_dst:device size:4 dest:0 async:0",
		COPY_HTOD, M(PAGEABLE), M(DEVICE));
	assert_details("MemcpyD2D", "kind_src:unknown kind_dst:invalid size:4 dest:1 async:1",
		COPY_DTOD, M(DEVICE), M(DEVICE));
	assert_details("MemcpyH2D", "size:4 dest:0 async:1", COPY_HTOD, M(HOST), M(DEVICE));
	assert_details("MemcpyH2D", "kind_src:", COPY_HTOD, M(HOST), M(DEVICE));
	assert_details("Memcpy HtoD (Pinned -> Device)", "kind_src:pageable kind_dst:device",
		COPY_HTOD, M(PINNED), M(DEVICE));
}

static void test_others(void **state)
{
	(void)state;
	assert_class("Memcpy HtoD (Host -> Device)", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("CopyDeviceToHost", COPY_DTOH, M(DEVICE), M(HOST));
	assert_class("CopyHostToDevice", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("MEMORY_COPY_DEVICE_TO_DEVICE", COPY_DTOD, M(DEVICE), M(DEVICE));
	assert_class("hipMemcpyHostToDevice", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("__amd_rocclr_copyBuffer", COPY_UNKNOWN, M(UNKNOWN), M(UNKNOWN));
	assert_class("MemcpyH2D", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("MemcpyD2H", COPY_DTOH, M(DEVICE), M(HOST));
	assert_class("MemcpyD2D", COPY_DTOD, M(DEVICE), M(DEVICE));
	assert_class("MemcpyP2P", COPY_PTOP, M(DEVICE), M(DEVICE));
	assert_class("Memcpy M2D(0x1234)", COPY_HTOD, M(HOST), M(DEVICE));
	assert_class("zeCommandListAppendMemoryCopy(D2M)", COPY_DTOH, M(DEVICE), M(HOST));
}

static void assert_kernel(const char *name, enum copy_kernel want)
{
	if (copyclass_of_kernel(span_of(name)) != want)
		fail_msg("%s", name);
}

#define LAMBDA "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}"

static void test_kernels(void **state)
{
	(void)state;
	assert_kernel(
		"void at::native::unrolled_elementwise_kernel<" LAMBDA
		", at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1>>",
		COPY_KERNEL_CAST);
	assert_kernel(
		"void at::native::unrolled_elementwise_kernel<" LAMBDA
		", at::native::memory::LoadWithoutCast, at::native::memory::StoreWithoutCast>",
		COPY_KERNEL_LAYOUT);
	assert_kernel("void at::native::vectorized_elementwise_kernel<4, " LAMBDA ">",
		COPY_KERNEL_LAYOUT);
	assert_kernel("void at::native::elementwise_kernel<128, 4, "
		      "at::native::gpu_kernel_impl_nocast<" LAMBDA ">>",
		COPY_KERNEL_LAYOUT);
	assert_kernel(
		"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<" LAMBDA
		">>",
		COPY_KERNEL_UNCLEAR);
	assert_kernel("void at::native::vectorized_elementwise_kernel<4, "
		      "at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)>",
		COPY_KERNEL_CAST);
	assert_kernel("void at::native::CatArrayBatchedCopy<float, unsigned int, 3, 64, 64>",
		COPY_KERNEL_LAYOUT);
	assert_kernel("triton_poi_fused__to_copy_12", COPY_KERNEL_CAST);
	assert_kernel("triton_poi_fused__to_copy_add_3", COPY_KERNEL_NONE);
	assert_kernel("triton_poi_fused__to_copy_", COPY_KERNEL_NONE);
	assert_kernel("ampere_sgemm_32x32_tn", COPY_KERNEL_NONE);
	assert_int_equal(copyclass_of_types(SPAN("float"), SPAN("c10::Half")), COPY_KERNEL_CAST);
	assert_int_equal(copyclass_of_types(SPAN("float"), SPAN("float")), COPY_KERNEL_LAYOUT);
	assert_int_equal(copyclass_of_types(SPAN(""), SPAN("float")), COPY_KERNEL_UNCLEAR);
	assert_true(copyclass_is_copy_op(SPAN("aten::_to_copy")));
	assert_false(copyclass_is_copy_op(SPAN("aten::topk")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cuda),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
