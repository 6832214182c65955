/* Pickles: what each opcode makes, what is refused and where, and dumps cut at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/load.h"
#include "analyze/input/source/source.h"
#include "analyze/input/value/pickle.h"
#include "base/compiler.h"
#include "base/str.h"

#define P "\x80\x02"

/* Bytes behind a PROTO, and the value as Python would write it. */
struct made {
	const char *bytes;
	size_t n;
	const char *want;
};
#define MADE(bytes, want)                      \
	{                                      \
		bytes, sizeof(bytes) - 1, want \
	}

static const struct made made[] = {
	MADE("N.", "None"),
	MADE("\x88.", "True"),
	MADE("\x89.", "False"),
	MADE("J\xfe\xff\xff\xff.", "-2"),
	MADE("J\x01\x02\x03\x04.", "67305985"),
	MADE("K\xff.", "255"),
	MADE("M\x01\x02.", "513"),
	MADE("\x8a\x00.", "0"),
	MADE("\x8a\x01\xff.", "-1"),
	MADE("\x8a\x02\x00\x80.", "-32768"),
	MADE("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", "9223372036854775807"),
	MADE("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01.", "1.84467e+19"),
	MADE("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\xff.", "-1.84467e+19"),
	MADE("\x8b\x01\x00\x00\x00\x05.", "5"),
	MADE("G\x3f\xf8\x00\x00\x00\x00\x00\x00.", "1.5"),
	MADE("X\x02\x00\x00\x00hi.", "'hi'"),
	MADE("\x8c\x02hi.", "'hi'"),
	MADE("\x8d\x02\x00\x00\x00\x00\x00\x00\x00hi.", "'hi'"),
	MADE("T\x02\x00\x00\x00hi.", "'hi'"),
	MADE("U\x02hi.", "'hi'"),
	MADE("B\x02\x00\x00\x00hi.", "'hi'"),
	MADE("C\x02hi.", "'hi'"),
	MADE("\x8e\x02\x00\x00\x00\x00\x00\x00\x00hi.", "'hi'"),
	MADE("\x96\x02\x00\x00\x00\x00\x00\x00\x00hi.", "'hi'"),
	MADE("].", "[]"),
	MADE(").", "[]"),
	MADE("\x8f.", "[]"),
	MADE("}.", "{}"),
	MADE("(K\x01K\x02t.", "[1, 2]"),
	MADE("(K\x01K\x02\x91.", "[1, 2]"),
	MADE("K\x01\x85.", "[1]"),
	MADE("K\x01K\x02\x86.", "[1, 2]"),
	MADE("K\x01K\x02K\x03\x87.", "[1, 2, 3]"),
	MADE("]K\x01"
	     "a.",
		"[1]"),
	MADE("](K\x01K\x02"
	     "e.",
		"[1, 2]"),
	MADE("\x8f(K\x01K\x02\x90.", "[1, 2]"),
	MADE("}U\x01"
	     "aK\x01s.",
		"{'a': 1}"),
	MADE("}(U\x01"
	     "aK\x01U\x01"
	     "bNu.",
		"{'a': 1, 'b': None}"),
	MADE("]q\x00h\x00\x86.", "[[], []]"),
	MADE("]q\x02"
	     "0h\x02.",
		"[]"),
	MADE("]\x94"
	     "0h\x00.",
		"[]"),
	MADE("]r\x01\x00\x00\x00"
	     "0j\x01\x00\x00\x00.",
		"[]"),
	MADE("K\x01K\x02"
	     "0.",
		"1"),
	MADE("K\x01(K\x02K\x03"
	     "1.",
		"1"),
	MADE("K\x01(0.", "1"),
	MADE("K\x01"
	     "2\x86.",
		"[1, 1]"),
	MADE("\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", "None"),
	MADE("]]q\x00"
	     "ah\x00"
	     "a.",
		"[[], []]"),
};

