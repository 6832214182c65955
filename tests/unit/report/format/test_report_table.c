/* The text renderer: alignment, shared units, fitting a width, layouts, colours, hostile names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/width.h"
#include "tests/unit/report_text.h"

enum { NAME, SELF, SHARE, CUMULATIVE, CALLS, AVG, SECRET, TOP_COLUMNS };

static const struct column TOP[TOP_COLUMNS] = {
	COLUMN("name", "name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "self GPU", CELL_INT, UNIT_NS, 0),
	COLUMN("share_ratio", "%", CELL_REAL, UNIT_RATIO, 0),
	COLUMN("cumulative_ratio", "cum%", CELL_REAL, UNIT_RATIO, COLUMN_CUMULATIVE),
	COLUMN("calls", "calls", CELL_INT, UNIT_COUNT, 0),
	COLUMN("avg_ns", "avg", CELL_REAL, UNIT_NS, 0),
	COLUMN("secret_ns", "secret", CELL_INT, UNIT_NS, COLUMN_HIDDEN),
};

static const struct column FACTS[] = {
	COLUMN("gpu", "GPU", CELL_TEXT, UNIT_NONE, 0),
	COLUMN("span_ns", "span", CELL_INT, UNIT_NS, 0),
	COLUMN("size_bytes", "size", CELL_INT, UNIT_BYTES, 0),
	COLUMN("rank", "rank", CELL_INT, UNIT_NONE, 0),
	COLUMN("has_stacks", "stacks", CELL_BOOL, UNIT_NONE, 0),
	COLUMN("events", "events", CELL_INT, UNIT_COUNT, 0),
	COLUMN("busy_ratio", "GPU busy", CELL_REAL, UNIT_RATIO, 0),
	COLUMN("rate_bytes_per_s", "rate", CELL_REAL, UNIT_BYTES_PER_S, 0),
	COLUMN("start_ns", "start", CELL_INT, UNIT_TIMESTAMP, 0),
};
enum { FACTS_COLUMNS = sizeof(FACTS) / sizeof(FACTS[0]) };

static void top_row(struct table *t, const char *name, int64_t self, int64_t calls)
{
	table_row(t);
	table_text(t, NAME, span_of(name));
	table_int(t, SELF, self);
	table_real(t, SHARE, (double)self / 282220000);
	table_int(t, CALLS, calls);
	if (calls > 0)
		table_real(t, AVG, (double)self / (double)calls);
	table_int(t, SECRET, 42);
}

static struct table *top_table(struct result *r)
{
	struct table *t = result_table(r, "device", "device work", TOP, TOP_COLUMNS);

	top_row(t, "ampere_sgemm_128x64_tn", 68080000, 96);
	top_row(t,
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add>()",
		57890000, 24);
	top_row(t, "Memcpy HtoD", 5200000, 0);
	table_row(t);
	table_text(t, NAME, SPAN("... 84 more rows (-n 0 shows all)"));
	table_int(t, SELF, 48200000);
	table_int(t, CALLS, 611);
	t->nfoot = 1;
	t->ncut = 84;
	t->footnote = "sorted by self time";
	return t;
}

static void expect(const struct result *r, struct render how, const char *want)
{
	char *s = report_text("table", r, how);

	assert_non_null(s);
	assert_string_equal(s, want);
	free(s);
}

/* Fourteen columns and two rows: as they are where they fit; else turned, nothing left out; as ever
 * where rows are more than columns would be. */
