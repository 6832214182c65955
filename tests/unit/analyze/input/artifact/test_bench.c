/* Results of inference benchmarks: what is a result, which results are repeats, what failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/record.h"
#include "base/str.h"
#include "tests/unit/analyze/input/artifact/artifact_text.h"

#define ONE(rate, throughput, ttft)                         \
	"{\"backend\": \"sglang\", \"request_rate\": " rate \
	", \"request_throughput\": " throughput ", \"mean_ttft_ms\": " ttft "}"

static const struct series *find(const struct record *r, const char *name, const char *group)
{
	return record_known_series(r, 0, span_of(name), span_of(group));
}

/* Rates 4, 4, 16: two repeats of one, one of the other; a figure each time it was measured. */
static void repeats(void **state)
{
	static const char text[] = ONE("4.0", "3.5", "40.0") "\n" ONE(
		"4.0", "4.5", "44.0") "\n" ONE("16.0", "15.0", "90.0") "\n";
	const struct series *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_string_equal(run.record->artifact[0].kind, "bench");
	assert_int_equal(run.record->artifact[0].rows, 3);
	assert_int_equal(run.record->nseries, 4);
	s = find(run.record, "request_throughput", "request_rate 4.0");
	assert_non_null(s);
	assert_int_equal(s->n, 2);
	assert_int_equal(s->axis, AXIS_REPEAT);
	assert_int_equal(s->measure, MEASURE_PER_S);
	assert_float_equal(s->mean, 4, 0);
	s = find(run.record, "mean_ttft_ms", "request_rate 16.0");
	assert_non_null(s);
	assert_float_equal(measure_base(s->measure, s->last.y), 90e6, 0);
	assert_non_null(record_find(&run.record->config, "backend"));
	assert_null(record_find(&run.record->config, "request_rate")); /* it differs */
	run_clear(&run);
}

/* Names of an object's members are those of the results; what is none is counted, with its place.
 */
static void by_name(void **state)
{
	static const char text[] =
		"{\"a\": " ONE("1", "1", "10") ", \"b\": " ONE("1", "2", "20") ", \"version\": 3}";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_non_null(find(run.record, "mean_ttft_ms", "a"));
	assert_non_null(find(run.record, "mean_ttft_ms", "b"));
	assert_int_equal(run.record->nnote, 1);
	assert_string_equal(run.record->note[0].id, "alien_lines");
	assert_int_equal(run.record->note[0].count, 1);
	assert_int_equal(run.record->note[0].offset, sizeof(text) - 3);
	run_clear(&run);
}

/* The second of three requests failed: its zero is no time to the first token. */
static void failed(void **state)
{
	static const char text[] =
		"{\"request_throughput\": 1, \"mean_ttft_ms\": 30, \"ttfts\": [0.02, 0.0, 0.04], "
		"\"itls\": [[0.1, 0.2], [0.9], []], \"errors\": [\"\", \"timed out\", \"\"]}";
	const struct series *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	s = find(run.record, "ttfts", "");
	assert_int_equal(s->n, 2);
	assert_int_equal(s->missing, 1);
	assert_float_equal(s->mean, 0.03, 1e-12);
	assert_int_equal(find(run.record, "itls", "")->n, 2);
	assert_string_equal(run.record->note[0].id, "failed_requests");
	run_clear(&run);
}

/* A last line that was cut is said and left out. */
static void torn(void **state)
{
	static const char text[] = ONE("4.0", "3.5", "40.0") "\n{\"backend\": \"sglang\", \"requ";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_int_equal(run.record->artifact[0].rows, 1);
	assert_false(run.record->artifact[0].is_complete);
	assert_string_equal(run.record->note[0].id, "torn_line");
	assert_int_equal(run.record->note[0].offset, strchr(text, '\n') + 1 - text);
	run_clear(&run);
}

/* Headings of tables are the names of results' own keys; null is nothing at all. */
static void headings(void **state)
{
	static const char text[] = "[{\"Test name\": \"t\", \"Tput (req/s)\": 2, "
				   "\"P99 TTFT (ms)\": 5, \"Elapsed time (s)\": 3, "
				   "\"request_goodput\": null}]";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_int_equal(run.record->nseries, 3);
	assert_float_equal(find(run.record, "request_throughput", "")->last.y, 2, 0);
	assert_int_equal(find(run.record, "p99_ttft_ms", "")->measure, MEASURE_MS);
	assert_int_equal(find(run.record, "elapsed_time", "")->measure, MEASURE_S);
	assert_null(record_find(&run.record->config, "request_goodput"));
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats),
		cmocka_unit_test(by_name),
		cmocka_unit_test(failed),
		cmocka_unit_test(torn),
		cmocka_unit_test(headings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
