/* Attention: pairs of queries and keys, forward, backward, packed and served. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/costmodel/request.h"
#include "tests/unit/analyze/costmodel/costing.h"

#define BF16 "\"c10::BFloat16\""
#define QKV  "[" BF16 ", " BF16 ", " BF16

#define TORCH(dims, causal)                                                \
	{                                                                  \
		.name = "aten::_scaled_dot_product_flash_attention", dims, \
		QKV ", \"Scalar\", \"Scalar\", \"Scalar\"]", NULL,         \
		"[\"\", \"\", \"\", \"0.\", \"" causal "\", \"False\"]"    \
	}

/* Batch 1, 2 heads, 4 queries and keys of width 8: 16 pairs x 2 heads x 2 products x 2 x 8 = 1024;
 * q, k, v and o are 64 elements each. */
static void test_forward(void **state)
{
	const struct costing full =
		TORCH("[[1, 2, 4, 8], [1, 2, 4, 8], [1, 2, 4, 8], [], [], []]", "False");
	const struct costing causal =
		TORCH("[[1, 2, 4, 8], [1, 2, 4, 8], [1, 2, 4, 8], [], [], []]", "True");
	struct costing unsaid = full;

	(void)state;
	assert_cost(&full, 1024, 512);
	assert_cost(&causal, 512, 512);
	unsaid.values = NULL;
	assert_cost(&unsaid, -1, 512);
	assert_no_cost(&unsaid, ROOF_WHY_NO_VALUES);
}

/* 2 queries, 4 keys: from the first position (torch) half of 2 x 2; from the last 2 x 4 less that.
 */
static void test_causal_of_more_keys(void **state)
{
	const struct costing early =
		TORCH("[[1, 1, 2, 8], [1, 1, 4, 8], [1, 1, 4, 8], [], [], []]", "True");
	struct costing late = { .name = "flash_attn::_flash_attn_forward",
		"[[1, 2, 1, 8], [1, 4, 1, 8], [1, 4, 1, 8], [], [], [], [], []]",
		QKV ", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\"]",
		NULL,
		"[\"\", \"\", \"\", \"0.\", \"0.3\", \"True\", \"-1\", \"-1\"]" };

	(void)state;
	assert_cost(&early, 2 * 2 * 16, (16 + 32 + 32 + 16) * 2);
	assert_cost(&late, (2 * 8 - 4) * 16, 192);
	/* Each query sees itself and one key before: 2 pairs each, exactly. */
	late.values = "[\"\", \"\", \"\", \"0.\", \"0.3\", \"True\", \"1\", \"0\"]";
	assert_cost(&late, 2 * 4 * 16, 192);
}

/* 4 heads share one key head: its bytes are a quarter. */
static void test_grouped_queries(void **state)
{
	const struct costing c =
		TORCH("[[1, 4, 2, 8], [1, 1, 2, 8], [1, 1, 2, 8], [], [], []]", "False");

	(void)state;
	assert_cost(&c, 4 * 2 * 4 * 16, (64 + 16 + 16 + 64) * 2);
}

/* Backward: dV, dP, dQ, dK and the pairs again, 5 products of 4 x 4 x 8 x 2 x 2 heads; q, k, v and
 * dO read, dQ, dK and dV written. */
static void test_backward(void **state)
{
	struct costing c = {
		.name = "aten::_scaled_dot_product_flash_attention_backward",
		"[[1, 2, 4, 8], [1, 2, 4, 8], [1, 2, 4, 8], [1, 2, 4, 8], [1, 2, 4, 8], [1, 2, 4], [], [], [], [], [], []]",
		"[" BF16 ", " BF16 ", " BF16 ", " BF16 ", " BF16
		", \"float\", \"\", \"\", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\"]",
		NULL,
		"[\"\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", \"4\", \"4\", \"0.\", \"False\"]"
	};
	struct roof_work w;

	(void)state;
	assert_cost(&c, 5 * 512, 7 * 128);
	w = cost_of(&c);
	assert_int_equal(w.again, 512);
}

