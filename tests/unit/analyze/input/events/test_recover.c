/*
 * Broken events: what is read as meant, what is lost, and that the events around them stay whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/recover.h"
#include "base/compiler.h"
#include "tests/unit/loading.h"

#define HEAD "{\"traceEvents\": ["
#define A \
	"\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 2,\n    \"ts\": 1, \"dur\": 1\n  }"
#define Z \
	"\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"z\", \"pid\": 1, \"tid\": 2,\n    \"ts\": 90, \"dur\": 1\n  }"
#define TAIL "\n  ],\n  \"traceName\": \"t\"\n}\n"

enum { CLEAN = PROBLEM_COUNT };

/* A whole event between a and z: its name when it is kept, and the only problem. */
struct row {
	const char *event, *name;
	int problem;
};

static void check(const struct row *r)
{
	SCOPED_STR text = { 0 };
	struct loaded l;
	size_t want = r->name ? 3 : 2, first;

	str_addf(&text, HEAD A ",%s," Z TAIL, r->event);
	loading_text(&l, text.s);
	if (l.run.events.n != want || loading_problem(&l) != r->problem)
		print_error("%s\n  %zu events, problem %d\n", r->event, l.run.events.n,
			loading_problem(&l));
	assert_int_equal(l.run.events.n, want);
	assert_int_equal(loading_row(&l, "a"), 0);
	assert_int_equal(loading_row(&l, "z"), want - 1);
	if (r->name && loading_row(&l, r->name) != 1)
		print_error("%.*s\n", (int)run_name(&l.run, 1).n, run_name(&l.run, 1).p);
	if (r->name)
		assert_int_equal(loading_row(&l, r->name), 1);
	assert_int_equal(loading_problem(&l), r->problem);
	if (r->problem != CLEAN) {
		first = strlen(HEAD A ",");
		assert_int_equal(l.run.tally.count[r->problem], 1);
		assert_true(l.run.tally.offset[r->problem] >= (int64_t)first);
		assert_true(l.run.tally.offset[r->problem] < (int64_t)(first + 30));
	}
	assert_true(l.run.is_complete);
	loading_release(&l);
}

#define NAMED(name)                                                        \
	"\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" name \
	"\", \"pid\": 1, \"tid\": 2,\n    \"ts\": 10, \"dur\": 5\n  }"
#define COMPACT(name)                                       \
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name \
	"\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":5}"

