/* Arguments of calls as the profiler writes them, whole and broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/costmodel/op_call.h"

static struct roof_call call;
static struct arena mem;

static bool reads(const char *dims, const char *types, const char *strides, const char *values)
{
	arena_clear(&mem);
	return roof_call_read(
		&call, span_of(dims), span_of(types), span_of(strides), span_of(values), &mem);
}

static void test_side_by_side(void **state)
{
	int64_t v;
	bool b;

	(void)state;
	assert_true(reads("[[141, 512], [], [2048]]", "[\"c10::BFloat16\", \"Scalar\", \"float\"]",
		"[[512, 1], [], [1]]", "[\"\", \"0.5\", \"\"]"));
	assert_int_equal(call.n, 3);
	assert_int_equal(call.arg[0].kind, ROOF_ARG_TENSOR);
	assert_int_equal(call.arg[0].shape.n, 2);
	assert_int_equal(call.arg[0].shape.dim[1], 512);
	assert_true(call.arg[0].shape.has_strides);
	assert_int_equal(roof_arg_bytes(&call.arg[0]), 141 * 512 * 2);
	assert_int_equal(call.arg[1].kind, ROOF_ARG_SCALAR);
	assert_true(span_is(call.arg[1].value, "0.5"));
	assert_int_equal(roof_arg_bytes(&call.arg[2]), 2048 * 4);
	assert_false(roof_call_int(&call, 1, &v));
	assert_false(roof_call_bool(&call, 0, &b));
	assert_null(roof_call_tensor(&call, 1));
	assert_null(roof_call_tensor(&call, -1));
	assert_null(roof_call_tensor(&call, 3));
}

static void test_expanded_is_stored_once(void **state)
{
	(void)state;
	assert_true(reads("[[4, 8]]", "[\"float\"]", "[[0, 1]]", ""));
	assert_int_equal(roof_elements(&call.arg[0].shape), 32);
	assert_int_equal(roof_stored(&call.arg[0].shape), 8);
	assert_int_equal(roof_arg_bytes(&call.arg[0]), 32);
	/* Without strides nothing is known of that; an empty tensor stays empty. */
	assert_true(reads("[[4, 8]]", "[\"float\"]", "", ""));
	assert_int_equal(roof_stored(&call.arg[0].shape), 32);
	assert_true(reads("[[0, 8]]", "[\"float\"]", "[[0, 1]]", ""));
	assert_int_equal(roof_stored(&call.arg[0].shape), 0);
}

static void test_lists(void **state)
{
	(void)state;
	assert_true(reads("[[[2, 3], [4]], []]", "[\"TensorList\", \"Scalar\"]",
		"[[[3, 1], [1]], []]", "[\"\", \"-1\"]"));
	assert_int_equal(call.arg[0].kind, ROOF_ARG_LIST);
	assert_int_equal(call.arg[0].nmember, 2);
	assert_int_equal(roof_arg_elements(&call.arg[0]), 10);
	assert_int_equal(roof_arg_bytes(&call.arg[0]), -1); /* of unknown type */
	assert_true(reads("[[[2, 3], [4]]]", "[[\"float\", \"float\"]]", "", ""));
	assert_int_equal(roof_arg_bytes(&call.arg[0]), 40);
	assert_true(reads("[[[2, 3], [4]]]", "[[\"float\", \"double\"]]", "", ""));
	assert_int_equal(roof_arg_bytes(&call.arg[0]), -1);
}

static void test_values(void **state)
{
	int64_t v[3];
	bool b;

	(void)state;
	assert_true(reads("[[], [], [], [], []]", "[]", "",
		"[\"[1, -2]\", \"7\", \"True\", \"[True, False]\", \"None\"]"));
	assert_int_equal(roof_call_list(&call, 0, v, 3), 2);
	assert_int_equal(v[1], -2);
	assert_int_equal(roof_call_list(&call, 0, v, 1), -1); /* no room */
	assert_int_equal(roof_call_list(&call, 1, v, 3), 1);
	assert_int_equal(v[0], 7);
	assert_true(roof_call_bool(&call, 2, &b) && b);
	assert_true(roof_call_mask(&call, 3, 0));
	assert_false(roof_call_mask(&call, 3, 1));
	assert_true(roof_call_mask(&call, 3, 2)); /* nothing said */
	assert_false(roof_call_int(&call, 4, v));
}

static void test_broken(void **state)
{
	static const char *const dims[] = { "", "[", "7", "[7]", "[[1, 2", "{\"a\": 1}",
		"[[1] [2]]", "[\"x\"]" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(dims); i++)
		if (reads(dims[i], "[\"float\"]", "", "") && i != 4)
			fail_msg("read: %s", dims[i]);
	/* A shape that is none is an argument without a shape; the others are as they are. */
	assert_true(reads("[[-1, 2], [\"a\"], [3], [99999999999999999999]]",
		"[\"float\", \"float\", \"float\", \"float\"]", "", ""));
	assert_null(roof_call_tensor(&call, 0));
	assert_null(roof_call_tensor(&call, 1));
	assert_non_null(roof_call_tensor(&call, 2));
	assert_null(roof_call_tensor(&call, 3));
	/* More dimensions than any tensor has. */
	assert_true(reads("[[1,1,1,1,1,1,1,1,1,1,1,1,1]]", "[\"float\"]", "", ""));
	assert_null(roof_call_tensor(&call, 0));
	/* Sizes that do not fit are not small ones. */
	assert_true(reads("[[4294967296, 4294967296]]", "[\"float\"]", "", ""));
	assert_int_equal(roof_elements(&call.arg[0].shape), ROOF_MANY);
}

static void test_prefixes(void **state)
{
	static const char dims[] = "[[141, 512], [[1, 2], [3]], [2048]]";
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(dims); n++) {
		struct span cut = { dims, n };

		(void)roof_call_read(&call, cut, cut, cut, cut, &mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_expanded_is_stored_once),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_prefixes),
	};
	int failed;

	arena_init(&mem);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_clear(&mem);
	return failed;
}
