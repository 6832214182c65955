/* JSON to the letter: what RFC 8259 has and has not, and where a fault is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "cmd/mcp/message.h"

static void good(const char *text)
{
	struct err e;

	if (strict_json(span_of(text), &e) != OK)
		fail_msg("%s: %s at %d", text, e.text, (int)e.offset);
}

/* at: the byte of the fault. */
static void bad(const char *text, int at)
{
	struct err e;

	if (strict_json(span_of(text), &e) == OK)
		fail_msg("%s is let through", text);
	assert_int_equal(e.offset, at);
	assert_string_not_equal(e.text, "");
}

static void test_values(void **state)
{
	static const char *const values[] = { "0", "-0", "10", "-1.5e+3", "1E5", "0.0", "\"\"",
		"true", "false", "null", "[]", "{}", " [ 1 , 2 ] ", "{\"a\":{\"b\":[null]}}\r\n",
		"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD834\\uDD1E\"", "\"\xc3\xa9\x7f\"" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(values); i++)
		good(values[i]);
}

static void test_faults(void **state)
{
	static const struct {
		const char *text;
		int at;
	} faults[] = { { "", 0 }, { " ", 1 }, { "01", 1 }, { "-", 1 }, { "+1", 0 }, { ".5", 0 },
		{ "1.", 2 }, { "1e", 2 }, { "1e+", 3 }, { "0x1", 1 }, { "NaN", 0 },
		{ "Infinity", 0 }, { "nul", 0 }, { "truex", 4 }, { "[1,]", 3 }, { "[1 2]", 3 },
		{ "[", 1 }, { "]", 0 }, { "[1}", 2 }, { "{\"a\":1,}", 7 }, { "{\"a\"}", 4 },
		{ "{a:1}", 1 }, { "{\"a\":}", 5 }, { "{,}", 1 }, { "\"a", 2 }, { "\"\\x\"", 2 },
		{ "\"\\u12g4\"", 5 }, { "\"\\u12", 5 }, { "\"a\tb\"", 2 }, { "'a'", 0 },
		{ "1 1", 2 }, { "[] x", 3 }, { "/**/1", 0 }, { "\"\xff\"", -1 },
		{ "\"\xed\xa0\x80\"", -1 }, { "\xef\xbb\xbf{}", 0 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(faults); i++)
		bad(faults[i].text, faults[i].at);
}

static void test_depth(void **state)
{
	enum { MOST = 64 };
	char text[2 * MOST + 3];
	struct err e;

	(void)state;
	memset(text, '[', MOST);
	memset(text + MOST, ']', MOST);
	assert_int_equal(strict_json((struct span){ text, (size_t)2 * MOST }, &e), OK);
	memset(text, '[', MOST + 1);
	memset(text + MOST + 1, ']', MOST + 1);
	assert_int_equal(strict_json((struct span){ text, (size_t)2 * MOST + 2 }, &e), E_LIMIT);
	assert_int_equal(e.offset, MOST + 1);
}

/* A text need not end in a NUL. */
static void test_end(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(strict_json((struct span){ "12,", 2 }, &e), OK);
	assert_int_equal(strict_json((struct span){ "true", 3 }, &e), E_SYNTAX);
	assert_int_equal(strict_json((struct span){ "1\0", 2 }, &e), E_SYNTAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