/* As Python writes it; what holds itself ends somewhere. */
static void put(struct str *out, const struct compact *c, compact_value v, unsigned depth)
{
	const compact_value *pair;
	size_t i, n = 0;
	int64_t whole;
	double real = 0;

	switch (compact_type(v)) {
	case COMPACT_NONE: str_adds(out, "None"); return;
	case COMPACT_BOOL: str_adds(out, compact_is_true(v) ? "True" : "False"); return;
	case COMPACT_REAL:
		(void)compact_to_real(c, v, &real);
		str_addf(out, "%g", real);
		return;
	case COMPACT_TEXT:
		str_addf(out, "'%.*s'", (int)compact_to_text(c, v).n, compact_to_text(c, v).p);
		return;
	case COMPACT_OBJECT: break;
	default:
		assert_true(compact_to_int(c, v, &whole));
		str_addf(out, "%lld", (long long)whole);
		return;
	}
	pair = compact_pairs(c, v, &n);
	str_adds(out, pair ? "{" : "[");
	n = depth > 100 ? 0 : pair ? n : compact_count(c, v);
	for (i = 0; i < n; i++) {
		str_adds(out, i ? ", " : "");
		if (pair) {
			put(out, c, pair[2 * i], depth + 1);
			str_adds(out, ": ");
		}
		put(out, c, pair ? pair[2 * i + 1] : compact_item(c, v, i), depth + 1);
	}
	str_adds(out, pair ? "}" : "]");
}

/* What a pickle is read from. */
struct text_file {
	const char *p;
	size_t n;
};

static ssize_t read_text(void *ctx, void *buf, size_t n)
{
	struct text_file *f = ctx;

	n = n < f->n ? n : f->n;
	memcpy(buf, f->p, n);
	f->p += n;
	f->n -= n;
	return (ssize_t)n;
}

/* Reads what stands behind a PROTO of 2. */
static enum status read_some(const char *bytes, size_t n, struct str *out, struct err *e)
{
	SCOPED_STR text = { 0 };
	struct text_file file;
	struct strings names;
	struct compact c;
	struct source source;
	compact_value v = COMPACT_NONE;
	bool has_more = true;
	int64_t end = 0;
	enum status st;

	err_clear(e);
	str_add(&text, P, 2);
	str_add(&text, bytes, n);
	file = (struct text_file){ text.s, text.n };
	strings_init(&names, 1);
	compact_init(&c, &names, NULL);
	assert_int_equal(source_open_reader(&source, read_text, &file, NULL, e), OK);
	st = pickle_read(&c, &source, &v, &end, &has_more, e);
	if (st == OK) {
		assert_int_equal(end, text.n);
		assert_false(has_more);
		put(out, &c, v, 0);
	}
	source_close(&source);
	compact_clear(&c);
	strings_clear(&names);
	return st;
}

static void opcodes(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(made); i++) {
		struct str out = { 0 };
		struct err e;
		enum status st = read_some(made[i].bytes, made[i].n, &out, &e);

		if (st != OK || strcmp(out.s, made[i].want) != 0)
			fail_msg("row %zu: %s, where %s was expected", i, st == OK ? out.s : e.text,
				made[i].want);
		str_free(&out);
	}
}

/* Everything that imports or calls, and what protocol 0 had: by its name, at its place. */
static void refused(void **state)
{
	static const struct {
		char code;
		const char *name;
	} ops[] = { { 'c', "GLOBAL" }, { (char)0x93, "STACK_GLOBAL" }, { 'R', "REDUCE" },
		{ 'b', "BUILD" }, { 'i', "INST" }, { 'o', "OBJ" }, { (char)0x81, "NEWOBJ" },
		{ (char)0x92, "NEWOBJ_EX" }, { 'P', "PERSID" }, { 'Q', "BINPERSID" },
		{ (char)0x82, "EXT1" }, { (char)0x83, "EXT2" }, { (char)0x84, "EXT4" },
		{ (char)0x97, "NEXT_BUFFER" }, { (char)0x98, "READONLY_BUFFER" }, { 'I', "INT" },
		{ 'L', "LONG" }, { 'F', "FLOAT" }, { 'S', "STRING" }, { 'V', "UNICODE" },
		{ 'g', "GET" }, { 'p', "PUT" }, { 'd', "DICT" }, { 'l', "LIST" } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(ops); i++) {
		char bytes[] = { 'N', ops[i].code, 'x', '\n', '.' };
		struct str out = { 0 };
		struct err e;

		if (read_some(bytes, sizeof(bytes), &out, &e) != E_FORMAT)
			fail_msg("%s: not refused", ops[i].name);
		assert_int_equal(e.offset, 3);
		assert_non_null(strstr(e.text, ops[i].name));
		assert_int_not_equal(e.hint[0], '\0');
		str_free(&out);
	}
}

