/* Text made harmless for terminals, for programs that read data, and for documents.  Each
 * destination says what it writes for a code point that is special to it and for one that must not
 * be sent.  The decoder never trusts its input, so no destination meets invalid UTF-8. */
#include "report/escape.h"

/* What a format writes in place of the letter that makes a command. */
struct cilog {
	const char *colon;   /* of the first ':'; NULL: a text never begins a line */
	const char *bracket; /* of the '[' */
	bool at_words;       /* lines may be broken at any blank afterwards */
};

/* One destination. */
struct target {
	const char *special;                     /* ASCII that put is asked about */
	void (*put)(struct str *b, uint32_t c);  /* writes these, and what is not ASCII */
	void (*hide)(struct str *b, uint32_t c); /* writes what must not be sent */
	struct cilog log;
};

/* ---- the walk over a text ---- */

/* ---- commands in the log of a CI server ----
 *
 * A server reads what a step prints, on stdout and stderr alike, and obeys a line that begins,
 * behind blanks, with "::" (GitHub), or has "##[" (GitHub) or "##vso[" (Azure) anywhere.  A name in
 * a file must not be able to say either.  They are rare enough to look for them first and to copy
 * the text only then.
 *
 * Source: actions/runner, ActionCommand.cs; microsoft/azure-pipelines-agent, Command.cs.  GitLab's
 * section markers need a carriage return and an ESC, which are never sent. */

/* Whether b[at] is the first of its line but for blanks, or, at words, of a word. */
static bool begins(const struct str *b, size_t from, size_t at, bool at_words)
{
	size_t end = at;

	while (end > from) {
		size_t start = end - 1;

		while (start > from && ((unsigned char)b->s[start] & 0xc0) == 0x80)
			start--;
		const char *p = b->s + start;
		uint32_t c = utf8_next(&p, b->s + end);
		if (c == '\n' || c == '\r')
			return true;
		if (!is_blank(c))
			return at_words && end < at;
		end = start;
	}
	return true;
}

/* Whether "##" and letters stand right before the end of b. */
static bool ends_with_marker(const struct str *b, size_t from)
{
	size_t i = b->n;

	while (i > from && ((b->s[i - 1] | 0x20) >= 'a' && (b->s[i - 1] | 0x20) <= 'z'))
		i--;
	return i >= from + 2 && b->s[i - 1] == '#' && b->s[i - 2] == '#';
}

static bool has_command(const struct str *b, size_t from, const struct cilog *how)
{
	if (strstr(b->s + from, "##"))
		return true;
	if (!how->colon)
		return false;
	for (const char *p = strstr(b->s + from, "::"); p; p = strstr(p + 1, "::"))
		if (begins(b, from, (size_t)(p - b->s), how->at_words))
			return true;
	return false;
}

/* Takes the commands out of the text that begins at `from`; it may be cut into lines later. */
static void cilog_defuse(struct str *b, size_t from, const struct cilog *how)
{
	SCOPED_STR text = { 0 };

	if (b->n == from || !has_command(b, from, how))
		return;
	str_add(&text, b->s + from, b->n - from);
	b->n = from;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (c == ':' && text.s[i + 1] == ':' && how->colon &&
			begins(b, from, b->n, how->at_words))
			str_adds(b, how->colon);
		else if (c == '[' && ends_with_marker(b, from))
			str_adds(b, how->bracket);
		else
			str_addc(b, c);
	}
}

/* ---- the walk ---- */

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

