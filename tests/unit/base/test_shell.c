/* Words of command lines: one printable line, which escaping leaves as it is.  That shells take
 * them for what they were, tests/oracle/commands.py says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/shell.h"
#include "base/width.h"
#include "report/escape.h"

static void expect(const char *want, const char *word)
{
	SCOPED_STR b = { 0 };

	shell_word(&b, word);
	assert_string_equal(b.s, want);
}

static void test_words(void **state)
{
	(void)state;
	expect("a.json", "a.json");
	expect("aten::mm", "aten::mm");
	expect("--key=1", "--key=1");
	expect("''", "");
	expect("'a  b'", "a  b");
	expect("'=ls'", "=ls");
	expect("'~'", "~");
	expect("'it'\\''s $x `y` !'", "it's $x `y` !");
	expect("$'a\\x0ab\\x21\\'\\\\'", "a\nb!'\\");
	expect("$'\\x3a\\x3aerror\\x3a\\x3a'", "::error::");
	expect("$'x \\x3a\\x3aerror'", "x ::error");
	expect("$'\\x23\\x23[error]'", "##[error]");
	expect("$'\\xc2\\xa0'", "\xc2\xa0");
	expect("$'\\xff'", "\xff");
	expect("'\xc3\xa4'", "\xc3\xa4");
	expect("$'\\xe2\\x80\\xae'", "\xe2\x80\xae");
}

static void test_operands(void **state)
{
	static const char *const word[] = { "a", "b c", "", NULL };
	SCOPED_ARENA mem = { 0 };

	(void)state;
	assert_string_equal(shell_operand(&mem, "-n.json"), "./-n.json");
	assert_string_equal(shell_operand(&mem, "-"), "./-");
	assert_string_equal(shell_operand(&mem, "vs"), "./vs");
	assert_string_equal(shell_operand(&mem, "a -n"), "a -n");
	assert_string_equal(shell_command(&mem, word), "traceq a 'b c' ''");
}

static void test_ascii(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	shell_ascii(&b, span_of("traceq 'a\xc3\xa4\xc3\xb6 x\xc3\xa4' b"));
	assert_string_equal(b.s, "traceq 'a'$'\\xc3\\xa4\\xc3\\xb6'' x'$'\\xc3\\xa4''' b");
}

/* Words of all that could matter: what is made of them is one line, and no escape changes it. */
static void test_nothing_left_to_escape(void **state)
{
	static const char *const part[] = { "a", " ", "'", "\\", "\n", "\t", "\x1b[2J", "::", ":",
		"##", "##vso[", "[", "#", "\xff", "\xc3", "\xc3\xa4", "\xe2\x80\xae",
		"\xef\xb8\x8f", "\xc2\xa0", "\xe3\x80\x80", "\xe2\x98\x83", "!", "$", "`", "-",
		"\r", "\x7f", "\xc2\x85", "\xe2\x80\xa6", "\xf3\xa0\x81\x81" };
	struct str word = { 0 }, b = { 0 }, escaped = { 0 }, plain = { 0 };
	uint32_t seed = 1;
	size_t i, k;

	(void)state;
	for (i = 0; i < 20000; i++) {
		str_reset(&word);
		str_reset(&b);
		str_reset(&escaped);
		str_reset(&plain);
		str_adds(&word, "");
		for (k = 0; k < 1 + i % 5; k++) {
			seed = seed * 1664525 + 1013904223;
			str_adds(&word, part[(seed >> 16) % (sizeof(part) / sizeof(*part))]);
		}
		str_adds(&b, "traceq ");
		shell_word(&b, word.s);
		escape_terminal(&escaped, span_of(b.s), true);
		assert_string_equal(escaped.s, b.s);
		shell_ascii(&plain, span_of(b.s));
		str_reset(&escaped);
		escape_terminal(&escaped, span_of(plain.s), false);
		assert_string_equal(escaped.s, plain.s);
	}
	str_free(&word);
	str_free(&b);
	str_free(&escaped);
	str_free(&plain);
}

static void expect_wrap(const char *want, const char *text, size_t width)
{
	SCOPED_STR b = { 0 };

	width_wrap(&b, span_of(text), width, 0);
	assert_string_equal(b.s, want);
}

/* A command that a sentence names stays whole. */
static void test_wrap(void **state)
{
	(void)state;
	expect_wrap("so\n'traceq explain G03'\nsays it", "so 'traceq explain G03' says it", 12);
	expect_wrap("so\n(traceq explain G03);\nit", "so (traceq explain G03); it", 12);
	expect_wrap("a 'traceq\nwithout end", "a 'traceq without end", 12);
	expect_wrap("traceq reads\nthat", "traceq reads that", 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_nothing_left_to_escape),
		cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
