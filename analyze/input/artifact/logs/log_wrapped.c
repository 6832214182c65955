/* Which member of an object is the line, and what its escapes stand for. */
#include "analyze/input/artifact/logs/log_wrapped.h"

#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/num.h"

/* The byte that an escape of JSON at t.p[0] stands for, *n its length; -1: it is none of them. */
static int escaped(struct span t, size_t *n)
{
	static const char letters[] = "\"\\/nrtbf", bytes[] = "\"\\/\n\r\t\b\f";
	const char *at = t.n > 1 ? memchr(letters, t.p[1], sizeof(letters) - 1) : NULL;

	*n = 2;
	if (at)
		return bytes[at - letters];
	if (t.n < 6 || memcmp(t.p, "\\u00", 4) != 0 || !is_hex_digit(t.p[4]) ||
		!is_hex_digit(t.p[5]))
		return -1;
	*n = 6;
	return hex_digit(t.p[4]) << 4 | hex_digit(t.p[5]);
}

static void unescape(struct span inside, struct str *b)
{
	size_t n;

	for (struct span t = inside; t.n; t = span_from(t, n)) {
		int c = t.p[0] == '\\' ? escaped(t, &n) : -1;

		n = c < 0 ? 1 : n;
		if (c == '\n' && t.n > n) /* lines of one message */
			str_addc(b, '\r');
		else if (c != '\n')
			str_add(b, c < 0 ? t.p : &(char){ (char)c }, 1);
	}
}

/* "log" is Docker's and Fluent Bit's, MESSAGE journald's, "event" structlog's, "line" Loki's. */
static const char *const texts[] = { "log", "message", "msg", "textPayload", "MESSAGE", "event",
	"line", "text" };
static const char *const inner[] = { "jsonPayload", "record", "fields", "result" };

static struct json_value text_of(struct json_value object)
{
	struct json_value v = { JSON_NONE, { "", 0 }, false };

	for (size_t i = 0; i < COUNT_OF(texts) && v.type != JSON_STRING; i++)
		v = json_get(object, texts[i]);
	return v;
}

/* The object that has the text: the whole, or a part of it. */
static struct json_value holder(struct json_value whole, struct json_value *text)
{
	struct json_value of = whole;

	*text = text_of(of);
	for (size_t i = 0; i < COUNT_OF(inner) && text->type != JSON_STRING; i++) {
		of = json_get(whole, inner[i]);
		if (of.type == JSON_OBJECT)
			*text = text_of(of);
	}
	return of;
}

static void add_rank(struct json_value object, struct str *b)
{
	static const char *const ranks[] = { "rank", "global_rank", "local_rank" };
	double v;

	for (size_t i = 0; i < COUNT_OF(ranks); i++)
		if (jsondoc_number(json_get(object, ranks[i]), &v) && v > 0 && v < INT32_MAX) {
			str_addf(b, "[rank%.0f]: ", v);
			return;
		}
}

/* Of Docker's objects the text comes first, and nothing else counts. */
static bool find_docker(struct span line, struct json_value *text)
{
	static const char open[] = "{\"log\":";
	struct span rest;

	if (!span_starts(line, open))
		return false;
	*text = json_value(span_from(line, sizeof(open) - 1), &rest);
	return text->type == JSON_STRING && span_starts(rest, ",\"stream\":\"");
}

/* The text of the object, and in b what stands in front of it. */
static bool find_text(struct span line, struct json_value *text, struct str *b)
{
	struct json_value whole;
	struct span rest;

	str_reset(b);
	if (find_docker(line, text))
		return true;
	whole = json_value(line, &rest);
	if (whole.type != JSON_OBJECT || json_blanks_off(rest).n || log_row_is_metrics(whole))
		return false;
	add_rank(holder(whole, text), b);
	return text->type == JSON_STRING;
}

struct span log_unwrapped(struct span line, struct str *b)
{
	struct json_value text;

	if (line.n == 0 || line.p[0] != '{' || !find_text(line, &text, b))
		return line;
	unescape(text.text, b);
	line.n = b->n;
	str_add(b, "\0\0\0\0\0\0\0\0", REAL_PADDING);
	line.p = b->s;
	return line;
}
