/*
 * Work of vector units: normalisations, elementwise ops, reductions, moving, lists, fused kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/costmodel/costing.h"

#define F    "\"float\""
#define S    "\"Scalar\""
#define L    "\"ScalarList\""
#define BF16 "\"c10::BFloat16\""

static void check(const char *name, const char *dims, const char *types, const char *values,
	int64_t flop, int64_t bytes)
{
	const struct costing c = { .name = name, .dims = dims, .types = types, .values = values };

	assert_cost(&c, flop, bytes);
}

/* 2 x 3 x 4 = 24 elements of 3 channels: 5 x 24 + 6 x 3; evaluating 2 x 24 + 6 x 3. */
static void test_norms(void **state)
{
	(void)state;
	check("aten::batch_norm", "[[2, 3, 4], [3], [3], [3], [3], [], [], [], []]",
		"[" F "," F "," F "," F "," F "," S "," S "," S "," S "]",
		"[\"\", \"\", \"\", \"\", \"\", \"True\", \"0.1\", \"0.\", \"True\"]", 138,
		(48 + 6 + 12) * 4);
	check("aten::batch_norm", "[[2, 3, 4], [3], [3], [3], [3], [], [], [], []]",
		"[" F "," F "," F "," F "," F "," S "," S "," S "," S "]",
		"[\"\", \"\", \"\", \"\", \"\", \"False\", \"0.1\", \"0.\", \"True\"]", 66,
		(48 + 6 + 6) * 4);
	/* No weights: nothing of them is moved. */
	check("aten::layer_norm", "[[2, 3, 4], [], [], [], [], []]",
		"[" F "," L ",\"\",\"\"," S "," S "]",
		"[\"\", \"[4]\", \"\", \"\", \"0.\", \"True\"]", 5 * 24 + 24, 48 * 4);
	check("aten::native_layer_norm_backward",
		"[[2, 4], [2, 4], [], [2, 1], [2, 1], [4], [4], []]",
		"[" F "," F "," L "," F "," F "," F "," F "," L "]",
		"[\"\", \"\", \"[4]\", \"\", \"\", \"\", \"\", \"[True, True, True]\"]", 72,
		(24 + 4 + 4 + 4 + 4) * 4);
	check("aiter::rmsnorm", "[[2, 4], [2, 4], [4], []]", "[" BF16 "," BF16 "," BF16 "," S "]",
		NULL, 4 * 8 + 4, (16 + 4) * 2);
	check("aten::_softmax", "[[2, 4], [], []]", "[" BF16 "," S "," S "]",
		"[\"\", \"-1\", \"True\"]", 24, 16 + 32);
}

static void test_types_of_results(void **state)
{
	(void)state;
	check("aten::add", "[[2, 3], [3], []]", "[" F "," BF16 "," S "]", NULL, 6, 24 + 6 + 24);
	check("aten::add_", "[[2, 3], [3], []]", "[" BF16 "," F "," S "]", NULL, 6, 12 + 12 + 12);
	/* A number does not widen, but has a point. */
	check("aten::mul", "[[2, 3], []]", "[" BF16 ",\"double\"]", NULL, 6, 12 + 8 + 12);
	check("aten::mul", "[[2, 3], []]", "[\"long int\",\"double\"]", NULL, 6, 48 + 8 + 24);
	check("aten::mul", "[[2, 3], []]", "[\"int\"," S "]", "[\"\", \"2\"]", 6, 48);
	check("aten::div", "[[2, 3], []]", "[\"int\"," S "]", "[\"\", \"2\"]", 6, 48);
	check("aten::div", "[[2, 3], []]", "[\"long int\"," S "]", "[\"\", \"2\"]", 6, 72);
	check("aten::eq", "[[2, 3], [2, 1]]", "[" F "," F "]", NULL, 6, 24 + 8 + 6);
	check("aten::where", "[[2, 3], [2, 3], []]", "[\"bool\"," BF16 "," S "]",
		"[\"\", \"\", \"0.\"]", 6, 6 + 12 + 12);
	check("aten::gelu", "[[2, 3], []]", "[" BF16 ",\"\"]", NULL, 6, 24);
	check("aten::copy_", "[[2, 3], [2, 3], []]", "[" F "," BF16 "," S "]", NULL, 6, 36);
	check("aten::fill_", "[[2, 3], []]", "[" F "," S "]", NULL, 0, 24);
	check("sgl_kernel::silu_and_mul", "[[2, 3], [2, 6]]", "[" BF16 "," BF16 "]", NULL, 30, 36);
	/* 2 rows of 3 numbers: 3 bytes and 8 of scale and bias a row. */
	check("fbgemm::FloatToFP8RowwiseQuantized", "[[2, 3], []]", "[" F "," S "]", NULL, 6,
		24 + 22);
	check("fbgemm::FP8RowwiseQuantizedToFloat", "[[2, 11], []]", "[\"unsigned char\"," S "]",
		NULL, 6, 22 + 24);
	check("fbgemm::FloatToHFP8Quantized", "[[6], [], [], []]", "[" F "," S "," S "," S "]",
		NULL, 6, 24 + 6);
	check("fbgemm::HFP8QuantizedToFloat", "[[6], [], []]", "[\"unsigned char\"," S "," S "]",
		NULL, 6, 6 + 24);
	check("fbgemm::permute_pooled_embs_auto_grad", "[[2, 6], [3], [2], [3], [2]]",
		"[" F "," L "," L "," L "," L "]", NULL, 0, 48 + 48);
	check("aten::native_dropout", "[[2, 3], [], []]", "[" F "," S "," S "]", NULL, 12, 54);
}