#define VARLEN(starts, longest)                                                \
	{                                                                      \
		.name = "flash_attn::_flash_attn_varlen_forward",              \
		"[[8, 2, 4], [8, 2, 4], [8, 2, 4], [" starts "], [" starts     \
		"], [], [], [], [], []]",                                      \
		QKV ", \"int\", \"int\", \"Scalar\", \"Scalar\", \"Scalar\", " \
		    "\"Scalar\", \"Scalar\"]",                                 \
		NULL,                                                          \
		"[\"\", \"\", \"\", \"\", \"\", \"" longest "\", \"" longest   \
		"\", \"0.\", \"0.5\", \"True\"]"                               \
	}

/* 8 tokens: one sequence; 2 that are 4 at most, so both are 4; 3, of which nothing is known. */
static void test_packed(void **state)
{
	const struct costing one = VARLEN("2", "8"), two = VARLEN("3", "4"),
			     three = VARLEN("4", "4");

	(void)state;
	assert_cost(&one, 2 * 64 * 8, 4 * 64 * 2);
	assert_cost(&two, 2 * 2 * 16 * 8, 4 * 64 * 2);
	assert_cost(&three, -1, 4 * 64 * 2);
	assert_no_cost(&three, ROOF_WHY_NO_LENGTHS);
}

/* A cache of which 2 sequences of 4 are read, as long as what asks; in a replay they may be longer.
 */
static void test_paged(void **state)
{
	struct costing c = { .name = "aiter::mha_batch_prefill",
		"[[8, 2, 4], [64, 2, 4], [64, 2, 4], [3], [3], [9], [], [], [], [], [], [], []]",
		QKV ", \"int\", \"int\", \"int\", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\", "
		    "\"Scalar\", \"Scalar\", \"Scalar\"]",
		NULL,
		"[\"\", \"\", \"\", \"\", \"\", \"\", \"4\", \"4\", \"0.\", \"1.\", \"0.\", \"False\", "
		"\"True\"]" };

	(void)state;
	assert_cost(&c, 2 * 2 * 16 * 8, 4 * 64 * 2);
	c.is_replayed = true;
	assert_no_cost(&c, ROOF_WHY_NO_LENGTHS);
}

static void test_request(void **state)
{
	struct roof_request r;

	(void)state;
	assert_true(roof_request_read(
		SPAN("execute_3_context_1(sq2sk5sqsq4sqsk10)_generation_1(sq1sk7sqsq1sqsk7)"), &r));
	assert_int_equal(r.prompt.q, 2);
	assert_int_equal(r.prompt.k, 5);
	assert_int_equal(r.prompt.qq, 4);
	assert_int_equal(r.prompt.qk, 10);
	assert_int_equal(r.decode.qk, 7);
	assert_false(roof_request_read(SPAN("execute_3_context_1(sq2sk5)_generation_1(sq1)"), &r));
	assert_false(roof_request_read(SPAN("step[EXTEND bs=15 toks=15360]"), &r));
	assert_false(roof_request_read(SPAN(""), &r));
}

/* 2 new tokens that see 5, and one that sees 7: 10 pairs less half of 2 x 2, and 7; 4 heads of 8.
 * New tokens are read and written (3 x 4 heads x 16), 12 keys and values of one head are read. */
static void test_served(void **state)
{
	struct costing c = { .name = "vllm::unified_attention_with_output",
		"[[3, 4, 8], [3, 1, 8], [3, 1, 8], [3, 4, 8]]",
		QKV ", " BF16 "]",
		NULL,
		NULL,
		"execute_3_context_1(sq2sk5sqsq4sqsk10)_generation_1(sq1sk7sqsq1sqsk7)" };

	(void)state;
	assert_cost(&c, (2 * 10 - 4 + 2 * 7) * 4 * 16, (3 * 4 * 16 + 12 * 16) * 2);
	/* An annotation about more tokens than there are is about something else. */
	c.about = "execute_3_context_1(sq9sk9sqsq81sqsk81)_generation_0(sq0sk0sqsq0sqsk0)";
	assert_no_cost(&c, ROOF_WHY_NO_LENGTHS);
	c.about = NULL;
	assert_no_cost(&c, ROOF_WHY_NO_LENGTHS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forward),
		cmocka_unit_test(test_causal_of_more_keys),
		cmocka_unit_test(test_grouped_queries),
		cmocka_unit_test(test_backward),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_paged),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_served),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
