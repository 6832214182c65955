/* Members whose names JSON escapes: one name, however it is spelt, in all documents that make names
 * of their keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/load.h"
#include "analyze/trace/columns/record.h"

static ssize_t read_text(void *ctx, void *buf, size_t n)
{
	struct span *t = ctx;

	n = n < t->n ? n : t->n;
	memcpy(buf, t->p, n);
	t->p += n;
	t->n -= n;
	return (ssize_t)n;
}

static void load(struct span text, struct run *run)
{
	struct load_options o = { .needs = 0, .threads = 1 };
	struct err e;

	err_clear(&e);
	if (load_reader(read_text, &text, "keys", &o, run, &e) != OK)
		fail_msg("%s", e.text);
	assert_non_null(run->record);
}

/* The series of that name and group, which has `points` of them; a name may hold a NUL. */
static const struct series *expect_series(
	const struct run *run, struct span name, const char *group, size_t points)
{
	const struct record *r = run->record;
	const struct series *found = NULL;
	size_t i;

	for (i = 0; i < r->nseries; i++)
		if (span_eq(r->series[i]->name, name) && span_is(r->series[i]->group, group)) {
			assert_null(found);
			found = r->series[i];
		}
	if (!found) {
		fail_msg("no series \"%.*s\"", (int)name.n, name.p);
		return NULL;
	}
	assert_int_equal(found->n, points);
	return found;
}

static void expect_text(const struct run *run, enum sheet_table kind, size_t col, struct span text)
{
	const struct record *r = run->record;
	size_t i, k;

	for (i = 0; i < r->nsheet; i++) {
		const struct table *t = &r->sheet[i]->table;

		for (k = 0; r->sheet[i]->kind == kind && k < t->nrow; k++)
			if (span_eq(table_cell(t, k, col)->s, text))
				return;
	}
	fail_msg("no row \"%.*s\"", (int)text.n, text.p);
}

/* Both spellings in one log, line by line and both in one line. */
static void one_series(void **state)
{
	struct run run;

	(void)state;
	load(SPAN("{\"step\": 1, \"\\u65e5\\u672c\": 0.5}\n"
		  "{\"step\": 2, \"\xe6\x97\xa5\xe6\x9c\xac\": 0.25}\n"
		  "{\"step\": 3, \"\\u65E5\xe6\x9c\xac\": 0.125}\n"
		  "{\"step\": 4, \"\\u65e5\\u672c\": 0.5}\n"
		  "{\"step\": 5, \"\\u65e5\\u672c\": 0.5}\n"
		  "{\"step\": 6, \"\\u65e5\\u672c\": 1, \"\xe6\x97\xa5\xe6\x9c\xac\": 2}\n"),
		&run);
	assert_int_equal(run.record->nseries, 2);
	(void)expect_series(&run, SPAN("\xe6\x97\xa5\xe6\x9c\xac"), "", 7);
	run_clear(&run);
}

/* What each spelling stands for; a NUL is a letter like others, as in names of a trace. */
static void spellings(void **state)
{
	struct run run;

	(void)state;
	load(SPAN("{\"step\": 1, \"a\\\\\": 1, \"q\\\"q\": 2, \"x\\/y\": 3, \"\\ud83d\\udd25\": 4, "
		  "\"\\ud83d!\": 5, \"\\udd25?\": 6, \"n\\u0000a\": 7, \"n\\u0000b\": 8, "
		  "\"t\\tt\": 9, \"odd\\d\": 10}\n"
		  "{\"step\": 2, \"x/y\": 1}\n"),
		&run);
	(void)expect_series(&run, SPAN("a\\"), "", 1);
	(void)expect_series(&run, SPAN("q\"q"), "", 1);
	(void)expect_series(&run, SPAN("x/y"), "", 2);
	(void)expect_series(&run, SPAN("\xf0\x9f\x94\xa5"), "", 1);
	(void)expect_series(&run, SPAN("\xef\xbf\xbd!"), "", 1);
	(void)expect_series(&run, SPAN("\xef\xbf\xbd?"), "", 1);
	(void)expect_series(&run, SPAN("n\0a"), "", 1);
	(void)expect_series(&run, SPAN("n\0b"), "", 1);
	(void)expect_series(&run, SPAN("t\tt"), "", 1);
	(void)expect_series(&run, SPAN("odd\\d"), "", 1);
	run_clear(&run);
}

