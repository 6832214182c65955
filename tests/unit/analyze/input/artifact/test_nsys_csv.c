/* nsys stats as CSV: which table is what, rows by grid, tables in between, what is cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/record.h"
#include "base/str.h"
#include "tests/unit/analyze/input/artifact/artifact_text.h"

static double number(const struct run *run, enum sheet_table kind, size_t row, size_t col)
{
	const struct sheet *s = record_find_sheet(run->record, kind);

	assert_non_null(s);
	return s ? table_number_at(&s->table, row, col) : 0;
}

/* By name and grid: one row a name, whose median nobody knows; ms are ms. */
static void by_grid(void **state)
{
	static const char text[] =
		"Time (%),Total Time (ms),Instances,Avg (ms),Med (ms),Min (ms),Max (ms),StdDev "
		"(ms),GridXYZ,BlockXYZ,Name\n"
		"60.0,3.0,2,1.5,1.5,1.0,2.0,0.7,   8    1    1, 256    1    1,\"k<1, 2>(int)\"\n"
		"20.0,1.0,2,0.5,0.5,0.4,0.6,0.1,  16    1    1, 256    1    1,\"k<1, 2>(int)\"\n"
		"20.0,1.0,1,1.0,1.0,1.0,1.0,0.0,   8    1    1, 256    1    1,other\n";
	const struct sheet *s;
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_string_equal(run.record->artifact[0].kind, "nsys_csv");
	s = record_find_sheet(run.record, SHEET_KERNELS);
	assert_int_equal(s->table.nrow, 2);
	assert_float_equal(number(&run, SHEET_KERNELS, 0, MKERNELS_TOTAL), 4e6, 1e-3);
	assert_float_equal(number(&run, SHEET_KERNELS, 0, MKERNELS_CALLS), 4, 0);
	assert_float_equal(number(&run, SHEET_KERNELS, 0, MKERNELS_MIN), 4e5, 1e-3);
	assert_float_equal(number(&run, SHEET_KERNELS, 0, MKERNELS_MAX), 2e6, 1e-3);
	assert_null(table_cell(&s->table, 0, MKERNELS_MEDIAN));
	assert_float_equal(number(&run, SHEET_KERNELS, 1, MKERNELS_MEDIAN), 1e6, 1e-3);
	run_clear(&run);
}

/* Sizes look like rows of the table before them and are none; a category tells kernels and copies.
 */
static void between(void **state)
{
	static const char text[] =
		"Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
		"(ns),Category,Operation\n"
		"75.0,300,3,100.0,100.0,90,110,1.0,CUDA_KERNEL,k\n"
		"25.0,100,1,100.0,100.0,100,100,0.0,MEMORY_OPER,[CUDA memset]\n"
		"\n ** Sizes:\n\n"
		"Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),A,B,Operation\n"
		"400.5,2000,2.0,1.0,0.001,64.0,5.0,x,y,[CUDA memcpy]\n";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_int_equal(run.record->artifact[0].rows, 2);
	assert_int_equal(record_find_sheet(run.record, SHEET_KERNELS)->table.nrow, 1);
	assert_int_equal(record_find_sheet(run.record, SHEET_OPS)->table.nrow, 2);
	assert_string_equal(run.record->note[0].id, "other_lines");
	assert_int_equal(run.record->note[0].count, 3);
	run_clear(&run);
}

/* A unit that nobody knows is not guessed: no row is of use then. */
static void unknown(void **state)
{
	static const char text[] = "Time (%),Total Time (jiffies),Instances,Name\n100.0,5,1,k\n";
	struct run run;
	struct err e;

	(void)state;
	assert_int_equal(artifact_text_status(text, &run, &e), E_NODATA);
}

/* A row cut in the middle is said; "5,000" in quotes is five thousand. */
static void torn(void **state)
{
	static const char text[] = "Processing...\n"
				   "Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n"
				   "60.0,\"5,000\",2,2500,cudaLaunchKernel\n"
				   "40.0,30";
	struct run run;

	(void)state;
	artifact_text(text, &run);
	assert_float_equal(number(&run, SHEET_OPS, 0, OPS_CPU), 5000, 0);
	assert_null(record_find_sheet(run.record, SHEET_KERNELS));
	assert_false(run.record->artifact[0].is_complete);
	assert_string_equal(run.record->note[0].id, "torn_line");
	assert_int_equal(run.record->note[0].offset, strstr(text, "40.0,") - text);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_grid),
		cmocka_unit_test(between),
		cmocka_unit_test(unknown),
		cmocka_unit_test(torn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
