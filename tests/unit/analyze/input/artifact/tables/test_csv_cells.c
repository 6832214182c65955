/* CSV as programs write it: quotes, blanks, unquoted separators, cells of several lines; dates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/iso_time.h"
#include "base/compiler.h"

static void check_row(const char *line, const char *const *want, size_t n)
{
	static struct csv_row row;
	SCOPED_STR unquote = { 0 };
	size_t i;

	csv_split(span_of(line), ',', &row, &unquote);
	if (row.n != n)
		fail_msg("%s: %zu cells, not %zu", line, row.n, n);
	for (i = 0; i < n; i++)
		if (!span_is(row.cell[i], want[i]))
			fail_msg("%s: cell %zu is '%.*s'", line, i, (int)row.cell[i].n,
				row.cell[i].p);
}

#define ROW(line, ...)                                        \
	check_row(line, (const char *const[]){ __VA_ARGS__ }, \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void cells(void **state)
{
	(void)state;
	ROW("a,b,c", "a", "b", "c");
	ROW("a, 87 %, 30123 MiB ", "a", "87 %", "30123 MiB");
	ROW("", "");
	ROW(",,", "", "", "");
	ROW("\"a, b\",2", "a, b", "2");
	ROW("\"say \"\"hi\"\"\",\"\"\"\"", "say \"hi\"", "\"");
	ROW("  \"x\"  ,y", "x", "y");
	ROW("\"open, 1", "open, 1");
	ROW("a\"b,c", "a\"b", "c");
	ROW("\"\",x", "", "x");
}

/* The name takes what is too much; the numbers are counted from the right. */
static void mending(void **state)
{
	static struct csv_row row;

	(void)state;
	csv_split(SPAN("void k<128, 4, F<float>>(int, float),0,0.75,3"), ',', &row, NULL);
	assert_true(csv_mend(&row, 4, 0));
	assert_int_equal(row.n, 4);
	assert_true(span_is(row.cell[0], "void k<128, 4, F<float>>(int, float)"));
	assert_true(span_is(row.cell[1], "0"));
	assert_true(span_is(row.cell[3], "3"));
	csv_split(SPAN("a,b"), ',', &row, NULL);
	assert_false(csv_mend(&row, 3, 0));
	assert_true(csv_mend(&row, 2, 0));
	csv_split(SPAN("1,x,y,2"), ',', &row, NULL);
	assert_true(csv_mend(&row, 3, 1));
	assert_true(span_is(row.cell[1], "x,y"));
	assert_true(span_is(row.cell[2], "2"));
}

static void dates(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} good[] = {
		{ "1970-01-01T00:00:00", 0 },
		{ "2025-11-30T12:00:00", 1764504000 },
		{ "2025-11-30T12:00:00Z", 1764504000 },
		{ "2025-11-30T13:30:00+01:30", 1764504000 },
		{ "2025-11-30T07:00:00-0500", 1764504000 },
		{ "2025-11-30 12:00:00.250", 1764504000.25 },
		{ "2025/11/30 12:00:00.125", 1764504000.125 },
		{ "20251130 12:00:00", 1764504000 },
		{ "2024-02-29T00:00:00", 1709164800 },
	};
	static const char *const bad[] = { "", "2025", "2025-13-01T00:00:00", "2025-11-30",
		"2025-11-30T12:00", "40_profile_gpu.py", "2025-11-30T12:00:00 noon", "12:00:00" };
	double v;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(good); i++)
		if (!iso_time(span_of(good[i].text), &v) || fabs(v - good[i].seconds) > 1e-6)
			fail_msg("%s: %f", good[i].text, v);
	for (i = 0; i < COUNT_OF(bad); i++)
		if (iso_time(span_of(bad[i]), &v))
			fail_msg("%s: %f", bad[i], v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells),
		cmocka_unit_test(mending),
		cmocka_unit_test(dates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
