/* Exports that are read again: rows and arguments come back in the order of the trace; whatever is
 * cut off or changed is an error; files of others, of later versions and tables alone are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/columns/trace_columns.h"
#include "analyze/input/load.h"
#include "edit/export/export.h"
#include "report/parquet/parquet.h"
#include "tests/fuzz/memory_file.h"

enum { NEEDS = NEED_LINKS | NEED_ORDER | NEED_STEPS };

/* The kernel stands before its call, and the operator around it begins first of all. */
#define TRACE                                                                             \
	"{\"traceEvents\": ["                                                             \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":30,"  \
	"\"dur\":5,\"args\":{\"device\":0,\"stream\":7,\"correlation\":3,"                \
	"\"External id\":9}},"                                                            \
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":2,\"ts\":10," \
	"\"dur\":9,\"args\":{\"External id\":9}},"                                        \
	"{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1," \
	"\"tid\":2,\"ts\":12,\"dur\":2,\"args\":{\"correlation\":3}},"                    \
	"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"bare\",\"pid\":1,"          \
	"\"tid\":2,\"ts\":11}]}"

static enum status load(const char *bytes, size_t n, unsigned needs, struct run *run, struct err *e)
{
	struct memory_file f = { (const uint8_t *)bytes, n, 0, 0 };
	const struct load_options o = { .threads = 1, .needs = needs };

	err_clear(e);
	return load_reader(memory_read, &f, "test", &o, run, e);
}

static void export_table(struct str *to, const struct run *run, enum schema_table_id id)
{
	struct export_kept kept;
	struct export_table t;
	struct columns c;
	struct err e;
	char *bytes;
	size_t n;
	FILE *f = open_memstream(&bytes, &n);

	columns_init(&c, run, "x", NULL);
	export_kept_init(&kept, run, false);
	export_table_init(&t, &c, id, PARQUET_GROUP_ROWS);
	assert_int_equal(export_parquet(f, &t, &kept, 1, &e), OK);
	fclose(f);
	str_add(to, bytes, n);
	free(bytes);
	export_table_clear(&t);
	export_kept_clear(&kept);
	columns_clear(&c);
}

static void make(struct str *to, enum schema_table_id id)
{
	struct run run;
	struct err e;

	assert_int_equal(load(TRACE, strlen(TRACE), NEEDS, &run, &e), OK);
	export_table(to, &run, id);
	run_clear(&run);
}

static void same_rows(const struct run *a, const struct run *b)
{
	assert_int_equal(a->events.n, 4);
	assert_int_equal(b->events.n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(a->events.start[i], b->events.start[i]);
		assert_int_equal(a->events.dur[i], b->events.dur[i]);
		assert_int_equal(a->events.kind[i], b->events.kind[i]);
		assert_int_equal(a->events.flags[i], b->events.flags[i]);
		assert_int_equal(a->events.lane[i], b->events.lane[i]);
		assert_int_equal(a->events.args[i], b->events.args[i]);
		assert_true(span_eq(run_name(a, i), run_name(b, i)));
	}
	assert_int_equal(a->lanes.n, b->lanes.n);
	assert_int_equal(b->lanes.lane[b->events.lane[0]].stream, 7);
	assert_int_equal(b->args.col[ARG_DEVICE_CORRELATION].id[0], 3);
	assert_int_equal(b->args.col[ARG_LAUNCH_CORRELATION].id[0], 3);
	assert_int_equal(b->args.col[ARG_OP_EXTERNAL_ID].id[0], 9);
	assert_int_equal(a->nevent, b->nevent);
	assert_int_equal(a->first_ns, b->first_ns);
}

static void rows_come_back(void **state)
{
	SCOPED_STR file = { 0 };
	struct run trace, again;
	struct err e;

	(void)state;
	make(&file, SCHEMA_EVENTS);
	assert_int_equal(load(TRACE, strlen(TRACE), NEEDS, &trace, &e), OK);
	assert_int_equal(load(file.s, file.n, NEEDS, &again, &e), OK);
	same_rows(&trace, &again);
	run_clear(&trace);
	run_clear(&again);
}

/* An error that says something; or, where that is fine, what the trace says: not all columns are
 * read. */
static bool is_refused(const char *bytes, size_t n, const struct run *trace)
{
	struct run run;
	struct err e;

	if (load(bytes, n, NEEDS, &run, &e) != OK) {
		assert_true(e.text[0]);
		return true;
	}
	same_rows(trace, &run);
	run_clear(&run);
	return false;
}

static void cut_and_changed(void **state)
{
	SCOPED_STR file = { 0 };
	struct run trace;
	struct err e;
	size_t nread = 0;

	(void)state;
	make(&file, SCHEMA_EVENTS);
	assert_int_equal(load(TRACE, strlen(TRACE), NEEDS, &trace, &e), OK);
	for (size_t n = 0; n < file.n; n++)
		assert_true(is_refused(file.s, n, &trace));
	for (size_t i = 0; i < file.n; i++)
		for (int bit = 0; bit < 8; bit += 3) {
			file.s[i] = (char)(file.s[i] ^ 1 << bit);
			nread += !is_refused(file.s, file.n, &trace);
			file.s[i] = (char)(file.s[i] ^ 1 << bit);
		}
	assert_true(nread > 0 && nread < 3 * file.n / 4);
	run_clear(&trace);
}

static void says(const struct str *file, unsigned needs, enum status status, const char *why)
{
	struct run run;
	struct err e;

	assert_int_equal(load(file->s, file->n, needs, &run, &e), status);
	if (!strstr(e.text, why))
		fail_msg("%s", e.text);
}

/* The fact's value, where a file has one. */
static void one_column(struct str *to, const char *version)
{
	static const struct parquet_column column = { "event", PARQUET_INT };
	const struct parquet_fact fact[] = { { PARQUET_FACT_SCHEMA, version },
		{ PARQUET_FACT_TABLE, "events" } };
	const struct parquet_table t = { &column, 1, 0, { NULL, NULL }, fact, version ? 2 : 0,
		SPAN(""), 1 };
	struct err e;
	char *bytes;
	size_t n;
	FILE *f = open_memstream(&bytes, &n);

	assert_int_equal(parquet_put(f, &t, &e), OK);
	fclose(f);
	str_reset(to);
	str_add(to, bytes, n);
	free(bytes);
}

static void others(void **state)
{
	SCOPED_STR file = { 0 };
	char *at;

	(void)state;
	make(&file, SCHEMA_EVENTS);
	says(&file, NEEDS | NEED_SHAPES, E_NODATA, "shapes and types of operands");
	says(&file, NEEDS | NEED_KERNEL, E_NODATA, "'kernels' is not beside its events");
	str_reset(&file);
	make(&file, SCHEMA_KERNELS);
	says(&file, NEEDS, E_FORMAT, "the table 'kernels' of an export");
	one_column(&file, "1");
	says(&file, NEEDS, E_NODATA, "does not say what its trace was");
	one_column(&file, "2");
	says(&file, NEEDS, E_FORMAT, "of version 2 by a later traceq; this one reads 1");
	one_column(&file, NULL);
	says(&file, NEEDS, E_FORMAT, "the table of an answer");
	at = memmem(file.s + 10, file.n - 10, "traceq\x19", 7); /* who wrote it */
	memcpy(at, "arrows", 6);
	memcpy(file.s + 4, "\x15\x04\x15\x20\x15\x20", 6);
	says(&file, NEEDS, E_FORMAT, "written by arrows");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_back),
		cmocka_unit_test(cut_and_changed),
		cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
