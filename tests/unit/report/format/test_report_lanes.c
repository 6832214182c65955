/* Lanes as pictures of letters, of tables made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/gap_words.h"
#include "base/width.h"
#include "report/chart/theme.h"
#include "tests/unit/report_text.h"

enum { LANE, SORT, KIND, NAME, AT, LENGTH, BUSY, COLUMNS };

static const struct column MARKS[COLUMNS] = {
	COLUMN("lane", "lane", CELL_TEXT, UNIT_NONE, 0),
	COLUMN("sort", "sort", CELL_TEXT, UNIT_NONE, 0),
	COLUMN("kind", "kind", CELL_TEXT, UNIT_NONE, 0),
	COLUMN("name", "name", CELL_TEXT, UNIT_NONE, 0),
	COLUMN("at_ns", "at", CELL_INT, UNIT_NS, 0),
	COLUMN("length_ns", "length", CELL_INT, UNIT_NS, 0),
	COLUMN("busy_ns", "busy", CELL_INT, UNIT_NS, 0),
};

static struct table *begin(struct result *r, int64_t at, int64_t length)
{
	struct table *t;

	result_init(r, "traceq.timeline/1");
	(void)result_input(r, "a.json");
	t = result_table(r, "marks", NULL, MARKS, COLUMNS);
	t->layout = TABLE_LANES;
	table_row(t);
	table_text(t, SORT, SPAN("whole"));
	table_int(t, AT, at);
	table_int(t, LENGTH, length);
	return t;
}

static void mark(struct table *t, const char *lane, const char *kind, int64_t at, int64_t length,
	int64_t busy)
{
	table_row(t);
	table_text(t, LANE, span_of(lane));
	table_text(t, SORT, strncmp(lane, "GPU", 3) == 0 ? SPAN("device") : SPAN("thread"));
	table_text(t, KIND, span_of(kind));
	table_int(t, AT, at);
	table_int(t, LENGTH, length);
	table_int(t, BUSY, busy);
}

static void step(struct table *t, const char *name, int64_t at)
{
	table_row(t);
	table_text(t, SORT, SPAN("step"));
	table_text(t, NAME, span_of(name));
	table_int(t, AT, at);
	table_int(t, LENGTH, 1);
}

/* Forty columns of 1 ns behind "GPU 0 ". */
static const struct render plain = { .width = 46, .utf8 = true };

/* Compute 0-10, all busy but for half of 4-5; comm 10-20 of which a quarter; a gap of sync 20-36,
 * one of dependency 36-40. */
static void test_cells(void **state)
{
	struct result r;
	struct table *t = begin(&r, 0, 40);
	char *text;

	(void)state;
	mark(t, "GPU 0", "compute", 0, 4, 4);
	mark(t, "GPU 0", "compute", 4, 1, 0);
	mark(t, "GPU 0", "compute", 5, 5, 5);
	mark(t, "GPU 0", "comm", 10, 10, 3);
	mark(t, "GPU 0", "sync", 20, 16, 16);
	mark(t, "GPU 0", "dependency", 36, 4, 4);
	text = report_text("table", &r, plain);
	assert_string_equal(text,
		"time  |0 ns     |10 ns    |20 ns    |30 ns\n"
		"GPU 0 CCCC CCCCCxxxxxxxxxx.. sync 16 ns ......\n"
		"C compute  X comm  . idle\n"
		"a less than 3/4 of the column\n"
		"longest gaps: 16 ns at 20 ns: sync; 4 ns at\n"
		"  36 ns: dependency\n");
	free(text);
	result_clear(&r);
}

/* The kind with most of a column is its letter.  33 columns of 2.42 ns behind names of 12 letters,
 * which is what those have at least. */
static void test_mixed(void **state)
{
	struct result r;
	struct table *t = begin(&r, 1000, 80);
	char *text;

	(void)state;
	step(t, "7", 1000);
	step(t, "8", 1002); /* has no room */
	step(t, "9", 1050);
	mark(t, "GPU 0", "copy", 1000, 20, 12);
	mark(t, "GPU 0", "compute", 1000, 20, 8);
	mark(t, "a thread of a long name (python)", "CPU op", 1079, 1, 1);
	text = report_text("table", &r, plain);
	assert_string_equal(text,
		"steps        |#7                 |#9\n"
		"time         |1 us               |1.05 us\n"
		"GPU 0        MMMMMMMMm\n"
		"a thre\u2026 name                                 o\n"
		"M copy  O CPU op\n"
		"a less than 3/4 of the column\n");
	free(text);
	result_clear(&r);
}

/* Blocks and colours: as high as it is busy, by sevenths, and no letter.  40 columns of 7 ns. */
static void test_blocks(void **state)
{
	static const struct render color = { .width = 46, .utf8 = true, .color = true };
	struct result r;
	struct table *t = begin(&r, 0, 280);
	char *text;
	int i;

	(void)state;
	for (i = 0; i < 8; i++)
		mark(t, "GPU 0", "compute", 7 * i, 7, i);
	mark(t, "GPU 0", "sync", 56, 14, 14);
	text = report_text("table", &r, color);
	assert_non_null(strstr(text,
		"GPU 0  \033[38;5;32m\u2581\u2582\u2583\u2584\u2585\u2586\u2587"
		"\033[38;5;38m\u2591\u2591\033[0m\n"));
	assert_non_null(strstr(text,
		"\033[38;5;32m\u2587\033[0m compute  \033[38;5;38m\u2591\033[0m idle: sync\n"));
	assert_null(strstr(text, "less than"));
	free(text);
	result_clear(&r);
}

/* No line is wider than the terminal, whatever lanes and causes are called. */
static void test_hostile(void **state)
{
	static const unsigned widths[] = { 40, 46, 60, 80, 200 };
	size_t i, k;

	(void)state;
	for (i = 0; i < HOSTILE_COUNT; i++) {
		for (k = 0; k < sizeof(widths) / sizeof(widths[0]); k++) {
			struct render how = { .width = widths[k], .utf8 = i % 2 == 0 };
			struct result r;
			struct table *t = begin(&r, 0, 1000);
			char *text, *line, *rest;

			mark(t, "GPU 0", "sync", 0, 1000, 1000);
			table_text(t, NAME, HOSTILE[i]);
			mark(t, "x", "CPU op", 0, 5, 5);
			table_text(t, LANE, HOSTILE[i]);
			step(t, "", 3);
			table_text(t, NAME, HOSTILE[i]);
			text = report_text("table", &r, how);
			assert_true(is_harmless(text, "\n"));
			for (line = strtok_r(text, "\n", &rest); line;
				line = strtok_r(NULL, "\n", &rest))
				if (!strchr(line, ':'))
					assert_true(width_of(span_of(line)) <= widths[k]);
			free(text);
			result_clear(&r);
		}
	}
}

/* Each kind has a letter of its own, and words of other answers are the last. */
static void test_kinds(void **state)
{
	size_t i, k;

	(void)state;
	for (i = 0; i < WORK_KINDS; i++) {
		assert_int_equal(work_kind_of(span_of(work_kinds()[i].word)), i);
		for (k = 0; k < i; k++)
			assert_int_not_equal(work_kinds()[i].letter, work_kinds()[k].letter);
	}
	assert_int_equal(work_kind_of(SPAN("other")), WORK_KINDS - 1);
}

/* So has each cause of idle. */
static void test_causes(void **state)
{
	(void)state;
	for (int i = 0; i < GAP_CAUSE_COUNT; i++) {
		struct span word = span_of(gap_cause_word((enum gap_cause)i));

		assert_true(span_is(word, work_kinds()[work_kind_of(word)].word));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
