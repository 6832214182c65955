/* Lines in and out, by read and write, as what is buffered elsewhere could not be waited for;
 * requests taken apart, replies put together; JSON by recursive descent as RFC 8259 has it. */
#include "cmd/mcp/message.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "report/escape.h"

/* ---- the channel ---- */

enum { CHUNK = 65536 };

void channel_read(struct channel *w)
{
	char chunk[CHUNK];
	ssize_t n;

	/* Forgets what was taken. */
	size_t left = w->text.n - w->taken;
	if (w->taken && left)
		memmove(w->text.s, w->text.s + w->taken, left);
	w->text.n = left;
	w->taken = 0;
	do
		n = read(w->in, chunk, sizeof(chunk));
	while (n < 0 && errno == EINTR);
	if (n > 0)
		str_add(&w->text, chunk, (size_t)n);
	else
		w->is_ended = true;
}

enum channel_line channel_next(struct channel *w, struct span *line)
{
	size_t left = w->text.n - w->taken;
	const char *p = left ? w->text.s + w->taken : NULL;
	const char *feed = p ? memchr(p, '\n', left) : NULL;
	size_t n = feed ? (size_t)(feed - p) : left;
	bool was_skipping = w->is_skipping;

	if (!feed && !(w->is_ended && left) && left <= CHANNEL_LINE_MAX)
		return CHANNEL_NONE;
	w->taken += n + (feed != NULL);
	w->is_skipping = !feed && !w->is_ended;
	if (was_skipping)
		return feed ? channel_next(w, line) : CHANNEL_NONE;
	if (n > CHANNEL_LINE_MAX)
		return CHANNEL_TOO_LONG;
	*line = (struct span){ p, n };
	return CHANNEL_LINE;
}

/* Writes the text and a line feed, all of it; false when nobody reads any longer. */
static bool channel_put(const struct channel *w, const struct str *text)
{
	SCOPED_STR line = { 0 };
	size_t done = 0;
	ssize_t n;

	str_add(&line, text->s, text->n);
	str_addc(&line, '\n');
	while (done < line.n) {
		n = write(w->out, line.s + done, line.n - done);
		if (n < 0 && errno == EAGAIN)
			(void)poll(&(struct pollfd){ w->out, POLLOUT, 0 }, 1, -1);
		else if (n < 0 && errno != EINTR)
			break;
		done += (size_t)MAX(n, 0);
	}
	return done == line.n;
}

void channel_free(struct channel *w)
{
	str_free(&w->text);
}

/* ---- messages ---- */

struct span message_id(struct json_value v)
{
	struct span none = { "", 0 };

	if (v.type == JSON_STRING)
		return (struct span){ v.text.p - 1, v.text.n + 2 };
	return v.type == JSON_NUMBER ? v.text : none;
}

struct span message_text(struct json_value object, const char *key, struct arena *mem)
{
	struct json_value v = json_get(object, key);
	unsigned bad = 0;

	if (v.type != JSON_STRING)
		return (struct span){ NULL, 0 };
	return json_unescape(v.text, mem, &bad);
}

static enum rpc refuse(struct err *e, const char *text)
{
	(void)err_set(e, E_SYNTAX, -1, "%s", text);
	return RPC_REQUEST;
}

enum rpc message_read(struct span line, struct arena *mem, struct message *m, struct err *e)
{
	struct span rest;

	*m = (struct message){ .id = { "", 0 }, .method = { "", 0 } };
	if (strict_json(line, e) != OK)
		return RPC_PARSE;
	struct json_value doc = json_value(line, &rest);
	if (doc.type == JSON_ARRAY)
		return refuse(e, "batches are not served: send one request a line");
	if (doc.type != JSON_OBJECT)
		return refuse(e, "a request is an object");
	struct json_value id = json_get(doc, "id");
	m->id = message_id(id);
	m->params = json_get(doc, "params");
	struct span version = message_text(doc, "jsonrpc", mem);
	if (!version.p || !span_is(version, "2.0"))
		return refuse(e, "\"jsonrpc\" must be \"2.0\"");
	if (id.type != JSON_NONE && m->id.n == 0)
		return refuse(e, "\"id\" must be a string or a number");
	m->method = message_text(doc, "method", mem);
	if (m->method.p && m->method.n) {
		if (m->params.type != JSON_NONE && m->params.type != JSON_OBJECT)
			return refuse(e, "\"params\" must be an object");
		return RPC_FINE;
	}
	if (json_get(doc, "result").type == JSON_NONE && json_get(doc, "error").type == JSON_NONE)
		return refuse(e, "\"method\" must be a string");
	m->method = (struct span){ "", 0 };
	return RPC_FINE;
}

static void begin(struct str *b, struct span id)
{
	str_adds(b, "{\"jsonrpc\":\"2.0\",\"id\":");
	if (id.n)
		str_add(b, id.p, id.n);
	else
		str_adds(b, "null");
}

static bool send_off(const struct channel *w, struct str *b)
{
	str_addc(b, '}');
	bool is_sent = channel_put(w, b);
	str_free(b);
	return is_sent;
}

bool message_result(const struct channel *w, struct span id, const struct str *result)
{
	struct str b = { 0 };

	begin(&b, id);
	str_adds(&b, ",\"result\":");
	str_add(&b, result->s, result->n);
	return send_off(w, &b);
}

static void put_text(struct str *b, const char *s)
{
	escape_json(b, span_of(s));
}

bool message_error(const struct channel *w, struct span id, enum rpc code, const struct err *e)
{
	struct str b = { 0 }, text = { 0 };

	str_adds(&text, e->text);
	if (e->offset >= 0)
		str_addf(&text, " at byte %lld", (long long)e->offset);
	if (e->hint[0])
		str_addf(&text, "; %s", e->hint);
	begin(&b, id);
	str_add_by(&b, put_text, ",\"error\":{\"code\":%d,\"message\":%s}", (int)code,
		text.s ? text.s : "");
	str_free(&text);
	return send_off(w, &b);
}

/* ---- JSON to the letter ---- */

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
	if (s->p == s->end || !*s->p || !strchr("\"\\/bfnrtu", *s->p))
		return expect(s, "one of \" \\ / b f n r t u behind the backslash");
	if (*s->p++ != 'u')
		return OK;
	for (int i = 0; i < 4; i++, s->p++)
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
	static const char *const words[] = { "true", "false", "null" };
	size_t n;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		n = strlen(words[i]);
		if ((size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0) {
			s->p += n;
			return OK;
		}
	}
	return expect(s, "a value");
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
