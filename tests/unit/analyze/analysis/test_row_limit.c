/* Rows that are shown, and the row that stands for the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/analysis/row_limit.h"

static void limits(void **state)
{
	const struct query people = { .for_people = true }, machines = { .for_people = false };

	(void)state;
	assert_int_equal(rows_limit(&people, -1, 10, 500), 10);
	assert_int_equal(rows_limit(&machines, -1, 10, 500), 500);
	assert_int_equal(rows_limit(&machines, INT64_MIN, 10, SIZE_MAX), SIZE_MAX);
	assert_int_equal(rows_limit(&people, 0, 10, 500), SIZE_MAX);
	assert_int_equal(rows_limit(&people, 3, 10, 500), 3);
	assert_int_equal(rows_limit(&machines, 3, 10, 500), 3);
}

static void cut(void **state)
{
	static const struct column col[] = { { .key = "name", .type = CELL_TEXT } };
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "test/1");
	t = result_table(&r, "t", "t", col, 1);
	rows_cut(t, 0, 0);
	assert_int_equal(t->nrow, 0);
	rows_cut(t, 0, 1);
	assert_int_equal(t->ncut, 1);
	assert_true(span_is(table_text_at(t, 0, 0), "... 1 more row (-n 0 shows all)"));
	rows_cut_of(t, 0, 2, "path");
	assert_int_equal(t->ncut, 2);
	assert_true(span_is(table_text_at(t, 1, 0), "... 2 more paths (-n 0 shows all)"));
	assert_int_equal(t->nfoot, 2);
	assert_int_equal(t->nrow, 2);
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits),
		cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
