/* torch's table: the expected text was made by an independent Python version of the printing part
 * of torch/autograd/profiler_util.py's _build_table, from the same numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report_text.h"

static const struct column COLUMNS[] = {
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_cpu_ratio", "Self CPU %", CELL_REAL, UNIT_RATIO, 0),
	COLUMN("self_cpu_ns", "Self CPU", CELL_INT, UNIT_NS, 0),
	COLUMN("self_device_ns", "Self CUDA", CELL_REAL, UNIT_NS, 0),
	COLUMN("hidden", "Hidden", CELL_INT, UNIT_COUNT, COLUMN_HIDDEN),
	COLUMN("cpu_bytes", "CPU Mem", CELL_INT, UNIT_BYTES, 0),
	COLUMN("self_device_bytes", "Self CUDA Mem", CELL_INT, UNIT_BYTES, 0),
	COLUMN("calls", "# of Calls", CELL_INT, UNIT_COUNT, 0),
	COLUMN("shapes", "Input Shapes", CELL_TEXT, UNIT_NONE, 0),
};
enum { NCOLUMN = sizeof(COLUMNS) / sizeof(COLUMNS[0]) };

#define DASH12 "------------  "
#define DASH40 "----------------------------------------"
#define DASHES \
	DASH40 "---------------  " DASH12 DASH12 DASH12 DASH12 DASH12 DASH12 DASH40 DASH40 "  \n"

/* n times c, owned by the result. */
static struct span repeated(struct result *r, char c, size_t n)
{
	char *s = arena_alloc(&r->mem, n + 1);

	memset(s, c, n);
	return (struct span){ s, n };
}

static void row(struct table *t, struct span name, double cpu_us, double device_us,
	const int64_t count[3], struct span shapes)
{
	table_row(t);
	table_text(t, 0, name);
	table_real(t, 1, cpu_us / 22.345);
	table_int(t, 2, (int64_t)(cpu_us * 1000));
	table_real(t, 3, device_us * 1000);
	table_int(t, 4, 77);
	table_int(t, 5, count[0]);
	table_int(t, 6, count[1]);
	table_int(t, 7, count[2]);
	table_text(t, 8, shapes);
}

static struct table *torch_table(struct result *r)
{
	struct table *t = result_table(r, "ops", NULL, COLUMNS, NCOLUMN);

	t->layout = TABLE_TORCH;
	t->footnote = "Self CPU time total: 22.345us\nSelf CUDA time total: 57.890s";
	return t;
}

static void test_like_torch(void **state)
{
	struct result r;
	struct table *t;
	char *s;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = torch_table(&r);
	row(t, SPAN("aten::mm"), 12.345, 1234.567, (int64_t[]){ 1000, -12, 96 },
		SPAN("[[2, 3], [3, 4]]"));
	row(t,
		SPAN("void at::native::vectorized_elementwise_kernel"
		     "<4, at::native::CUDAFunctor_add>(int)"),
		0, 57890000.5, (int64_t[]){ 1536, 0, 24 }, SPAN("[]"));
	row(t, repeated(&r, 'x', 51), 5, 999.9994, (int64_t[]){ INT64_C(5) << 30, 1 << 20, 1 },
		repeated(&r, '[', 90));
	row(t, repeated(&r, 'y', 52), 5, 999.9996, (int64_t[]){ 1023, 1024, 1 },
		SPAN("\xc3\xa9\xe6\x97\xa5"));
	s = report_text("torch", &r, (struct render){ .width = 80 });
	assert_non_null(s);
	assert_string_equal(s,
		DASHES "                                                   Name    Self CPU %   "
		       "   Self CPU     Self CUDA       CPU Mem  Self CUDA Mem    # of Calls    "
		       "                                                                  Input "
		       "Shapes  \n" DASHES
		       "                                               aten::mm        55.25%   "
		       "   12.345us       1.235ms        1000 B         -12 B            96     "
		       "                                                             [[2, 3], [3"
		       ", 4]]  \n"
		       "void at::native::vectorized_elementwise_kernel<4, at...         0.00%   "
		       "    0.000us       57.890s       1.50 KB           0 B            24     "
		       "                                                                        "
		       "   []  \n"
		       "    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx        22.38%   "
		       "    5.000us     999.999us       5.00 GB       1.00 MB             1  [[["
		       "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
		       "[[[[[  \n"
		       "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...        22.38%   "
		       "    5.000us    1000.000us        1023 B       1.00 KB             1     "
		       "                                                                        "
		       "   \xc3\xa9\xe6\x97\xa5  \n" DASHES "Self CPU time total: 22.345us\n"
		       "Self CUDA time total: 57.890s\n");
	free(s);
	result_clear(&r);
}

