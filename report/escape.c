/*
 * Text made harmless for terminals and for programs that read data.  Each destination says what it
 * writes for a code point that is special to it and for one that must not be sent.
 */
#include "report/escape.h"

#include "base/compiler.h"
#include "report/escape_walk.h"

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

/* ---- terminal ---- */

static void put_plain(struct str *b, uint32_t c)
{
	size_t i;

	for (i = 0; i < COUNT_OF(PLAIN); i++) {
		if (PLAIN[i].code == c) {
			str_adds(b, PLAIN[i].ascii);
			return;
		}
	}
	escape_put(b, c);
}

void escape_terminal(struct str *b, struct span s, bool utf8)
{
	static const struct target to = { "", utf8_put, escape_put, { "\\x3a", "\\x5b", true } };
	static const struct target ascii = { "", put_plain, escape_put,
		{ "\\x3a", "\\x5b", true } };

	escape_walk(b, s, utf8 ? &to : &ascii);
}

void escape_lines(struct str *b, struct span s)
{
	const char *p = s.p, *end = s.p + s.n;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		const char *to = stop ? stop : end;

		escape_terminal(b, (struct span){ p, (size_t)(to - p) }, true);
		if (stop)
			str_addc(b, '\n');
		p = stop ? stop + 1 : end;
	}
}

/* ---- data ---- */

static void put_quoted(struct str *b, uint32_t c)
{
	if (c < 0x80)
		str_addc(b, '\\');
	utf8_put(b, c);
}

static void hide_json(struct str *b, uint32_t c)
{
	if (c == '\n' || c == '\r' || c == '\t') {
		escape_put(b, c);
	} else if (c < 0x10000) {
		str_addf(b, "\\u%04x", (unsigned)c);
	} else {
		c -= 0x10000;
		str_addf(b, "\\u%04x\\u%04x", (unsigned)(0xd800 | c >> 10),
			(unsigned)(0xdc00 | (c & 0x3ff)));
	}
}

void escape_json(struct str *b, struct span s)
{
	static const struct target to = { "\"\\", put_quoted, hide_json,
		{ NULL, "\\u005b", false } };

	str_addc(b, '"');
	escape_walk(b, s, &to);
	str_addc(b, '"');
}

static void put_csv(struct str *b, uint32_t c)
{
	if (c == '"')
		str_addc(b, '"');
	utf8_put(b, c);
}

static void hide_csv(struct str *b, uint32_t c)
{
	if (c == '\n' || c == '\r' || c == '\t')
		str_addc(b, (char)c);
	else
		escape_put(b, c);
}

/* What a spreadsheet takes for the beginning of a formula; some take full-width forms, too. */
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
	static const struct target to = { "\"", put_csv, hide_csv, { "\\x3a", "\\x5b", false } };
	bool formula = is_formula(s), quoted = formula || is_quoted(s);

	str_adds(b, quoted ? "\"" : "");
	str_adds(b, formula ? "'" : "");
	escape_walk(b, s, &to);
	str_adds(b, quoted ? "\"" : "");
}

static void put_tsv(struct str *b, uint32_t c)
{
	if (c == '\\')
		str_addc(b, '\\');
	utf8_put(b, c);
}

void escape_tsv(struct str *b, struct span s)
{
	static const struct target to = { "\\", put_tsv, escape_put, { "\\x3a", "\\x5b", false } };

	escape_walk(b, s, &to);
}

static void hide_openmetrics(struct str *b, uint32_t c)
{
	if (c == '\n')
		escape_put(b, c);
	else
		escape_put_doubled(b, c);
}

void escape_openmetrics(struct str *b, struct span s)
{
	static const struct target to = { "\"\\", put_quoted, hide_openmetrics,
		{ NULL, "\\\\x5b", false } };

	escape_walk(b, s, &to);
}

void escape_folded(struct str *b, struct span s)
{
	static const struct target to = { "", utf8_put, escape_put, { "\\x3a", "\\x5b", false } };

	escape_walk(b, s, &to);
}
