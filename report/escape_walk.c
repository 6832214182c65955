/*
 * The walk over a text.  The decoder never trusts its input, so no destination meets invalid UTF-8.
 */
#include "report/escape_walk.h"

#include "base/utf8.h"

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
