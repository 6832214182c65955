/* What to tell the profiler: each producer's own words, and no option of another's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/producers.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

static void words_of_each_producer(void **state)
{
	static const struct {
		const char *producer, *shapes, *memory, *steps; /* parts of the words */
	} cases[] = {
		{ "PyTorch (Kineto)", "record_shapes=True", "profile_memory=True",
			"profiler.step()" },
		{ "Chrome trace format", "no known events", "no known events",
			"nothing in it marks" },
		{ "Ray", "no known events", "no known events", "nothing in it marks" },
		{ "rocprof", "emit_nvtx", "rocprofv3 records none", "roctxRangePush" },
		{ "PyTorch (Perfetto)", "record_shapes=True", "to JSON only", "profiler.step()" },
		{ "Nsight Systems", "emit_nvtx", "nsys profile --cuda-memory-usage=true",
			"NVTX range" },
		{ "rocprofv3", "emit_nvtx", "rocprofv3 records none", "roctxRangePush" },
		{ "rocprofv3 (Perfetto)", "emit_nvtx", "rocprofv3 records none", "roctxRangePush" },
		{ "JAX/TensorFlow (XPlane)", "records none", "XLA's profiler records none",
			"StepTraceAnnotation" },
		{ "JAX/TensorFlow", "records none", "XLA's profiler records none",
			"StepTraceAnnotation" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct run r;

		run_init(&r, 0);
		r.meta.producer = strings_intern(&r.strings, span_of(cases[i].producer));
		assert_non_null(strstr(recording_word(&r, RECORDING_SHAPES), cases[i].shapes));
		assert_non_null(strstr(recording_word(&r, RECORDING_MEMORY), cases[i].memory));
		assert_non_null(strstr(recording_word(&r, RECORDING_STEPS), cases[i].steps));
		run_clear(&r);
	}
}

/* A name is one producer's: what a trace says of its own is found again. */
static void names_are_apart(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < PRODUCER_COUNT; i++)
		assert_int_equal(producer_named(span_of(producers[i].name)), i);
	assert_int_equal(producer_named(SPAN("")), PRODUCER_OTHER);
	assert_int_equal(producer_named(SPAN("rocprofv4")), PRODUCER_OTHER);
}

/* Whatever is asked, XLA's users read nothing of torch, and rocprofv3's no `with_...` of it. */
static void no_option_of_another(void **state)
{
	static const char *const names[] = { "JAX/TensorFlow (XPlane)", "rocprofv3",
		"Nsight Systems" };
	size_t i;
	int what;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++) {
		struct run r;

		run_init(&r, 0);
		r.meta.producer = strings_intern(&r.strings, span_of(names[i]));
		for (what = 0; what < RECORDING_COUNT; what++) {
			const char *word = recording_word(&r, (enum recording)what);

			assert_null(strstr(word, "with_stack"));
			assert_null(strstr(word, "profile_memory"));
			assert_null(strstr(word, "torch.profiler"));
		}
		run_clear(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_each_producer),
		cmocka_unit_test(names_are_apart),
		cmocka_unit_test(no_option_of_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
