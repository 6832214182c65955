/* What PyTorch writes into NVTX ranges, and what looks like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/format/torch_range.h"
#include "base/compiler.h"

static const struct {
	const char *text, *name, *sizes;
	int64_t sequence;
	bool is_op;
} ranges[] = {
	{ "aten::mm, seq = 12, op_id = 34, sizes = [[16, 64], [64, 32]]", "aten::mm",
		"[[16, 64], [64, 32]]", 12, true },
	{ "aten::to, op_id = 317177", "aten::to", NULL, -1, true },
	{ "aten::add, op_id = 7, sizes = [[8], [], []]", "aten::add", "[[8], [], []]", -1, true },
	{ "aten::mul, seq = 3, op_id = 9, sizes = [[2]], input_op_ids = [(8,0), (7,1)]",
		"aten::mul", "[[2]]", 3, true },
	{ "aten::relu, op_id = 9, input_op_ids = [(8,0)]", "aten::relu", NULL, -1, true },
	{ "MmBackward0, seq = 12, op_id = 90", "MmBackward0", NULL, 12, true },
	{ "aten::mm", "aten::mm", NULL, -1, true },
	{ "aten::mm, sizes = [[4, 4]]", "aten::mm", "[[4, 4]]", -1, true },
	{ "triton_poi_fused_add_0, op_id = 3, sizes = [[10, 10]]", "triton_poi_fused_add_0",
		"[[10, 10]]", -1, true },
	/* a person's regions: the profiler numbers those, too */
	{ "ProfilerStep#3, op_id = 4", "ProfilerStep#3", NULL, -1, false },
	{ "Optimizer.step#AdamW.step, op_id = 5", "Optimizer.step#AdamW.step", NULL, -1, false },
	{ "forward", "forward", NULL, -1, false },
	{ "FSDP::pre_forward (layers.1), op_id = 6", "FSDP::pre_forward (layers.1)", NULL, -1,
		false },
	{ "FSDP::all_gather, op_id = 6", "FSDP::all_gather", NULL, -1, false },
	{ "my region::part 2, op_id = 7", "my region::part 2", NULL, -1, false },
	{ "flash_attn::_flash_attn_forward, op_id = 8", "flash_attn::_flash_attn_forward", NULL, -1,
		true },
	{ "autograd::engine::evaluate_function: MmBackward0, op_id = 9",
		"autograd::engine::evaluate_function: MmBackward0", NULL, -1, true },
	{ "thrust::sort", "thrust::sort", NULL, -1, false },
	{ "", "", NULL, -1, false },
	/* texts that only look so */
	{ "x, op_id = 4b", "x, op_id = 4b", NULL, -1, false },
	{ "x, seq = ", "x, seq = ", NULL, -1, false },
	{ "x, sizes = [[1]] of it", "x, sizes = [[1]] of it", NULL, -1, false },
	{ "x, sizes = [[1]", "x, sizes = [[1]", NULL, -1, false },
	{ "x, sizes = [1], [2]", "x, sizes = [1], [2]", NULL, -1, false },
	{ "x, seq = 1234567890123456789, op_id = 1", "x, seq = 1234567890123456789", NULL, -1,
		false },
	{ "a, op_id = 1, op_id = 2", "a, op_id = 1", NULL, -1, false },
};

static void test_texts(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(ranges); i++) {
		struct torch_range t = torch_range_read(span_of(ranges[i].text));

		if (!span_is(t.name, ranges[i].name) || t.sequence != ranges[i].sequence ||
			t.is_op != ranges[i].is_op || !t.sizes.p != !ranges[i].sizes ||
			(t.sizes.p && !span_is(t.sizes, ranges[i].sizes)))
			fail_msg("%s: name '%.*s', sequence %lld, op %d, sizes '%.*s'",
				ranges[i].text, (int)t.name.n, t.name.p, (long long)t.sequence,
				t.is_op, (int)t.sizes.n, t.sizes.p ? t.sizes.p : "");
	}
}

/* Whatever is cut off, it reads no byte that is not there (a sanitizer looks), and the name is a
 * beginning of the text. */
static void test_every_cut(void **state)
{
	size_t i, n;

	(void)state;
	for (i = 0; i < COUNT_OF(ranges); i++)
		for (n = 0; n <= strlen(ranges[i].text); n++) {
			char *copy = test_malloc(n ? n : 1);
			struct torch_range t;

			memcpy(copy, ranges[i].text, n);
			t = torch_range_read((struct span){ copy, n });
			assert_ptr_equal(t.name.p, copy);
			assert_true(t.name.n <= n);
			test_free(copy);
		}
}

/* A range without a text. */
static void test_nothing(void **state)
{
	struct torch_range t = torch_range_read((struct span){ NULL, 0 });

	(void)state;
	assert_null(t.name.p);
	assert_false(t.is_op);
	assert_int_equal(t.sequence, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_every_cut),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
