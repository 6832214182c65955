/* Compact documents: values that fit, lists and maps that somebody takes, what a memo gives back,
 * and pickles that come a byte at a time, cut at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/source/source.h"
#include "analyze/input/value/pickle.h"
#include "base/compiler.h"

enum { ROW_PAIR, ROW_NAMED, ROW_LIST };

/* Maps with "n" are rows, which add up what is under it; lists of two numbers, too. */
struct taken {
	int64_t n[16];
	size_t count, lists;
	sym key;
};

static enum status take_map(void *ctx, struct compact *c, const compact_value *pair, size_t n,
	compact_value *row, struct err *e)
{
	struct taken *t = ctx;
	uint64_t at = t->count;
	int64_t v;
	size_t i;

	(void)e;
	for (i = 0; i < n; i++)
		if (compact_to_sym(pair[2 * i]) == t->key &&
			compact_to_int(c, pair[2 * i + 1], &v)) {
			if (!compact_is_row(*row, ROW_NAMED, &at)) {
				at = t->count++;
				*row = compact_row(ROW_NAMED, at);
			}
			t->n[at] += v;
		}
	return OK;
}

static enum status take_list(void *ctx, struct compact *c, const compact_value *item, size_t n,
	compact_value *row, struct err *e)
{
	struct taken *t = ctx;
	int64_t a, b;

	t->lists++;
	if (n == 2 && compact_to_int(c, item[0], &a) && compact_to_int(c, item[1], &b))
		*row = compact_row(ROW_PAIR, (uint64_t)(a * 100 + b));
	if (n == 3)
		return err_set(e, E_SYNTAX, -1, "no lists of three");
	return OK;
}

struct feed {
	const char *p;
	size_t n, most;
};

static ssize_t feed_read(void *ctx, void *buf, size_t n)
{
	struct feed *f = ctx;

	n = n < f->n ? n : f->n;
	n = n < f->most ? n : f->most;
	memcpy(buf, f->p, n);
	f->p += n;
	f->n -= n;
	return (ssize_t)n;
}

struct reading_test {
	struct strings names;
	struct compact c;
	struct taken t;
	struct compact_taker taker;
	compact_value out;
	struct err e;
	enum status st;
};

static void begin(struct reading_test *r)
{
	memset(r, 0, sizeof(*r));
	strings_init(&r->names, 1);
	r->t.key = strings_intern(&r->names, SPAN("n"));
	r->taker = (struct compact_taker){ &r->t, 1 << ROW_NAMED, take_map, take_list };
	compact_init(&r->c, &r->names, &r->taker);
	err_clear(&r->e);
}

static void end(struct reading_test *r)
{
	compact_clear(&r->c);
	strings_clear(&r->names);
}

static void read_bytes(struct reading_test *r, const char *bytes, size_t n, size_t most)
{
	struct feed f = { bytes, n, most };
	struct source s;
	bool has_more = false;
	int64_t at = 0;

	begin(r);
	r->st = source_open_reader(&s, feed_read, &f, NULL, &r->e);
	if (r->st != OK)
		return;
	r->st = pickle_read(&r->c, &s, &r->out, &at, &has_more, &r->e);
	source_close(&s);
}

#define READ(r, bytes) read_bytes(r, "\x80\x02" bytes, sizeof("\x80\x02" bytes) - 1, 3)

static void numbers(void **state)
{
	static const int64_t all[] = { 0, -1, 255, (INT64_C(1) << 59) - 1, -(INT64_C(1) << 59),
		INT64_C(1) << 59, INT64_MAX, INT64_MIN };
	struct reading_test r;
	int64_t v;
	size_t i;

	(void)state;
	begin(&r);
	for (i = 0; i < COUNT_OF(all); i++) {
		assert_true(compact_to_int(&r.c, compact_int(&r.c, all[i]), &v));
		assert_int_equal(v, all[i]);
	}
	assert_int_equal(r.c.nwide, 3);
	assert_true(compact_to_int(&r.c, compact_real(&r.c, 8), &v) && v == 8);
	assert_false(compact_to_int(&r.c, compact_real(&r.c, 8.5), &v));
	assert_false(compact_to_int(&r.c, compact_bool(true), &v));
	end(&r);
}