static void test_reductions(void **state)
{
	(void)state;
	check("aten::sum", "[[2, 3, 4], [], [], []]", "[" F "," L "," S ",\"\"]",
		"[\"\", \"[0, -1]\", \"False\", \"\"]", 24, 96 + 12);
	check("aten::sum", "[[2, 3], []]", "[\"int\",\"\"]", "[\"\", \"\"]", 6, 24 + 8);
	check("aten::mean", "[[2, 3], [], [], []]", "[" BF16 "," L "," S ",\"\"]",
		"[\"\", \"[]\", \"False\", \"6\"]", 6, 12 + 4);
	check("aten::max", "[[2, 3], [], []]", "[" F "," S "," S "]", "[\"\", \"1\", \"False\"]", 6,
		24 + 8 + 16);
	check("aten::argmax", "[[2, 3], [], []]", "[" F "," S "," S "]",
		"[\"\", \"-1\", \"False\"]", 6, 24 + 16);
	check("aten::cumsum", "[[4], [], []]", "[\"int\"," S ",\"\"]", "[\"\", \"0\", \"\"]", 4,
		48);
	/* Without values the work is known, what comes out is not. */
	check("aten::sum", "[[2, 3], [], [], []]", "[" F "," L "," S ",\"\"]", NULL, 6, -1);
}

/* What no arguments tell is said, with its reason. */
static void test_untold(void **state)
{
	static const struct costing experts = { .name = "vllm::moe_forward",
		"[[8, 64], [8, 4], [], []]",
		"[" BF16 "," BF16 ",\"\",\"\"]" },
				    tables = { .name = "torch::autograd::CppNode<"
						       "SplitLookupFunction_rowwise_adagrad_Op>",
					    "[[64, 40]]",
					    "[" F "]" },
				    rows = { .name = "aten::nonzero", "[[8]]", "[" F "]" },
				    narrow = { .name = "fbgemm::FP8RowwiseQuantizedToFloat",
					    "[[2, 7], []]",
					    "[\"unsigned char\"," S "]" };

	(void)state;
	assert_no_cost(&experts, ROOF_WHY_NO_WEIGHTS);
	assert_no_cost(&tables, ROOF_WHY_NO_TABLES);
	assert_no_cost(&rows, ROOF_WHY_NO_OUTPUT);
	assert_no_cost(&narrow, ROOF_WHY_MISFIT);
}

