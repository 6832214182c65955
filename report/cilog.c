/*
 * Finding commands: rare enough to look for them first and to copy the text only then.
 */
#include "report/cilog.h"

#include "base/utf8.h"

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

void cilog_defuse(struct str *b, size_t from, const struct cilog *how)
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
