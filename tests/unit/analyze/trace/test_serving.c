/* Names of batches, as servers write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/serving.h"
#include "base/compiler.h"

static void names_of_batches(void **state)
{
	static const struct {
		const char *name;
		enum serving want;
		const char *family;
	} rows[] = {
		{ "execute_context_1(512)_generation_0(0)", SERVING_PREFILL, "execute_" },
		{ "execute_context_2(700)_generation_8(8)", SERVING_PREFILL, "execute_" },
		{ "execute_context_0(0)_generation_40(40)", SERVING_DECODE, "execute_" },
		{ "execute_15360_context_15(sq15360sk15360)_generation_0(sq0)", SERVING_PREFILL,
			"execute_" },
		{ "execute_8_context_0(sq0sk0)_generation_8(sq8)", SERVING_DECODE, "execute_" },
		{ "execute_new_0_cached_8", SERVING_DECODE, "execute_" },
		{ "execute_new_10_cached_0", SERVING_PREFILL, "execute_" },
		{ "execute_12(3)", SERVING_BATCH, "execute_" },
		{ "execute_model", SERVING_BATCH, "execute_model" },
		{ "execute_", SERVING_NONE, "" },
		{ "execute_query", SERVING_NONE, "" },
		{ "step[EXTEND bs=15 toks=15360]", SERVING_PREFILL, "step[" },
		{ "step[DECODE bs=8]", SERVING_DECODE, "step[" },
		{ "step[IDLE bs=0]", SERVING_BATCH, "step[" },
		{ "[Executor] _forward_step 7: 0 ctx reqs, 8 gen reqs", SERVING_DECODE,
			"[Executor]" },
		{ "[Executor] _forward_step 8: 10 ctx reqs, 5120 ctx tokens, 8 gen reqs",
			SERVING_PREFILL, "[Executor]" },
		{ "[Executor] _forward_step 9", SERVING_BATCH, "[Executor]" },
		{ "forward_decode", SERVING_DECODE, "forward_" },
		{ "forward_extend", SERVING_PREFILL, "forward_" },
		{ "forward_extended", SERVING_NONE, "" },
		{ "gpu_model_runner: forward", SERVING_BATCH, "gpu_model_runner" },
		{ "gpu_model_runner: sample", SERVING_NONE, "" },
		{ "Prefill", SERVING_PREFILL, "prefill" },
		{ "ProfilerStep#3", SERVING_NONE, "" },
		{ "", SERVING_NONE, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(serving_of(span_of(rows[i].name)), rows[i].want);
		assert_true(span_is(serving_family(span_of(rows[i].name)), rows[i].family));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names_of_batches) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
