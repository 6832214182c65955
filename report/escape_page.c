/*
 * Text made harmless for documents: Markdown, HTML, XML, and annotations on a page of a CI server.
 */
#include "report/escape.h"
#include "report/escape_walk.h"

/* ---- Markdown ---- */

static bool ends_with_www(const struct str *b)
{
	size_t i;

	for (i = 1; i <= 3; i++)
		if (b->n < i || (b->s[b->n - i] | 0x20) != 'w')
			return false;
	return true;
}

/*
 * GitHub makes links of addresses and mentions of "@name" in finished text, where a backslash is no
 * longer seen: a blank without width takes it apart.
 */
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
	size_t i;

	for (i = 0; i < s.n; i++) {
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
