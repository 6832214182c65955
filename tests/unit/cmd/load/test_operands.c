/* Operands of commands that compare: words of a command line, and paths that are nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "cmd/load/operands.h"

static const char *const odd[] = { "base=x", "vs", "-", "new=y", "--", "@z" };

static void test_words(void **state)
{
	static const char *const labelled[] = { "a=one", "a=two", "b=three" };
	static const char *const between[] = { "one", "two", "vs", "three" };
	struct operands o;
	SCOPED_ARENA mem = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(operands_split(&o, labelled, 3, 2, 2, &mem, &e), OK);
	assert_int_equal(o.side[0].npath, 2);
	assert_string_equal(o.side[1].label, "b");
	assert_string_equal(o.side[1].path[0], "three");
	assert_int_equal(operands_split(&o, between, 4, 2, 2, &mem, &e), OK);
	assert_int_equal(o.side[0].npath, 2);
	assert_string_equal(o.side[1].path[0], "three");
}

/* The same for every way to cut them in two: each path is on its side as it was given. */
static void test_paths(void **state)
{
	const size_t n = COUNT_OF(odd);
	struct operands o;
	SCOPED_ARENA mem = { 0 };
	struct err e;
	size_t first, i;

	(void)state;
	for (first = 1; first < n; first++) {
		assert_int_equal(operands_take(&o, odd, n, first, 2, &mem, &e), OK);
		assert_int_equal(o.n, 2);
		assert_string_equal(o.side[0].label, "base");
		assert_string_equal(o.side[1].label, "new");
		assert_int_equal(o.side[0].npath, first);
		for (i = 0; i < n; i++)
			assert_ptr_equal(
				i < first ? o.side[0].path[i] : o.side[1].path[i - first], odd[i]);
	}
	assert_int_equal(operands_take(&o, odd, 2, 1, 2, &mem, &e), OK);
	assert_string_equal(o.side[0].label, "base=x");
	assert_string_equal(o.side[1].label, "vs");
	assert_int_equal(operands_take(&o, odd, n, 0, 1, &mem, &e), OK);
	assert_int_equal(o.n, 1);
	assert_int_equal(o.side[0].npath, n);
	assert_int_equal(
		operands_take(&o, odd, OPERANDS_TOGETHER_MAX + 1, 1, 2, &mem, &e), E_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