static void test_turned(void **state)
{
	enum { WIDE = 14 };
	struct column col[WIDE] = { 0 };
	char key[WIDE][16], title[WIDE][24];
	struct result r;
	struct table *t;
	char *s;
	int i, row;

	(void)state;
	for (i = 0; i < WIDE; i++) {
		(void)snprintf(key[i], sizeof(key[i]), "c%d", i);
		(void)snprintf(title[i], sizeof(title[i]), i ? "column %d" : "size", i);
		col[i] = (struct column)COLUMN(key[i], title[i], CELL_INT, UNIT_COUNT, 0);
	}
	result_init(&r, "t/1");
	t = result_table(&r, "t", NULL, col, WIDE);
	for (row = 0; row < 2; row++) {
		table_row(t);
		for (i = 0; i < WIDE; i++)
			table_int(t, (size_t)i, (row ? 1000 : 1) * (i + 1));
	}
	s = report_text("table", &r, (struct render){ .width = 80 });
	assert_non_null(strstr(s, "size        1   1,000\ncolumn 1    2   2,000\n"));
	assert_non_null(strstr(s, "column 13  14  14,000\n"));
	assert_null(strstr(s, "hidden columns"));
	free(s);
	s = report_text("table", &r, (struct render){ .width = 0 });
	assert_non_null(strstr(s, "size  column 1  column 2"));
	free(s);
	for (row = 0; row < 12; row++)
		table_row(t);
	s = report_text("table", &r, (struct render){ .width = 80 });
	assert_non_null(strstr(s, "size  column 1  column 2"));
	assert_non_null(strstr(s, "hidden columns"));
	free(s);
	result_clear(&r);
}

static void test_grid(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "a.json");
	top_table(&r);
	expect(&r, (struct render){ .utf8 = true },
		"device work\n"
		"self GPU     %  cum%  calls       avg  name\n"
		"68.08 ms  24.1     -     96  0.709 ms  ampere_sgemm_128x64_tn\n"
		"57.89 ms  20.5     -     24  2.412 ms  "
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add>()\n"
		" 5.20 ms   1.8     -      0         -  Memcpy HtoD\n"
		"48.20 ms                611            ... 84 more rows (-n 0 shows all)\n"
		"sorted by self time\n");
	expect(&r, (struct render){ .width = 80, .utf8 = true, .unit = "us" },
		"device work\n"
		"self GPU     %  cum%  calls      avg  name\n"
		"68080 us  24.1     -     96   709 us  ampere_sgemm_128x64_tn\n"
		"57890 us  20.5     -     24  2412 us  "
		"vectorized_elementwise_k\xe2\x80\xa6<CUDAFunctor_add>\n"
		" 5200 us   1.8     -      0        -  Memcpy HtoD\n"
		"48200 us                611           ... 84 more rows (-n 0 shows all)\n"
		"sorted by self time\n");
	result_clear(&r);
}

/* Tables of metrics: each row in a unit of its own, also beyond the first growth of the rows. */
static void test_unit_of_row(void **state)
{
	static const struct column cols[] = {
		COLUMN("metric", "metric", CELL_TEXT, UNIT_NONE, 0),
		COLUMN("base", "base", CELL_REAL, UNIT_OF_ROW, 0),
	};
	static const struct {
		const char *name;
		enum unit unit;
		double value;
	} rows[] = {
		{ "step_time", UNIT_NS, 62.4e6 },
		{ "peak_memory", UNIT_BYTES, 1610612736 },
		{ "gpu_busy", UNIT_RATIO, 0.653 },
		{ "launches", UNIT_COUNT, 1543 },
		{ "loss", UNIT_NONE, 0.3421 },
	};
	struct result r;
	struct table *t;
	size_t i;

	(void)state;
	result_init(&r, "traceq.diff/1");
	t = result_table(&r, "metrics", "metrics", cols, 2);
	for (i = 0; i < 5; i++) {
		table_row(t);
		table_unit(t, rows[i].unit);
		table_text(t, 0, span_of(rows[i].name));
		table_real(t, 1, rows[i].value);
	}
	expect(&r, (struct render){ .utf8 = true },
		"metrics\n"
		"metric           base\n"
		"step_time    62.40 ms\n"
		"peak_memory  1.50 GiB\n"
		"gpu_busy        65.3%\n"
		"launches         1543\n"
		"loss           0.3421\n");
	result_clear(&r);
}

