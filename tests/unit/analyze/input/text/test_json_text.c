/* Strings unescaped, UTF-8 judged, and metadata pulled apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/input/text/json_text.h"
#include "base/compiler.h"

static void unescape(void **state)
{
	static const struct {
		const char *in, *out;
		unsigned bad;
	} rows[] = {
		{ "plain", "plain", 0 },
		{ "", "", 0 },
		{ "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 0 },
		{ "\\u0041\\u00e9\\u20AC", "A\xc3\xa9\xe2\x82\xac", 0 },
		{ "\\uD83D\\uDE00!", "\xf0\x9f\x98\x80!", 0 },
		{ "\\uD83D!", "\xef\xbf\xbd!", 1 },
		{ "\\uDE00\\uD83D", "\xef\xbf\xbd\xef\xbf\xbd", 2 },
		{ "\\uD83D\\u0041",
			"\xef\xbf\xbd"
			"A",
			1 },
		{ "\\uD83D\\uD83D\\uDE00", "\xef\xbf\xbd\xf0\x9f\x98\x80", 1 },
		{ "C:\\Program\\d", "C:\\Program\\d", 2 },
		{ "C:\\users", "C:\\users", 1 },
		{ "\\u12", "\\u12", 1 },
		{ "\\u12G4", "\\u12G4", 1 },
		{ "end\\", "end\\", 1 },
		{ "\\\\u0041", "\\u0041", 0 },
		{ "\xff raw", "\xff raw", 0 },
	};
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		unsigned bad = 0;
		struct span out = json_unescape(span_of(rows[i].in), &mem, &bad);

		if (!span_is(out, rows[i].out))
			print_error("%s\n", rows[i].in);
		assert_true(span_is(out, rows[i].out));
		assert_int_equal(bad, rows[i].bad);
	}
}

/* \u0000 is a character like others; a NUL behind a backslash is none of the escapes. */
static void unescape_nul(void **state)
{
	SCOPED_ARENA mem = { 0 };
	unsigned bad = 0;
	struct span out;

	(void)state;
	out = json_unescape(SPAN("a\\u0000b"), &mem, &bad);
	assert_int_equal(out.n, 3);
	assert_memory_equal(out.p, "a\0b", 3);
	assert_int_equal(bad, 0);
	out = json_unescape(SPAN("\\\0x"), &mem, &bad);
	assert_int_equal(out.n, 3);
	assert_memory_equal(out.p, "\\\0x", 3);
	assert_int_equal(bad, 1);
}

static void utf8(void **state)
{
	static const char *const good[] = { "", "ascii", "\xc3\xa9", "\xe2\x82\xac",
		"\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf", "\xc2\x80",
		"\xe0\xa0\x80", "\xf0\x90\x80\x80" };
	static const char *const bad[] = { "\x80", "\xc3", "\xc3(", "\xc0\x80", "\xc1\xbf",
		"\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80", "\xff", "ok\xe2\x82", "\xe2\x82(", "\xf0\x9f\x98",
		"\xf0\x9f\x98(" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(good); i++)
		assert_true(json_is_utf8(span_of(good[i])));
	for (i = 0; i < COUNT_OF(bad); i++)
		assert_false(json_is_utf8(span_of(bad[i])));
}

static enum json_type type_of(const char *text, const char *value, const char *after)
{
	struct span rest;
	struct json_value v = json_value(span_of(text), &rest);

	if (v.type != JSON_NONE) {
		assert_true(span_is(v.text, value));
		assert_true(span_is(rest, after));
	}
	return v.type;
}

static void values(void **state)
{
	(void)state;
	assert_int_equal(type_of(" \"a\\\"b\" ,", "a\\\"b", " ,"), JSON_STRING);
	assert_int_equal(type_of("-1.5e3}", "-1.5e3", "}"), JSON_NUMBER);
	assert_int_equal(type_of("true]", "true", "]"), JSON_WORD);
	assert_int_equal(type_of("NaN, 1", "NaN", ", 1"), JSON_WORD);
	assert_int_equal(type_of("N/A", "N/A", ""), JSON_WORD);
	assert_int_equal(type_of("[1, \"]\", [2]] x", "[1, \"]\", [2]]", " x"), JSON_ARRAY);
	assert_int_equal(type_of("{\"}\": {}}", "{\"}\": {}}", ""), JSON_OBJECT);
	assert_int_equal(type_of("\"open", "", ""), JSON_NONE);
	assert_int_equal(type_of("[1, 2", "", ""), JSON_NONE);
	assert_int_equal(type_of("{\"a\": \"b}", "", ""), JSON_NONE);
	assert_int_equal(type_of("", "", ""), JSON_NONE);
	assert_int_equal(type_of("  ", "", ""), JSON_NONE);
	assert_int_equal(type_of(", 1", "", ""), JSON_NONE);
}