static void errors(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		enum status st;
		int64_t offset;
		const char *text;
	} rows[] = {
		{ "", 0, E_TRUNCATED, 2, "before its STOP" },
		{ "N", 1, E_TRUNCATED, 3, "before its STOP" },
		{ "X\xff\xff\xff\xff"
		  "ab",
			7, E_TRUNCATED, 9, "BINUNICODE" },
		{ "\x8d\xff\xff\xff\xff\xff\xff\xff\xff", 9, E_TRUNCATED, 11, "BINUNICODE8" },
		{ "\x95\xff\xff\xff\xff\xff\xff\xff\xff", 9, E_TRUNCATED, 11, "before its STOP" },
		{ "J\x01", 2, E_TRUNCATED, 4, "BININT" },
		{ "G\x01", 2, E_TRUNCATED, 4, "BINFLOAT" },
		{ "\xff", 1, E_SYNTAX, 2, "0xff" },
		{ ".", 1, E_SYNTAX, 2, "STOP" },
		{ "NN.", 3, E_SYNTAX, 4, "STOP" },
		{ "(N.", 3, E_SYNTAX, 4, "STOP" },
		{ "0", 1, E_SYNTAX, 2, "POP" },
		{ "1", 1, E_SYNTAX, 2, "MARK" },
		{ "2", 1, E_SYNTAX, 2, "DUP" },
		{ "(2", 2, E_SYNTAX, 3, "DUP" },
		{ "t", 1, E_SYNTAX, 2, "TUPLE" },
		{ "N\x87", 2, E_SYNTAX, 3, "TUPLE3" },
		{ "NNa", 3, E_SYNTAX, 4, "a list" },
		{ "N(Ne", 4, E_SYNTAX, 5, "a list" },
		{ "]NNs", 4, E_SYNTAX, 5, "a dict" },
		{ "}(Nu", 4, E_SYNTAX, 5, "as many values as keys" },
		{ "h\x00", 2, E_SYNTAX, 2, "the memo" },
		{ "Nr\xff\xff\xff\x7f", 6, E_SYNTAX, 3, "the memo" },
		{ "q\x00", 2, E_SYNTAX, 2, "BINPUT" },
		{ "\x80\x06", 2, E_FORMAT, 2, "protocol 6" },
		{ "](]](]eeee.", 11, E_SYNTAX, 10, "a MARK" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		struct str out = { 0 };
		struct err e;
		enum status st = read_some(rows[i].bytes, rows[i].n, &out, &e);

		if (st != rows[i].st || e.offset != rows[i].offset || !strstr(e.text, rows[i].text))
			fail_msg(
				"row %zu: %d at %lld: %s", i, (int)st, (long long)e.offset, e.text);
		str_free(&out);
	}
}

/* Lists in each other by the thousand, and one that holds itself: values like others. */
static void deep(void **state)
{
	struct str bytes = { 0 }, out = { 0 };
	struct err e;
	size_t n = 5000, i;

	(void)state;
	for (i = 0; i < n; i++)
		str_adds(&bytes, "]");
	for (i = 1; i < n; i++)
		str_adds(&bytes, "a");
	str_adds(&bytes, ".");
	assert_int_equal(read_some(bytes.s, bytes.n, &out, &e), OK);
	assert_int_equal(out.n, 2 * 102);
	str_reset(&out);
	assert_int_equal(read_some("]q\x01h\x01"
				   "a.",
				 7, &out, &e),
		OK);
	assert_int_equal(out.n, 2 * 102);
	str_free(&bytes);
	str_free(&out);
}

