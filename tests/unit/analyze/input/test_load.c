/*
 * Loading: faults of the file at every byte, reading in pieces, files and their lines, strictness.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/compiler.h"
#include "tests/unit/loading.h"

static const char *const inflaters[] = { "zlib", "isal" };

/* A trace with something of everything, as the generator writes it, or false. */
static bool make_trace(struct str *text)
{
	return loading_fixture(text, "tiny --memory");
}

static struct span span_of_str(const struct str *s)
{
	return (struct span){ s->s, s->n };
}

/* The disk fails at byte k: E_IO with the place, nothing is left, whatever was read before. */
static void check_faults(struct span file, size_t step)
{
	size_t k;
	unsigned i;

	for (k = 1; k < file.n; k += step)
		for (i = 0; i < 4; i++) {
			struct loading how = { .fails_at = k,
				.inflate = inflaters[i % 2],
				.threads = 1 + i / 2 * 3,
				.window_bytes = 700 };
			struct loaded l;

			loading_run(&l, file, &how);
			assert_int_equal(l.status, E_IO);
			assert_non_null(strstr(l.err.text, "cannot read"));
			assert_int_equal(l.err.offset, k);
		}
}

static void read_faults(void **state)
{
	struct str text = { 0 }, packed = { 0 };

	(void)state;
	if (!make_trace(&text))
		skip();
	loading_wrap(&packed, span_of_str(&text), WRAP_GZIP);
	check_faults(span_of_str(&text), 61);
	check_faults(span_of_str(&packed), 7);
	str_free(&packed);
	str_free(&text);
}

static void first_read_fails(void **state)
{
	static const char tiny[] = "[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]";
	size_t k;

	(void)state;
	for (k = 1; k < sizeof(tiny) - 1; k++) {
		struct loading how = { .fails_at = k };
		struct loaded l;

		loading_run(&l, span_of(tiny), &how);
		assert_int_equal(l.status, E_IO);
	}
}

/* However the bytes come and whatever they are packed in, the run is the same. */
static void pieces(void **state)
{
	struct str text = { 0 }, file[3] = { { 0 } };
	struct loading how = { 0 };
	struct loaded l;
	uint64_t want;
	size_t i, k;

	(void)state;
	if (!make_trace(&text))
		skip();
	str_add(&file[0], text.s, text.n);
	loading_wrap(&file[1], span_of_str(&text), WRAP_GZIP);
	loading_wrap(&file[2], span_of_str(&text), WRAP_ZLIB);
	loading_run(&l, span_of_str(&text), &how);
	assert_int_equal(l.status, OK);
	assert_true(l.run.events.n > 10);
	want = l.digest;
	loading_release(&l);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 12; k++) {
			how = (struct loading){ .piece = k % 3 == 0 ? 1
					: k % 3 == 1                ? 1000
								    : 0,
				.inflate = inflaters[k % 2],
				.threads = k > 5 ? 3 : 1,
				.window_bytes = k % 4 ? 4096 : 0 };
			loading_run(&l, span_of_str(&file[i]), &how);
			assert_int_equal(l.status, OK);
			assert_true(l.digest == want);
			loading_release(&l);
		}
	for (i = 0; i < 3; i++)
		str_free(&file[i]);
	str_free(&text);
}

/* The same events in every spelling of the generator that says as much: same times and names. */
static void layouts(void **state)
{
	static const char *const names[] = { "kineto", "kineto2026", "crlf", "compact", "line",
		"orjson", "indent4", "array", "open-array", "ndjson" };
	size_t i, row;
	struct loaded first, l;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++) {
		struct loading how = { .window_bytes = 4096, .threads = 2 };
		struct str text = { 0 }, arguments = { 0 };
		bool there;

		str_addf(&arguments, "healthy --steps 1 --memory --layout %s", names[i]);
		there = loading_fixture(&text, arguments.s);
		str_free(&arguments);
		if (!there)
			skip();
		loading_run(i ? &l : &first, span_of_str(&text), &how);
		str_free(&text);
		if (i == 0) {
			assert_int_equal(first.status, OK);
			assert_true(first.run.events.n > 1000);
			continue;
		}
		assert_int_equal(l.status, OK);
		assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
		assert_int_equal(l.run.events.n, first.run.events.n);
		assert_int_equal(l.run.nevent, first.run.nevent);
		assert_int_equal(
			l.run.last_ns - l.run.first_ns, first.run.last_ns - first.run.first_ns);
		for (row = 0; row < l.run.events.n; row++) {
			assert_int_equal(l.run.events.dur[row], first.run.events.dur[row]);
			assert_int_equal(l.run.events.kind[row], first.run.events.kind[row]);
			assert_true(span_eq(run_name(&l.run, row), run_name(&first.run, row)));
		}
		loading_release(&l);
	}
	loading_release(&first);
}

