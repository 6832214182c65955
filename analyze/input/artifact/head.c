/* Looking at the beginning of a text. */
#include "analyze/input/artifact/head.h"

#include <stdio.h>

enum { BINARY_LOOK = 1024 };

/* By its first bytes: what is no text further down is a hole in a text. */
static bool is_binary(struct span t)
{
	size_t odd = 0;

	t.n = MIN(t.n, BINARY_LOOK);
	for (size_t i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.p[i];

		odd += c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != 0x1b && c != '\b';
	}
	return odd * 50 > t.n;
}

/* Keys of an object whose text may be cut; of a trace up to that of its events, which says it all:
 * the long text behind it is not looked through. */
static void find_keys(struct head *h, struct span object)
{
	static const char events[] = "\"traceEvents\"";
	struct span it = object, key;
	struct json_value v;

	while (h->nkey < HEAD_KEYS && it.n) {
		struct span next = json_blanks_off(span_from(json_blanks_off(it), 1));

		if (span_starts(next, events)) {
			h->key[h->nkey++] = (struct span){ next.p + 1, sizeof(events) - 3 };
			break;
		}
		bool more = json_next(&it, &key, &v);
		/* The value of the last key may be cut.  Its key is there. */
		if (key.n)
			h->key[h->nkey++] = key;
		if (!more)
			break;
	}
}

/* Behind the first object comes another, on a line of its own. */
static bool is_lines(struct span rest)
{
	bool newline = false;

	for (; rest.n && (unsigned char)rest.p[0] <= 0x20; rest.p++, rest.n--)
		newline |= rest.p[0] == '\n';
	return newline && rest.n && rest.p[0] == '{';
}

static void look_at_object(struct head *h, struct span t)
{
	struct span rest;

	h->form = HEAD_OBJECT;
	find_keys(h, t);
	if (head_is_trace(h))
		return;
	h->first = json_value(t, &rest);
	if (h->first.type == JSON_OBJECT && is_lines(rest))
		h->form = HEAD_LINES;
}

static void look_at_array(struct head *h, struct span t)
{
	struct span it = t, key;

	h->form = HEAD_ARRAY;
	if (!json_next(&it, &key, &h->first))
		h->first.type = JSON_NONE;
	t = json_blanks_off(span_from(t, 1));
	if (t.n && t.p[0] == '{')
		find_keys(h, t);
}

static bool is_word(struct span t, const char *word)
{
	size_t n = strlen(word);

	return span_starts(t, word) && (t.n == n || !is_letter(t.p[n]));
}

/* What stands behind '[' may be the first element of an array; a cut text may be anything. */
static bool begins_element(struct span t)
{
	static const char *const words[] = { "true", "false", "null", "NaN", "Infinity",
		"-Infinity" };
	size_t i = 1;

	if (t.n == 0 || strchr("{[\"]/", t.p[0]))
		return true;
	if (!is_digit(t.p[0]) && t.p[0] != '-')
		return ANY(k, COUNT_OF(words), is_word(t, words[k]));
	i = FIRST_FROM(k, i, t.n, !is_digit(t.p[k]) && !strchr("+-.eE", t.p[k]));
	struct span rest = json_blanks_off(span_from(t, i));
	return rest.n == 0 || rest.p[0] == ',' || rest.p[0] == ']';
}

bool head_is_logged(struct span text)
{
	struct span t = json_blanks_off(text), line, rest = t;

	if (t.n == 0 || (t.p[0] != '{' && t.p[0] != '['))
		return false;
	struct span inside = json_blanks_off(span_from(t, 1));
	if (t.p[0] == '{') {
		(void)span_line(&rest, &line);
		return (inside.n && inside.p[0] == '\'') ||
			(span_starts(t, "{\"log\":\"") && span_has(line, "\",\"stream\":\""));
	}
	if (!begins_element(inside))
		return true;
	(void)span_line(&rest, &line);
	const char *close = memchr(line.p, ']', line.n);
	if (!close || !inside.n || !(is_digit(inside.p[0])))
		return false;
	inside = json_blanks_off((struct span){ close + 1, line.n - (size_t)(close + 1 - line.p) });
	return inside.n > 0 && !strchr(",]", inside.p[0]);
}

void head_look(struct head *h, struct span text, bool is_whole)
{
	struct span t = json_blanks_off(text), rest = t;

	memset(h, 0, sizeof(*h));
	h->text = text;
	h->is_whole = is_whole;
	h->first.type = JSON_NONE;
	(void)span_line(&rest, &h->line);
	if (t.n == 0)
		h->form = HEAD_EMPTY;
	else if (t.p[0] == '{' && !head_is_logged(t))
		look_at_object(h, t);
	else if (t.p[0] == '[' && !head_is_logged(t))
		look_at_array(h, t);
	else
		h->form = is_binary(t) ? HEAD_BINARY : HEAD_TEXT;
}

bool head_is_row(const struct head *h, struct span *behind)
{
	struct span rest;

	if (h->form != HEAD_OBJECT || json_value(h->line, &rest).type != JSON_OBJECT ||
		json_blanks_off(rest).n)
		return false;
	*behind = json_blanks_off(span_between(h->line.p + h->line.n, h->text.p + h->text.n));
	return true;
}

bool head_has(const struct head *h, const char *key)
{
	return ANY(i, h->nkey, json_key_is(h->key[i], span_of(key)));
}

size_t head_count(const struct head *h, const char *keys)
{
	size_t n = 0;

	while (*keys) {
		size_t len = strcspn(keys, " |");

		n += (size_t)ANY(i, h->nkey, json_key_is(h->key[i], (struct span){ keys, len }));
		keys += len + (keys[len] != '\0');
	}
	return n;
}

bool head_mentions(const struct head *h, const char *keys)
{
	char quoted[64];
	size_t len;

	do {
		len = strcspn(keys, " ");
		(void)snprintf(quoted, sizeof(quoted), "\"%.*s\"", (int)len, keys);
		if (span_has(h->text, quoted))
			return true;
		keys += len + (keys[len] == ' ');
	} while (*keys);
	return false;
}

bool head_is_trace(const struct head *h)
{
	return head_has(h, "traceEvents") || (h->form != HEAD_OBJECT && head_has(h, "ph"));
}