static void quotes_in_names(void **state)
{
	static const struct row rows[] = {
		{ NAMED("{\"device\": \"cpu\"}(12): run"), "{\"device\": \"cpu\"}(12): run",
			PROBLEM_REPAIRED_QUOTE },
		{ NAMED("say \"hi\""), "say \"hi\"", PROBLEM_REPAIRED_QUOTE },
		{ NAMED("\"all\""), "\"all\"", PROBLEM_REPAIRED_QUOTE },
		{ NAMED("a \" b"), "a \" b", PROBLEM_REPAIRED_QUOTE },
		{ NAMED("f(\"x\", \"y\")"), "f(\"x\", \"y\")", PROBLEM_REPAIRED_QUOTE },
		{ NAMED("[\"x\"]"), "[\"x\"]", PROBLEM_REPAIRED_QUOTE },
		{ COMPACT("say \"hi\" {twice}"), "say \"hi\" {twice}", PROBLEM_REPAIRED_QUOTE },
		{ NAMED("fine: \\\"escaped\\\""), "fine: \"escaped\"", CLEAN },
		{ NAMED("fine: }, { \\\\"), "fine: }, { \\", CLEAN },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		check(&rows[i]);
}

#define WITH(args)                                                                                                                                           \
	"\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": 1, \"tid\": 2,\n    \"ts\": 10, \"dur\": 5,\n    \"args\": {\n      " args \
	"\n    }\n  }"

static void quotes_in_args(void **state)
{
	static const struct row rows[] = {
		{ WITH("\"External id\": 12, \"mode\": \"mode=\"max\" now\", \"Ev Idx\": 3"), "b",
			PROBLEM_REPAIRED_QUOTE },
		{ WITH("\"Concrete Inputs\": [\"\", \"mode=\"max\"\", \"1\"], \"External id\": 12"),
			"b", PROBLEM_REPAIRED_QUOTE },
		{ WITH("\"kwargs\": \"{\"a\": {\"b\": 1}}\""), "b", PROBLEM_REPAIRED_QUOTE },
		{ WITH("\"kwargs\": \"[{\"name\": \"x\"}, {\"name\": \"y\"}]\""), "b",
			PROBLEM_REPAIRED_QUOTE },
		{ WITH("\"x\": \"{\", \"y\": \"}\", \"z\": [\"]\", \"[\"]"), "b", CLEAN },
		{ WITH("\"x\": NaN, \"y\": -inf, \"z\": N/A, \"w\": Infinity"), "b", CLEAN },
		{ WITH("\"x\": [[[[[[[[[[[[1]]]]]]]]]]]]"), "b", CLEAN },
	};
	struct loaded l;
	size_t i, row;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		check(&rows[i]);
	/* What stands before and behind the broken argument is right. */
	loading_text(&l,
		HEAD WITH("\"External id\": 12, \"mode\": \"a\"b\"c\", \"Input Dims\": [[2, 3]]")
			TAIL);
	row = l.run.events.args[0] - 1;
	assert_int_equal(l.run.args.col[ARG_OP_EXTERNAL_ID].id[row], 12);
	assert_true(span_is(
		strings_get(&l.run.strings, args_sym(&l.run.args, ARG_OP_DIMS, row)), "[[2, 3]]"));
	loading_release(&l);
}

static void odd_strings(void **state)
{
	static const struct row rows[] = {
		{ NAMED("C:\\Program\\d"), "C:\\Program\\d", PROBLEM_REPAIRED_ESCAPE },
		{ NAMED("C:\\users"), "C:\\users", PROBLEM_REPAIRED_ESCAPE },
		{ NAMED("\\uD83D!"), "\xef\xbf\xbd!", PROBLEM_REPAIRED_ESCAPE },
		{ NAMED("\\uD83D\\uDE00"), "\xf0\x9f\x98\x80", CLEAN },
		{ NAMED("a\x01\x1f\x7f"), "a\x01\x1f\x7f", PROBLEM_CONTROL_CHARACTER },
		{ NAMED("line\n\tbreak"), "line\n\tbreak", PROBLEM_CONTROL_CHARACTER },
		{ NAMED("\\u001b[2J\\r"), "\x1b[2J\r", CLEAN },
		{ NAMED("\xff\xc3\x28"), "\xff\xc3\x28", PROBLEM_INVALID_UTF8 },
		{ NAMED("\xe2\x82\xac"), "\xe2\x82\xac", CLEAN },
		{ NAMED(""), "", CLEAN },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		check(&rows[i]);
}

/* Lost: one event each time, and never one of its neighbours. */
static void lost(void **state)
{
	static const char *const events[] = {
		"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": 1, tid\": 2, \"ts\": 10, \"dur\": 5}",
		"{\"ph\": \"X\", \"name\": \"b\" \"pid\": 1, \"ts\": 10, \"dur\": 5}",
		"{\"ph\": \"X\", \"name\" \"b\", \"pid\": 1, \"ts\": 10, \"dur\": 5}",
		"{\"ph\": \"X\", \"name\": \"b\", \"pid\": , \"ts\": 10, \"dur\": 5}",
		"{\"ph\": \"X\", \"name\": \"b\", \"args\": {\"x\": [1, 2}, \"ts\": 10, \"dur\": 5}",
		"{'ph': 'X', 'name': 'b'}",
		"{ph: X}",
		"{oops}",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(events); i++) {
		struct str text = { 0 };
		struct loaded l;

		str_addf(&text, HEAD A ",\n  %s," Z TAIL, events[i]);
		loading_text(&l, text.s);
		if (l.run.events.n != 2 || l.run.tally.count[PROBLEM_SKIPPED_EVENT] != 1 ||
			l.run.tally.offset[PROBLEM_SKIPPED_EVENT] !=
				(int64_t)strlen(HEAD A ",\n  "))
			print_error("%s\n", events[i]);
		assert_int_equal(l.run.events.n, 2);
		assert_int_equal(loading_row(&l, "z"), 1);
		assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_EVENT], 1);
		assert_int_equal(l.run.tally.offset[PROBLEM_SKIPPED_EVENT], strlen(HEAD A ",\n  "));
		assert_true(l.run.tally.count[PROBLEM_SKIPPED_BYTES] >= (int64_t)strlen(events[i]));
		assert_true(l.run.is_complete);
		loading_release(&l);
		str_free(&text);
	}
}