/* A list that holds one thing twice, which holds one twice ...: small, whatever it would unfold to.
 */
static void shared(void **state)
{
	SCOPED_STR text = { 0 };
	struct text_file file;
	struct strings names;
	struct source source;
	struct compact c;
	compact_value v;
	bool has_more;
	struct err e;
	int64_t end;
	size_t i;

	(void)state;
	str_add(&text, P "]", 3);
	for (i = 0; i < 60; i++)
		str_adds(&text, "2\x86"); /* DUP, TUPLE2 */
	str_adds(&text, ".");
	file = (struct text_file){ text.s, text.n };
	strings_init(&names, 1);
	compact_init(&c, &names, NULL);
	assert_int_equal(source_open_reader(&source, read_text, &file, NULL, &e), OK);
	assert_int_equal(pickle_read(&c, &source, &v, &end, &has_more, &e), OK);
	assert_int_equal(c.nobject, 61);
	assert_int_equal(compact_item(&c, v, 0), compact_item(&c, v, 1));
	source_close(&source);
	compact_clear(&c);
	strings_clear(&names);
}

/* Cut at every byte, and with each byte turned over: an answer or one error with a word. */
static void spoil(const char *path)
{
	static char text[1 << 16];
	struct load_options o = { .needs = 0, .threads = 1 };
	FILE *f = fopen(path, "rb");
	size_t n, i, turn;

	if (!f)
		return;
	n = fread(text, 1, sizeof(text), f);
	(void)fclose(f);
	assert_true(n > 100);
	for (turn = 0; turn < 2; turn++)
		for (i = 2; i < n; i++) {
			struct text_file file = { text, turn ? n : i };
			struct run run;
			struct err e;

			err_clear(&e);
			text[i] ^= turn ? (char)0xff : 0;
			if (load_reader(read_text, &file, "_dump_0", &o, &run, &e) == OK) {
				run_clear(&run);
				if (!turn)
					fail_msg("%s cut at %zu is read", path, i);
			} else if (e.text[0] == '\0' || e.status == OK) {
				fail_msg("%s at %zu: an error without a word", path, i);
			}
			text[i] ^= turn ? (char)0xff : 0;
		}
}

static void spoilt(void **state)
{
	const char *shared = getenv("SHARED");
	char path[4096];

	(void)state;
	spoil("tests/fuzz/corpus/pickle/dump-2");
	spoil("tests/fuzz/corpus/pickle/dump-4");
	(void)snprintf(path, sizeof(path), "%s/samples/flight_recorder/lock_gil_1st/_dump_9",
		shared ? shared : "../shared");
	spoil(path);
}

/* A JSON document as the same values. */
static void json(void **state)
{
	static const char text[] =
		"{\"a\": [1, -2.5, \"x\\ny\", true, null], \"b\": {\"c\": 9223372036854775807}}";
	struct json_value doc;
	struct strings names;
	struct compact c;
	compact_value v;
	struct span rest;
	SCOPED_STR out = { 0 };
	struct err e;
	int64_t i;

	(void)state;
	strings_init(&names, 1);
	compact_init(&c, &names, NULL);
	doc = json_value(span_of(text), &rest);
	assert_int_equal(compact_of_json(&c, doc, &v, &e), OK);
	put(&out, &c, v, 0);
	assert_string_equal(
		out.s, "{'a': [1, -2.5, 'x\ny', True, None], 'b': {'c': 9223372036854775807}}");
	assert_true(compact_to_int(&c, compact_get(&c, compact_get(&c, v, "b"), "c"), &i));
	assert_true(i == INT64_MAX);
	assert_int_equal(compact_get(&c, compact_get(&c, v, "a"), "c"), COMPACT_NONE);
	compact_clear(&c);
	strings_clear(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcodes),
		cmocka_unit_test(refused),
		cmocka_unit_test(errors),
		cmocka_unit_test(deep),
		cmocka_unit_test(shared),
		cmocka_unit_test(spoilt),
		cmocka_unit_test(json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