/* Objects in objects, lists, a dict as Python prints it; and the name of the step. */
static void nested(void **state)
{
	const struct series *s;
	struct run run;

	(void)state;
	load(SPAN("{\"train\\/global_step\": 30, \"\\u00e9\": {\"\\u00e8\": 1, \"n\\u0000\": "
		  "{\"x\": 2}}, \"d\": \"{'\\u00e7': 5}\", \"\\u00fc\": [1, 2]}\n"
		  "{\"train/global_step\": 40, \"\xc3\xa9.\xc3\xa8\": 3}\n"),
		&run);
	s = expect_series(&run, SPAN("\xc3\xa9.\xc3\xa8"), "", 2);
	assert_true(s->axis == AXIS_STEP);
	(void)expect_series(&run, SPAN("\xc3\xa9.n\0.x"), "", 1);
	(void)expect_series(&run, SPAN("d.\xc3\xa7"), "", 1);
	expect_text(&run, SHEET_SAMPLES, SAMPLES_NAME, SPAN("\xc3\xbc"));
	run_clear(&run);
}

/* Values of "phase" part a series in groups by what they stand for; NULs do not mix two. */
static void groups(void **state)
{
	struct run run;

	(void)state;
	load(SPAN("{\"step\": 1, \"phase\": \"\\u00e9\", \"loss\": 1}\n"
		  "{\"step\": 2, \"phase\": \"\xc3\xa9\", \"loss\": 1}\n"
		  "{\"step\": 3, \"ph\\u0061se\": \"\xc3\xa9\", \"loss\": 1}\n"
		  "{\"step\": 4, \"ph\\u0061se\": \"b\", \"loss\": 1}\n"
		  "{\"step\": 5, \"ph\\u0061se\": \"b\", \"loss\": 1}\n"
		  "{\"step\": 6, \"phase\": \"b\", \"loss\": 1}\n"
		  "{\"step\": 7, \"phase\": \"k\", \"m\\u0000n\": 1}\n"
		  "{\"step\": 8, \"phase\": \"k\\u0000m\", \"n\": 1}\n"),
		&run);
	(void)expect_series(&run, SPAN("loss"), "\xc3\xa9", 3);
	(void)expect_series(&run, SPAN("loss"), "b", 3);
	(void)expect_series(&run, SPAN("m\0n"), "k", 1);
	run_clear(&run);
}

/* Rows of one list, and of a document. */
static void documents(void **state)
{
	struct run run;

	(void)state;
	load(SPAN("[{\"step\": 1, \"\\u00e9\": 1}, {\"step\": 2, \"\xc3\xa9\": 2}]"), &run);
	(void)expect_series(&run, SPAN("\xc3\xa9"), "", 2);
	run_clear(&run);
	load(SPAN("{\"stage_times\": {\"\\u00e9\": [1, 2], \"n\\u0000\": [1]}, \"average_times\": "
		  "{\"\xc3\xa9\": 1.5, \"\\u00fc\": 3}, \"total_steps\": 2, \"\\u00e7\": 5}"),
		&run);
	(void)expect_series(&run, SPAN("stage_times.\xc3\xa9"), "", 2);
	(void)expect_series(&run, SPAN("stage_times.n\0"), "", 1);
	expect_text(&run, SHEET_STAGES, STAGES_NAME, SPAN("\xc3\xa9"));
	expect_text(&run, SHEET_STAGES, STAGES_NAME, SPAN("\xc3\xbc"));
	assert_int_equal(run.record->sheet[0]->table.nrow, 3);
	assert_non_null(record_find(&run.record->scalars, "\xc3\xa7"));
	run_clear(&run);
	load(SPAN("{\"experiment_name\": \"e\", \"timestamp\": \"2025-11-30T12:00:00\", "
		  "\"total_runtime_sec\": 1.5, \"metric_summaries\": {\"\\u00e9\": {\"mean\": 1}}, "
		  "\"raw_metrics\": {\"\\u00e8\": {\"values\": [1, 2]}, \"\\u00fc\": [1, 2]}}"),
		&run);
	expect_text(&run, SHEET_SUMMARIES, SUMMARIES_NAME, SPAN("\xc3\xa9"));
	(void)expect_series(&run, SPAN("\xc3\xa8"), "", 2);
	(void)expect_series(&run, SPAN("\xc3\xbc"), "", 2);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_series),
		cmocka_unit_test(spellings),
		cmocka_unit_test(nested),
		cmocka_unit_test(groups),
		cmocka_unit_test(documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