/* A second writer's event in the middle of another's: both neighbours stay. */
static void interleaved(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		HEAD A ",\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"na" Z
		       ",\nme\": \"b\", \"pid\": 1, \"ts\": 5, \"dur\": 1\n  }," A TAIL);
	assert_true(l.run.events.n >= 2);
	assert_int_equal(loading_row(&l, "a"), 0);
	assert_true(l.run.tally.count[PROBLEM_SKIPPED_EVENT] >= 1);
	assert_true(l.run.is_complete);
	loading_release(&l);
}

/* Broken at the very end: the events before stay, and so does the tail. */
static void last_event(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, HEAD A ",{\"ph\": \"X\", \"name\": \"b\" \"oops\"}" TAIL);
	assert_int_equal(l.run.events.n, 1);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_EVENT], 1);
	assert_true(span_is(strings_get(&l.run.strings, l.run.meta.trace_name), "t"));
	assert_true(l.run.is_complete);
	loading_release(&l);
}

/* A raw newline in a string of the native layout, then the next event: the quote never came. */
static void open_string(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		HEAD A
		",\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b, \"pid\": 1," A
		"," Z TAIL);
	assert_true(loading_row(&l, "z") != SIZE_MAX);
	assert_true(l.run.tally.count[PROBLEM_SKIPPED_EVENT] +
			l.run.tally.count[PROBLEM_REPAIRED_QUOTE] >
		0);
	loading_release(&l);
}

static void values_of_events(void **state)
{
	static const struct {
		const char *event;
		size_t kept;
		int problem;
	} rows[] = {
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":null,\"dur\":1}", 0, PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"dur\":1}", 0, PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":NaN,\"dur\":1}", 0, PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":\"0x14a7\",\"dur\":1}", 0, PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1e400,\"dur\":1}", 0, PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":99999999999999999999,\"dur\":1}", 0,
			PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":[1],\"dur\":1}", 0, PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":9223372036854775.807,\"dur\":1}", 0,
			PROBLEM_NO_TIME },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1}", 1, PROBLEM_NO_DURATION },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":null}", 1, PROBLEM_NO_DURATION },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":-5}", 1,
			PROBLEM_NEGATIVE_DURATION },
		{ "{\"name\":\"b\",\"ts\":1,\"dur\":1}", 0, PROBLEM_NO_PHASE },
		{ "{\"ph\":\"Q\",\"name\":\"b\",\"ts\":1,\"dur\":1}", 0, PROBLEM_NO_PHASE },
		{ "{\"ph\":\"XX\",\"name\":\"b\",\"ts\":1,\"dur\":1}", 0, PROBLEM_NO_PHASE },
		{ "{\"ph\":5,\"name\":\"b\",\"ts\":1,\"dur\":1}", 0, PROBLEM_NO_PHASE },
		{ "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"b\",\"ts\":0,\"dur\":0}", 0,
			PROBLEM_ZERO_TIME_KERNEL },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":\"1752140000000000.123\",\"dur\":\"1\"}", 1,
			CLEAN },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":-17.250,\"dur\":0}", 1, CLEAN },
		{ "{\"ph\":\"X\",\"ts\":1,\"dur\":1}", 1, CLEAN },
		{ "{\"ph\":\"X\",\"name\":17,\"ts\":1,\"dur\":1}", 1, CLEAN },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":1,\"args\":\"__stripped__\"}", 1,
			CLEAN },
		{ "{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":1,\"args\":null}", 1, CLEAN },
		{ "{\"ph\":\"s\",\"id\":18446744073709551617,\"ts\":1}", 0, CLEAN },
		{ "{\"ph\":\"C\",\"name\":\"mem\",\"ts\":1,\"args\":{\"\":5}}", 0, CLEAN },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		struct str text = { 0 };
		struct loaded l;

		str_addf(&text, HEAD "%s]}", rows[i].event);
		loading_text(&l, text.s);
		if (l.run.events.n != rows[i].kept || loading_problem(&l) != rows[i].problem)
			print_error("%s: %zu kept, problem %d\n", rows[i].event, l.run.events.n,
				loading_problem(&l));
		assert_int_equal(l.run.events.n, rows[i].kept);
		assert_int_equal(loading_problem(&l), rows[i].problem);
		assert_int_equal(l.run.nevent, 1);
		if (rows[i].problem != CLEAN) {
			assert_int_equal(l.run.tally.count[rows[i].problem], 1);
			assert_int_equal(l.run.tally.offset[rows[i].problem], strlen(HEAD));
		}
		loading_release(&l);
		str_free(&text);
	}
}