/* {"n": 7} is a row; {"m": [1, 2]} is none, and its list is. */
static void taken(void **state)
{
	struct reading_test r;
	const compact_value *pair;
	uint64_t row;
	size_t n;

	(void)state;
	READ(&r, "}X\x01\0\0\0nK\x07s.");
	assert_int_equal(r.st, OK);
	assert_true(compact_is_row(r.out, ROW_NAMED, &row) && row == 0);
	assert_int_equal(r.t.n[0], 7);
	end(&r);
	READ(&r, "}X\x01\0\0\0mK\x01K\x02\x86s.");
	pair = compact_pairs(&r.c, r.out, &n);
	assert_non_null(pair);
	assert_int_equal(n, 1);
	assert_true(compact_is_row(pair[1], ROW_PAIR, &row) && row == 102);
	end(&r);
	/* What is added to a taken map goes to its row. */
	READ(&r, "}q\x01X\x01\0\0\0nK\x07s0h\x01X\x01\0\0\0nK\x05s.");
	assert_int_equal(r.st, OK);
	assert_int_equal(r.t.count, 1);
	assert_int_equal(r.t.n[0], 12);
	end(&r);
}

/* A list of rows in order is a run; another order, or one twice, is a list of them. */
static void runs(void **state)
{
#define ROW(i) "}q" i "X\x01\0\0\0nK" i "s"
	struct reading_test r;
	uint64_t first, row;
	size_t n;

	(void)state;
	READ(&r, "](" ROW("\x01") ROW("\x02") ROW("\x03") "e.");
	assert_int_equal(r.st, OK);
	assert_true(compact_run(&r.c, r.out, ROW_NAMED, &first, &n));
	assert_int_equal(first, 0);
	assert_int_equal(n, 3);
	assert_false(compact_run(&r.c, r.out, ROW_PAIR, &first, &n));
	end(&r);
	READ(&r,
		"](" ROW("\x01") ROW("\x02") "h\x01"
					     "e.");
	assert_false(compact_run(&r.c, r.out, ROW_NAMED, &first, &n));
	assert_int_equal(compact_count(&r.c, r.out), 3);
	assert_true(compact_is_row(compact_item(&r.c, r.out, 1), ROW_NAMED, &row) && row == 1);
	assert_true(compact_is_row(compact_item(&r.c, r.out, 2), ROW_NAMED, &row) && row == 0);
	assert_int_equal(compact_item(&r.c, r.out, 3), COMPACT_NONE);
	end(&r);
	READ(&r, "].");
	assert_true(compact_run(&r.c, r.out, ROW_NAMED, &first, &n) && n == 0);
	end(&r);
}

/* A map that is in a list before it has members becomes a row there, too: whoever fetches it from
 * the memo, or has it since, sees the row. */
static void shared(void **state)
{
	struct reading_test r;
	uint64_t row;

	(void)state;
	READ(&r, "](}q\x01h\x01X\x01\0\0\0nK\x09se.");
	assert_int_equal(r.st, OK);
	assert_true(compact_is_row(compact_item(&r.c, r.out, 0), ROW_NAMED, &row) && row == 0);
	assert_true(compact_is_row(compact_item(&r.c, r.out, 1), ROW_NAMED, &row) && row == 0);
	end(&r);
	/* Two at one number of the memo: the first must not come back for the second. */
	READ(&r,
		"](}q\x01}q\x01X\x01\0\0\0nK\x01sh\x01"
		"e.");
	assert_int_equal(r.st, OK);
	assert_int_equal(compact_count(&r.c, r.out), 3);
	assert_int_equal(compact_type(compact_item(&r.c, r.out, 0)), COMPACT_OBJECT);
	assert_true(compact_is_row(compact_item(&r.c, r.out, 2), ROW_NAMED, &row));
	end(&r);
	/* A list that nobody takes is offered once, and again when it has grown. */
	READ(&r,
		"}X\x01\0\0\0m]q\x01K\x01"
		"asX\x01\0\0\0kh\x01s0h\x01K\x02K\x03"
		"0a0}X\x01\0\0\0"
		"mh\x01s.");
	assert_int_equal(r.st, OK);
	assert_int_equal(r.t.lists, 2);
	end(&r);
	/* A list that holds itself is one, and nobody goes through it for ever. */
	READ(&r,
		"]q\x01h\x01"
		"a.");
	assert_int_equal(r.st, OK);
	assert_int_equal(compact_count(&r.c, r.out), 1);
	end(&r);
}

/* What is taken is used again: maps by the thousand are one object. */
static void reused(void **state)
{
	char bytes[4096] = "\x80\x02](", *p = bytes + 4;
	struct reading_test r;
	size_t i;

	(void)state;
	for (i = 0; i < 16; i++) {
		memcpy(p, "}X\1\0\0\0nK\1s", 10);
		p += 10;
	}
	memcpy(p, "e.", 2);
	read_bytes(&r, bytes, (size_t)(p + 2 - bytes), 5);
	assert_int_equal(r.st, OK);
	assert_int_equal(r.t.count, 16);
	assert_int_equal(r.c.nobject, 2);
	end(&r);
}

