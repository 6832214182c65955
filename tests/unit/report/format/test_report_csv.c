/* CSV and TSV: one table of any result, read back by parsers of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "tests/unit/report_text.h"

static const struct column COLUMNS[] = {
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "Self", CELL_INT, UNIT_NS, 0),
	COLUMN("share_ratio", "%", CELL_REAL, UNIT_RATIO, 0),
	COLUMN("is_gpu", "GPU", CELL_BOOL, UNIT_NONE, 0),
	COLUMN("peak_bytes", "Peak", CELL_INT, UNIT_BYTES, COLUMN_HIDDEN),
};
enum { NCOLUMN = sizeof(COLUMNS) / sizeof(COLUMNS[0]) };

static const struct column OTHERS[] = {
	COLUMN("calls", "Calls", CELL_INT, UNIT_COUNT, 0),
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
};

static void expect(const char *format, const struct result *r, const char *want)
{
	char *s =
		report_text(format, r, (struct render){ .width = 80, .unit = "ms", .color = true });

	assert_non_null(s);
	assert_string_equal(s, want);
	free(s);
}

static struct table *one_table(struct result *r)
{
	struct table *t = result_table(r, "ops", "CPU ops", COLUMNS, NCOLUMN);

	table_row(t);
	table_text(t, 0, SPAN("a,b"));
	table_int(t, 1, INT64_MAX);
	table_real(t, 2, 0.1);
	table_bool(t, 3, true);
	table_int(t, 4, INT64_MIN);
	table_row(t);
	table_text(t, 0, SPAN("total"));
	t->nfoot = 1;
	t->footnote = "sorted";
	return t;
}

static void test_one_table(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "a.json");
	one_table(&r)->input = 0;
	result_table(&r, "head", NULL, OTHERS, 2)->layout = TABLE_LINE;
	result_note(&r, NOTE_ERROR, "x", 0, 1, "not here");
	expect("csv", &r,
		"name,self_ns,share_ratio,is_gpu,peak_bytes\n"
		"\"a,b\",9223372036854775807,0.1,true,-9223372036854775808\n");
	expect("tsv", &r,
		"name\tself_ns\tshare_ratio\tis_gpu\tpeak_bytes\n"
		"a,b\t9223372036854775807\t0.1\ttrue\t-9223372036854775808\n");
	result_clear(&r);
}

static void test_several_tables_and_inputs(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "a.json");
	(void)result_input(&r, "b,c.json");
	one_table(&r)->input = 1;
	t = result_table(&r, "others", NULL, OTHERS, 2);
	table_row(t);
	table_int(t, 0, 3);
	table_text(t, 1, SPAN("z"));
	table_row(t);
	one_table(&r)->input = 0;
	expect("csv", &r,
		"input,name,self_ns,share_ratio,is_gpu,peak_bytes\n"
		"\"b,c.json\",\"a,b\",9223372036854775807,0.1,true,-9223372036854775808\n"
		"a.json,\"a,b\",9223372036854775807,0.1,true,-9223372036854775808\n");
	expect("tsv", &r,
		"input\tname\tself_ns\tshare_ratio\tis_gpu\tpeak_bytes\n"
		"b,c.json\ta,b\t9223372036854775807\t0.1\ttrue\t-9223372036854775808\n"
		"a.json\ta,b\t9223372036854775807\t0.1\ttrue\t-9223372036854775808\n");
	result_clear(&r);
}

/* Without a grid the lists are the data; a column that has the name already is not doubled. */
static void test_lists_when_there_is_no_grid(void **state)
{
	static const struct column own[] = {
		COLUMN("input", "Input", CELL_TEXT, UNIT_NONE, 0),
		COLUMN("table", "Table", CELL_TEXT, UNIT_NONE, 0),
	};
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.info/1");
	(void)result_input(&r, "a.json");
	(void)result_input(&r, "b.json");
	t = result_table(&r, "one", NULL, own, 2);
	t->layout = TABLE_LIST;
	table_row(t);
	table_text(t, 0, SPAN("mine"));
	t = result_table(&r, "two", NULL, own, 2);
	t->layout = TABLE_LINE;
	table_row(t);
	table_text(t, 1, SPAN("too"));
	expect("csv", &r, "input,table\nmine,\n");
	result_clear(&r);
}

