/* Whether a JSON document is one: a single pass with a stack of brackets, so that a fault has its
 * place and a word. */

#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/limits.h"

struct check {
	struct span t;
	size_t i;
	char open[LIMIT_JSON_DEPTH]; /* '{' or '[' */
	size_t depth;
	const char *expected; /* set when malformed */
};

static void blanks(struct check *c)
{
	while (c->i < c->t.n && (unsigned char)c->t.p[c->i] <= 0x20)
		c->i++;
}

static bool is_at(const struct check *c, const char *any)
{
	return c->i < c->t.n && c->t.p[c->i] && strchr(any, c->t.p[c->i]);
}

static bool string(struct check *c)
{
	for (c->i++; c->i < c->t.n; c->i++) {
		if (c->t.p[c->i] == '\\')
			c->i++;
		else if (c->t.p[c->i] == '"')
			break;
	}
	if (c->i >= c->t.n) {
		c->i = c->t.n;
		return false;
	}
	c->i++;
	return true;
}

static bool fail(struct check *c, const char *expected)
{
	c->expected = expected;
	return false;
}

static bool key(struct check *c)
{
	blanks(c);
	if (is_at(c, "}"))
		return true;
	if (c->i >= c->t.n)
		return false;
	if (!is_at(c, "\""))
		return fail(c, "a key in quotes or '}'");
	if (!string(c))
		return false;
	blanks(c);
	if (c->i >= c->t.n)
		return false;
	if (!is_at(c, ":"))
		return fail(c, "':' after the key");
	c->i++;
	return true;
}

static bool word(struct check *c)
{
	size_t from = c->i;

	while (c->i < c->t.n && (unsigned char)c->t.p[c->i] > 0x20 && !is_at(c, ",]}:\"[{"))
		c->i++;
	if (c->i == from)
		return c->i < c->t.n ? fail(c, "a value") : false;
	if (c->i == c->t.n && c->depth > 0)
		return false;
	return is_at(c, ":\"[{") ? fail(c, "',' or a closing bracket") : true;
}

/* Behind a value: closes what closes, and stands at the next value; false at a fault. */
static bool after_value(struct check *c)
{
	while (c->depth > 0) {
		bool object = c->open[c->depth - 1] == '{';

		blanks(c);
		if (c->i >= c->t.n)
			return false;
		if (is_at(c, object ? "}" : "]")) {
			c->i++;
			c->depth--;
			continue;
		}
		if (!is_at(c, ","))
			return fail(c, object ? "',' or '}'" : "',' or ']'");
		c->i++;
		if (object && !key(c))
			return false;
		blanks(c);
		if (!is_at(c, object ? "}" : "]"))
			return true;
	}
	return true;
}

/* One value or opening bracket, and what follows it up to the next value. */
static bool value(struct check *c)
{
	blanks(c);
	if (c->i >= c->t.n)
		return false;
	if (is_at(c, "{[")) {
		bool object = c->t.p[c->i] == '{';

		if (c->depth == LIMIT_JSON_DEPTH)
			return fail(c, "less depth: brackets nest too deep");
		c->open[c->depth++] = c->t.p[c->i++];
		if (object && !key(c))
			return false;
		blanks(c);
		return is_at(c, object ? "}" : "]") ? after_value(c) : true;
	}
	if (is_at(c, "\"")) {
		if (!string(c))
			return false;
	} else if (!word(c)) {
		return false;
	}
	return after_value(c);
}

enum status jsondoc_check(struct span text, size_t *end, struct err *e)
{
	struct check c = { .t = text };

	do {
		if (value(&c))
			continue;
		if (c.expected)
			return err_set(e, E_SYNTAX, (int64_t)c.i, "malformed JSON: expected %s",
				c.expected);
		(void)err_set(e, E_TRUNCATED, (int64_t)text.n,
			"the JSON ends too early, %zu bracket%s open", c.depth, plural_s(c.depth));
		return err_hint(
			e, "the program was killed while writing it, or the copy was cut short");
	} while (c.depth > 0);
	*end = c.i;
	return OK;
}
