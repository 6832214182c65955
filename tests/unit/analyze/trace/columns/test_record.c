/* Records: what is added is found again, limits are counted, and units are what keys say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/figure.h"
#include "analyze/trace/columns/record.h"

static void series(void **state)
{
	struct record *r = record_new();
	int a = record_artifact(r, "a.jsonl", "jsonl_log", "log"), b;
	struct series *loss = record_series(r, a, SPAN("loss"), SPAN(""));

	(void)state;
	assert_ptr_equal(record_series(r, a, SPAN("loss"), SPAN("")), loss);
	assert_ptr_not_equal(record_series(r, a, SPAN("loss"), SPAN("eval")), loss);
	assert_int_equal(record_series(r, a, SPAN("step_time_ms"), SPAN(""))->measure, MEASURE_MS);
	b = record_artifact(r, "b.jsonl", "jsonl_log", "log");
	assert_int_equal(b, 1);
	assert_ptr_not_equal(record_series(r, b, SPAN("loss"), SPAN("")), loss);
	assert_int_equal(r->nseries, 4);
	assert_ptr_equal(record_find_series(r, "loss"), loss);
	assert_null(record_find_series(r, "los"));
	assert_string_equal(r->artifact[1].path, "b.jsonl");
	record_free(r);
}

static void too_many_series(void **state)
{
	struct record *r = record_new();
	int i, a = record_artifact(r, "a", "k", "t");
	char name[32];

	(void)state;
	for (i = 0; i < RECORD_SERIES + 2; i++) {
		(void)snprintf(name, sizeof(name), "key%d", i);
		assert_int_equal(
			record_series(r, a, span_of(name), SPAN("")) == NULL, i >= RECORD_SERIES);
	}
	assert_int_equal(r->series_left_out, 2);
	record_free(r);
}

static void long_names(void **state)
{
	static char name[RECORD_TEXT + 100];
	struct record *r = record_new();
	int a = record_artifact(r, "a", "k", "t");
	struct span s = { name, sizeof(name) };
	struct series *first;

	(void)state;
	memset(name, 'x', sizeof(name));
	first = record_series(r, a, s, SPAN(""));
	assert_int_equal(first->name.n, RECORD_TEXT);
	assert_ptr_equal(record_series(r, a, s, SPAN("")), first);
	record_free(r);
}

static void scalars(void **state)
{
	struct record *r = record_new();
	int a = record_artifact(r, "a", "k", "t");

	(void)state;
	record_scalar(r, &r->config,
		&(struct scalar){ .key = SPAN("batch_size"), .number = 8, .artifact = a });
	record_scalar(r, &r->config,
		&(struct scalar){ .key = SPAN("device"),
			.type = SCALAR_TEXT,
			.text = SPAN("cuda"),
			.artifact = a });
	assert_true(scalar_number(record_find(&r->config, "batch_size")) == 8);
	assert_true(isnan(scalar_number(record_find(&r->config, "device"))));
	assert_true(isnan(scalar_number(record_find(&r->config, "seed"))));
	assert_true(isnan(scalar_number(record_find(&r->env, "batch_size"))));
	record_free(r);
}

static void sheets(void **state)
{
	struct record *r = record_new();
	int a = record_artifact(r, "a", "k", "t");
	struct sheet *s = record_sheet(r, a, SHEET_SWEEP);
	size_t k, i, j;

	(void)state;
	assert_true(record_row(s));
	table_int(&s->table, SWEEP_BATCH, 32);
	table_real(&s->table, SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEDIAN), 1048576);
	assert_ptr_equal(record_find_sheet(r, SHEET_SWEEP), s);
	assert_null(record_find_sheet(r, SHEET_OPS));
	assert_int_equal(table_cell(&s->table, 0, SWEEP_BATCH)->i, 32);
	assert_null(table_cell(&s->table, 0, SWEEP_RUNS));
	assert_string_equal(s->table.col[SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEDIAN)].key,
		"gpu_peak_median_bytes");
	assert_string_equal(s->table.col[SWEEP_AT(SWEEP_LATENCY_SAMPLE, SWEEP_STD)].key,
		"latency_per_sample_std_ns");
	for (k = 0; k < SHEET_TABLES; k++)
		for (i = 0; i < sheet_docs[k].ncol; i++)
			for (j = 0; j < i; j++)
				assert_string_not_equal(
					sheet_docs[k].col[i].key, sheet_docs[k].col[j].key);
	record_free(r);
}

static void notes(void **state)
{
	struct record *r = record_new();
	int a = record_artifact(r, "a", "k", "t");
	struct note *n = record_note(r, a, NOTE_WARNING, "torn_line", 3, "%d lines", 3);

	(void)state;
	assert_string_equal(n->text, "3 lines");
	assert_int_equal(n->input, a);
	assert_int_equal(n->offset, -1);
	record_free(r);
	record_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series),
		cmocka_unit_test(too_many_series),
		cmocka_unit_test(long_names),
		cmocka_unit_test(scalars),
		cmocka_unit_test(sheets),
		cmocka_unit_test(notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
