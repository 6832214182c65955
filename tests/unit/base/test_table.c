/* Tables of results: what is asked of a cell, known or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/table.h"
#include "base/table_row.h"
#include "tests/unit/near.h"
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

static bool is_absent(const struct table *t, size_t row, size_t col)
{
	return !table_cell(t, row, col);
}

/* What a row says stands there, and nothing where a value is none. */
static void rows_as_values(void **state)
{
	const char *nobody = NULL;
	struct str b = { 0 };
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "");
	t = result_table(&r, "t", NULL, columns, COLUMNS);
	TABLE_ROW(t, [YES] = cell_bool(false), [NAME] = cell_word("x"), [WHOLE] = cell_int(7));
	assert_int_equal(t->nrow, 1);
	assert_true(span_is(table_text_at(t, 0, NAME), "x"));
	near(table_number_at(t, 0, WHOLE), 7, 0);
	near(table_number_at(t, 0, YES), 0, 0);
	assert_true(is_absent(t, 0, REAL));
	TABLE_CELLS(t, [REAL] = cell_ratio(1, 4), [NAME] = NO_CELL);
	near(table_number_at(t, 0, REAL), 0.25, 0);
	assert_true(span_is(table_text_at(t, 0, NAME), "x"));
	TABLE_ROW(t, [NAME] = cell_word(nobody), [WHOLE] = cell_count(-1), [REAL] = cell_real(NAN));
	TABLE_CELLS(t, [NAME] = cell_name(SPAN("")), [WHOLE] = cell_known(3, 3),
		[REAL] = cell_ratio(1, 0), [YES] = CELL_IF(nobody, cell_bool(*nobody == 'x')));
	TABLE_CELLS(t, [NAME] = cell_str(t, &b));
	assert_int_equal(t->nrow, 2);
	assert_true(is_absent(t, 1, NAME) && is_absent(t, 1, WHOLE));
	assert_true(is_absent(t, 1, REAL) && is_absent(t, 1, YES));
	str_adds(&b, "built");
	TABLE_ROW(t, [NAME] = cell_str(t, &b), [WHOLE] = cell_known(0, 3));
	assert_null(b.s);
	assert_true(span_is(table_text_at(t, 2, NAME), "built"));
	near(table_number_at(t, 2, WHOLE), 0, 0);
	TABLE_ROW(t, [NAME] = cell_textf(t, "%d%%", 5), [WHOLE] = cell_size(9),
		[REAL] = CELL_IF(t->nrow == 3, cell_real(2)));
	assert_true(span_is(table_text_at(t, 3, NAME), "5%"));
	near(table_number_at(t, 3, WHOLE), 9, 0);
	near(table_number_at(t, 3, REAL), 2, 0);
	TABLE_CELLS(t, [NAME] = cell_copy(t, SPAN("")));
	TABLE_CELLS(t, [NAME] = cell_copy(t, (struct span){ "copied", 4 }));
	assert_true(span_is(table_text_at(t, 3, NAME), "copi"));
	TABLE_ROW(t, [NAME] = cell_text(SPAN("")), [WHOLE] = cell_count(0));
	assert_false(is_absent(t, 4, NAME) || is_absent(t, 4, WHOLE));
	result_clear(&r);
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
	assert_int_equal(table_int_at(t, 0, WHOLE, -1), 7);
	assert_int_equal(table_int_at(t, 0, REAL, -1), -1);
	assert_int_equal(table_int_at(t, 1, WHOLE, -1), -1);
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
	const struct answers in = { .v = both, .n = COUNT_OF(both) };
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

