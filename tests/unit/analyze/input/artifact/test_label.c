/* Lines of reports: what is a figure, what a heading, and what neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/input/artifact/label.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

static void figures(void **state)
{
	static const struct {
		const char *line, *label;
		double value;
		enum measure measure;
	} rows[] = {
		{ "Peak memory: 1.25GB", "Peak memory", 1.25, MEASURE_GIB },
		{ "Total Parameters: 494,033,920 (494.03M)", "Total Parameters", 494033920,
			MEASURE_NONE },
		{ "Model Size: 1,976.14 MB", "Model Size", 1976.14, MEASURE_MEGABYTE },
		{ "  Peak GPU: 2345.67 MB", "Peak GPU", 2345.67, MEASURE_MIB },
		{ "  Total: 90.23 seconds", "Total", 90.23, MEASURE_S },
		{ "Throughput: 39.47 \xc2\xb1 1.91 samples/sec", "Throughput", 39.47,
			MEASURE_PER_S },
		{ "Latency/sample: 25.34 +/- 1.23 ms", "Latency/sample", 25.34, MEASURE_MS },
		{ "loss: -1.5e-3,", "loss", -1.5e-3, MEASURE_NONE },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		struct span label;
		enum measure m;
		double v;

		if (!label_figure(span_of(rows[i].line), &label, &v, &m))
			fail_msg("no figure: %s", rows[i].line);
		assert_true(span_is(label, rows[i].label));
		near(v, rows[i].value, 1e-12);
		assert_int_equal(m, rows[i].measure);
	}
}

static void others(void **state)
{
	static const char *const lines[] = { "", ":", "a:", "Model: qwen-0.5b", "12: 5",
		"Time: 12:00:00", "Tested Batch Sizes: [1, 8]", "x: 1,2", "x: 1.5 apples",
		"x: 1 \xc2\xb1", "2025-11-30 12:00:00 INFO", "Step: 5 of 10", "x: 1,2345" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(lines); i++) {
		struct span label;
		enum measure m;
		double v;

		if (label_figure(span_of(lines[i]), &label, &v, &m))
			fail_msg("a figure: %s", lines[i]);
	}
}

static void headings(void **state)
{
	struct label_heading h = { .n = 0 };

	(void)state;
	assert_true(span_is(label_below(&h, SPAN("  Total: 1"), SPAN("Total")), "Total"));
	assert_true(label_is_heading(&h, SPAN("Latency:")));
	assert_true(span_is(label_below(&h, SPAN("  Total: 1"), SPAN("Total")), "Latency: Total"));
	assert_true(span_is(label_below(&h, SPAN("\tMean: 1"), SPAN("Mean")), "Latency: Mean"));
	assert_true(span_is(label_below(&h, SPAN("Loss: 1"), SPAN("Loss")), "Loss"));
	assert_true(span_is(label_below(&h, SPAN("  Total: 1"), SPAN("Total")), "Total"));
	assert_true(label_is_heading(&h, SPAN("Memory Usage:")));
	assert_false(label_is_heading(&h, SPAN("something else")));
	assert_true(span_is(label_below(&h, SPAN("  CPU: 1"), SPAN("CPU")), "CPU"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures),
		cmocka_unit_test(others),
		cmocka_unit_test(headings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
