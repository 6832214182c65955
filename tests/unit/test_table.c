/*
 * Tables of results: what is asked of a cell, known or not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/table.h"
#include "near.h"
#include "report/answers.h"

enum { NAME, WHOLE, REAL, YES, COLUMNS };
static const struct column columns[COLUMNS] = {
	[NAME] = { .key = "name", .type = CELL_TEXT },
	[WHOLE] = { .key = "whole", .type = CELL_INT },
	[REAL] = { .key = "real", .type = CELL_REAL },
	[YES] = { .key = "yes", .type = CELL_BOOL },
};

/* A row with everything, one without anything. */
static struct table *make(struct result *r)
{
	struct table *t = result_table(r, "t", NULL, columns, COLUMNS);

	t->input = 2;
	table_row(t);
	table_text(t, NAME, SPAN("x"));
	table_int(t, WHOLE, 7);
	table_real(t, REAL, 0.5);
	table_bool(t, YES, true);
	table_row(t);
	return t;
}

static void cells(void **state)
{
	struct result r;
	struct table *t;
	size_t col;

	(void)state;
	result_init(&r, "");
	t = make(&r);
	assert_true(span_is(table_text_at(t, 0, NAME), "x"));
	assert_int_equal(table_text_at(t, 0, WHOLE).n, 0);
	near(table_number_at(t, 0, WHOLE), 7, 0);
	near(table_number_at(t, 0, REAL), 0.5, 0);
	near(table_number_at(t, 0, YES), 1, 0);
	assert_true(isnan(table_number_at(t, 0, NAME)));
	for (col = 0; col < COLUMNS; col++) {
		assert_non_null(table_text_at(t, 1, col).p);
		assert_int_equal(table_text_at(t, 1, col).n, 0);
		assert_true(isnan(table_number_at(t, 1, col)));
	}
	result_clear(&r);
}

/* A text without bytes is one all the same, wherever it came from. */
static void no_bytes(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "");
	t = make(&r);
	table_text(t, NAME, (struct span){ NULL, 0 });
	assert_non_null(table_text_at(t, 1, NAME).p);
	assert_non_null(table_cell(t, 1, NAME)->s.p);
	result_clear(&r);
}

static void lookups(void **state)
{
	struct result r;
	struct answer one = { "top", &r, NULL, NULL }, none = { "idle", NULL, "why", NULL };
	const struct answer both[] = { one, none };
	const struct answers in = { both, COUNT_OF(both) };
	const struct table *t;

	(void)state;
	result_init(&r, "");
	t = make(&r);
	assert_ptr_equal(answers_of_input(&in, "top", "t", 2), t);
	assert_null(answers_of_input(&in, "top", "t", 0));
	assert_null(answers_of_input(&in, "idle", "t", 2));
	near(table_number(t, 0, "whole"), 7, 0);
	assert_true(isnan(table_number(t, 0, "nosuch")));
	assert_true(isnan(table_number(t, 9, "whole")));
	assert_true(isnan(table_number(NULL, 0, "whole")));
	assert_non_null(table_word(NULL, 0, "name").p);
	assert_int_equal(table_word(NULL, 0, "name").n, 0);
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(no_bytes),
		cmocka_unit_test(lookups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