static void test_empty(void **state)
{
	static const struct column one[] = { COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, 0) };
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.top/1");
	expect("csv", &r, "");
	expect("tsv", &r, "");
	t = result_table(&r, "ops", NULL, one, 1);
	expect("csv", &r, "name\n");
	table_row(t);
	expect("csv", &r, "name\n\"\"\n");
	table_row(t);
	table_text(t, 0, SPAN("x"));
	expect("csv", &r, "name\n\"\"\nx\n");
	result_clear(&r);
}

static void test_infinity(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "ops", NULL, COLUMNS, 3);
	table_row(t);
	table_real(t, 2, -(double)INFINITY);
	table_row(t);
	table_real(t, 2, (double)NAN);
	expect("csv", &r, "name,self_ns,share_ratio\n,,-inf\n,,\n");
	result_clear(&r);
}

/* Reads one CSV field by RFC 4180 into b and moves *p behind its separator; returns that. */
static char csv_field(const char **p, struct str *b)
{
	bool quoted = **p == '"';

	str_reset(b);
	str_adds(b, "");
	*p += quoted;
	while (**p && (quoted || !strchr(",\n", **p))) {
		if (quoted && **p == '"') {
			++*p;
			if (**p != '"')
				break;
		}
		assert_true(quoted || (**p != '"' && **p != '\r'));
		str_addc(b, *(*p)++);
	}
	assert_true(**p == ',' || **p == '\n');
	return *(*p)++;
}

static char tsv_field(const char **p, struct str *b)
{
	str_reset(b);
	str_adds(b, "");
	for (; **p && !strchr("\t\n", **p); ++*p) {
		char c = **p;

		if (c == '\\') {
			c = *++*p;
			assert_non_null(strchr("tnrxuU\\", c));
			c = c == 't'        ? '\t'
				: c == 'n'  ? '\n'
				: c == 'r'  ? '\r'
				: c == '\\' ? '\\'
					    : '?';
		}
		str_addc(b, c);
	}
	return *(*p)++;
}

/* The texts that lose nothing: no control but tab and line feed, valid UTF-8, no formula. */
static bool is_lossless(struct span s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 ? !strchr("\n\t", s.p[i]) || !s.p[i]
						 : s.p[i] == 0x7f)
			return false;
	return is_harmless(s.p, "\n\t");
}

/* Every record has three fields, names come back, and no cell begins like a formula. */
static void read_back(const char *format, char (*field)(const char **p, struct str *b))
{
	struct result r;
	struct table *t;
	struct str b = { 0 };
	size_t i, lossless = 0;
	const char *p;
	char *s;

	result_init(&r, "traceq.top/1");
	t = result_table(&r, "ops", NULL, COLUMNS, 3);
	for (i = 0; i < HOSTILE_COUNT; i++) {
		table_row(t);
		table_text(t, 0, HOSTILE[i]);
		table_int(t, 1, (int64_t)i);
		table_real(t, 2, 0.5);
	}
	s = report_text(format, &r, (struct render){ 0 });
	assert_non_null(s);
	assert_true(is_harmless(s, "\n\r\t"));
	p = s + strcspn(s, "\n") + 1;
	for (i = 0; i < HOSTILE_COUNT; i++) {
		assert_int_not_equal(field(&p, &b), '\n');
		if (format[0] == 'c')
			assert_true(b.n == 0 || !strchr("=+-@\t\r\n", b.s[0]));
		if (is_lossless(HOSTILE[i]) && !strchr("=+-@\t", HOSTILE[i].p[0])) {
			assert_int_equal(b.n, HOSTILE[i].n);
			assert_memory_equal(b.s, HOSTILE[i].p, b.n);
			lossless++;
		}
		assert_int_not_equal(field(&p, &b), '\n');
		assert_int_equal(strtol(b.s, NULL, 10), i);
		assert_int_equal(field(&p, &b), '\n');
		assert_string_equal(b.s, "0.5");
	}
	assert_int_equal(*p, '\0');
	assert_true(lossless >= 7);
	free(s);
	str_free(&b);
	result_clear(&r);
}

static void test_csv_reads_back(void **state)
{
	(void)state;
	read_back("csv", csv_field);
}

static void test_tsv_reads_back(void **state)
{
	(void)state;
	read_back("tsv", tsv_field);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_table),
		cmocka_unit_test(test_several_tables_and_inputs),
		cmocka_unit_test(test_lists_when_there_is_no_grid),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_infinity),
		cmocka_unit_test(test_csv_reads_back),
		cmocka_unit_test(test_tsv_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