/* A file on disk: sizes are known, and so are the lines of what was odd. */
static void lines_of_files(void **state)
{
	static const char text[] = "{\"traceEvents\": [\n"
				   "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1},\n\n"
				   "{\"ph\":\"X\",\"name\":\"b\",\"dur\":1},\n"
				   "{\"ph\":\"X\",\"name\":\"c\",\"ts\":1,\"dur\":-1},,\n"
				   "null]\n}\n\ngarbage";
	char path[] = "/tmp/traceq-load-XXXXXX";
	struct load_options o = { .needs = NEED_LINKS, .threads = 1 };
	struct str packed = { 0 };
	struct run run;
	struct err e;
	int round, fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	loading_wrap(&packed, span_of(text), WRAP_GZIP);
	for (round = 0; round < 2; round++) {
		struct span file = round ? span_of_str(&packed) : span_of(text);

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, file.p, file.n, 0), file.n);
		assert_int_equal(load_path(path, &o, &run, &e), OK);
		assert_int_equal(run.file_bytes, file.n);
		assert_int_equal(run.text_bytes, sizeof(text) - 1);
		assert_string_equal(run.path, path);
		assert_string_equal(run.container, round ? "gzip" : "plain");
		assert_int_equal(run.tally.line[PROBLEM_NO_TIME], 4);
		assert_int_equal(run.tally.line[PROBLEM_NEGATIVE_DURATION], 5);
		assert_int_equal(run.tally.line[PROBLEM_COMMA], 5);
		assert_int_equal(run.tally.line[PROBLEM_NOT_AN_OBJECT], 6);
		assert_int_equal(run.tally.line[PROBLEM_TRAILING_GARBAGE], 9);
		assert_int_equal(run.tally.line[PROBLEM_NO_PHASE], -1);
		run_clear(&run);
	}
	str_free(&packed);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, "{\n\n\"a\": [\n", 10, 0), 10);
	assert_int_equal(load_path(path, &o, &run, &e), E_TRUNCATED);
	assert_int_equal(e.offset, 10);
	assert_int_equal(e.line, 4 + 0);
	close(fd);
	unlink(path);
	assert_int_equal(load_path(path, &o, &run, &e), E_IO);
}

/* What is not asked for is not stored, but counted. */
static void needs(void **state)
{
	static const char text[] =
		"[{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"p\",\"ts\":1,\"dur\":1},"
		"{\"ph\":\"i\",\"name\":\"[memory]\",\"ts\":1,\"args\":{\"Bytes\":512,\"Addr\":99}},"
		"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"o\",\"ts\":1,\"dur\":1,\"args\":{\"External id\":5,\"Input Dims\":[[2,3]]}}]";
	struct loading how = { .needs = NEED_LINKS };
	struct loaded l;

	(void)state;
	loading_run(&l, span_of(text), &how);
	assert_int_equal(l.run.events.n, 1);
	assert_int_equal(l.run.kind_count[KIND_PYTHON], 1);
	assert_int_equal(l.run.kind_count[KIND_MEMORY], 1);
	assert_false(args_keeps(&l.run.args, ARG_OP_DIMS));
	assert_int_equal(l.run.args.col[ARG_OP_EXTERNAL_ID].id[0], 5);
	loading_release(&l);
	loading_text(&l, text);
	assert_int_equal(l.run.events.n, 3);
	assert_int_equal(l.run.args.col[ARG_MEMORY_BYTES].i64[l.run.events.args[1] - 1], 512);
	assert_int_equal(
		l.run.args.col[ARG_MEMORY_RESERVED].i64[l.run.events.args[1] - 1], ARG_UNKNOWN);
	loading_release(&l);
}

