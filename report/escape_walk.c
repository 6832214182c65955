/*
 * The walk over a text.  The decoder never trusts its input, so no destination meets invalid UTF-8.
 */
#include "report/escape_walk.h"

#include "base/utf8.h"

/*
 * ---- commands in the log of a CI server ----
 *
 * A server reads what a step prints, on stdout and stderr alike, and obeys a line that begins,
 * behind blanks, with "::" (GitHub), or has "##[" (GitHub) or "##vso[" (Azure) anywhere.  A name in
 * a file must not be able to say either.  They are rare enough to look for them first and to copy
 * the text only then.
 *
 * Source: actions/runner, ActionCommand.cs; microsoft/azure-pipelines-agent, Command.cs.  GitLab's
 * section markers need a carriage return and an ESC, which are never sent.
 */

/* Whether b[at] is the first of its line but for blanks, or, at words, of a word. */
static bool begins(const struct str *b, size_t from, size_t at, bool at_words)
{
	size_t end = at;

	while (end > from) {
		size_t start = end - 1;
		const char *p;
		uint32_t c;

		while (start > from && ((unsigned char)b->s[start] & 0xc0) == 0x80)
			start--;
		p = b->s + start;
		c = utf8_next(&p, b->s + end);
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
	const char *p;

	if (strstr(b->s + from, "##"))
		return true;
	if (!how->colon)
		return false;
	for (p = strstr(b->s + from, "::"); p; p = strstr(p + 1, "::"))
		if (begins(b, from, (size_t)(p - b->s), how->at_words))
			return true;
	return false;
}

/* Takes the commands out of the text that begins at `from`; it may be cut into lines later. */
static void cilog_defuse(struct str *b, size_t from, const struct cilog *how)
{
	struct str text = { 0 };
	size_t i;

	if (b->n == from || !has_command(b, from, how))
		return;
	str_add(&text, b->s + from, b->n - from);
	b->n = from;
	for (i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (c == ':' && text.s[i + 1] == ':' && how->colon &&
			begins(b, from, b->n, how->at_words))
			str_adds(b, how->colon);
		else if (c == '[' && ends_with_marker(b, from))
			str_adds(b, how->bracket);
		else
			str_addc(b, c);
	}
	str_free(&text);
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

void escape_put(struct str *b, uint32_t c)
{
	if (c == '\n' || c == '\r' || c == '\t') {
		str_addc(b, '\\');
		str_addc(b, c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
	} else {
		put_number(b, c);
	}
}

void escape_put_doubled(struct str *b, uint32_t c)
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
void escape_walk(struct str *b, struct span s, const struct target *t)
{
	const char *p = s.p, *end = s.p + s.n;
	size_t from = b->n;
	uint32_t before = 0;

	while (p < end) {
		const char *run = p;
		uint32_t c;

		while (p < end && *p >= ' ' && *p < 0x7f && !strchr(t->special, *p))
			p++;
		if (p > run) {
			str_add(b, run, (size_t)(p - run));
			before = ' ';
		}
		if (p == end)
			break;
		c = utf8_next(&p, end);
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