static void refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		enum status st;
		const char *what;
		int64_t offset;
	} cases[] = {
#define CASE(bytes, st, what, offset) \
	{ "\x80\x02" bytes, sizeof("\x80\x02" bytes) - 1, st, what, offset }
		CASE("cos\nsystem\n.", E_FORMAT, "GLOBAL", 2),
		CASE("K\1R.", E_FORMAT, "REDUCE", 4),
		CASE("I1\n.", E_FORMAT, "protocol 0", 2),
		CASE("\xff.", E_SYNTAX, "0xff", 2),
		CASE("K\1K\2.", E_SYNTAX, "one value", 6),
		CASE("h\5.", E_SYNTAX, "memo", 2),
		CASE("]r\xff\xff\xff\x7f.", E_SYNTAX, "memo", 3),
		CASE("]K\1s.", E_SYNTAX, "a dict", 5),
		CASE("K\1K\2a.", E_SYNTAX, "list was expected", 6),
		CASE("}K\1K\2K\3(K\4u.", E_SYNTAX, "keys", 12),
		CASE("e.", E_SYNTAX, "MARK", 2),
		CASE("X\xff\xff\xff\x7f", E_TRUNCATED, "inside BINUNICODE at byte 2", 7),
		CASE("}K\1](K\1K\2K\3es.", E_SYNTAX, "lists of three", 14),
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct reading_test r;

		read_bytes(&r, cases[i].bytes, cases[i].n, 64);
		if (r.st != cases[i].st || !strstr(r.e.text, cases[i].what) ||
			r.e.offset != cases[i].offset)
			fail_msg("%zu: %d %s at %lld", i, (int)r.st, r.e.text,
				(long long)r.e.offset);
		end(&r);
	}
}

/* A text is in memory as a whole: longer than a window is none. */
static void too_long(void **state)
{
	static char bytes[(4 << 20) + 100] = "\x80\x02X\x01\x00\x40"; /* 4 MiB and 1 */
	struct reading_test r;

	(void)state;
	read_bytes(&r, bytes, sizeof(bytes), 1 << 20);
	assert_int_equal(r.st, E_LIMIT);
	assert_int_equal(r.e.offset, 2);
	assert_non_null(strstr(r.e.text, "where at most"));
	end(&r);
	bytes[3] = 0;
	read_bytes(&r, bytes, sizeof(bytes), 1 << 20);
	assert_int_equal(r.st, E_SYNTAX); /* of what is behind it */
	end(&r);
}

static void cut(void **state)
{
	static const char whole[] = "\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94(\x8c\1n\x94K\7\x8c\1m\x94"
				    "K\1K\2\x86\x94\x8c\1r\x94G\x3f\xf8\0\0\0\0\0\0Nh\1u.";
	size_t n, i;

	(void)state;
	for (n = 0; n < sizeof(whole) - 1; n++)
		for (i = 1; i < 9; i += 7) {
			struct reading_test r;

			read_bytes(&r, whole, n, i);
			if (r.st == OK || r.e.text[0] == '\0')
				fail_msg("cut at %zu: read", n);
			end(&r);
		}
}

static void json(void **state)
{
	static const char text[] = "{\"a\": [{\"n\": 1}, {\"n\": 2}], \"b\": [3, 4], \"\\u0063\": "
				   "-1.5, \"d\": null, \"e\": true, \"f\": \"x\\ny\"}";
	struct reading_test r;
	const compact_value *pair;
	struct span rest;
	uint64_t first;
	size_t n;
	double d;

	(void)state;
	begin(&r);
	assert_int_equal(compact_of_json(&r.c, json_value(span_of(text), &rest), &r.out, &r.e), OK);
	pair = compact_pairs(&r.c, r.out, &n);
	assert_int_equal(n, 6);
	assert_true(compact_run(&r.c, pair[1], ROW_NAMED, &first, &n) && n == 2);
	assert_true(compact_is_row(pair[3], ROW_PAIR, &first) && first == 304);
	assert_true(span_is(strings_get(&r.names, compact_to_sym(pair[4])), "c"));
	assert_true(compact_to_real(&r.c, pair[5], &d));
	assert_true(d < -1.4 && d > -1.6);
	assert_int_equal(pair[7], COMPACT_NONE);
	assert_true(compact_is_true(pair[9]));
	assert_true(span_is(strings_get(&r.names, compact_to_sym(pair[11])), "x\ny"));
	end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(taken),
		cmocka_unit_test(runs),
		cmocka_unit_test(shared),
		cmocka_unit_test(reused),
		cmocka_unit_test(refused),
		cmocka_unit_test(too_long),
		cmocka_unit_test(cut),
		cmocka_unit_test(json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
