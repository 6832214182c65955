/* Nsight Compute's CSV: units, numbers as other languages write them, launches that differ, what is
 * cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/artifact/tables/ncu_metric.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/str.h"
#include "tests/unit/analyze/input/artifact/artifact_text.h"

#define FRONT                                                                               \
	"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\"," \
	"\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
#define LAUNCH(id, kernel, grid)                                                          \
	"\"" id "\",\"9\",\"p\",\"h\",\"" kernel "\",\"1\",\"7\",\"(256, 1, 1)\",\"" grid \
	"\",\"0\",\"9.0\","
#define UNITS ",,,,,,,,,,,"

static double cell(const struct run *run, size_t row, size_t col)
{
	const struct sheet *s = record_find_sheet(run->record, SHEET_KERNELS);

	assert_non_null(s);
	return s ? table_number_at(&s->table, row, col) : 0;
}

static const struct note *note(const struct run *run, const char *id)
{
	size_t i;

	for (i = 0; i < run->record->nnote; i++)
		if (strcmp(run->record->note[i].id, id) == 0)
			return &run->record->note[i];
	return NULL;
}

/* 0.25 ms, 250 us and 250,000 ns are one time; so are megabytes and kilobytes of bytes. */
static void units(void **state)
{
	static const char *const texts[] = {
		FRONT "\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n" UNITS
		      "\"ms\",\"Mbyte\"\n" LAUNCH("0", "k", "(8, 1, 1)") "\"0.25\",\"1.5\"\n",
		FRONT
		"\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n" UNITS
		"\"usecond\",\"Kbyte\"\n" LAUNCH("0", "k", "(8, 1, 1)") "\"250\",\"1,500.00\"\n",
		FRONT "\"gpu__time_duration.sum\",\"dram__bytes_read.sum\","
		      "\"dram__bytes_write.sum\"\n" UNITS "\"nsecond\",\"byte\",\"Kbyte\"\n" LAUNCH(
			      "0", "k", "(8, 1, 1)") "\"250,000\",\"500,000\",\"1,000\"\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++) {
		struct run run;

		artifact_text(texts[i], &run);
		assert_string_equal(run.record->artifact[0].kind, "ncu_csv");
		assert_float_equal(cell(&run, 0, MKERNELS_TOTAL), 250000, 1e-6);
		assert_float_equal(cell(&run, 0, MKERNELS_BYTES), 1500000, 1e-6);
		run_clear(&run);
	}
}

/* Two launches of one kernel that differ in their grid: it has none; shares by time. */
static void launches(void **state)
{
	static const char text[] = FRONT
		"\"gpu__time_duration.sum\",\"sm__warps_active.avg.pct_of_peak_sustained_active\","
		"\"dram__bytes.sum\"\n" UNITS "\"us\",\"%\",\"byte\"\n" LAUNCH(
			"0", "k", "(8, 1, 1)") "\"100\",\"20\",\"64\"\n" LAUNCH("1", "k",
			"(1,024, 1, 1)") "\"300\",\"60\",\"n/a\"\n" LAUNCH("2", "other",
			"(1,024, 1, 1)") "\"1\",\"n/a\",\"32\"\n";
	const struct sheet *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	s = record_find_sheet(run.record, SHEET_KERNELS);
	assert_int_equal(s->table.nrow, 2);
	assert_float_equal(cell(&run, 0, MKERNELS_CALLS), 2, 0);
	assert_float_equal(cell(&run, 0, MKERNELS_OCCUPANCY), 0.5, 1e-12);
	assert_null(table_cell(&s->table, 0, MKERNELS_BYTES)); /* one does not say */
	assert_null(table_cell(&s->table, 0, MKERNELS_GRID));
	assert_true(span_is(table_text_at(&s->table, 0, MKERNELS_BLOCK), "256,1,1"));
	assert_true(span_is(table_text_at(&s->table, 1, MKERNELS_GRID), "1024,1,1"));
	assert_null(table_cell(&s->table, 1, MKERNELS_OCCUPANCY));
	assert_float_equal(cell(&run, 1, MKERNELS_BYTES), 32, 0);
	run_clear(&run);
}

/* Units that nobody knows, and no units at all, are not guessed. */
static void no_units(void **state)
{
	static const char odd[] = FRONT "\"gpu__time_duration.sum\"\n" UNITS
					"\"fortnight\"\n" LAUNCH("0", "k", "(8, 1, 1)") "\"100\"\n";
	static const char none[] =
		FRONT "\"gpu__time_duration.sum\"\n" LAUNCH("0", "k", "(8, 1, 1)") "\"100\"\n";
	const char *const texts[] = { odd, none };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++) {
		const struct sheet *s;
		struct run run;

		artifact_text(texts[i], &run);
		s = record_find_sheet(run.record, SHEET_KERNELS);
		assert_int_equal(s->table.nrow, 1);
		assert_null(table_cell(&s->table, 0, MKERNELS_TOTAL));
		assert_non_null(note(&run, "unknown_unit"));
		run_clear(&run);
	}
}

/* Details that end in the middle of a value: the launch is kept, the value is not. */
static void torn(void **state)
{
	static const char text[] =
		FRONT "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n" LAUNCH(
			"0", "k", "(8, 1, 1)") "\"S\",\"Duration\",\"us\",\"12.5\"\n" LAUNCH("1",
			"k", "(8, 1, 1)") "\"S\",\"Duration\",\"us\",\"12";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_float_equal(cell(&run, 0, MKERNELS_CALLS), 1, 0);
	assert_float_equal(cell(&run, 0, MKERNELS_TOTAL), 12500, 1e-9);
	assert_non_null(note(&run, "torn_line"));
	assert_false(run.record->artifact[0].is_complete);
	run_clear(&run);
}

/* What is sure in one cell holds for all: "27.595.520" and "65,77" swap the two marks. */
static void numbers(void **state)
{
	static const struct {
		const char *text, *cell;
		double v;
	} cases[] = {
		{ "\"117.344\",\"27.595.520\"", "117.344", 117344 },
		{ "\"117.344\",\"65,77\"", "65,77", 65.77 },
		{ "\"117.344\",\"1.234,5\"", "1.234,5", 1234.5 },
		{ "\"117.344\",\"27,595,520\"", "117.344", 117.344 },
		{ "\"117.344\"", "117.344", 117.344 },
		{ "\"(1, 1, 1)\",\"9.0\",\"65.77\"", "1,500", 1500 },
		{ "", "12", 12 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct ncu_numbers n = ncu_numbers_of(span_of(cases[i].text));
		double v = -1;

		assert_true(ncu_number(&n, span_of(cases[i].cell), &v));
		assert_float_equal(v, cases[i].v, 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units),
		cmocka_unit_test(launches),
		cmocka_unit_test(no_units),
		cmocka_unit_test(torn),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
