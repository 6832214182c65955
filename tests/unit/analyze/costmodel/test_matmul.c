/* Matrix products: a multiply-add is two, each matrix is moved once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/costmodel/costing.h"

#define BF16 "\"c10::BFloat16\""
#define FP8  "\"c10::Float8_e4m3fn\""

/* 2 x 3 by 3 x 5: 2 x 2 x 5 x 3 = 60; (6 + 15 + 10) x 2 = 62. */
static void test_mm(void **state)
{
	(void)state;
	assert_cost(
		&(struct costing){ .name = "aten::mm", "[[2, 3], [3, 5]]", "[" BF16 ", " BF16 "]" },
		60, 62);
	assert_cost(&(struct costing){ .name = "aten::mm",
			    "[[2, 3], [3, 5], [2, 5]]",
			    "[" BF16 ", " BF16 ", \"float\"]" },
		60, 42 + 40);
	/* Four of them. */
	assert_cost(
		&(struct costing){
			.name = "aten::bmm", "[[4, 2, 3], [4, 3, 5]]", "[\"float\", \"float\"]" },
		240, 496);
	assert_cost(
		&(struct costing){ .name = "aten::mv", "[[2, 3], [3]]", "[\"float\", \"float\"]" },
		12, (6 + 3 + 2) * 4);
	assert_int_equal(
		cost_of(&(struct costing){
				.name = "aten::mm", "[[2, 3], [3, 5]]", "[" BF16 ", " BF16 "]" })
			.dtype,
		ROOF_BF16);
}

/* The bias is an addition an element, and read; beta = 0 leaves it out. */
static void test_addmm(void **state)
{
	struct costing c = { .name = "aten::addmm",
		"[[5], [2, 3], [3, 5], [], []]",
		"[" BF16 ", " BF16 ", " BF16 ", \"Scalar\", \"Scalar\"]",
		NULL,
		"[\"\", \"\", \"\", \"1\", \"1\"]" };

	(void)state;
	assert_cost(&c, 70, 72);
	c.values = "[\"\", \"\", \"\", \"0\", \"1\"]";
	assert_cost(&c, 60, 62);
	/* A bias that was expanded to rows is stored once. */
	c.values = NULL;
	c.dims = "[[2, 5], [2, 3], [3, 5], [], []]";
	assert_cost(&c, 70, 82);
	c.strides = "[[0, 1], [3, 1], [5, 1], [], []]";
	assert_cost(&c, 70, 72);
}

/* Weights as N x K. */
static void test_linear(void **state)
{
	(void)state;
	assert_cost(&(struct costing){ .name = "aten::linear",
			    "[[4, 2, 3], [5, 3], []]",
			    "[\"float\", \"float\", \"\"]" },
		240, (24 + 15 + 40) * 4);
	assert_cost(&(struct costing){ .name = "aiter::gemm_a16w16",
			    "[[2, 3], [5, 3], [5], []]",
			    "[" BF16 ", " BF16 ", " BF16 ", \"Scalar\"]",
			    NULL,
			    "[\"\", \"\", \"\", \"15\"]" },
		70, 72);
}

/* Eight bits in, 16 out (out_dtype 15), scales of 4 bytes each; without values the output's type is
 * not known. */
static void test_scaled(void **state)
{
	struct costing c = { .name = "aten::_scaled_mm",
		"[[2, 16], [16, 4], [], [], [], [], [], []]",
		"[" FP8 ", " FP8 ", \"float\", \"float\", \"\", \"\", \"Scalar\", \"Scalar\"]",
		NULL,
		"[\"\", \"\", \"\", \"\", \"\", \"\", \"15\", \"False\"]" };

	(void)state;
	assert_cost(&c, 256, 32 + 64 + 16 + 8);
	assert_int_equal(cost_of(&c).dtype, ROOF_FP8);
	c.values = NULL;
	assert_no_cost(&c, ROOF_WHY_NO_TYPE);
	/* Pairs of 4 bits: K is twice what is stored. */
	c = (struct costing){ .name = "aiter::_gemm_a4w4_asm",
		"[[2, 8], [4, 8], [2, 1], [4, 1], [2, 4]]",
		"[\"unsigned char\", \"unsigned char\", \"unsigned char\", \"unsigned char\", " BF16
		"]" };
	assert_cost(&c, 256, 16 + 32 + 2 + 4 + 16);
	assert_int_equal(cost_of(&c).dtype, ROOF_FP4);
	assert_cost(&(struct costing){ .name = "aten::_int_mm",
			    "[[2, 3], [3, 5]]",
			    "[\"signed char\", \"signed char\"]" },
		60, 6 + 15 + 40);
}

static void test_grouped(void **state)
{
	(void)state;
	/* 8 rows in 3 groups by 3 matrices of 2 x 4. */
	assert_cost(&(struct costing){ .name = "aten::_grouped_mm",
			    "[[8, 2], [3, 2, 4], [3], [], []]",
			    "[" BF16 ", " BF16 ", \"int\", \"\", \"\"]" },
		2 * 8 * 2 * 4, (16 + 24 + 32) * 2);
	/* The groups cut K: each gives a matrix. */
	assert_cost(&(struct costing){ .name = "aten::_grouped_mm",
			    "[[4, 8], [8, 2], [3], [], []]",
			    "[" BF16 ", " BF16 ", \"int\", \"\", \"\"]" },
		2 * 4 * 8 * 2, (32 + 16 + 24) * 2);
}

/*
 * 2 tokens of width 4, each through 2 of 8 experts of width 3, gated: 2 x 2 x 2 x 4 x 3 x 3 = 288
 * and the weighted sums 2 x 4 x 3 = 24; weights of 4 experts (72 + ... = 36 elements each) are met.
 */
static void test_experts(void **state)
{
	(void)state;
	assert_cost(&(struct costing){ .name = "vllm::outplace_fused_experts",
			    "[[2, 4], [8, 6, 4], [8, 4, 3], [2, 2], [2, 2]]",
			    "[" BF16 ", " BF16 ", " BF16 ", \"float\", \"int\"]" },
		288 + 24, 4 * 36 * 2 + 2 * 16);
}

static void test_misfits(void **state)
{
	(void)state;
	assert_no_cost(
		&(struct costing){ .name = "aten::mm", "[[2, 3], [4, 5]]", "[" BF16 ", " BF16 "]" },
		ROOF_WHY_MISFIT);
	assert_no_cost(
		&(struct costing){ .name = "aten::mm", "[[2, 3]]", "[" BF16 "]" }, ROOF_WHY_MISFIT);
	assert_no_cost(&(struct costing){ .name = "aten::bmm", "[[2, 3], [3, 5]]", "[]" },
		ROOF_WHY_MISFIT);
	assert_cost(
		&(struct costing){ .name = "aten::mm", "[[2, 3], [3, 5]]", "[\"Odd\", \"Odd\"]" },
		60, -1);
	/* What does not fit is not known. */
	assert_no_cost(&(struct costing){ .name = "aten::mm",
			       "[[4294967296, 4294967296], [4294967296, 1]]",
			       "[\"float\", \"float\"]" },
		ROOF_WHY_MISFIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mm),
		cmocka_unit_test(test_addmm),
		cmocka_unit_test(test_linear),
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_grouped),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_misfits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
