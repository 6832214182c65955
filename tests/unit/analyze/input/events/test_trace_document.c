/* Documents: every form and every fault of the text around and between the events, a few lines
 * each; what is kept, what is counted, and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "tests/unit/loading.h"

#define X(name)                                             \
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name \
	"\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":5}"

enum { CLEAN = PROBLEM_COUNT };

struct row {
	const char *text;
	size_t events; /* rows kept, named a, b, c ... */
	int problem;   /* the only one counted, or CLEAN */
	int64_t count;
	const char *at; /* the text at its offset begins so; NULL: not looked at */
};

static void check(const struct row *r)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct loaded l;
	size_t i;

	loading_text(&l, r->text);
	if (l.run.events.n != r->events || loading_problem(&l) != r->problem)
		print_error("%s\n  %zu events, problem %d (%s)\n", r->text, l.run.events.n,
			loading_problem(&l),
			loading_problem(&l) >= 0 && loading_problem(&l) < PROBLEM_COUNT
				? problem_infos[loading_problem(&l)].id
				: "none or several");
	assert_int_equal(l.run.events.n, r->events);
	assert_int_equal(loading_problem(&l), r->problem);
	for (i = 0; i < r->events; i++)
		assert_true(span_is(run_name(&l.run, i), names[i]));
	if (r->problem != CLEAN) {
		int64_t at = l.run.tally.offset[r->problem];

		assert_int_equal(l.run.tally.count[r->problem], r->count);
		if (r->at) {
			assert_true(at >= 0 && (size_t)at <= strlen(r->text));
			if (strncmp(r->text + at, r->at, strlen(r->at)) != 0)
				print_error("%s\n  at %lld: %s\n", r->text, (long long)at,
					r->text + at);
			assert_int_equal(strncmp(r->text + at, r->at, strlen(r->at)), 0);
		}
	}
	loading_release(&l);
}

static void check_all(const struct row *r, size_t n)
{
	while (n-- > 0)
		check(r++);
}

