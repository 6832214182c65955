/* MLPerf logs: intervals of several processes, places, what an accuracy is, what is no event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/str.h"
#include "tests/unit/analyze/input/artifact/artifact_text.h"

#define EVENT(ms, type, key, more)                                                     \
	":::MLLOG {\"namespace\": \"\", \"time_ms\": " #ms ", \"event_type\": \"" type \
	"\", \"key\": \"" key "\"" more "}\n"
#define START "INTERVAL_START"
#define END   "INTERVAL_END"
#define POINT "POINT_IN_TIME"

static const struct series *find(const struct record *r, const char *name)
{
	return record_known_series(r, 0, span_of(name), SPAN(""));
}

static double last(const struct record *r, const char *name)
{
	const struct series *s = find(r, name);

	assert_non_null(s);
	return s ? measure_base(s->measure, s->last.y) : 0;
}

/*
 *	rank 0   init |run   [eval 100..130]      run|     run: 50..200, init: 10..50
 *	rank 1  init                [eval 120..160]
 */
static void intervals(void **state)
{
	static const char text[] = "1: " EVENT(5, START, "init_start", "") "0: " EVENT(
		10, START, "init_start", "") "0: " EVENT(50, END, "init_stop", "") "0: " EVENT(50,
		START, "run_start", "") "0: " EVENT(100, START, "eval_start",
		", \"metadata\": {\"step\": 7}") "1: " EVENT(120, START, "eval_start",
		", \"metadata\": {\"step\": 8}") "0: " EVENT(130, END, "eval_stop",
		"") "1: " EVENT(160, END, "eval_stop", "") "0: " EVENT(200, END, "run_stop", "");
	const struct series *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_string_equal(run.record->artifact[0].kind, "mllog");
	assert_int_equal(run.record->artifact[0].rows, 9);
	assert_float_equal(last(run.record, "time_to_train"), 150e6, 0);
	assert_float_equal(last(run.record, "init_time"), 45e6, 0);
	s = find(run.record, "eval_time");
	assert_int_equal(s->n, 2);
	assert_float_equal(s->min, 30, 0); /* not 40, from 120 to 160, nor 10, from 120 to 130 */
	assert_float_equal(s->max, 40, 0);
	assert_int_equal(s->axis, AXIS_STEP);
	run_clear(&run);
}

/* The rules say accuracy, and mean a loss where the benchmark has one. */
static void quality(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{ EVENT(1, POINT, "submission_benchmark", ", \"value\": \"llama31_8b\"")
				EVENT(2, POINT, "eval_accuracy", ", \"value\": 3.25"),
			"eval_loss" },
		{ EVENT(1, POINT, "submission_benchmark", ", \"value\": \"rgat\"")
				EVENT(2, POINT, "eval_accuracy", ", \"value\": 0.7"),
			"eval_accuracy" },
		{ EVENT(2, POINT, "eval_accuracy", ", \"value\": 0.7"), "eval_accuracy" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct run run;

		artifact_text(cases[i].text, &run);
		assert_non_null(find(run.record, cases[i].name));
		assert_int_equal(run.record->nseries, 1);
		run_clear(&run);
	}
}

/* A setting counts once, null is none; a stop without a start and lines of others do no harm. */
static void odd_lines(void **state)
{
	static const char text[] = "hello\n" EVENT(1, POINT, "seed", ", \"value\": 3")
		EVENT(1, POINT, "seed", ", \"value\": 4") EVENT(1, POINT, "x", ", \"value\": null")
			EVENT(9, END, "epoch_stop", "") ":::MLLOG {\"key\": 5}\n" EVENT(
				2, START, "run_start", "") ":::MLLOG {\"names";
	const struct record *r;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	r = run.record;
	assert_int_equal(r->nseries, 0);
	assert_int_equal(r->config.n, 1);
	assert_float_equal(r->config.v[0].number, 3, 0);
	assert_int_equal(r->artifact[0].rows, 5);
	assert_int_equal(r->nnote, 4);
	assert_string_equal(r->note[0].id, "mlperf_unfinished");
	assert_string_equal(r->note[1].id, "torn_line");
	assert_string_equal(r->note[2].id, "alien_lines");
	assert_int_equal(r->note[2].offset, strstr(text, "{\"key\": 5}") - 9 - text);
	assert_string_equal(r->note[3].id, "other_lines");
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals),
		cmocka_unit_test(quality),
		cmocka_unit_test(odd_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