/* Arrays spread over lines, as json.dumps(indent=...) writes them, are the same shapes. */
static void shapes_over_lines(void **state)
{
	struct loaded l;
	const struct args *a;

	(void)state;
	loading_text(&l,
		"[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{\"Input Dims\": [[16, 1024], []], \"Concrete Inputs\": [\"\", \"a \\\"b, c\"]}},"
		"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b\",\"ts\":1,\"dur\":1,\"args\":{\"Input Dims\": [\n  [\n    16,\n    1024\n  ],\n  []\n], \"Concrete Inputs\": [\n\t\"\",\r\n\t\"a \\\"b, c\"\n]}}]");
	a = &l.run.args;
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	assert_true(span_is(
		strings_get(&l.run.strings, args_sym(a, ARG_OP_DIMS, 0)), "[[16, 1024], []]"));
	assert_int_equal(args_sym(a, ARG_OP_DIMS, 0), args_sym(a, ARG_OP_DIMS, 1));
	assert_int_equal(args_sym(a, ARG_OP_CONCRETE, 0), args_sym(a, ARG_OP_CONCRETE, 1));
	loading_release(&l);
}

static uint64_t wide_id(const struct run *r, uint32_t stored)
{
	assert_true(stored & ID_WIDE);
	return ids_wide(&r->ids, stored & ~ID_WIDE);
}

static void arguments_of_events(void **state)
{
	struct loaded l;
	const struct args *a;
	uint32_t v[3];
	size_t row;

	(void)state;
	loading_text(&l,
		"[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":{"
		"\"External id\":18446744073709551615,\"correlation\":2147483648,\"stream\":7,\"device\":0,\"grid\":[128, 1,2],"
		"\"block\": [ 32,1,1 ],\"blocks per SM\":inf,\"est. achieved occupancy %\":N/A,"
		"\"shared memory\":-1,\"registers per thread\":\"40\",\"Collective name\":\"all\\u0072educe\",\"bytes\":\"256\",\"dtype\":null}},"
		"{\"ph\":\"X\",\"cat\":\"Runtime\",\"name\":\"cudaLaunchKernel\",\"ts\":1,\"dur\":1,\"args\":{\"external id\":9,\"correlation\":3}}]");
	a = &l.run.args;
	row = l.run.events.args[0] - 1;
	assert_true(wide_id(&l.run, a->col[ARG_DEVICE_EXTERNAL_ID].id[row]) == UINT64_MAX);
	assert_true(wide_id(&l.run, a->col[ARG_DEVICE_CORRELATION].id[row]) == 2147483648u);
	args_vec3(a, ARG_DEVICE_GRID, row, v);
	assert_int_equal(v[0], 128);
	assert_int_equal(v[2], 2);
	args_vec3(a, ARG_DEVICE_BLOCK, row, v);
	assert_int_equal(v[0], 32);
	assert_true(args_f64(a, ARG_DEVICE_BLOCKS_PER_SM, row) > 1e300);
	assert_true(isnan(args_f64(a, ARG_DEVICE_OCCUPANCY, row)));
	assert_int_equal(args_i64(a, ARG_DEVICE_SHARED, row), -1);
	assert_int_equal(args_i64(a, ARG_DEVICE_REGISTERS, row), 40);
	assert_int_equal(a->col[ARG_DEVICE_BYTES].i64[row], 256);
	assert_int_equal(args_sym(a, ARG_DEVICE_DTYPE, row), 0);
	assert_true(span_is(
		strings_get(&l.run.strings, args_sym(a, ARG_DEVICE_COLLECTIVE, row)), "allreduce"));
	row = l.run.events.args[1] - 1;
	assert_int_equal(a->col[ARG_LAUNCH_EXTERNAL_ID].id[row], 9);
	assert_int_equal(a->col[ARG_LAUNCH_CORRELATION].id[row], 3);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_faults),
		cmocka_unit_test(first_read_fails),
		cmocka_unit_test(pieces),
		cmocka_unit_test(layouts),
		cmocka_unit_test(lines_of_files),
		cmocka_unit_test(needs),
		cmocka_unit_test(arguments_of_events),
		cmocka_unit_test(shapes_over_lines),
	};

	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
