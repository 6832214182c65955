/* JSON: the exact text of a small result, and validity whatever the names hold, checked by a parser
 * that is not the library's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report_text.h"

static const struct column COLUMNS[] = {
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "Self", CELL_INT, UNIT_NS, 0),
	COLUMN("share_ratio", NULL, CELL_REAL, UNIT_RATIO, 0),
	COLUMN("is_gpu", "GPU", CELL_BOOL, UNIT_NONE, 0),
	COLUMN("peak_bytes", "Peak", CELL_INT, UNIT_BYTES, COLUMN_HIDDEN),
	COLUMN("at_ns", "At", CELL_INT, UNIT_TIMESTAMP, 0),
	COLUMN("calls", "Calls", CELL_INT, UNIT_COUNT, 0),
	COLUMN("rate_bytes_per_s", "Rate", CELL_REAL, UNIT_BYTES_PER_S, 0),
};
enum { NCOLUMN = sizeof(COLUMNS) / sizeof(COLUMNS[0]) };

/* ---- a strict JSON reader: moves *p behind one value, false when there is none ---- */

static bool is_value(const char **p);

static void skip_space(const char **p)
{
	*p += strspn(*p, " \t\r\n");
}

static bool is_string(const char **p)
{
	if (*(*p)++ != '"')
		return false;
	while (**p != '"') {
		if ((unsigned char)**p < 0x20)
			return false;
		if (*(*p)++ != '\\')
			continue;
		if (**p == 'u') {
			if (strspn(*p + 1, "0123456789abcdefABCDEF") < 4)
				return false;
			*p += 4;
		} else if (!**p || !strchr("\"\\/bfnrt", **p)) {
			return false;
		}
		++*p;
	}
	++*p;
	return true;
}

static bool is_digits(const char **p)
{
	size_t n = strspn(*p, "0123456789");

	*p += n;
	return n > 0;
}

static bool is_number(const char **p)
{
	const char *first;

	*p += **p == '-';
	first = *p;
	if (!is_digits(p) || (*first == '0' && *p > first + 1))
		return false;
	if (**p == '.') {
		++*p;
		if (!is_digits(p))
			return false;
	}
	if (**p != 'e' && **p != 'E')
		return true;
	++*p;
	*p += **p == '+' || **p == '-';
	return is_digits(p);
}

/* Members or elements up to the closing bracket. */
static bool is_list(const char **p, char close)
{
	++*p;
	skip_space(p);
	if (**p == close) {
		++*p;
		return true;
	}
	for (;;) {
		skip_space(p);
		if (close == '}') {
			if (!is_string(p))
				return false;
			skip_space(p);
			if (*(*p)++ != ':')
				return false;
		}
		if (!is_value(p))
			return false;
		if (**p != ',')
			return *(*p)++ == close;
		++*p;
	}
}

static bool is_value(const char **p)
{
	static const char *const word[] = { "null", "true", "false" };
	bool ok = false;
	size_t i;

	skip_space(p);
	if (**p == '{')
		ok = is_list(p, '}');
	else if (**p == '[')
		ok = is_list(p, ']');
	else if (**p == '"')
		ok = is_string(p);
	else if (**p == '-' || (**p >= '0' && **p <= '9'))
		ok = is_number(p);
	for (i = 0; i < 3 && !ok; i++) {
		if (strncmp(*p, word[i], strlen(word[i])) == 0) {
			*p += strlen(word[i]);
			ok = true;
		}
	}
	skip_space(p);
	return ok;
}

static bool is_json(const char *s)
{
	return is_value(&s) && *s == '\0';
}

static void test_the_reader_itself(void **state)
{
	(void)state;
	assert_true(is_json("{\"a\": [1, -2.5e+3, null, \"\\u001b\"], \"b\": {}}\n"));
	assert_false(is_json("{\"a\": [1,]}"));
	assert_false(is_json("{\"a\": inf}"));
	assert_false(is_json("[01]"));
	assert_false(is_json("[\"\n\"]"));
	assert_false(is_json("[\"\\x1b\"]"));
	assert_false(is_json("[1] 2"));
}

