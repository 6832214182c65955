/* Convolutions: sizes of what comes out, groups, transposed ones, gradients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/costmodel/costing.h"

#define CONV(dims, values)                                                           \
	{                                                                            \
		.name = "aten::convolution", dims,                                   \
		"[\"float\", \"float\", \"float\", \"ScalarList\", \"ScalarList\", " \
		"\"ScalarList\", \"Scalar\", \"ScalarList\", \"Scalar\"]",           \
		NULL, values                                                         \
	}
#define REST ", [], [], [], [], [], []]"

/* 1 x 2 x 5 x 5 with 4 filters of 2 x 3 x 3, padded by 1: 4 x 5 x 5 outputs of 2 x 18 operations,
 * and a bias; stride 2 leaves 3 x 3. */
static void test_forward(void **state)
{
	const struct costing plain = CONV("[[1, 2, 5, 5], [4, 2, 3, 3], [4]" REST,
		"[\"\", \"\", \"\", \"[1, 1]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]");
	const struct costing strided = CONV("[[1, 2, 5, 5], [4, 2, 3, 3], [4]" REST,
		"[\"\", \"\", \"\", \"[2]\", \"[1]\", \"[1]\", \"False\", \"[0]\", \"1\"]");

	(void)state;
	assert_cost(&plain, 100 * 36 + 100, (50 + 72 + 100 + 4) * 4);
	assert_cost(&strided, 36 * 36 + 36, (50 + 72 + 36 + 4) * 4);
	assert_int_equal(cost_of(&plain).dtype, ROOF_FP32);
}

/* Of 2 groups each filter sees one of 2 channels; dilation 2 makes 3 reach over 5. */
static void test_groups_and_dilation(void **state)
{
	const struct costing c = CONV("[[1, 2, 5], [4, 1, 3], [4]" REST,
		"[\"\", \"\", \"\", \"[1]\", \"[0]\", \"[2]\", \"False\", \"[0]\", \"2\"]");

	(void)state;
	assert_cost(&c, 4 * 6 + 4, (10 + 12 + 4 + 4) * 4);
}

/* Each of 1 x 2 x 3 inputs spreads over 4 x 2 outputs; (3 - 1) x 2 + 2 = 6 come out. */
static void test_transposed(void **state)
{
	const struct costing c = CONV("[[1, 2, 3], [2, 4, 2], [4]" REST,
		"[\"\", \"\", \"\", \"[2]\", \"[0]\", \"[1]\", \"True\", \"[0]\", \"1\"]");

	(void)state;
	assert_cost(&c, 6 * 2 * 8 + 24, (6 + 16 + 24 + 4) * 4);
}

#define BACK(mask)                                                                            \
	{                                                                                     \
		.name = "aten::convolution_backward",                                         \
		"[[1, 4, 5, 5], [1, 2, 5, 5], [4, 2, 3, 3], [], [], [], [], [], [], [], []]", \
		"[\"float\", \"float\", \"float\", \"ScalarList\", \"ScalarList\", "          \
		"\"ScalarList\", \"ScalarList\", \"Scalar\", \"ScalarList\", \"Scalar\", "    \
		"\"ScalarList\"]",                                                            \
		NULL,                                                                         \
		"[\"\", \"\", \"\", \"[4]\", \"[1, 1]\", \"[1, 1]\", \"[1, 1]\", \"False\", " \
		"\"[0, 0]\", \"1\", \"" mask "\"]"                                            \
	}

/* Each gradient is as much as forward: dx reads dy and w, dw reads dy and x; db adds dy up. */
static void test_backward(void **state)
{
	const struct costing all = BACK("[True, True, True]"),
			     filter = BACK("[False, True, False]");
	struct costing unsaid = BACK("");

	(void)state;
	assert_cost(&all, 2 * 3600 + 100, (2 * (100 + 50 + 72) + 4) * 4);
	assert_cost(&filter, 3600, (100 + 50 + 72) * 4);
	unsaid.values = NULL;
	assert_no_cost(&unsaid, ROOF_WHY_NO_VALUES);
}

static void test_half(void **state)
{
	(void)state;
	assert_cost(&(struct costing){ .name = "aten::cudnn_convolution_backward_weight",
			    "[[1, 2, 5, 5], [1, 4, 5, 5], [4, 2, 3, 3]]",
			    "[\"float\", \"float\", \"float\"]" },
		3600, (100 + 50 + 72) * 4);
	assert_int_equal(
		roof_op_of(SPAN("aten::cudnn_convolution_backward_input"))->level, ROOF_PART);
}

static void test_misfits(void **state)
{
	const struct costing unsaid = CONV("[[1, 2, 5, 5], [4, 2, 3, 3], [4]" REST, NULL);
	const struct costing flat = CONV("[[2, 5], [4, 2], [4]" REST,
		"[\"\", \"\", \"\", \"[1]\", \"[1]\", \"[1]\", \"False\", \"[0]\", \"1\"]");
	const struct costing still = CONV("[[1, 2, 5], [4, 2, 3], [4]" REST,
		"[\"\", \"\", \"\", \"[0]\", \"[1]\", \"[1]\", \"False\", \"[0]\", \"1\"]");

	(void)state;
	assert_no_cost(&unsaid, ROOF_WHY_NO_VALUES);
	assert_no_cost(&flat, ROOF_WHY_MISFIT);
	assert_no_cost(&still, ROOF_WHY_MISFIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forward),
		cmocka_unit_test(test_groups_and_dilation),
		cmocka_unit_test(test_transposed),
		cmocka_unit_test(test_backward),
		cmocka_unit_test(test_half),
		cmocka_unit_test(test_misfits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