static void flags_and_last_key(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		HEAD
		"{\"ph\":\"X\",\"ts\":1},{\"ph\":\"X\",\"ts\":1,\"dur\":-5},"
		"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1,\"dur\":5,\"args\":{\"finished\":false}},"
		"{\"ph\":\"B\",\"ph\":\"X\",\"cat\":\"x\",\"cat\":\"cpu_op\",\"name\":\"n\",\"name\":\"m\",\"ts\":1,\"ts\":2,\"dur\":3,\"dur\":4,"
		"\"args\":{\"External id\":1,\"External id\":2}}]}");
	assert_int_equal(l.run.events.n, 4);
	assert_int_equal(l.run.events.flags[0], EVENT_UNFINISHED);
	assert_int_equal(l.run.events.flags[1], EVENT_CLAMPED);
	assert_int_equal(l.run.events.dur[1], 0);
	assert_int_equal(l.run.events.flags[2], EVENT_CUT);
	assert_int_equal(l.run.events.start[3], 2000);
	assert_int_equal(l.run.events.dur[3], 4000);
	assert_int_equal(l.run.events.kind[3], KIND_OP);
	assert_true(span_is(run_name(&l.run, 3), "m"));
	loading_release(&l);
}

/* Events that are never closed, one inside the other's arguments, as far as anybody can see: to try
 * each of them up to the end would take time with the square of the length. */
static void never_closed(void **state)
{
	static const char *const units[] = { "{\"args\":{\"x\":[{},",
		"{\"ph\":\"X\",\"args\":{\"x\":[{},", "{\"ph\":\"X\",\"name\":\"a\"b,{},",
		"{\"args\":{\"x\":[},", "{\"name\":{\"a\":{}," };
	size_t i, k;

	(void)state;
	for (i = 0; i < COUNT_OF(units); i++) {
		struct loading how = { 0 };
		struct str text = { 0 };
		struct loaded l;

		str_adds(&text, HEAD);
		for (k = 0; k < 4000000 / strlen(units[i]); k++)
			str_adds(&text, units[i]);
		loading_run(&l, (struct span){ text.s, text.n }, &how);
		assert_int_equal(l.status, E_SYNTAX);
		assert_int_equal(l.err.offset, strlen(HEAD));
		str_free(&text);
	}
}

static void anchors(void **state)
{
	static const char text[] =
		"{\"a\":{\"ph\":1}},\n  {\n    \"ph\": \"X\"},{\"x\":1},{ \"name\":\"{\\\"ph\"}";
	const char *end = text + sizeof(text) - 1, *p;

	(void)state;
	p = anchor_next(text, text, end);
	assert_non_null(p);
	assert_int_equal(p - text, 18);
	p = anchor_next(text, p + 1, end);
	assert_non_null(p);
	assert_int_equal(strncmp(p, "{ \"name\"", 8), 0);
	assert_null(anchor_next(text, p + 1, end));
	assert_false(anchor_is(text, text, end)); /* nothing before it */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_in_names),
		cmocka_unit_test(quotes_in_args),
		cmocka_unit_test(odd_strings),
		cmocka_unit_test(lost),
		cmocka_unit_test(interleaved),
		cmocka_unit_test(last_event),
		cmocka_unit_test(open_string),
		cmocka_unit_test(values_of_events),
		cmocka_unit_test(flags_and_last_key),
		cmocka_unit_test(never_closed),
		cmocka_unit_test(anchors),
	};

	return cmocka_run_group_tests_name("recover", tests, NULL, NULL);
}
