/* Execution traces from texts: both schemas, uses of memory, and what is wrong with others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "analyze/input/exectrace/exectrace_read.h"
#include "base/compiler.h"

static const char old_text[] =
	"{\"schema\": \"1.0.1\", \"nodes\": ["
	"{\"name\": \"aten::add_\", \"id\": 9, \"rf_id\": 4, \"parent\": 3, \"tid\": 2,"
	" \"op_schema\": \"aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)\","
	" \"inputs\": [[5, 6, 0, 8, 4, \"cuda:0\"], [[7, 8, 4, 8, 4, \"cuda:0\"]]],"
	" \"outputs\": [[5, 6, 0, 8, 4, \"cuda:0\"]]},"
	"{\"name\": \"[pytorch|profiler|execution_graph|thread]\", \"id\": 2, \"parent\": 2},"
	"{\"name\": \"Layer\", \"id\": 3, \"rf_id\": 3, \"parent\": 2, \"tid\": 2,"
	" \"inputs\": [[5, 0, 0, 0, 0, \"\"], 1, \"<None>\"], \"outputs\": [[1, 16, 0, 2, 4, "
	"\"cpu\"]]}]}";

static const char new_text[] =
	"{\"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": [{\"id\": 3, \"name\": \"aten::mm\","
	" \"ctrl_deps\": 1, \"inputs\": {\"values\": [[5, 6, 2, 8, 4, \"cuda:0\"]],"
	" \"shapes\": [[4, 2]], \"types\": [\"Tensor(float)\"], \"strides\": [[10, 1]]},"
	" \"outputs\": {\"values\": [[5, 7, 0, 8, 4, \"cuda:0\"]], \"shapes\": [[8]],"
	" \"types\": [], \"strides\": [[]]}, \"attrs\": [{\"name\": \"rf_id\", \"type\": \"uint64\","
	" \"value\": 12}, {\"name\": \"tid\", \"value\": 1}, {\"name\": \"op_schema\", \"value\":"
	" \"aten::mm(Tensor self) -> Tensor\"}]}]}";

static enum status parse(struct exectrace *et, struct span text, struct err *e)
{
	err_clear(e);
	exectrace_init(et);
	return exectrace_parse(et, text, e);
}

static void use_is(const struct et_use *use, unsigned flags, int64_t begin, int64_t end)
{
	assert_int_equal(use->flags, flags);
	assert_int_equal(use->begin, begin);
	assert_int_equal(use->end, end);
}

static void exectrace_read_old(void **state)
{
	struct exectrace et;
	struct err e;

	(void)state;
	assert_int_equal(parse(&et, span_of(old_text), &e), OK);
	assert_int_equal(et.n, 3);
	assert_int_equal(et.ncall, 2);
	assert_false(et.node[0].is_call);
	assert_int_equal(et.node[0].parent, ET_NONE);
	assert_int_equal(et.node[0].last, 2);
	assert_int_equal(et.node[1].parent, 0);
	assert_int_equal(et.node[1].last, 2);
	assert_int_equal(et.node[2].parent, 1);
	assert_int_equal(et.node[2].rf_id, 4);
	assert_true(exectrace_is_in(&et, 2, 1));
	assert_false(exectrace_is_in(&et, 1, 2));
	assert_int_equal(et.node[1].nuse, 1); /* a tensor without storage is none */
	use_is(&et.use[et.node[1].use], ET_WRITES | ET_FRESH | ET_OVER, 0, INT64_MAX);
	assert_int_equal(et.node[2].nuse, 2); /* its result is its argument */
	use_is(&et.use[et.node[2].use], ET_READS | ET_WRITES, 0, INT64_MAX);
	use_is(&et.use[et.node[2].use + 1], ET_READS, 0, INT64_MAX);
	exectrace_clear(&et);
}

/* Rows of 10, of which 2 are taken: from element 2 to 2 + 3 * 10 + 1, 4 bytes each. */
static void exectrace_read_new(void **state)
{
	struct exectrace et;
	struct err e;

	(void)state;
	assert_int_equal(parse(&et, span_of(new_text), &e), OK);
	assert_int_equal(et.n, 1);
	assert_int_equal(et.node[0].rf_id, 12);
	assert_int_equal(et.node[0].nuse, 2);
	use_is(&et.use[0], ET_READS, 8, 136);
	use_is(&et.use[1], ET_WRITES | ET_FRESH | ET_OVER, 0, INT64_MAX);
	exectrace_clear(&et);
}

/* Cut at every byte: one clear error. */
static void exectrace_read_cut(void **state)
{
	static const char *const texts[] = { old_text, new_text };
	struct exectrace et;
	struct err e;
	size_t i, n;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++)
		for (n = 0; n < span_of(texts[i]).n; n++) {
			char *copy = malloc(n + 1);

			assert_non_null(copy);
			memcpy(copy, texts[i], n);
			assert_int_not_equal(parse(&et, (struct span){ copy, n }, &e), OK);
			assert_true(e.text[0] != '\0');
			exectrace_clear(&et);
			free(copy);
		}
}

static void exectrace_read_wrong(void **state)
{
	static const struct {
		const char *text;
		enum status status;
	} all[] = {
		{ "[]", E_FORMAT },
		{ "{\"nodes\": {}}", E_FORMAT },
		{ "{\"nodes\": [], \"traceEvents\": []}", E_FORMAT },
		{ "{\"nodes\": []}", E_NODATA },
		{ "{\"nodes\": [1]}", E_SYNTAX },
		{ "{\"nodes\": [{\"id\": 1}]}", E_SYNTAX },
		{ "{\"nodes\": [{\"id\": \"a\", \"name\": \"x\"}]}", E_SYNTAX },
		{ "{\"nodes\": [{\"id\": 1, \"name\": \"x\"}, {\"id\": 1, \"name\": \"y\"}]}",
			E_SYNTAX },
	};
	struct exectrace et;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(all); i++) {
		assert_int_equal(parse(&et, span_of(all[i].text), &e), all[i].status);
		exectrace_clear(&et);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exectrace_read_old),
		cmocka_unit_test(exectrace_read_new),
		cmocka_unit_test(exectrace_read_cut),
		cmocka_unit_test(exectrace_read_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
