/*
 * Recursive descent by the grammar of RFC 8259; the depth is bounded.
 */
#include "cmd/mcp/strict.h"

#include <stdbool.h>
#include <string.h>

#include "analyze/input/text/json_text.h"
#include "base/ascii.h"

enum { DEPTH_MAX = 64 };

#define HEX "0123456789abcdefABCDEF"

struct strict {
	const char *begin, *p, *end;
	unsigned depth;
	struct err *e;
};

static enum status expect(struct strict *s, const char *what)
{
	return err_set(s->e, E_SYNTAX, s->p - s->begin, "malformed JSON: expected %s", what);
}

static void blanks(struct strict *s)
{
	while (s->p < s->end && strchr(" \t\r\n", *s->p) && *s->p)
		s->p++;
}

static bool takes(struct strict *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static bool at_digit(const struct strict *s)
{
	return s->p < s->end && is_digit(*s->p);
}

static enum status digits(struct strict *s)
{
	if (!at_digit(s))
		return expect(s, "a digit");
	while (at_digit(s))
		s->p++;
	return OK;
}

static enum status number(struct strict *s)
{
	(void)takes(s, '-');
	if (!takes(s, '0'))
		TRY(digits(s));
	if (takes(s, '.'))
		TRY(digits(s));
	if (takes(s, 'e') || takes(s, 'E')) {
		if (!takes(s, '+'))
			(void)takes(s, '-');
		TRY(digits(s));
	}
	return OK;
}

/* Behind a backslash. */
static enum status escape(struct strict *s)
{
	int i;

	if (s->p == s->end || !*s->p || !strchr("\"\\/bfnrtu", *s->p))
		return expect(s, "one of \" \\ / b f n r t u behind the backslash");
	if (*s->p++ != 'u')
		return OK;
	for (i = 0; i < 4; i++, s->p++)
		if (s->p == s->end || !strchr(HEX, *s->p) || !*s->p)
			return expect(s, "four hexadecimal digits behind \\u");
	return OK;
}

static enum status string(struct strict *s)
{
	if (!takes(s, '"'))
		return expect(s, "a string");
	while (!takes(s, '"')) {
		if (s->p == s->end)
			return expect(s, "the end of the string");
		if ((unsigned char)*s->p < 0x20)
			return expect(s, "no control character in a string");
		if (*s->p++ == '\\')
			TRY(escape(s));
	}
	return OK;
}

static enum status value(struct strict *s);

static enum status member(struct strict *s)
{
	blanks(s);
	TRY(string(s));
	blanks(s);
	if (!takes(s, ':'))
		return expect(s, "':' behind the name");
	return value(s);
}

/* Behind the opening bracket; item is one member or value. */
static enum status items(struct strict *s, char close, enum status (*item)(struct strict *))
{
	if (++s->depth > DEPTH_MAX)
		return err_set(s->e, E_LIMIT, s->p - s->begin,
			"the JSON nests deeper than %d brackets", DEPTH_MAX);
	blanks(s);
	if (!takes(s, close)) {
		do {
			TRY(item(s));
			blanks(s);
		} while (takes(s, ','));
		if (!takes(s, close))
			return expect(s, close == '}' ? "',' or '}'" : "',' or ']'");
	}
	s->depth--;
	return OK;
}

static enum status word(struct strict *s)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t i, n;

	for (i = 0; i < COUNT_OF(words); i++) {
		n = strlen(words[i]);
		if ((size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0) {
			s->p += n;
			return OK;
		}
	}
	return expect(s, "a value");
}

static enum status value(struct strict *s)
{
	blanks(s);
	if (takes(s, '{'))
		return items(s, '}', member);
	if (takes(s, '['))
		return items(s, ']', value);
	if (s->p < s->end && *s->p == '"')
		return string(s);
	if (at_digit(s) || (s->p < s->end && *s->p == '-'))
		return number(s);
	return word(s);
}

enum status strict_json(struct span text, struct err *e)
{
	struct strict s = { text.p, text.p, text.p + text.n, 0, e };

	if (!json_is_utf8(text))
		return err_set(e, E_SYNTAX, -1, "the message is not UTF-8");
	TRY(value(&s));
	blanks(&s);
	return s.p == s.end ? OK : expect(&s, "the end of the message");
}