/* A code point as \n, \r, \t, \x1b, \u202e, \U000e0041. */
static void escape_put(struct str *b, uint32_t c)
{
	if (c == '\n' || c == '\r' || c == '\t') {
		str_addc(b, '\\');
		str_addc(b, c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
	} else {
		put_number(b, c);
	}
}

/* The same where a backslash has to be doubled. */
static void escape_put_doubled(struct str *b, uint32_t c)
{
	str_addc(b, '\\');
	escape_put(b, c);
}

/* Whether c is not to be sent, behind `before` (0: the beginning, or what was not sent). */
static bool is_hidden(uint32_t c, uint32_t before)
{
	return is_unsafe(c) || (is_selector(c) && (before < 0x80 || is_selector(before)));
}

/* Runs of printable ASCII that hold nothing special are copied. */
static void escape_walk(struct str *b, struct span s, const struct target *t)
{
	const char *p = s.p, *end = s.p + s.n;
	size_t from = b->n;
	uint32_t before = 0;

	while (p < end) {
		const char *run = p;

		while (p < end && *p >= ' ' && *p < 0x7f && !strchr(t->special, *p))
			p++;
		if (p > run) {
			str_add(b, run, (size_t)(p - run));
			before = ' ';
		}
		if (p == end)
			break;
		uint32_t c = utf8_next(&p, end);
		if (is_hidden(c, before)) {
			t->hide(b, c);
			before = 0;
		} else {
			t->put(b, c);
			before = c;
		}
	}
	cilog_defuse(b, from, &t->log);
}

/* ---- terminals, and programs that read data ---- */

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
	for (size_t i = 0; i < COUNT_OF(PLAIN); i++) {
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
	return span_starts_in(
		s, "=|+|-|@|\t|\r|\n|\xef\xbc\x9d|\xef\xbc\x8b|\xef\xbc\x8d|\xef\xbc\xa0");
}

static bool is_quoted(struct span s)
{
	return ANY(i, s.n, memchr(",\"\n\r\t", s.p[i], 5)) ||
		(s.n > 0 && (s.p[0] == ' ' || s.p[s.n - 1] == ' '));
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

void escape_tsv(struct str *b, struct span s)
{
	static const struct target to = { "\\", put_quoted, escape_put,
		{ "\\x3a", "\\x5b", false } };

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
	escape_terminal(b, s, true);
}

/* ---- documents ---- */

/* ---- Markdown ---- */

static bool ends_with_www(const struct str *b)
{
	for (size_t i = 1; i <= 3; i++)
		if (b->n < i || (b->s[b->n - i] | 0x20) != 'w')
			return false;
	return true;
}

/* GitHub makes links of addresses and mentions of "@name" in finished text, where a backslash is no
 * longer seen: a blank without width takes it apart. */
static void put_markdown(struct str *b, uint32_t c)
{
	static const char nothing[] = "&#8203;";

	switch (c) {
	case '<': str_adds(b, "&lt;"); return;
	case '>': str_adds(b, "&gt;"); return;
	case '&': str_adds(b, "&amp;"); return;
	case '@':
		str_addc(b, '@');
		str_adds(b, nothing);
		return;
	case '/': str_adds(b, b->n && b->s[b->n - 1] == ':' ? nothing : ""); break;
	case '.': str_adds(b, ends_with_www(b) ? nothing : ""); break;
	default:
		if (c < 0x80)
			str_addc(b, '\\');
	}
	utf8_put(b, c);
}

void escape_markdown(struct str *b, struct span s)
{
	static const struct target to = { "\\`*_[]|~$<>&@/.", put_markdown, escape_put_doubled,
		{ "\\:", "\\[", false } };

	escape_walk(b, s, &to);
}

/* Bytes of what would begin a heading, an item or a rule, the last of which is to be escaped. */
static size_t block_mark(struct span s)
{
	size_t n = 0;

	if (s.n == 0)
		return 0;
	if (s.p[0] == '#')
		return 1;
	if (strchr("+-=", s.p[0])) {
		while (n < s.n && s.p[n] == s.p[0])
			n++;
		return n == s.n || s.p[n] == ' ' || s.p[n] == '\t' ? 1 : 0;
	}
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n > 0 && n < s.n && (s.p[n] == '.' || s.p[n] == ')') &&
			(n + 1 == s.n || s.p[n + 1] == ' ')
		? n + 1
		: 0;
}

void escape_markdown_block(struct str *b, struct span s)
{
	size_t n = block_mark(s);

	if (s.n > 0 && s.p[0] == ' ') { /* four would begin a block of code */
		str_adds(b, "&#32;");
		n = 1;
	} else if (n > 0) {
		str_add(b, s.p, n - 1);
		str_addc(b, '\\');
		str_addc(b, s.p[n - 1]);
	}
	escape_markdown(b, (struct span){ s.p + n, s.n - n });
}

void escape_markdown_command(struct str *b, struct span s)
{
	str_adds(b, "```sh\n");
	escape_terminal(b, s, true);
	str_adds(b, "\n```\n");
}

void escape_link(struct str *b, struct span s)
{
	static const char hex[] = "0123456789ABCDEF";

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			(c && strchr("/.-_", c))) {
			str_addc(b, (char)c);
		} else {
			str_addc(b, '%');
			str_addc(b, hex[c >> 4]);
			str_addc(b, hex[c & 15]);
		}
	}
}

/* ---- HTML and XML ---- */

static void put_entity(struct str *b, uint32_t c)
{
	switch (c) {
	case '&': str_adds(b, "&amp;"); break;
	case '<': str_adds(b, "&lt;"); break;
	case '>': str_adds(b, "&gt;"); break;
	case '"': str_adds(b, "&quot;"); break;
	case '\'': str_adds(b, "&#39;"); break;
	default: utf8_put(b, c);
	}
}

static void hide_xml(struct str *b, uint32_t c)
{
	if (c == '\n')
		str_adds(b, "&#10;");
	else
		escape_put(b, c);
}

void escape_html(struct str *b, struct span s)
{
	static const struct target to = { "&<>\"'", put_entity, escape_put,
		{ "&#58;", "&#91;", false } };

	escape_walk(b, s, &to);
}

void escape_xml(struct str *b, struct span s)
{
	static const struct target to = { "&<>\"'", put_entity, hide_xml,
		{ "&#58;", "&#91;", false } };

	escape_walk(b, s, &to);
}

/* ---- annotations ---- */

static void put_percent(struct str *b, uint32_t c)
{
	if (c < 0x80)
		str_addf(b, "%%%02X", (unsigned)c);
	else
		utf8_put(b, c);
}

static void hide_percent(struct str *b, uint32_t c)
{
	if (c == '\n' || c == '\r')
		put_percent(b, c);
	else
		escape_put(b, c);
}

void escape_github_message(struct str *b, struct span s)
{
	static const struct target to = { "%", put_percent, hide_percent,
		{ NULL, "\\x5b", false } };

	escape_walk(b, s, &to);
}

void escape_github_property(struct str *b, struct span s)
{
	static const struct target to = { "%:,", put_percent, hide_percent,
		{ NULL, "\\x5b", false } };

	escape_walk(b, s, &to);
}