/* Packed, every cell is what it was; titles and columns made for the table stay, too. */
static void packed(void **state)
{
	static const double real[] = { 0, -0.0, 1, -7, 0.1, 1e300, -1048576, INFINITY };
	static const int64_t whole[] = { 0, -1, 63, 64, 127, INT64_MAX, INT64_MIN, 1000000 };
	char word[16] = "";
	struct result r;
	struct table *t;
	size_t i, n;

	(void)state;
	result_init(&r, "");
	for (n = 0; n < 200; n++) {
		struct column *own = arena_array(&r.mem, COLUMNS, sizeof(*own));

		memcpy(own, columns, sizeof(columns));
		own[NAME].title = arena_printf(&r.mem, "title %zu", n);
		t = result_table(&r, arena_printf(&r.mem, "t"), NULL, own, COLUMNS);
		t->title = arena_printf(&r.mem, "of %zu", n);
		for (i = 0; i < COUNT_OF(real); i++) {
			table_row(t);
			(void)snprintf(word, sizeof(word), "%zu", n * i);
			table_text(t, NAME,
				(struct span){ arena_printf(&r.mem, "%s", word), strlen(word) });
			table_int(t, WHOLE, whole[i]);
			table_real(t, REAL, real[i]);
			if (i % 2)
				table_bool(t, YES, i % 4 == 1);
		}
		result_note(&r, NOTE_INFO, "id", 0, -1, "note %zu", n);
		result_pack(&r);
	}
	assert_ptr_equal(r.mem.block, NULL);
	for (n = 200; n-- > 0;) {
		const struct table *p = result_find(&r, "t", n);

		(void)snprintf(word, sizeof(word), "of %zu", n);
		assert_string_equal(p->title, word);
		(void)snprintf(word, sizeof(word), "title %zu", n);
		assert_string_equal(p->col[NAME].title, word);
		(void)snprintf(word, sizeof(word), "note %zu", n);
		assert_string_equal(r.note[n].text, word);
		for (i = 0; i < COUNT_OF(real); i++) {
			(void)snprintf(word, sizeof(word), "%zu", n * i);
			assert_true(span_is(table_text_at(p, i, NAME), word));
			assert_true(table_cell(p, i, WHOLE)->i == whole[i]);
			assert_memory_equal(&table_cell(p, i, REAL)->r, &real[i], sizeof(real[i]));
			assert_int_equal(table_cell(p, i, YES) != NULL, i % 2);
			if (i % 2)
				assert_int_equal(table_cell(p, i, YES)->b, i % 4 == 1);
		}
	}
	result_clear(&r);
}

/* What was odd about the inputs comes first. */
static void notes_before(void **state)
{
	struct result r, odd;

	(void)state;
	result_init(&r, "");
	result_init(&odd, "");
	result_note(&r, NOTE_INFO, "b", 0, -1, "second");
	result_notes_before(&r, &odd);
	assert_int_equal(r.nnote, 1);
	result_note(&odd, NOTE_INFO, "a", 0, -1, "first");
	result_notes_before(&r, &odd);
	result_clear(&odd);
	result_note(&r, NOTE_INFO, "c", 0, -1, "third");
	assert_int_equal(r.nnote, 3);
	assert_string_equal(r.note[0].text, "first");
	assert_string_equal(r.note[1].text, "second");
	assert_string_equal(r.note[2].text, "third");
	result_clear(&r);
}

/* What is not there is nowhere, also where its place would be that of something else. */
static void finds(void **state)
{
	const double v[] = { 3, NAN, 5 };
	struct result r;
	struct table *t;
	size_t at = 9;

	(void)state;
	result_init(&r, "");
	t = make(&r);
	assert_true(table_find_column(t, "real", &at) && at == REAL);
	assert_false(table_find_column(t, "unreal", &at));
	assert_false(table_find_column(NULL, "real", &at));
	assert_true(table_find_word(t, "name", SPAN("x"), &at) && at == 0);
	assert_true(table_find_word(t, "name", SPAN(""), &at) && at == 1); /* as table_word says */
	assert_false(table_find_word(t, "name", SPAN("y"), &at));
	assert_int_equal(at, 2);
	assert_false(table_find_word(t, "unreal", SPAN(""), &at));
	assert_true(table_find_number(t, "whole", 7, &at) && at == 0);
	assert_true(table_find_number(t, "whole", NAN, &at) && at == 1);
	assert_false(table_find_number(t, "whole", 8, &at));
	assert_false(table_find_number(NULL, "whole", 7, &at));
	assert_int_equal(at, 0);
	t->nfoot = 1; /* the foot is not data */
	assert_false(table_find_number(t, "whole", NAN, &at));
	assert_true(number_same(NAN, NAN) && number_same(1, 1));
	assert_false(number_same(NAN, 0) || number_same(0, NAN) || number_same(1, 2));
	assert_true(numbers_find(v, COUNT_OF(v), 5, &at) && at == 2);
	assert_true(numbers_find(v, COUNT_OF(v), NAN, &at) && at == 1);
	assert_false(numbers_find(v, COUNT_OF(v), 4, &at));
	assert_int_equal(at, COUNT_OF(v));
	assert_false(numbers_find(v, 0, 3, &at));
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed),
		cmocka_unit_test(notes_before),
		cmocka_unit_test(cells),
		cmocka_unit_test(rows_as_values),
		cmocka_unit_test(no_bytes),
		cmocka_unit_test(lookups),
		cmocka_unit_test(finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