static void members(void **state)
{
	static const struct {
		const char *key, *value;
		enum json_type type;
	} want[] = { { "a", "1", JSON_NUMBER }, { "b", "[2, {\"a\": 9}]", JSON_ARRAY },
		{ "c", "x, y", JSON_STRING }, { "", "null", JSON_WORD } };
	struct span it = SPAN("{ \"a\": 1 ,\"b\":[2, {\"a\": 9}], \"c\": \"x, y\", \"\": null }"),
		    key;
	struct json_value v, object = { JSON_OBJECT, it, false };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(want); i++) {
		assert_true(json_next(&it, &key, &v));
		assert_true(span_is(key, want[i].key));
		assert_true(span_is(v.text, want[i].value));
		assert_int_equal(v.type, want[i].type);
	}
	assert_false(json_next(&it, &key, &v));
	assert_int_equal(json_get(object, "c").type, JSON_STRING);
	assert_int_equal(json_get(object, "z").type, JSON_NONE);
	object.type = JSON_ARRAY;
	assert_int_equal(json_get(object, "a").type, JSON_NONE);
}

/* A key is the name it stands for, not a part or a longer form of it. */
static void keys(void **state)
{
	struct span it = SPAN("{\"train\\/loss\": 1, \"a\\\\\": 2, \"\\u00e9\": 3}");
	struct json_value object = { JSON_OBJECT, it, false };

	(void)state;
	assert_true(json_key_is(SPAN("step"), SPAN("step")));
	assert_true(json_key_is(SPAN("s\\u0074ep"), SPAN("step")));
	assert_true(json_key_is(SPAN("\\u65E5\\u672c"), SPAN("\xe6\x97\xa5\xe6\x9c\xac")));
	assert_true(json_key_is(SPAN("a\\u0000b"), SPAN("a\0b")));
	assert_false(json_key_is(SPAN("s\\u0074ep"), SPAN("ste")));
	assert_false(json_key_is(SPAN("s\\u0074ep"), SPAN("steps")));
	assert_false(json_key_is(SPAN("s\\u0074ep"), SPAN("sTep")));
	assert_false(json_key_is(SPAN("\\u65e5"), SPAN("\xe6\x97")));
	assert_false(json_key_is(SPAN("step\\"), SPAN("step")));
	assert_false(json_key_is(SPAN(""), SPAN("step")));
	assert_true(span_is(json_get(object, "train/loss").text, "1"));
	assert_true(span_is(json_get(object, "a\\").text, "2"));
	assert_true(span_is(json_get(object, "\xc3\xa9").text, "3"));
	assert_int_equal(json_get(object, "a").type, JSON_NONE);
}

/* Strings in an array are values, also where a ':' is near. */
static void elements(void **state)
{
	struct span it = SPAN("[\"a\", {\"b\": 1}, [], 5]"), key;
	struct json_value v;
	int n = 0;

	(void)state;
	while (json_next(&it, &key, &v)) {
		assert_int_equal(key.n, 0);
		n++;
	}
	assert_int_equal(n, 4);
	it = SPAN("[]");
	assert_false(json_next(&it, &key, &v));
	it = SPAN("{}");
	assert_false(json_next(&it, &key, &v));
	it = SPAN("{\"a\": }");
	assert_false(json_next(&it, &key, &v));
	it = SPAN("{\"a\": 1, , }");
	assert_true(json_next(&it, &key, &v));
	assert_false(json_next(&it, &key, &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unescape),
		cmocka_unit_test(unescape_nul),
		cmocka_unit_test(utf8),
		cmocka_unit_test(values),
		cmocka_unit_test(members),
		cmocka_unit_test(keys),
		cmocka_unit_test(elements),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
