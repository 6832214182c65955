/* Hostile text: the UTF-8 decoder, each format's escapes, display width, cutting and wrapping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "report/escape.h"
#include "base/width.h"
#include "tests/unit/report_text.h"

enum { ROUNDS = 20000 };

static void expect(struct str *b, const char *want)
{
	assert_string_equal(b->s ? b->s : "", want);
	str_reset(b);
}

/* Decodes all of s into b again. */
static void recode(struct str *b, struct span s)
{
	const char *p = s.p;

	while (p < s.p + s.n)
		utf8_put(b, utf8_next(&p, s.p + s.n));
}

/* U+FFFD, for each maximal beginning of a sequence: "A" follows as a literal of its own. */
#define BAD "\xef\xbf\xbd"

/* The last three are the Unicode standard's own examples (chapter 3.9, tables 3-8 to 3-11). */
/* clang-format off */
static const struct {
	const char *in, *out;
} DECODED[] = {
	{"a\xc3\xa9\xe2\x82\xac", "a\xc3\xa9\xe2\x82\xac"},
	{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	{"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
	{"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
	{"\x80", BAD},
	{"\xc3", BAD},
	{"\xc3z", BAD "z"},
	{"\xc0\xaf", BAD BAD},
	{"\xe0\x80\xaf", BAD BAD BAD},
	{"\xed\xa0\x80", BAD BAD BAD},
	{"\xf4\x91\x92\x93\xff" "A", BAD BAD BAD BAD BAD "A"},
	{"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf" "A", BAD BAD BAD BAD "A"},
};
/* clang-format on */

static void test_decoder(void **state)
{
	SCOPED_STR b = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(DECODED) / sizeof(DECODED[0]); i++) {
		recode(&b, span_of(DECODED[i].in));
		expect(&b, DECODED[i].out);
	}
	assert_int_equal(utf8_length("a\xc3\xa9\xf0\x9f\x98\x80", 7), 3);
}

static void test_terminal(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	escape_terminal(&b, span_of("a\033[31m\n\r\t\x7f\xc2\x9b\xe2\x80\xae\xff\\n"), true);
	expect(&b, "a\\x1b[31m\\n\\r\\t\\x7f\\u009b\\u202e\xef\xbf\xbd\\n");
	escape_terminal(&b, (struct span){ "\0", 1 }, true);
	expect(&b, "\\x00");
	escape_terminal(&b, span_of("\xf3\xa0\x81\x81"), true);
	expect(&b, "\\U000e0041");
	/* The two that no XML may hold. */
	escape_terminal(&b, span_of("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd"), true);
	expect(&b, "\\ufffe\\uffff\xef\xbf\xbd");
	escape_terminal(&b, span_of("\xe6\x97\xa5 \xc2\xb1 \xe2\x80\xa6"), true);
	expect(&b, "\xe6\x97\xa5 \xc2\xb1 \xe2\x80\xa6");
	escape_terminal(&b, span_of("\xe6\x97\xa5 \xc2\xb1 \xe2\x80\xa6 \xc2\xb5s"), false);
	expect(&b, "\\u65e5 +/- ... us");
}

static void test_json_csv_tsv(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	escape_json(&b, span_of("q\" b\\ \n\t\033 \xc2\x9b \xff \xe6\x97\xa5 \xf3\xa0\x81\x81"));
	expect(&b,
		"\"q\\\" b\\\\ \\n\\t\\u001b \\u009b \xef\xbf\xbd \xe6\x97\xa5 \\udb40\\udc41\"");
	escape_csv(&b, span_of("plain"));
	expect(&b, "plain");
	escape_csv(&b, span_of("a,b"));
	expect(&b, "\"a,b\"");
	escape_csv(&b, span_of("a\"b\nc"));
	expect(&b, "\"a\"\"b\nc\"");
	escape_csv(&b, span_of(" a"));
	expect(&b, "\" a\"");
	escape_csv(&b, span_of("esc\033"));
	expect(&b, "esc\\x1b");
	escape_csv(&b, span_of("=cmd|'/C calc'!A0"));
	expect(&b, "\"'=cmd|'/C calc'!A0\"");
	escape_csv(&b,
		span_of("\xef\xbc\x9d"
			"1"));
	expect(&b,
		"\"'\xef\xbc\x9d"
		"1\"");
	escape_csv(&b, span_of("a=b"));
	expect(&b, "a=b");
	escape_tsv(&b, span_of("a\tb\nc\\n\"=\033"));
	expect(&b, "a\\tb\\nc\\\\n\"=\\x1b");
}

static void test_markdown(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	escape_markdown(&b, span_of("a|b `c` <d> & *e* _f_ [g] \\ \n ~h~"));
	expect(&b, "a\\|b \\`c\\` &lt;d&gt; &amp; \\*e\\* \\_f\\_ \\[g\\] \\\\ \\\\n \\~h\\~");
	escape_markdown(&b, span_of("\033\xe2\x80\xae\xff"));
	expect(&b, "\\\\x1b\\\\u202e\xef\xbf\xbd");
}

static struct span random_bytes(unsigned *seed, char *s, size_t most)
{
	static const char likely[] =
		"\033\n\t\"\\,=|<&_ ab\xc3\xa9\xe2\x80\xae\xf0\x9f\x98\x80\xed\xa0";
	size_t n = random_next(seed) % most, i;

	for (i = 0; i < n; i++)
		s[i] = random_next(seed) % 2 ? (char)random_next(seed)
					     : likely[random_next(seed) % (sizeof(likely) - 1)];
	return (struct span){ s, n };
}

/* Whatever goes in, valid UTF-8 without control characters comes out. */
static void test_random_bytes_are_harmless(void **state)
{
	SCOPED_STR b = { 0 };
	unsigned seed = 7;
	char raw[64];
	size_t i;

	(void)state;
	for (i = 0; i < ROUNDS + HOSTILE_COUNT; i++) {
		struct span s =
			i < HOSTILE_COUNT ? HOSTILE[i] : random_bytes(&seed, raw, sizeof(raw));

		str_reset(&b);
		str_adds(&b, ".");
		escape_terminal(&b, s, true);
		escape_json(&b, s);
		escape_tsv(&b, s);
		escape_markdown(&b, s);
		assert_true(is_harmless(b.s, ""));
		assert_int_equal(strlen(b.s), b.n);
		escape_csv(&b, s);
		assert_true(is_harmless(b.s, "\n\r\t"));
		str_reset(&b);
		str_adds(&b, ".");
		escape_terminal(&b, s, false);
		assert_int_equal(utf8_length(b.s, b.n), b.n);
	}
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(width_of(span_of("")), 0);
	assert_int_equal(width_of(span_of("abc")), 3);
	assert_int_equal(width_of(span_of("\xc3\xa9")), 1);
	assert_int_equal(width_of(span_of("e\xcc\x81")), 1);
	assert_int_equal(width_of(span_of("\xe6\x97\xa5\xe6\x9c\xac")), 4);
	assert_int_equal(width_of(span_of("\xf0\x9f\x98\x80")), 2);
	assert_int_equal(width_of(span_of("\xea\xb0\x80\xef\xbc\xa1\xef\xbd\xb1")), 5);
	assert_int_equal(width_of(span_of("\xe2\x80\xa6\xc2\xb1\xe2\x86\x92")), 3);
}

static void test_cut(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	width_cut(&b, span_of("abcdefghij"), 10, true);
	expect(&b, "abcdefghij");
	width_cut(&b, span_of("abcdefghij"), 7, true);
	expect(&b, "abc\xe2\x80\xa6hij");
	width_cut(&b, span_of("abcdefghij"), 6, true);
	expect(&b, "abc\xe2\x80\xa6ij");
	width_cut(&b, span_of("abcdefghij"), 7, false);
	expect(&b, "ab...ij");
	width_cut(&b, span_of("abcdefghij"), 3, false);
	expect(&b, "...");
	width_cut(&b, span_of("abcdefghij"), 2, false);
	expect(&b, "..");
	width_cut(&b, span_of("abcdefghij"), 1, true);
	expect(&b, "\xe2\x80\xa6");
	width_cut(&b, span_of("abcdefghij"), 0, true);
	expect(&b, "");
	/* A wide character that does not fit whole is left out; a tail begins with no accent. */
	width_cut(&b, span_of("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"), 4, true);
	expect(&b, "\xe6\x97\xa5\xe2\x80\xa6");
	width_cut(&b, span_of("abcde\xcc\x81"), 3, true);
	expect(&b,
		"a\xe2\x80\xa6"
		"e\xcc\x81");
	width_cut(&b, span_of("abcdx\xcc\x81yz"), 5, true);
	expect(&b, "ab\xe2\x80\xa6yz");
}

/* Never wider than asked, both ends kept, and unchanged where it fits. */
static void test_cut_random(void **state)
{
	struct str b = { 0 }, safe = { 0 };
	unsigned seed = 11;
	char raw[80];
	size_t i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		size_t width = random_next(&seed) % 40;
		bool utf8 = random_next(&seed) % 2;
		struct span s;

		str_reset(&safe);
		str_adds(&safe, "");
		escape_terminal(&safe, random_bytes(&seed, raw, sizeof(raw)), utf8);
		s = (struct span){ safe.s, safe.n };
		str_reset(&b);
		str_adds(&b, "");
		width_cut(&b, s, width, utf8);
		assert_true(width_of((struct span){ b.s, b.n }) <= width);
		assert_true(is_harmless(b.s, ""));
		if (width_of(s) <= width)
			assert_string_equal(b.s, safe.s);
		else if (width > 6)
			assert_true(b.s[0] == safe.s[0]);
	}
	str_free(&b);
	str_free(&safe);
}

static void test_pad_and_wrap(void **state)
{
	SCOPED_STR b = { 0 };

	(void)state;
	width_pad(&b, span_of("\xe6\x97\xa5"), 4, false);
	expect(&b, "\xe6\x97\xa5  ");
	width_pad(&b, span_of("12"), 4, true);
	expect(&b, "  12");
	width_pad(&b, span_of("12345"), 4, true);
	expect(&b, "12345");
	width_wrap(&b, span_of("one two three"), 8, 0);
	expect(&b, "one two\nthree");
	width_wrap(&b, span_of("one two three"), 0, 0);
	expect(&b, "one two three");
	width_wrap(&b, span_of("one two three"), 8, 2);
	expect(&b, "one\n  two\n  three");
	width_wrap(&b, span_of("a verylongword b"), 6, 0);
	expect(&b, "a\nverylongword\nb");
	width_wrap(&b, span_of("a  b"), 80, 0);
	expect(&b, "a  b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decoder),
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_json_csv_tsv),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_random_bytes_are_harmless),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_random),
		cmocka_unit_test(test_pad_and_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