static void forms(void **state)
{
	static const struct row rows[] = {
		{ "{\"traceEvents\":[" X("a") "," X("b") "]}", 2, CLEAN, 0, NULL },
		{ " \n\t{ \"traceEvents\" : [ " X("a") " , " X("b") " ] } \n", 2, CLEAN, 0, NULL },
		{ "{\"x\":1,\"traceEvents\":[" X("a") "],\"y\":[{\"z\":\"]}\"}]}", 1, CLEAN, 0,
			NULL },
		{ "{\"traceEvents\":[]}", 0, CLEAN, 0, NULL },
		{ "{\"traceEvents\":[" X("a") ",{}]}", 1, CLEAN, 0, NULL },
		{ "[" X("a") "," X("b") "]", 2, CLEAN, 0, NULL },
		{ "[\n" X("a") ",\n" X("b") "\n]\n", 2, CLEAN, 0, NULL },
		{ "[" X("a") "," X("b"), 2, CLEAN, 0, NULL },       /* the ] is optional */
		{ "[" X("a") "," X("b") ",\n", 2, CLEAN, 0, NULL }, /* and a comma may end it */
		{ X("a") "\n" X("b") "\n" X("c") "\n", 3, CLEAN, 0, NULL },
		{ X("a") "\n" X("b"), 2, CLEAN, 0, NULL },
		{ X("a"), 1, CLEAN, 0, NULL },
		{ "{\"traceEvents\":[" X("a") "]}\r\n\0", 1, CLEAN, 0, NULL },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

static void flags(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, "{\"traceEvents\":[" X("a") "]}");
	assert_true(l.run.is_complete && !l.run.is_array);
	assert_string_equal(l.run.container, "plain");
	loading_release(&l);
	loading_text(&l, "[" X("a"));
	assert_true(l.run.is_complete && l.run.is_array);
	loading_release(&l);
	loading_text(&l, X("a") "\n" X("b"));
	assert_true(l.run.is_complete && l.run.is_array);
	loading_release(&l);
	loading_text(&l, "{\"traceEvents\":[" X("a"));
	assert_true(!l.run.is_complete && !l.run.is_array);
	loading_release(&l);
}

static void cut(void **state)
{
	static const struct row rows[] = {
		{ "{\"traceEvents\":[" X("a") ",{\"ph\":\"X\",\"na", 1, PROBLEM_TRUNCATED_JSON, 1,
			"" },
		{ "{\"traceEvents\":[" X("a") ",{", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[" X("a") ",", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[" X("a"), 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[", 0, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[" X("a") "]", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[" X("a") "],", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[" X("a") "],\"traceName\"", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "{\"traceEvents\":[" X("a") "],\"traceName\":\"x", 1, PROBLEM_TRUNCATED_JSON, 1,
			"" },
		{ "{\"traceEvents\":[" X("a") "],\"x\":[1,", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ "[" X("a") ",{\"ph\":\"X\"", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
		{ X("a") "\n{\"ph\":\"X\",\"name\":\"b", 1, PROBLEM_TRUNCATED_JSON, 1, "" },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

static void cut_before_events(void **state)
{
	static const char *const texts[] = { "{", "{\"schemaVersion\": 1,",
		"{\"deviceProperties\": [{\"id\": 0", "{\"traceEv", "{\"traceEvents\": " };
	struct loading how = { 0 };
	struct loaded l;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(texts); i++) {
		loading_run(&l, span_of(texts[i]), &how);
		assert_int_equal(l.status, E_TRUNCATED);
		assert_int_equal(l.err.offset, strlen(texts[i]));
	}
}

/* --strict makes the cut an error, and nothing else. */
static void strict(void **state)
{
	static const struct {
		const char *text;
		enum status status;
	} rows[] = {
		{ "{\"traceEvents\":[" X("a") "]}", OK },
		{ "{\"traceEvents\":[" X("a") ",,{}]}", OK },
		{ "[" X("a") ",", OK },
		{ "{\"traceEvents\":[" X("a") "]", E_TRUNCATED },
		{ "{\"traceEvents\":[" X("a") ",{\"ph\"", E_TRUNCATED },
	};
	struct loading how = { .strict = true };
	struct loaded l;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		loading_run(&l, span_of(rows[i].text), &how);
		assert_int_equal(l.status, rows[i].status);
		if (l.status != OK)
			assert_true(l.err.hint[0] != '\0');
		loading_release(&l);
	}
}

static void behind_the_end(void **state)
{
	static const struct row rows[] = {
		{ "{\"traceEvents\":[" X("a") "]}garbage", 1, PROBLEM_TRAILING_GARBAGE, 1,
			"garbage" },
		{ "{\"traceEvents\":[" X("a") "]}\n}x", 1, PROBLEM_TRAILING_GARBAGE, 1, "}x" },
		{ "{\"traceEvents\":[" X("a") "]}\n{\"traceEvents\":[" X("z") "]}", 1,
			PROBLEM_SECOND_DOCUMENT, 1,
			"{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"z" },
		{ "[" X("a") "]\n[" X("z") "]", 1, PROBLEM_SECOND_DOCUMENT, 1,
			"[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"z" },
		{ "[" X("a") "] trailing", 1, PROBLEM_TRAILING_GARBAGE, 1, "trailing" },
		{ "{\"traceEvents\":[" X("a") "],\"INFO\":[\"said \"hello\" and left\"]}", 1,
			PROBLEM_BROKEN_TAIL, 1, NULL },
		{ "{\"traceEvents\":[" X("a") "],oops}", 1, PROBLEM_BROKEN_TAIL, 1, "oops" },
		{ "{\"traceEvents\":[" X("a") "],\"x\" 1}", 1, PROBLEM_BROKEN_TAIL, 1, NULL },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

static void commas(void **state)
{
	static const struct row rows[] = {
		{ "{\"traceEvents\":[" X("a") "," X("b") ",]}", 2, PROBLEM_COMMA, 1, ",]" },
		{ "{\"traceEvents\":[," X("a") "]}", 1, PROBLEM_COMMA, 1, ",{" },
		{ "{\"traceEvents\":[" X("a") ",," X("b") "]}", 2, PROBLEM_COMMA, 1,
			",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b" },
		{ "{\"traceEvents\":[" X("a") ",,," X("b") "]}", 2, PROBLEM_COMMA, 2, NULL },
		{ "{\"traceEvents\":[" X("a") " " X("b") "]}", 2, PROBLEM_COMMA, 1,
			"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b" },
		{ "{\"traceEvents\":[" X("a") "],}", 1, PROBLEM_COMMA, 1, ",}" },
		{ "[" X("a") "," X("b") ",]", 2, CLEAN, 0, NULL }, /* the array form without ] */
		{ "[" X("a") X("b") "]", 2, PROBLEM_COMMA, 1, NULL },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

static void elements(void **state)
{
	static const struct row rows[] = {
		{ "{\"traceEvents\":[" X("a") ",null," X("b") "]}", 2, PROBLEM_NOT_AN_OBJECT, 1,
			"null" },
		{ "{\"traceEvents\":[5," X("a") "]}", 1, PROBLEM_NOT_AN_OBJECT, 1, "5" },
		{ "{\"traceEvents\":[" X("a") ",\"x ] }\"]}", 1, PROBLEM_NOT_AN_OBJECT, 1, "\"x" },
		{ "{\"traceEvents\":[[1,[2]]," X("a") "]}", 1, PROBLEM_NOT_AN_OBJECT, 1, "[1" },
		{ "{\"traceEvents\":[null,null,[]," X("a") "]}", 1, PROBLEM_NOT_AN_OBJECT, 3,
			"null" },
		{ "{\"traceEvents\":[{}," X("a") ",{ },{\n}]}", 1, CLEAN, 0, NULL },
		{ "{\"traceEvents\":[{\"foo\":1}," X("a") "]}", 1, PROBLEM_NO_PHASE, 1, "{\"foo" },
		{ "{\"traceEvents\":[{\"args\":{\"a\":1}}," X("a") "]}", 1, PROBLEM_NO_PHASE, 1,
			"{\"args" },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

/* Only the outer object's traceEvents counts; two of them are both read. */
static void keys(void **state)
{
	static const struct row rows[] = {
		{ "{\"metadata\":{\"traceEvents\":[" X("z") "]},\"traceEvents\":[" X("a") "]}", 1,
			CLEAN, 0, NULL },
		{ "{\"text\":\"\\\"traceEvents\\\": [\",\"traceEvents\":[" X("a") "]}", 1, CLEAN, 0,
			NULL },
		{ "{\"traceEvents\":[" X("a") "],\"x\":{\"traceEvents\":[" X("z") "]}}", 1, CLEAN,
			0, NULL },
		{ "{\"traceEvents\":[" X("a") "],\"traceEvents\":[" X("b") "]}", 2,
			PROBLEM_DUPLICATE_EVENTS_KEY, 1,
			"[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b" },
		{ "{\"traceEvents\":null,\"traceEvents\":[" X("a") "]}", 1, CLEAN, 0, NULL },
		{ "{\"loss\":NaN,\"bad\":N/A,\"x\":-Infinity,\"traceEvents\":[" X("a") "]}", 1,
			CLEAN, 0, NULL },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

/* Broken metadata before the events: the events are found all the same. */
static void broken_head(void **state)
{
	static const struct row rows[] = {
		{ "{\"user\":\"say \"hi\" now\",\"traceEvents\":[" X("a") "]}", 1,
			PROBLEM_BROKEN_METADATA, 1, NULL },
		{ "{\"cfg\":[\"a \"quoted\" word\"],\"x\":1,\"traceEvents\":[" X("a") "]}", 1,
			PROBLEM_BROKEN_METADATA, 1, "[\"a" },
		{ "{oops,\"traceEvents\":[" X("a") "]}", 1, PROBLEM_BROKEN_METADATA, 1, "oops" },
	};

	(void)state;
	check_all(rows, COUNT_OF(rows));
}

/* A value of more than LIMIT_META_BYTES is passed over in pieces; broken, ends like a short one. */
static void long_members(void **state)
{
	static const struct {
		const char *open, *close;
		int problem;
	} rows[] = {
		{ "\"", "\"", CLEAN },
		{ "[\"", "\"]", CLEAN },
		{ "{\"traceEvents\":[\"", "\"]}", CLEAN },
		{ "[\"a \"quoted\" word", "\"]", PROBLEM_BROKEN_METADATA },
		{ "[\"", "a \"quoted\" word\"]", PROBLEM_BROKEN_METADATA },
	};
	size_t i, place, windows[] = { 0, 70001 };

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		for (place = 0; place < 4; place++) {
			struct loading how = { .window_bytes = windows[place & 1] };
			struct str text = { 0 };
			struct loaded l;
			int k, want = rows[i].problem;

			str_adds(&text,
				place < 2 ? "{\"big\":" : "{\"traceEvents\":[" X("a") "],\"big\":");
			str_adds(&text, rows[i].open);
			for (k = 0; k < 320000; k++)
				str_adds(&text, "0123\\\\ 5]},\\\"\\u00e9 ");
			str_adds(&text, rows[i].close);
			str_adds(&text, place < 2 ? ",\"traceEvents\":[" X("a") "]}" : "}");
			loading_run(&l, (struct span){ text.s, text.n }, &how);
			if (want != CLEAN && place >= 2)
				want = PROBLEM_BROKEN_TAIL;
			assert_int_equal(l.status, OK);
			assert_int_equal(l.run.events.n, 1);
			assert_int_equal(loading_problem(&l), want);
			loading_release(&l);
			str_free(&text);
		}
}

/* More than half of the text is no JSON: an error with the place, no table of what was left. */
static void mostly_broken(void **state)
{
	struct loading how = { 0 };
	SCOPED_STR text = { 0 };
	struct loaded l;
	int i;

	(void)state;
	str_adds(&text, "{\"traceEvents\":[" X("a") ",");
	for (i = 0; i < 100; i++)
		str_adds(&text, "{\"ph\":\"X\" \"broken\" here},\n");
	loading_run(&l, (struct span){ text.s, text.n }, &how);
	assert_int_equal(l.status, E_SYNTAX);
	assert_int_equal(l.err.offset, strlen("{\"traceEvents\":[" X("a") ","));
}

/* One event a line, the first of them longer than a window: it is waited for. */
static void a_first_line_beyond_the_window(void **state)
{
	struct loading how = { .window_bytes = 4096 };
	SCOPED_STR text = { 0 };
	struct loaded l;
	int i;

	(void)state;
	str_adds(&text, "{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"args\":{\"x\":\"");
	for (i = 0; i < 100000; i++)
		str_addc(&text, 'y');
	str_adds(&text, "\"}}\n" X("b") "\n" X("c") "\n");
	loading_run(&l, (struct span){ text.s, text.n }, &how);
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.events.n, 3);
	assert_int_equal(loading_problem(&l), CLEAN);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms),
		cmocka_unit_test(a_first_line_beyond_the_window),
		cmocka_unit_test(flags),
		cmocka_unit_test(cut),
		cmocka_unit_test(cut_before_events),
		cmocka_unit_test(strict),
		cmocka_unit_test(behind_the_end),
		cmocka_unit_test(commas),
		cmocka_unit_test(elements),
		cmocka_unit_test(keys),
		cmocka_unit_test(broken_head),
		cmocka_unit_test(long_members),
		cmocka_unit_test(mostly_broken),
	};

	return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
