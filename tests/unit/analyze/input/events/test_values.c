/* Values of arguments: what an operator is called with is read once for each combination of texts.
 * Texts that differ in a byte, wherever, or only in being a string, are other values; and so they
 * stay over windows, in which the same addresses hold other texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/trace/run.h"
#include "tests/unit/loading.h"

/* Operators' args: what stands there, and what is kept of "Input Dims" and "Input type". */
static const struct {
	const char *args, *dims, *types;
} calls[] = {
	{ "\"Input Dims\":[[1,2345678,9012345,2]],\"Input type\":[\"float\"]",
		"[[1,2345678,9012345,2]]", "[\"float\"]" },
	{ "\"Input Dims\":[[1,2345678,8012345,2]],\"Input type\":[\"float\"]",
		"[[1,2345678,8012345,2]]", "[\"float\"]" },
	{ "\"Input Dims\":[[1,2]],\"Input type\":[\"float\"]", "[[1,2]]", "[\"float\"]" },
	{ "\"Input Dims\":[[1,2]],\"Input type\":\"[float,a,b,c,d]\"", "[[1,2]]",
		"[float,a,b,c,d]" },
	{ "\"Input Dims\":[[1,2]],\"Input type\":[float,a,b,c,d]", "[[1,2]]", "[float,a,b,c,d]" },
	{ "\"Input Dims\":\"[[1,2345678,9012345,2]]\",\"Input type\":\"\"",
		"[[1,2345678,9012345,2]]", "" },
	{ "\"Input Dims\":\"[[1,2345\\u003678,9012345,2]]\",\"Input type\":\"f\"",
		"[[1,2345678,9012345,2]]", "f" },
	{ "\"Input Dims\":[[1,2345678,9012345,2]]", "[[1,2345678,9012345,2]]", "" },
	{ "\"Input type\":[\"float\"]", "", "[\"float\"]" },
	{ "\"Input Dims\":[[123456789012345]],\"Input type\":null", "[[123456789012345]]", "" },
	{ "\"Input Dims\":[[123456789012346]],\"Input type\":null", "[[123456789012346]]", "" },
};

static void combinations(void **state)
{
	enum { EVENTS = 4000 };
	size_t which[EVENTS];
	struct str text = { 0 };
	struct loaded l;
	uint64_t seed = 7;
	size_t i;

	(void)state;
	str_adds(&text, "[");
	for (i = 0; i < EVENTS; i++) {
		which[i] = loading_random(&seed) % COUNT_OF(calls);
		str_addf(&text,
			"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":1,"
			"\"ts\":%zu,\"dur\":1,\"args\":{%s}},",
			10 * i, calls[which[i]].args);
	}
	str_adds(&text, "{}]");
	for (size_t window = 300; window < 1000000; window *= 7) {
		const struct loading how = { .window_bytes = window, .threads = 2 };

		loading_run(&l, (struct span){ text.s, text.n }, &how);
		assert_int_equal(l.run.events.n, EVENTS);
		for (i = 0; i < EVENTS; i++) {
			size_t row = l.run.events.args[i] - 1;
			const struct strings *s = &l.run.strings;

			assert_true(span_is(strings_get(s, args_sym(&l.run.args, ARG_OP_DIMS, row)),
				calls[which[i]].dims));
			assert_true(
				span_is(strings_get(s, args_sym(&l.run.args, ARG_OP_TYPES, row)),
					calls[which[i]].types));
		}
		loading_release(&l);
	}
	str_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(combinations),
	};

	return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
