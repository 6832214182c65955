/* Cells out of structs: what each word of fields.h makes of fields, and when it makes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/analysis/fields.h"
#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/strings.h"
#include "base/compiler.h"

struct row {
	int64_t a, b, none;
	uint32_t small;
	sym name;
	double real;
	bool yes;
	struct span text;
	const char *word, *no_word;
};

#define ROW struct row
static const struct column numbers[] = {
	{ .type = CELL_INT, FROM(a) },
	{ .type = CELL_INT, FROM(none) },
	{ .type = CELL_INT, FROM(small) },
	{ .type = CELL_BOOL, FROM(yes) },
	{ .type = CELL_REAL, FROM(real) },
	{ .type = CELL_REAL, FROM(a) },
	{ .type = CELL_INT, FROM_IF(a, yes) },
	{ .type = CELL_INT, FROM_IF(a, b) },
	{ .type = CELL_INT, FROM_SOME(b) },
	{ .type = CELL_INT, FROM_SOME_IF(a, small) },
	{ .type = CELL_INT, FROM_LESS(a, small) },
	{ .type = CELL_REAL, FROM_OVER(a, small) },
	{ .type = CELL_REAL, FROM_OVER(a, b) },
	{ .type = CELL_REAL, FROM_RATE(small, a) },
	{ .type = CELL_REAL, FROM_REST(small, a) },
	{ .type = CELL_REAL, FROM_SHARE(a) },
	{ .type = CELL_REAL, FROM_STEP(a) },
	{ .type = CELL_INT },
};
static const struct column texts[] = {
	{ .type = CELL_TEXT, FROM(text) },
	{ .type = CELL_TEXT, FROM(word) },
	{ .type = CELL_TEXT, FROM(no_word) },
	{ .type = CELL_TEXT, FROM_NAME(name) },
	{ .type = CELL_TEXT, FROM_NAME_IF(name) },
	{ .type = CELL_TEXT },
};
#undef ROW
#define ROW struct field_row
static const struct column others[] = {
	{ .type = CELL_INT, FROM_CELL(0) },
	{ .type = CELL_REAL, FROM_CELL_OVER(0, 2) },
	{ .type = CELL_REAL, FROM_CELL_RATE(2, 0) },
	{ .type = CELL_REAL, FROM_CELL_SHARE(0) },
	{ .type = CELL_INT, FROM_CELL(1) },
};

static void expect(const struct table *t, const double *v)
{
	size_t i;

	for (i = 0; i < t->ncol; i++) {
		double is = table_number_at(t, 0, i);

		assert_true(isnan(v[i]) ? isnan(is) && !table_cell(t, 0, i) : is == v[i]);
	}
}

static void test_numbers(void **state)
{
	const struct row row = {
		.a = 20, .b = 0, .none = ARG_UNKNOWN, .small = 5, .real = 0.5, .yes = true
	};
	struct fields_of of = { .whole = 80 };
	double v[] = { 20, NAN, 5, 1, 0.5, 20, 20, NAN, 0, 20, 15, 4, NAN, 2.5e8, 0.75, 0.25, NAN,
		NAN };
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "");
	t = result_table(&r, "t", NULL, numbers, COUNT_OF(numbers));
	fields_row(t, &row, &of);
	expect(t, v);
	of.for_people = true; /* no zeros where they say nothing */
	of.steps = 10;
	v[8] = NAN;
	v[16] = 2;
	t = result_table(&r, "t", NULL, numbers, COUNT_OF(numbers));
	fields_row(t, &row, &of);
	expect(t, v);
	result_clear(&r);
}

static void test_texts(void **state)
{
	struct row row = { .text = SPAN(""), .word = "word" };
	struct fields_of of = { 0 };
	struct strings names;
	struct result r;
	struct table *t;

	(void)state;
	strings_init(&names, 0);
	of.names = &names;
	result_init(&r, "");
	t = result_table(&r, "t", NULL, texts, COUNT_OF(texts));
	(void)strings_intern(&names, SPAN(""));
	row.name = 0;
	fields_row(t, &row, &of);
	assert_non_null(table_cell(t, 0, 0));
	assert_true(span_is(table_text_at(t, 0, 1), "word"));
	assert_null(table_cell(t, 0, 2));
	assert_null(table_cell(t, 0, 4));
	assert_null(table_cell(t, 0, 5));
	row.name = strings_intern(&names, SPAN("gemm"));
	fields_row(t, &row, &of);
	assert_true(span_is(table_text_at(t, 1, 3), "gemm"));
	assert_true(span_is(table_text_at(t, 1, 4), "gemm"));
	strings_clear(&names);
	result_clear(&r);
}

static void test_other_table(void **state)
{
	static const struct column col[] = { { .key = "ns", .type = CELL_INT },
		{ .key = "none", .type = CELL_INT }, { .key = "n", .type = CELL_REAL } };
	const double v[] = { 8, 4, 2.5e8, 0.5, NAN };
	const struct fields_of of = { .whole = 16 };
	struct field_row row;
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "");
	t = result_table(&r, "from", NULL, col, COUNT_OF(col));
	table_row(t);
	table_int(t, 0, 8);
	table_real(t, 2, 2);
	row = (struct field_row){ t, 0 };
	t = result_table(&r, "t", NULL, others, COUNT_OF(others));
	fields_row(t, &row, &of);
	expect(t, v);
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_other_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
