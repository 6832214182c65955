/* What documents, logs of CI servers and other programs are told of a hostile name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "report/escape.h"
#include "tests/unit/report_text.h"

enum { ROUNDS = 20000 };

typedef void escape_fn(struct str *b, struct span s);

static void terminal(struct str *b, struct span s)
{
	escape_terminal(b, s, true);
}

static void ascii(struct str *b, struct span s)
{
	escape_terminal(b, s, false);
}

static void check(escape_fn *escape, const char *in, const char *want)
{
	SCOPED_STR b = { 0 };

	str_adds(&b, "");
	escape(&b, span_of(in));
	assert_string_equal(b.s, want);
}

/* A command stands at a line's beginning, however the line is broken; "##x[" is one anywhere. */
static void test_log_commands(void **state)
{
	(void)state;
	check(terminal, "::error::x", "\\x3a:error::x");
	check(terminal, "  ::error::x", "  \\x3a:error::x");
	check(terminal, "a ::error::x", "a \\x3a:error::x");
	check(terminal, "\xe3\x80\x80::error::x", "\xe3\x80\x80\\x3a:error::x");
	check(terminal, "::::", "\\x3a:::");
	check(terminal, "at::native::add", "at::native::add");
	check(terminal, "void (*)(at::Tensor)", "void (*)(at::Tensor)");
	check(terminal, "a##[error]b", "a##\\x5berror]b");
	check(terminal, "a##vso[task.x]b##[", "a##vso\\x5btask.x]b##\\x5b");
	check(terminal, "###[0]", "###\\x5b0]");
	check(terminal, "a#[0] # [1]", "a#[0] # [1]");
	/* What ASCII has in place of typography makes no command either. */
	check(ascii, "\xe2\x96\x88\xe2\x96\x88[error]", "##\\x5berror]");
	check(ascii,
		"\xe2\x96\x83\xe2\x96\x83"
		"error::x",
		"\\x3a:error::x");
	check(escape_json, "::a##[error]", "\"::a##\\u005berror]\"");
	check(escape_csv, "::error::x", "\\x3a:error::x");
	check(escape_csv, "a\n\t::error::x, ::y", "\"a\n\t\\x3a:error::x, ::y\"");
	check(escape_csv, "a\r::x##[y]", "\"a\r\\x3a:x##\\x5by]\"");
	check(escape_tsv, "::error::x", "\\x3a:error::x");
	check(escape_markdown, "::error::x##[y]", "\\::error::x##\\[y\\]");
	check(escape_html, " ::error::x##[y]", " &#58;:error::x##&#91;y]");
	check(escape_xml, "a##[y]", "a##&#91;y]");
	check(escape_openmetrics, "::a##[y]", "::a##\\\\x5by]");
	check(escape_folded, "::error::x;##[y]", "\\x3a:error::x;##\\x5by]");
	check(escape_lines, "a\n ::b\n", "a\n \\x3a:b\n");
}

/* A selector of a look belongs to a character that has several; elsewhere it only hides. */
static void test_selectors(void **state)
{
	(void)state;
	check(terminal, "\xe2\x9a\xa0\xef\xb8\x8f", "\xe2\x9a\xa0\xef\xb8\x8f");
	check(terminal,
		"a\xef\xb8\x8f"
		"b",
		"a\\ufe0fb");
	check(terminal, "\xef\xb8\x8f::error::x", "\\ufe0f::error::x");
	check(terminal, "#\xef\xb8\x8e#[x]", "#\\ufe0e#[x]");
	check(terminal, "\xef\xbf\xbe\xef\xbf\xbf\xf0\x9d\x85\xb3", "\\ufffe\\uffff\\U0001d173");
}

/* Nothing in running text is markup, an address, a mention or the beginning of a block. */
static void test_markdown(void **state)
{
	(void)state;
	check(escape_markdown, "@team http://x www.x.y a/b.c WWW.z",
		"@&#8203;team http:&#8203;//x www&#8203;.x.y a/b.c WWW&#8203;.z");
	check(escape_markdown_block, "# a", "\\# a");
	check(escape_markdown_block, "#a", "\\#a");
	check(escape_markdown_block, "- a", "\\- a");
	check(escape_markdown_block, "---", "\\---");
	check(escape_markdown_block, "===", "\\===");
	check(escape_markdown_block, "+", "\\+");
	check(escape_markdown_block, "-3.2 %", "-3.2 %");
	check(escape_markdown_block, "12. a", "12\\. a");
	check(escape_markdown_block, "12) a", "12\\) a");
	check(escape_markdown_block, "12.5 ms", "12.5 ms");
	check(escape_markdown_block, "    a", "&#32;   a");
	check(escape_markdown_block, "> a", "&gt; a");
	check(escape_markdown_block, "", "");
	check(escape_markdown_command, "traceq a", "```sh\ntraceq a\n```\n");
	check(escape_markdown_command, "traceq '```'", "```sh\ntraceq '```'\n```\n");
	check(escape_markdown_command, "traceq\n```", "```sh\ntraceq\\n```\n```\n");
	check(escape_link, "a b/javascript:x(1)\xc3\xa9.svg",
		"a%20b/javascript%3Ax%281%29%C3%A9.svg");
}

