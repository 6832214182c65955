/* Kinds: the spellings of 2021 to 2026, ignoring case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/kinds.h"
#include "base/compiler.h"

static void categories(void **state)
{
	static const struct {
		const char *cat;
		enum kind kind;
	} rows[] = {
		{ "cpu_op", KIND_OP },
		{ "Operator", KIND_OP },
		{ "CPU_OP", KIND_OP },
		{ "hpu_op", KIND_OP },
		{ "user_annotation", KIND_ANNOTATION },
		{ "gpu_user_annotation", KIND_GPU_ANNOTATION },
		{ "python_function", KIND_PYTHON },
		{ "Python", KIND_PYTHON },
		{ "cuda_runtime", KIND_RUNTIME },
		{ "Runtime", KIND_RUNTIME },
		{ "cuda_driver", KIND_RUNTIME },
		{ "hip_runtime", KIND_RUNTIME },
		{ "xpu_runtime", KIND_RUNTIME },
		{ "xpu_driver", KIND_RUNTIME },
		{ "mtia_runtime", KIND_RUNTIME },
		{ "glow_runtime", KIND_RUNTIME },
		{ "privateuse1_runtime", KIND_RUNTIME },
		{ "privateuse1_driver", KIND_RUNTIME },
		{ "Kernel", KIND_KERNEL },
		{ "kernel", KIND_KERNEL },
		{ "mtia_ccp_events", KIND_KERNEL },
		{ "collective_comm", KIND_KERNEL },
		{ "Memcpy", KIND_MEMCPY },
		{ "gpu_memcpy", KIND_MEMCPY },
		{ "Memset", KIND_MEMSET },
		{ "gpu_memset", KIND_MEMSET },
		{ "cuda_sync", KIND_SYNC },
		{ "xpu_sync", KIND_SYNC },
		{ "cuda_event", KIND_GPU_EVENT },
		{ "cuda_profiler_range", KIND_GPU_EVENT },
		{ "overhead", KIND_OVERHEAD },
		{ "Trace", KIND_SPAN },
		{ "", KIND_OTHER },
		{ "node,node.fs", KIND_OTHER },
		{ "kernels", KIND_OTHER },
		{ "kerne", KIND_OTHER },
		{ "blink.user_timing", KIND_OTHER },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(kind_of_cat(span_of(rows[i].cat)), rows[i].kind);
	assert_int_equal(kind_of_cat(SPAN("kernel\0")), KIND_OTHER);
}

static void names(void **state)
{
	(void)state;
	assert_int_equal(kind_refine(KIND_INSTANT, SPAN("[memory]")), KIND_MEMORY);
	assert_int_equal(kind_refine(KIND_INSTANT, SPAN("[OutOfMemory]")), KIND_MEMORY);
	assert_int_equal(kind_refine(KIND_INSTANT, SPAN("[memory] ")), KIND_INSTANT);
	assert_int_equal(kind_refine(KIND_OP, SPAN("ProfilerStep#3")), KIND_OP);
	assert_int_equal(kind_refine(KIND_OP, SPAN("")), KIND_OP);
}

static void words_and_sets(void **state)
{
	int i, k;

	(void)state;
	for (i = 0; i < KIND_COUNT; i++)
		for (k = 0; k < i; k++)
			assert_string_not_equal(kind_word((enum kind)i), kind_word((enum kind)k));
	assert_true(kind_is_device(KIND_KERNEL) && kind_is_device(KIND_MEMCPY) &&
		kind_is_device(KIND_MEMSET));
	assert_false(kind_is_device(KIND_SYNC) || kind_is_device(KIND_GPU_ANNOTATION) ||
		kind_is_device(KIND_OP));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(categories),
		cmocka_unit_test(names),
		cmocka_unit_test(words_and_sets),
	};

	return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
