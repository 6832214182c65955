/* Markdown: GitHub tables, lists, lines, notes; names that are markup stay text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report_text.h"

static const struct column COLUMNS[] = {
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "Self", CELL_INT, UNIT_NS, 0),
	COLUMN("share_ratio", "%", CELL_REAL, UNIT_RATIO, 0),
	COLUMN("peak_bytes", "Peak", CELL_INT, UNIT_BYTES, COLUMN_HIDDEN),
	COLUMN("calls", "Calls", CELL_INT, UNIT_COUNT, 0),
};
enum { NCOLUMN = sizeof(COLUMNS) / sizeof(COLUMNS[0]) };

static void expect(const struct result *r, struct render how, const char *want)
{
	char *s = report_text("md", r, how);

	assert_non_null(s);
	assert_string_equal(s, want);
	free(s);
}

static void fill(struct table *t)
{
	table_row(t);
	table_text(t, 0, SPAN("aten::copy_ <int>"));
	table_int(t, 1, 68080000);
	table_real(t, 2, 0.2412);
	table_int(t, 3, 1);
	table_int(t, 4, 1267);
}

static void test_grid(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "a.json");
	t = result_table(&r, "ops", "CPU *ops*", COLUMNS, NCOLUMN);
	fill(t);
	table_row(t);
	table_int(t, 1, 5200000);
	table_row(t);
	table_text(t, 0, SPAN("total"));
	t->nfoot = 1;
	t->footnote = "sorted by self_time\nsecond";
	result_note(&r, NOTE_INFO, "i", 0, 1, "an _info_");
	result_note(&r, NOTE_WARNING, "w", -1, 1, "a warning");
	result_note(&r, NOTE_ERROR, "e", -1, 1, "an error");
	expect(&r, (struct render){ .width = 20, .color = true },
		"### CPU \\*ops\\*\n\n"
		"| Name | Self | % | Calls |\n"
		"| :-- | --: | --: | --: |\n"
		"| aten::copy\\_ &lt;int&gt; | 68.08 ms | 24.1 | 1,267 |\n"
		"| - | 5.20 ms | - | - |\n"
		"| total |  |  |  |\n"
		"\nsorted by self\\_time  \nsecond\n"
		"\n### Notes\n\n"
		"- **note**: an \\_info\\_\n- **warning**: a warning\n- **error**: an error\n");
	result_clear(&r);
}

static void test_list_line_and_inputs(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.info/1");
	(void)result_input(&r, "a.json");
	(void)result_input(&r, "b_c.json");
	t = result_table(&r, "line", NULL, COLUMNS, NCOLUMN);
	t->layout = TABLE_LINE;
	t->input = 1;
	fill(t);
	table_row(t);
	table_int(t, 4, 3);
	t = result_table(&r, "list", "facts", COLUMNS, NCOLUMN);
	t->layout = TABLE_LIST;
	t->input = 1;
	fill(t);
	result_note(&r, NOTE_INFO, "i", 1, 1, "text");
	expect(&r, (struct render){ .unit = "us" },
		"### b\\_c.json\n\n"
		"aten::copy\\_ &lt;int&gt; \xc2\xb7 68080 us \xc2\xb7 24.1% \xc2\xb7 1,267  \n3\n"
		"\n### b\\_c.json: facts\n\n"
		"- **Name**: aten::copy\\_ &lt;int&gt;\n- **Self**: 68080 us\n- **%**: 24.1%\n"
		"- **Calls**: 1,267\n"
		"\n### Notes\n\n- **note**: b\\_c.json: text\n");
	result_clear(&r);
}

static void test_empty(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "traceq.top/1");
	expect(&r, (struct render){ 0 }, "");
	result_table(&r, "ops", NULL, COLUMNS, NCOLUMN);
	expect(&r, (struct render){ 0 },
		"| Name | Self | % | Calls |\n| :-- | --: | --: | --: |\n");
	result_clear(&r);
}

/* Separators of a table row: pipes with no backslash, or an even number of them, in front. */
static size_t separators(const char *s, size_t n)
{
	size_t i, found = 0, slashes = 0;

	for (i = 0; i < n; i++) {
		found += s[i] == '|' && slashes % 2 == 0;
		slashes = s[i] == '\\' ? slashes + 1 : 0;
	}
	return found;
}

static void test_hostile_names_stay_in_their_cell(void **state)
{
	struct result r;
	struct table *t;
	char *s, *p;
	size_t i;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "ops", NULL, COLUMNS, NCOLUMN);
	for (i = 0; i < HOSTILE_COUNT; i++) {
		table_row(t);
		table_text(t, 0, HOSTILE[i]);
	}
	s = report_text("md", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_true(is_harmless(s, "\n"));
	assert_null(strchr(s, '<'));
	for (p = s, i = 0; *p; i++) {
		size_t n = strcspn(p, "\n");

		assert_int_equal(separators(p, n), 5);
		p += n + 1;
	}
	assert_int_equal(i, HOSTILE_COUNT + 2);
	free(s);
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_list_line_and_inputs),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_hostile_names_stay_in_their_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
