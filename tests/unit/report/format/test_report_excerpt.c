/* Excerpts: the exact text of a small result, pages by cursor, and the bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/format/excerpt.h"
#include "tests/unit/report_text.h"

static const struct column COLUMNS[] = {
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "Self", CELL_INT, UNIT_NS, 0),
	COLUMN("share", NULL, CELL_REAL, UNIT_RATIO, 0),
	COLUMN("is_gpu", "GPU", CELL_BOOL, UNIT_NONE, 0),
};
enum { NCOLUMN = sizeof(COLUMNS) / sizeof(COLUMNS[0]) };

/* The excerpt, malloc'ed; NULL: it was refused. */
static char *excerpt_of(const struct result *r, struct excerpt want)
{
	const struct render how = { .excerpt = &want };
	char *text = NULL;
	size_t n;
	struct err e;
	FILE *out = open_memstream(&text, &n);
	enum status st = renderer_excerpt.put(out, r, &how, &e);

	(void)fclose(out);
	if (st == OK)
		return text;
	assert_int_equal(st, E_USAGE);
	free(text);
	return NULL;
}

static void expect(const struct result *r, struct excerpt want, const char *text)
{
	char *got = excerpt_of(r, want);

	assert_non_null(got);
	assert_string_equal(got, text);
	free(got);
}

static struct table *add_rows(struct result *r, const char *id, const char *title, int n)
{
	struct table *t = result_table(r, id, title, COLUMNS, NCOLUMN);
	int i;

	for (i = 0; i < n; i++) {
		table_row(t);
		table_textf(t, 0, "k%d", i);
		table_int(t, 1, i);
	}
	return t;
}

static void test_text(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.x/1");
	(void)result_input(&r, "a \"b\".json");
	t = result_table(&r, "ops", "Ops", COLUMNS, NCOLUMN);
	t->input = 0;
	table_row(t);
	table_text(t, 0, SPAN("a\nb"));
	table_int(t, 1, INT64_MAX);
	table_real(t, 2, 1.0 / 3);
	table_bool(t, 3, true);
	table_row(t);
	table_real(t, 2, 27394612.75);
	table_row(t);
	table_real(t, 2, INFINITY);
	table_row(t);
	table_text(t, 0, SPAN("total"));
	t->nfoot = 1;
	t->footnote = "so it is";
	t->ncut = 7;
	result_note(&r, NOTE_WARNING, "odd", 0, 3, "three are odd");
	expect(&r, (struct excerpt){ 0 },
		"{\"schema\":\"traceq.x/1\",\"inputs\":[\"a \\\"b\\\".json\"],\"tables\":[{\"id\":\"ops\","
		"\"title\":\"Ops\",\"input\":0,\"nrow\":3,\"rows\":[{\"name\":\"a\\nb\","
		"\"self_ns\":9223372036854775807,\"share\":0.333333,\"is_gpu\":true},"
		"{\"share\":27394613},{}],\"footer\":[{\"name\":\"total\"}],\"footnote\":\"so it is\","
		"\"ncut\":7}],\"notes\":[{\"level\":\"warning\",\"id\":\"odd\",\"input\":0,"
		"\"text\":\"three are odd\"}]}\n");
	result_clear(&r);
}

static void test_pages(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "s");
	(void)add_rows(&r, "a", NULL, 1);
	(void)add_rows(&r, "b", NULL, 5);
	expect(&r, (struct excerpt){ .limit = 2 },
		"{\"schema\":\"s\",\"inputs\":[],\"tables\":[{\"id\":\"a\",\"nrow\":1,\"rows\":[{\"name\":"
		"\"k0\",\"self_ns\":0}]},{\"id\":\"b\",\"nrow\":5,\"rows\":[{\"name\":\"k0\",\"self_ns\":0},"
		"{\"name\":\"k1\",\"self_ns\":1}],\"next_cursor\":\"1:2\"}]}\n");
	expect(&r, (struct excerpt){ .limit = 2, .has_start = true, .table = 1, .row = 2 },
		"{\"schema\":\"s\",\"inputs\":[],\"tables\":[{\"id\":\"b\",\"nrow\":5,\"rows\":[{\"name\":"
		"\"k2\",\"self_ns\":2},{\"name\":\"k3\",\"self_ns\":3}],\"next_cursor\":\"1:4\"}]}\n");
	expect(&r, (struct excerpt){ .limit = 2, .has_start = true, .table = 1, .row = 4 },
		"{\"schema\":\"s\",\"inputs\":[],\"tables\":[{\"id\":\"b\",\"nrow\":5,\"rows\":[{\"name\":"
		"\"k4\",\"self_ns\":4}]}]}\n");
	assert_null(excerpt_of(&r, (struct excerpt){ .has_start = true, .table = 1, .row = 5 }));
	assert_null(excerpt_of(&r, (struct excerpt){ .has_start = true, .table = 2 }));
	assert_null(excerpt_of(
		&r, (struct excerpt){ .has_start = true, .table = SIZE_MAX, .row = SIZE_MAX }));
	result_clear(&r);
}

static void test_cursors(void **state)
{
	static const char *const bad[] = { "", ":", "1", "1:", ":1", "a:1", "1:1 ", " 1:1", "-1:0",
		"1:1:1", "1234567890123456789:0", "0:1234567890123456789", "0x1:0" };
	struct excerpt x = { 0 };
	size_t i;

	(void)state;
	assert_true(excerpt_cursor("12:34", &x));
	assert_true(x.has_start && x.table == 12 && x.row == 34);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(excerpt_cursor(bad[i], &x));
}

/* Many tables of many long rows: rows stop, then heads. */
static void test_bounds(void **state)
{
	enum { TABLES = 2000, ROWS = 50, LONG = 5000 };
	static char text[LONG];
	struct result r;
	struct table *t;
	char *got;
	int i;

	(void)state;
	memset(text, 'x', LONG);
	result_init(&r, "s");
	for (i = 0; i < TABLES; i++) {
		t = add_rows(&r, "t", "a title of some length", ROWS);
		table_row(t);
		table_text(t, 0, (struct span){ text, LONG });
	}
	got = excerpt_of(&r, (struct excerpt){ .limit = EXCERPT_ROWS_MAX });
	assert_in_range(strlen(got), EXCERPT_BYTES, 3 * EXCERPT_BYTES);
	assert_non_null(strstr(got, "[... 4000 bytes ...]"));
	assert_non_null(strstr(got, "\"rows\":[],\"next_cursor\":\"60:0\""));
	assert_non_null(strstr(got, "\"tables_left_out\":"));
	free(got);
	result_clear(&r);
}

/* A text is cut between characters. */
static void test_letters(void **state)
{
	enum { N = 3000 };
	char text[N];
	const struct excerpt all = { 0 };
	struct result r;
	struct table *t;
	char *got;
	int shift, i;

	(void)state;
	for (shift = 0; shift < 3; shift++) {
		result_init(&r, "s");
		t = result_table(&r, "t", NULL, COLUMNS, NCOLUMN);
		memset(text, 'x', N);
		for (i = shift; i + 3 <= N; i += 3)
			memcpy(text + i, "\xe2\x82\xac", 3);
		table_row(t);
		table_text(t, 0, (struct span){ text, (size_t)i });
		got = excerpt_of(&r, all);
		assert_null(strstr(got, "\xef\xbf\xbd"));
		assert_non_null(strstr(got, " bytes ...]"));
		free(got);
		result_clear(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_cursors),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
