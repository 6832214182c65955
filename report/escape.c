/*
 * Hostile text made harmless.  Each format walks the code points of a text and decides for each;
 * the decoder never trusts its input, so nothing below it meets invalid UTF-8.
 */
#include "report/escape.h"

#include <stdio.h>

#include "base/compiler.h"

enum { REPLACEMENT = 0xfffd };

struct code_range {
	uint32_t first, last;
};

/* What steers or hides, sorted: controls, soft hyphen, bidi and zero-width marks, tags. */
/* clang-format off */
static const struct code_range UNSAFE[] = {
	{0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x034f, 0x034f},
	{0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180e, 0x180e},
	{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
	{0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff},
};
/* clang-format on */

/* Typography of our own texts, where a terminal has ASCII only. */
/* clang-format off */
static const struct {
	uint32_t code;
	const char *ascii;
} PLAIN[] = {
	{0x2026, "..."}, {0x00b1, "+/-"}, {0x2192, "->"}, {0x2013, "-"}, {0x2014, "-"},
	{0x2212, "-"}, {0x00b5, "u"}, {0x03bc, "u"}, {0x00d7, "x"}, {0x2265, ">="},
	{0x2264, "<="}, {0x2581, "_"}, {0x2582, "."}, {0x2583, ":"}, {0x2584, "-"}, {0x2585, "="},
	{0x2586, "+"}, {0x2587, "*"}, {0x2588, "#"}, {0x2018, "'"}, {0x2019, "'"}, {0x201c, "\""}, {0x201d, "\""},
};
/* clang-format on */

/*
 * Length of the sequence a lead byte announces (0: none), the bits it carries, and what the second
 * byte may be: that is where overlong forms, surrogates and codes above U+10FFFF show.
 */
static size_t lead(unsigned char c, uint32_t *bits, unsigned *low, unsigned *high)
{
	*low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	*high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	if (c >= 0xc2 && c <= 0xdf) {
		*bits = c & 0x1f;
		return 2;
	}
	if (c >= 0xe0 && c <= 0xef) {
		*bits = c & 0x0f;
		return 3;
	}
	*bits = c & 0x07;
	return c >= 0xf0 && c <= 0xf4 ? 4 : 0;
}

uint32_t utf8_next(const char **p, const char *end)
{
	unsigned char c = (unsigned char)*(*p)++;
	uint32_t code;
	unsigned low, high;
	size_t n;

	if (c < 0x80)
		return c;
	n = lead(c, &code, &low, &high);
	if (n == 0)
		return REPLACEMENT;
	while (--n > 0) {
		if (*p == end || (unsigned char)**p < low || (unsigned char)**p > high)
			return REPLACEMENT;
		code = code << 6 | (*(*p)++ & 0x3f);
		low = 0x80;
		high = 0xbf;
	}
	return code;
}

void utf8_put(struct str *b, uint32_t c)
{
	char s[4];
	size_t n = 0;

	if (c < 0x80) {
		s[n++] = (char)c;
	} else if (c < 0x800) {
		s[n++] = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		s[n++] = (char)(0xe0 | c >> 12);
		s[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	} else {
		s[n++] = (char)(0xf0 | c >> 18);
		s[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		s[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	if (c >= 0x80)
		s[n++] = (char)(0x80 | (c & 0x3f));
	str_add(b, s, n);
}

size_t utf8_length(const char *s, size_t n)
{
	size_t i, codes = 0;

	for (i = 0; i < n; i++)
		codes += (s[i] & 0xc0) != 0x80;
	return codes;
}

bool is_unsafe(uint32_t c)
{
	size_t i;

	if (c >= 0x20 && c < 0x7f)
		return false;
	for (i = 0; i < COUNT_OF(UNSAFE) && c >= UNSAFE[i].first; i++)
		if (c <= UNSAFE[i].last)
			return true;
	return false;
}

/* A code point by its number: \x1b, \u202e, \U000e0041. */
static void put_number(struct str *b, uint32_t c)
{
	if (c < 0x80)
		str_addf(b, "\\x%02x", (unsigned)c);
	else if (c < 0x10000)
		str_addf(b, "\\u%04x", (unsigned)c);
	else
		str_addf(b, "\\U%08x", (unsigned)c);
}

static void put_escape(struct str *b, uint32_t c)
{
	if (c == '\n' || c == '\r' || c == '\t') {
		str_addc(b, '\\');
		str_addc(b, c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
	} else {
		put_number(b, c);
	}
}

static void put_plain(struct str *b, uint32_t c)
{
	size_t i;

	for (i = 0; i < COUNT_OF(PLAIN); i++) {
		if (PLAIN[i].code == c) {
			str_adds(b, PLAIN[i].ascii);
			return;
		}
	}
	put_escape(b, c);
}

/* A code point that needs no quoting of its format: safe ones as they are, others as escapes. */
static void put_shown(struct str *b, uint32_t c)
{
	if (is_unsafe(c))
		put_escape(b, c);
	else
		utf8_put(b, c);
}

/* A code point for a terminal that has ASCII only. */
static void put_ascii(struct str *b, uint32_t c)
{
	if (c < 0x80)
		put_shown(b, c);
	else
		put_plain(b, c);
}

static void put_json(struct str *b, uint32_t c)
{
	if (c == '"' || c == '\\') {
		str_addc(b, '\\');
		str_addc(b, (char)c);
	} else if (!is_unsafe(c)) {
		utf8_put(b, c);
	} else if (c == '\n' || c == '\r' || c == '\t') {
		put_escape(b, c);
	} else if (c < 0x10000) {
		str_addf(b, "\\u%04x", (unsigned)c);
	} else {
		c -= 0x10000;
		str_addf(b, "\\u%04x\\u%04x", (unsigned)(0xd800 | c >> 10),
			(unsigned)(0xdc00 | (c & 0x3ff)));
	}
}

static void put_csv(struct str *b, uint32_t c)
{
	if (c == '"')
		str_adds(b, "\"\"");
	else if (c == '\n' || c == '\r' || c == '\t')
		str_addc(b, (char)c);
	else
		put_shown(b, c);
}

static void put_tsv(struct str *b, uint32_t c)
{
	if (c == '\\')
		str_addc(b, '\\');
	put_shown(b, c);
}

/* An escape begins with a backslash, which Markdown wants doubled. */
static void put_markdown(struct str *b, uint32_t c)
{
	if (c == '<') {
		str_adds(b, "&lt;");
	} else if (c == '>') {
		str_adds(b, "&gt;");
	} else if (c == '&') {
		str_adds(b, "&amp;");
	} else {
		if (is_unsafe(c) || (c < 0x80 && strchr("\\`*_[]|~$", (int)c)))
			str_addc(b, '\\');
		put_shown(b, c);
	}
}

/* Gives put every code point of s, but copies runs of printable ASCII that hold nothing special. */
static void walk(
	struct str *b, struct span s, const char *special, void (*put)(struct str *b, uint32_t c))
{
	const char *p = s.p, *end = s.p + s.n;

	while (p < end) {
		const char *run = p;

		while (p < end && *p >= ' ' && *p < 0x7f && !strchr(special, *p))
			p++;
		if (p > run)
			str_add(b, run, (size_t)(p - run));
		if (p < end)
			put(b, utf8_next(&p, end));
	}
}

void escape_terminal(struct str *b, struct span s, bool utf8)
{
	walk(b, s, "", utf8 ? put_shown : put_ascii);
}

void escape_json(struct str *b, struct span s)
{
	str_addc(b, '"');
	walk(b, s, "\"\\", put_json);
	str_addc(b, '"');
}

/* What a spreadsheet takes for the beginning of a formula; some take the full-width forms as well.
 */
static bool is_formula(struct span s)
{
	static const char *const begin[] = { "=", "+", "-", "@", "\t", "\r", "\n", "\xef\xbc\x9d",
		"\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0" };
	size_t i;

	for (i = 0; i < COUNT_OF(begin); i++)
		if (span_starts(s, begin[i]))
			return true;
	return false;
}

static bool is_quoted(struct span s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (memchr(",\"\n\r\t", s.p[i], 5))
			return true;
	return s.n > 0 && (s.p[0] == ' ' || s.p[s.n - 1] == ' ');
}

void escape_csv(struct str *b, struct span s)
{
	bool formula = is_formula(s), quoted = formula || is_quoted(s);

	str_adds(b, quoted ? "\"" : "");
	str_adds(b, formula ? "'" : "");
	walk(b, s, "\"", put_csv);
	str_adds(b, quoted ? "\"" : "");
}

void escape_tsv(struct str *b, struct span s)
{
	walk(b, s, "\\", put_tsv);
}

void escape_markdown(struct str *b, struct span s)
{
	walk(b, s, "\\`*_[]|~$<>&", put_markdown);
}