static void test_html_and_xml(void **state)
{
	(void)state;
	check(escape_html, "<a href='x\">&\n\033", "&lt;a href=&#39;x&quot;&gt;&amp;\\n\\x1b");
	check(escape_xml, "]]>\n\t\x01\xef\xbf\xbe", "]]&gt;&#10;\\t\\x01\\ufffe");
}

static void test_machines(void **state)
{
	(void)state;
	check(escape_openmetrics, "a\\b\"c\nd\033\xe2\x80\xae", "a\\\\b\\\"c\\nd\\\\x1b\\\\u202e");
	check(escape_github_message, "100%,\r\n:\033", "100%25,%0D%0A:\\x1b");
	check(escape_github_property, "100%,\r\n:\033", "100%25%2C%0D%0A%3A\\x1b");
	check(escape_folded, "a;b c\n\xe2\x80\xae", "a;b c\\n\\u202e");
}

static bool is_blank_byte(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether a server would take a line of the text for an order. */
static bool commands(const char *s)
{
	const char *p;

	for (p = strstr(s, "##"); p; p = strstr(p + 1, "##")) {
		const char *q = p + 2;

		while ((*q | 0x20) >= 'a' && (*q | 0x20) <= 'z')
			q++;
		if (*q == '[')
			return true;
	}
	for (p = strstr(s, "::"); p; p = strstr(p + 1, "::")) {
		const char *q = p;

		while (q > s && is_blank_byte(q[-1]) && q[-1] != '\n' && q[-1] != '\r')
			q--;
		if (q == s || q[-1] == '\n' || q[-1] == '\r')
			return true;
	}
	return false;
}

/* Made of what commands and escapes are made of. */
static struct span random_text(unsigned *seed, char *s, size_t most)
{
	static const char *const part[] = { ":", "::", "#", "##", "[", "vso[", "a", " ", "\n", "\r",
		"\t", "\\", "\"", "\xe3\x80\x80", "\xef\xb8\x8f", "\xe2\x80\xae", "\033", "\xff",
		"%", "@", "'", "`" };
	size_t n = 0, want = random_next(seed) % most;

	while (n < want) {
		const char *p = part[random_next(seed) % (sizeof(part) / sizeof(*part))];

		if (n + strlen(p) > most)
			break;
		memcpy(s + n, p, strlen(p));
		n += strlen(p);
	}
	return (struct span){ s, n };
}

static void test_random(void **state)
{
	static escape_fn *const all[] = { terminal, ascii, escape_json, escape_csv, escape_tsv,
		escape_markdown, escape_markdown_block, escape_markdown_command, escape_html,
		escape_xml, escape_folded, escape_link };
	SCOPED_STR b = { 0 };
	unsigned seed = 5;
	char raw[40];
	size_t i, k;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		struct span s = random_text(&seed, raw, sizeof(raw));

		for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
			str_reset(&b);
			str_adds(&b, "");
			all[k](&b, s);
			assert_true(is_harmless(b.s,
				all[k] == escape_csv                        ? "\n\r\t"
					: all[k] == escape_markdown_command ? "\n"
									    : ""));
			assert_false(commands(b.s));
		}
	}
}

/* A text that was made harmless stays as it is: names are, before they come to a chart. */
static void test_twice(void **state)
{
	struct str once = { 0 }, twice = { 0 };
	unsigned seed = 9;
	char raw[40];
	size_t i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		str_reset(&once);
		str_reset(&twice);
		str_adds(&once, "");
		str_adds(&twice, "");
		terminal(&once, random_text(&seed, raw, sizeof(raw)));
		terminal(&twice, (struct span){ once.s, once.n });
		assert_string_equal(twice.s, once.s);
	}
	str_free(&once);
	str_free(&twice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log_commands),
		cmocka_unit_test(test_selectors),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_html_and_xml),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