static void test_moving(void **state)
{
	(void)state;
	/* 5 of 100 rows of 4: fetched once each, written. */
	check("aten::embedding", "[[100, 4], [5], [], [], []]",
		"[" F ",\"long int\"," S "," S "," S "]", NULL, 0, 80 + 80 + 40);
	/* Never more than there is. */
	check("aten::embedding", "[[2, 4], [5], [], [], []]",
		"[" F ",\"long int\"," S "," S "," S "]", NULL, 0, 32 + 80 + 40);
	check("aten::index_select", "[[3, 6], [], [2]]", "[" F "," S ",\"int\"]",
		"[\"\", \"1\", \"\"]", 0, 24 + 24 + 8);
	check("aten::embedding_dense_backward", "[[5, 4], [5], [], [], []]",
		"[" F ",\"long int\"," S "," S "," S "]",
		"[\"\", \"\", \"100\", \"-1\", \"False\"]", 20, 80 + 40 + 1600);
	assert_no_cost(&(struct costing){ .name = "aten::nonzero", "[[5]]", "[" F "]" },
		ROOF_WHY_NO_OUTPUT);
}

static void test_lists(void **state)
{
	struct costing c = {
		.name = "aten::cat", "[[[2, 3], [2, 1]], []]", "[\"TensorList\"," S "]"
	};

	(void)state;
	assert_no_cost(&c, ROOF_WHY_NO_TYPE);
	c.kernel = "void CatArrayBatchedCopy<at::native::OpaqueType<2u>, unsigned int, 2, 64, 64>";
	assert_cost(&c, 0, 2 * 16);
	c.kernel = "void CatArrayBatchedCopy<float, unsigned int, 2, 128, 1>";
	assert_cost(&c, 0, 2 * 32);
	c.dims = "[[], []]";
	assert_no_cost(&c, ROOF_WHY_NO_SHAPES);
	c = (struct costing){ .name = "aten::_foreach_add_",
		"[[[2, 3]], [[2, 3]], []]",
		"[\"TensorList\", \"TensorList\"," S "]" };
	c.kernel =
		"multi_tensor_apply_kernel<TensorListMetadata<2>, BinaryOpListAlphaFunctor<float, 2>>";
	assert_cost(&c, 6, 3 * 24);
	c.name = "aten::_fused_adamw_";
	c.dims = "[[[6]], [[6]], [[6]], [[6]], [], [[]]]";
	c.types =
		"[\"TensorList\", \"TensorList\", \"TensorList\", \"TensorList\", \"TensorList\", \"TensorList\"]";
	assert_cost(&c, 15 * 6, 7 * 24);
	c.dims = "[[], [], [], [], [], []]";
	assert_no_cost(&c, ROOF_WHY_NO_SHAPES);
}

/* add 1, silu 4, views nothing; a word that is no op says that the sum is not known. */
static void test_fused(void **state)
{
	(void)state;
	check("triton_poi_fused__unsafe_view_add_silu_3", "[[6], [6], []]", "[" F "," F "," S "]",
		"[\"\", \"\", \"6\"]", 30, 48);
	check("triton_red_fused_add_mean_0", "[[2, 3], [2], [], []]", "[" F "," F "," S "," S "]",
		"[\"\", \"\", \"2\", \"3\"]", 12, 32);
	check("triton_poi_fused_add_frobnicate_0", "[[6], [6], []]", "[" F "," F "," S "]",
		"[\"\", \"\", \"6\"]", -1, 48);
	check("triton_poi_fused_0", "[[6], []]", "[" F "," S "]", "[\"\", \"6\"]", -1, 24);
	assert_null(roof_op_of(SPAN("triton_kernel")));
}

/* Each row's name is found as itself: none stands in another's way. */
static void test_table(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < roof_nop; i++) {
		const char *names = roof_ops[i].names;
		struct span name;

		while (span_words(&names, &name)) {
			name.n -= name.p[name.n - 1] == '*';
			if (roof_op_of(name) != &roof_ops[i])
				fail_msg("%.*s is found as another", (int)name.n, name.p);
		}
		assert_non_null(roof_ops[i].source);
	}
	assert_ptr_equal(roof_op_of(SPAN("aten::add_")), roof_op_of(SPAN("aten::add")));
	assert_null(roof_op_of(SPAN("aten::t")));
	assert_null(roof_op_of(SPAN("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_norms),
		cmocka_unit_test(test_types_of_results),
		cmocka_unit_test(test_reductions),
		cmocka_unit_test(test_untold),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_fused),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
