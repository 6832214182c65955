/* What all renderers have in common: found by name, deterministic, and never silent about a full
 * disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report_text.h"

static const struct column COLUMNS[] = {
	COLUMN("stack", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "Self", CELL_INT, UNIT_NS, 0),
};

static void fill(struct result *r, size_t rows)
{
	struct table *t;
	size_t i;

	result_init(r, "traceq.top/1");
	(void)result_input(r, "a.json");
	t = result_table(r, "ops", "CPU ops", COLUMNS, 2);
	t->layout = TABLE_TORCH;
	for (i = 0; i < rows; i++) {
		table_row(t);
		table_text(t, 0, SPAN("aten::mm"));
		table_int(t, 1, (int64_t)i * 1000);
	}
	t = result_table(r, "lines", NULL, COLUMNS, 1);
	t->layout = TABLE_TEXT;
	for (i = 0; i < rows; i++) {
		table_row(t);
		table_text(t, 0, SPAN("Step time (s)"));
	}
}

static void test_names(void **state)
{
	static const char *const name[] = { "table", "json", "csv", "tsv", "md", "parquet",
		"openmetrics", "torch", "seed", "folded", "speedscope" };
	const struct renderer *const *all;
	size_t n, i;

	(void)state;
	all = renderer_all(&n);
	assert_int_equal(n, 11);
	for (i = 0; i < n; i++) {
		assert_string_equal(all[i]->name, name[i]);
		assert_ptr_equal(renderer_find(name[i]), all[i]);
		assert_true(strlen(all[i]->summary) > 0);
	}
	assert_null(renderer_find("xml"));
	assert_null(renderer_find(""));
	assert_int_equal(renderer_find("torch")->layout, TABLE_TORCH);
	assert_int_equal(renderer_find("json")->layout, TABLE_GRID);
	assert_true(renderer_find("seed")->is_silent && !renderer_find("csv")->for_people);
	assert_true(renderer_find("json")->shows_notes && !renderer_find("torch")->shows_notes);
}

/* Of a format that is no text. */
static void same_bytes(const struct renderer *renderer, const struct result *r)
{
	char *bytes[2];
	size_t n[2];

	for (int k = 0; k < 2; k++) {
		FILE *out = open_memstream(&bytes[k], &n[k]);
		struct err e;

		assert_int_equal(renderer->put(out, r, &(struct render){ 0 }, &e), OK);
		fclose(out);
	}
	assert_int_equal(n[0], n[1]);
	assert_memory_equal(bytes[0], bytes[1], n[0]);
	assert_memory_equal(bytes[0], renderer->mark, strlen(renderer->mark));
	free(bytes[0]);
	free(bytes[1]);
}

static void test_same_result_same_bytes(void **state)
{
	const struct renderer *const *all;
	struct result r;
	size_t n, i;

	(void)state;
	fill(&r, 100);
	all = renderer_all(&n);
	for (i = 0; i < n; i++) {
		char *a, *b;

		if (all[i]->is_silent)
			continue; /* documents are of certain answers */
		if (all[i]->mark) {
			same_bytes(all[i], &r);
			continue;
		}
		a = report_text(all[i]->name, &r, (struct render){ .width = 80 });
		b = report_text(all[i]->name, &r, (struct render){ .width = 80 });
		assert_non_null(a);
		assert_non_null(b);
		assert_true(strlen(a) > 0);
		assert_string_equal(a, b);
		free(a);
		free(b);
	}
	result_clear(&r);
}

/* Both for what stays in the buffer until the end, and for what overflows it on the way. */
static void test_full_disk(void **state)
{
	static const size_t rows[] = { 1, 20000 };
	const struct renderer *const *all;
	struct render how = { .width = 80 };
	struct result r;
	struct err e;
	size_t n, i, k;

	(void)state;
	all = renderer_all(&n);
	for (k = 0; k < 2; k++) {
		fill(&r, rows[k]);
		for (i = 0; i < n; i++) {
			FILE *out;

			if (all[i]->is_silent)
				continue;
			out = fopen("/dev/full", "w");
			if (!out)
				skip();
			err_clear(&e);
			assert_int_equal(all[i]->put(out, &r, &how, &e), E_IO);
			assert_int_equal(e.status, E_IO);
			assert_non_null(strstr(e.text, "cannot write"));
			fclose(out);
		}
		result_clear(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_same_result_same_bytes),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