static void test_forced_unit_and_unknown(void **state)
{
	struct result r;
	struct table *t;
	char *s;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = torch_table(&r);
	t->ncol = 8;
	t->footnote = NULL;
	table_row(t);
	table_text(t, 0, SPAN("k"));
	table_int(t, 2, 1500000);
	s = report_text("torch", &r, (struct render){ .unit = "us" });
	assert_non_null(s);
	assert_string_equal(s,
		"-----  " DASH12 DASH12 DASH12 DASH12 DASH12 DASH12 "\n"
		" Name    Self CPU %      Self CPU     Self CUDA       CPU Mem  "
		"Self CUDA Mem    # of Calls  \n"
		"-----  " DASH12 DASH12 DASH12 DASH12 DASH12 DASH12 "\n"
		"    k           NaN    1500.000us            --            --  "
		"          --            --  \n"
		"-----  " DASH12 DASH12 DASH12 DASH12 DASH12 DASH12 "\n");
	free(s);
	result_clear(&r);
}

/* Widths come from all events: a foot row brings the names that a row limit cut off. */
static void test_foot_rows_are_measured(void **state)
{
	static const struct column two[] = {
		COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, 0),
		COLUMN("source", "Source Location", CELL_TEXT, UNIT_NONE, 0),
	};
	struct result r;
	struct table *t;
	char *s;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "ops", NULL, two, 2);
	t->layout = TABLE_TORCH;
	table_row(t);
	table_text(t, 0, SPAN("k"));
	table_text(t, 1, SPAN("train.py(7)"));
	table_row(t);
	table_text(t, 0, SPAN("a longer one"));
	t->nfoot = 1;
	s = report_text("torch", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_string_equal(s,
		"----------------  ---------------  \n"
		"            Name  Source Location  \n"
		"----------------  ---------------  \n"
		"               k  train.py(7)      \n"
		"----------------  ---------------  \n");
	free(s);
	result_clear(&r);
}

/* A path loses its beginning, as in torch's trim_path: 75 columns, "..." in place of three more. */
static void test_source_location(void **state)
{
	static const struct column one[] = {
		COLUMN("source", "Source Location", CELL_TEXT, UNIT_NONE, 0),
	};
	struct result r;
	struct table *t;
	struct span path;
	char *s, *cell;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "ops", NULL, one, 1);
	t->layout = TABLE_TORCH;
	path = repeated(&r, 'p', 100);
	table_row(t);
	table_text(t, 0, path);
	s = report_text("torch", &r, (struct render){ 0 });
	assert_non_null(s);
	cell = strstr(s, "\n...");
	assert_non_null(cell);
	assert_int_equal(strcspn(cell + 1, "\n"), 75 + 2);
	assert_int_equal(strspn(cell + 4, "p"), 72);
	free(s);
	result_clear(&r);
}

static void test_nothing_else_is_printed(void **state)
{
	struct result r;
	struct table *t;
	size_t i;
	char *s;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "head", "heading", COLUMNS, NCOLUMN);
	table_row(t);
	torch_table(&r);
	result_note(&r, NOTE_WARNING, "w", -1, -1, "warning");
	s = report_text("torch", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_string_equal(s, "");
	free(s);
	t = torch_table(&r);
	for (i = 0; i < HOSTILE_COUNT; i++) {
		table_row(t);
		table_text(t, 0, HOSTILE[i]);
		table_text(t, 8, HOSTILE[i]);
	}
	s = report_text("torch", &r, (struct render){ 0 });
	assert_non_null(s);
	assert_true(is_harmless(s, "\n"));
	assert_null(strstr(s, "heading"));
	free(s);
	result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_torch),
		cmocka_unit_test(test_forced_unit_and_unknown),
		cmocka_unit_test(test_foot_rows_are_measured),
		cmocka_unit_test(test_source_location),
		cmocka_unit_test(test_nothing_else_is_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