/* A text that is spare goes before any number does, also where it is the first. */
static void test_spare(void **state)
{
	static const struct column wide[] = {
		COLUMN("name", "name", CELL_TEXT, UNIT_NONE, 0),
		COLUMN("range", "an interval of that which is long", CELL_TEXT, UNIT_NONE,
			COLUMN_SPARE),
		COLUMN("a", "the first of two long numbers", CELL_INT, UNIT_COUNT, 0),
		COLUMN("b", "the second of two long numbers", CELL_INT, UNIT_COUNT, 0),
	};
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.gate/1");
	t = result_table(&r, "wide", NULL, wide, 4);
	table_row(t);
	table_text(t, 0, SPAN("a name"));
	table_text(t, 1, SPAN("-1.0% .. +1.0% of that which is so long"));
	table_int(t, 2, 1);
	table_int(t, 3, 2);
	expect(&r, (struct render){ .width = 80 },
		"name    the first of two long numbers  the second of two long numbers\n"
		"a name                              1                               2\n"
		"hidden columns: an interval of that which is long (--wide)\n");
	result_clear(&r);
}

static void room_table(struct result *r, const char *id)
{
	static const struct column with_id[] = {
		COLUMN("time_ns", "time", CELL_INT, UNIT_NS, 0),
		COLUMN("id", "id", CELL_TEXT, UNIT_NONE, COLUMN_ROOM),
		COLUMN("name", "name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	};
	struct table *t;

	result_init(r, "traceq.idle/1");
	t = result_table(r, "longest", NULL, with_id, 3);
	table_row(t);
	table_int(t, 0, 1000);
	if (id)
		table_text(t, 1, span_of(id));
	table_text(t, 2, SPAN("0123456789abcdefghijklmnopqrstuvwxyz"));
}

/* 8 + 2 + 7 + 2 + 36 are 55: one less, and it is gone before the name is cut, and nobody misses it.
 */
static void test_room(void **state)
{
	struct result r;

	(void)state;
	room_table(&r, "gap:0@1");
	expect(&r, (struct render){ .width = 55 },
		"    time  id       name\n"
		"1.000 us  gap:0@1  0123456789abcdefghijklmnopqrstuvwxyz\n");
	expect(&r, (struct render){ .width = 54 },
		"    time  name\n"
		"1.000 us  0123456789abcdefghijklmnopqrstuvwxyz\n");
	result_clear(&r);
	room_table(&r, NULL); /* nor is it there without anything in it */
	expect(&r, (struct render){ .width = 0 },
		"    time  name\n"
		"1.000 us  0123456789abcdefghijklmnopqrstuvwxyz\n");
	result_clear(&r);
}

/* Names shrink to 28, then the cumulative column goes, then numbers from the right. */
static void test_narrow(void **state)
{
	static const struct column wide[] = {
		COLUMN("a_ns", "a column with a long head", CELL_INT, UNIT_NS, 0),
		COLUMN("c_ns", "another cumulative one", CELL_INT, UNIT_NS, COLUMN_CUMULATIVE),
		COLUMN("b_ns", "a second long heading", CELL_INT, UNIT_NS, 0),
		COLUMN("d_ns", "a third long heading", CELL_INT, UNIT_NS, 0),
		COLUMN("name", "name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	};
	struct result r;
	struct table *t;
	size_t i;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "wide", NULL, wide, 5);
	table_row(t);
	for (i = 0; i < 4; i++)
		table_int(t, i, (int64_t)(i + 1) * 1000);
	table_text(t, 4, SPAN("0123456789abcdefghijklmnopqrstuvwxyz"));
	expect(&r, (struct render){ .width = 80 },
		"a column with a long head  a second long heading  name\n"
		"                 1.000 us               3.000 us  0123456789abcd...nopqrstuvwxyz\n"
		"hidden columns: another cumulative one, a third long heading (--wide)\n");
	result_clear(&r);
}

static size_t widest_line(const char *s)
{
	size_t most = 0;

	while (*s) {
		size_t n = strcspn(s, "\n"), w = width_of((struct span){ s, n });

		if (w > most)
			most = w;
		s += n + (s[n] != '\0');
	}
	return most;
}

/* Tables of every shape and name fit, and no line ends in a space. */
static void test_everything_fits(void **state)
{
	static const unsigned width[] = { 40, 41, 57, 80, 81, 93, 100, 132, 200 };
	struct result r;
	struct table *t;
	size_t i, k;

	(void)state;
	result_init(&r, "traceq.top/1");
	(void)result_input(&r, "a.json");
	(void)result_input(&r, "b.json");
	t = top_table(&r);
	t->nfoot = 0;
	for (i = 0; i < HOSTILE_COUNT; i++) {
		top_row(t, "", INT64_MAX, INT64_MAX);
		table_text(t, NAME, HOSTILE[i]);
		top_row(t, "", INT64_MIN, INT64_MIN);
	}
	t->input = 1;
	t->footnote =
		"a footnote that is so long that it can't stand on one line of eighty columns, so "
		"that it has to go on below itself";
	result_note(&r, NOTE_INFO, "long", 0, -1, "%s", t->footnote);
	for (i = 0; i < sizeof(width) / sizeof(width[0]); i++) {
		for (k = 0; k < 4; k++) {
			struct render how = {
				.width = width[i], .utf8 = k & 1, .unit = k & 2 ? "ms" : NULL
			};
			char *s = report_text("table", &r, how);

			assert_non_null(s);
			assert_true(widest_line(s) <= width[i]);
			assert_null(strstr(s, " \n"));
			assert_true(is_harmless(s, "\n"));
			free(s);
		}
	}
	result_clear(&r);
}

static void test_zero_rows(void **state)
{
	struct result r;

	(void)state;
	result_init(&r, "traceq.top/1");
	expect(&r, (struct render){ .width = 80 }, "");
	result_table(&r, "device", "device work", TOP, TOP_COLUMNS);
	result_table(&r, "facts", "facts", FACTS, FACTS_COLUMNS)->layout = TABLE_LIST;
	expect(&r, (struct render){ .width = 80 },
		"device work\nself GPU  %  cum%  calls  avg  name\n(no rows)\n\nfacts\n(none)\n");
	result_clear(&r);
}

static void facts_row(struct table *t)
{
	table_row(t);
	table_text(t, 0, SPAN("H100 \xc2\xb1 80GB"));
	table_int(t, 1, 62400000);
	table_int(t, 2, 36500000);
	table_int(t, 3, -1234567);
	table_bool(t, 4, true);
	table_int(t, 5, 132152);
	table_real(t, 6, 0.653);
	table_real(t, 7, 1.2e9);
	table_int(t, 8, INT64_MAX);
}

static void test_list_and_line(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.info/1");
	(void)result_input(&r, "a.json");
	t = result_table(&r, "line", NULL, FACTS, FACTS_COLUMNS);
	t->layout = TABLE_LINE;
	t->input = 0;
	facts_row(t);
	t = result_table(&r, "line2", NULL, FACTS, FACTS_COLUMNS);
	t->layout = TABLE_LINE;
	t->input = 0;
	table_row(t);
	table_bool(t, 4, false);
	t = result_table(&r, "list", "facts", FACTS, FACTS_COLUMNS);
	t->layout = TABLE_LIST;
	facts_row(t);
	table_row(t);
	expect(&r, (struct render){ .utf8 = true },
		"H100 \xc2\xb1 80GB  62.40 ms  34.81 MiB  -1234567  yes  132,152  65.3%  "
		"1.20 GB/s  9223372036854775.807 us\n"
		"no\n"
		"\n"
		"facts\n"
		"GPU       H100 \xc2\xb1 80GB\n"
		"span      62.40 ms\n"
		"size      34.81 MiB\n"
		"rank      -1234567\n"
		"stacks    yes\n"
		"events    132,152\n"
		"GPU busy  65.3%\n"
		"rate      1.20 GB/s\n"
		"start     9223372036854775.807 us\n"
		"\n"
		"GPU       -\nspan      -\nsize      -\nrank      -\nstacks    -\nevents    -\n"
		"GPU busy  -\nrate      -\nstart     -\n");
	result_clear(&r);
}

/* With several inputs each table says which one, once. */
static void test_inputs_and_notes(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.info/1");
	(void)result_input(&r, "a\033.json");
	(void)result_input(&r, "b.json");
	t = result_table(&r, "list", NULL, FACTS, 2);
	t->layout = TABLE_LIST;
	t->input = 0;
	table_row(t);
	t = result_table(&r, "list2", NULL, FACTS, 1);
	t->layout = TABLE_LIST;
	t->input = 0;
	table_row(t);
	t = result_table(&r, "line", NULL, FACTS, 2);
	t->layout = TABLE_LINE;
	t->input = 1;
	table_row(t);
	table_text(t, 0, SPAN("b.json"));
	table_int(t, 1, 5);
	t = result_table(&r, "list", "facts", FACTS, 1);
	t->layout = TABLE_LIST;
	t->input = 1;
	table_row(t);
	result_note(&r, NOTE_INFO, "i", 1, 3, "3 events \033 lack a duration");
	result_note(&r, NOTE_WARNING, "w", 1, 3, "this one belongs to stderr");
	result_note(&r, NOTE_ERROR, "e", 1, 3, "and this one");
	result_note(&r, NOTE_INFO, "j", -1, -1, "all of them");
	expect(&r, (struct render){ 0 },
		"a\\x1b.json\nGPU   -\nspan  -\n"
		"\nGPU  -\n"
		"\nb.json  5 ns\n"
		"\nb.json: facts\nGPU  -\n"
		"\nnote: b.json: 3 events \\x1b lack a duration\nnote: all of them\n");
	result_clear(&r);
}

static void strip_sgr(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\033' && s[1] == '[')
			s += strcspn(s, "m") + 1;
		else
			*to++ = *s++;
	}
	*to = '\0';
}

/* Colour adds to what is there and closes on every line it opens; names cannot add any. */
static void test_colour_is_only_decoration(void **state)
{
	struct result r;
	struct table *t;
	char *plain, *colour, *p;
	size_t i, on = 0, off = 0;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = top_table(&r);
	t->nfoot = 0;
	for (i = 0; i < HOSTILE_COUNT; i++) {
		top_row(t, "", 5, 1);
		table_text(t, NAME, HOSTILE[i]);
	}
	t->nfoot = 1;
	result_note(&r, NOTE_INFO, "i", -1, -1, "a note");
	plain = report_text("table", &r, (struct render){ .width = 100 });
	colour = report_text("table", &r, (struct render){ .width = 100, .color = true });
	assert_non_null(plain);
	assert_non_null(colour);
	for (p = colour; (p = strstr(p, "\033[")) != NULL; p++) {
		on += p[2] != '0';
		off += p[2] == '0';
	}
	assert_int_equal(on, off);
	assert_int_equal(on, 5);
	strip_sgr(colour);
	assert_string_equal(plain, colour);
	free(plain);
	free(colour);
	result_clear(&r);
}

static void test_foot_row_of_one_text(void **state)
{
	struct result r;
	struct table *t;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "device", NULL, TOP, TOP_COLUMNS);
	top_row(t, "k", 1000, 1);
	table_row(t);
	table_text(t, NAME, SPAN("... 81 more ops, 79 of them unchanged"));
	t->nfoot = 1;
	expect(&r, (struct render){ 0 },
		"self GPU    %  cum%  calls       avg  name\n"
		"1.000 us  0.0     -      1  1.000 us  k\n"
		"... 81 more ops, 79 of them unchanged\n");
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turned),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_unit_of_row),
		cmocka_unit_test(test_spare),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_everything_fits),
		cmocka_unit_test(test_zero_rows),
		cmocka_unit_test(test_list_and_line),
		cmocka_unit_test(test_inputs_and_notes),
		cmocka_unit_test(test_colour_is_only_decoration),
		cmocka_unit_test(test_foot_row_of_one_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