/* What the result of test_exact_text is, to the byte. */
static const char EXACT[] =
	"{\"schema\": \"traceq.top/1\",\n"
	" \"inputs\": [\"a \\\"b\\\".json\"],\n"
	" \"tables\": [\n"
	"  {\"id\": \"ops\", \"title\": \"CPU ops\", \"input\": 0,\n"
	"   \"columns\": [\n"
	"    {\"key\": \"name\", \"title\": \"Name\", \"unit\": null},\n"
	"    {\"key\": \"self_ns\", \"title\": \"Self\", \"unit\": \"ns\"},\n"
	"    {\"key\": \"share_ratio\", \"title\": null, \"unit\": \"ratio\"},\n"
	"    {\"key\": \"is_gpu\", \"title\": \"GPU\", \"unit\": null},\n"
	"    {\"key\": \"peak_bytes\", \"title\": \"Peak\", \"unit\": \"bytes\"},\n"
	"    {\"key\": \"at_ns\", \"title\": \"At\", \"unit\": \"ns\"},\n"
	"    {\"key\": \"calls\", \"title\": \"Calls\", \"unit\": \"count\"},\n"
	"    {\"key\": \"rate_bytes_per_s\", \"title\": \"Rate\", \"unit\": \"bytes_per_s\"}],\n"
	"   \"rows\": [\n"
	"    {\"name\": \"k\", \"self_ns\": 9223372036854775807, \"share_ratio\": "
	"0.1, \"is_gpu\": true, \"peak_bytes\": -9223372036854775808, \"at_ns\": "
	"9007199254740993, \"calls\": 0, \"rate_bytes_per_s\": null},\n"
	"    {\"name\": null, \"self_ns\": null, \"share_ratio\": null, \"is_gpu\": "
	"null, \"peak_bytes\": null, \"at_ns\": null, \"calls\": null, \"rate_bytes_per_s\": "
	"null}],\n"
	"   \"footer\": [\n"
	"    {\"name\": \"total\", \"self_ns\": null, \"share_ratio\": null, \"is_gpu\": "
	"null, \"peak_bytes\": null, \"at_ns\": null, \"calls\": null, \"rate_bytes_per_s\": "
	"null}],\n"
	"   \"footnote\": \"sorted\", \"cut\": 7}],\n"
	" \"notes\": [\n"
	"  {\"level\": \"warning\", \"id\": \"cut\", \"input\": 0, \"count\": 3, "
	"\"offset\": 17, \"line\": 2, \"text\": \"cut off\"},\n"
	"  {\"level\": \"info\", \"id\": \"all\", \"input\": null, \"count\": null, "
	"\"offset\": null, \"line\": null, \"text\": \"all\"}]}\n";

static void test_exact_text(void **state)
{
	struct result r;
	struct table *t;
	char *s;

	(void)state;
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "a \"b\".json");
	t = result_table(&r, "ops", "CPU ops", COLUMNS, NCOLUMN);
	t->input = 0;
	table_row(t);
	table_text(t, 0, SPAN("k"));
	table_int(t, 1, INT64_MAX);
	table_real(t, 2, 0.1);
	table_bool(t, 3, true);
	table_int(t, 4, INT64_MIN);
	table_int(t, 5, 9007199254740993);
	table_int(t, 6, 0);
	table_real(t, 7, (double)INFINITY);
	table_row(t);
	table_row(t);
	table_text(t, 0, SPAN("total"));
	t->nfoot = 1;
	t->ncut = 7;
	t->footnote = "sorted";
	result_note(&r, NOTE_WARNING, "cut", 0, 3, "cut off");
	r.note[0].offset = 17;
	r.note[0].line = 2;
	result_note(&r, NOTE_INFO, "all", -1, -1, "all");
	s = report_text("json", &r, (struct render){ .width = 80, .unit = "s" });
	assert_non_null(s);
	assert_string_equal(s, EXACT);
	assert_true(is_json(s));
	free(s);
	result_clear(&r);
}

static void test_empty_result(void **state)
{
	struct result r;
	char *s;

	(void)state;
	result_init(&r, "traceq.check/1");
	s = report_text("json", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_string_equal(s,
		"{\"schema\": \"traceq.check/1\",\n \"inputs\": [],\n"
		" \"tables\": [],\n \"notes\": []}\n");
	free(s);
	result_table(&r, "ops", NULL, COLUMNS, NCOLUMN);
	result_table(&r, "kernels", NULL, COLUMNS, 0);
	s = report_text("json", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_true(is_json(s));
	free(s);
	result_clear(&r);
}

/* Every hostile name, and every pair of bytes, in every place that takes a text. */
static void test_hostile_names_are_valid_json(void **state)
{
	struct result r;
	struct table *t;
	char(*pair)[2] = malloc(0x10000 * sizeof(*pair));
	char *s;
	size_t i;

	(void)state;
	assert_non_null(pair);
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "dir\033\"\\/\xff.json");
	t = result_table(&r, "ops", "title \"\n\xff", COLUMNS, NCOLUMN);
	for (i = 0; i < HOSTILE_COUNT; i++) {
		table_row(t);
		table_text(t, 0, HOSTILE[i]);
	}
	for (i = 0; i < 0x10000; i++) {
		pair[i][0] = (char)(i >> 8);
		pair[i][1] = (char)i;
		table_row(t);
		table_text(t, 0, (struct span){ pair[i], 2 });
	}
	t->footnote = "\"\\\033";
	result_note(&r, NOTE_ERROR, "x\"", 0, 1, "text \" \\ \033 \xff");
	s = report_text("json", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_true(is_json(s));
	assert_true(is_harmless(s, "\n"));
	assert_non_null(strstr(s, "\"nul\\u0000byte\""));
	assert_non_null(strstr(s, "\"esc \\u001b[31mred\\u001b]0;title\\u0007\""));
	free(s);
	result_clear(&r);
	free(pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_reader_itself),
		cmocka_unit_test(test_exact_text),
		cmocka_unit_test(test_empty_result),
		cmocka_unit_test(test_hostile_names_are_valid_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
