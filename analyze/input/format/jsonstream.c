/* JSON as it comes.  The buffer holds a window of the text; what is passed over is dropped, and a
 * value that is asked for makes the buffer as large as it is. */
#include "analyze/input/format/jsonstream.h"

#include "analyze/input/events/scan.h"
#include "analyze/input/format/format.h"
#include "analyze/input/source/source.h"
#include "analyze/input/text/limits.h"

/* A scanner wants a quote behind the text, and readable bytes behind that. */
static void pad(struct jsonstream *s)
{
	s->buf[s->n] = '"';
	memset(s->buf + s->n + 1, 0, WINDOW_PADDING - 1);
}

void jsonstream_open(struct jsonstream *s, const struct format_input *in)
{
	*s = (struct jsonstream){ .in = in, .scanner = scanner_pick(NULL) };
	s->buf = array_grow(NULL, &s->cap, in->window_bytes + WINDOW_PADDING, 1);
	pad(s);
}

void jsonstream_open_text(struct jsonstream *s, struct span text, int64_t offset)
{
	*s = (struct jsonstream){ .scanner = scanner_pick(NULL), .n = text.n, .eof = true };
	s->base = offset;
	s->buf = array_grow(NULL, &s->cap, text.n + WINDOW_PADDING, 1);
	if (text.n)
		memcpy(s->buf, text.p, text.n);
	pad(s);
}

void jsonstream_close(struct jsonstream *s)
{
	free(s->buf);
	s->buf = NULL;
}

int64_t jsonstream_offset(const struct jsonstream *s)
{
	return s->base + (int64_t)s->at;
}

/* More text behind what is unread, which moves to the front. */
static enum status refill(struct jsonstream *s, struct err *e)
{
	size_t got;

	if (s->eof)
		return OK;
	memmove(s->buf, s->buf + s->at, s->n - s->at);
	s->base += (int64_t)s->at;
	s->n -= s->at;
	s->at = 0;
	if (s->cap - WINDOW_PADDING - s->n < s->in->window_bytes / 2)
		s->buf = array_grow(s->buf, &s->cap, s->cap + s->in->window_bytes, 1);
	TRY(source_read(s->in->source, s->buf + s->n, s->cap - WINDOW_PADDING - s->n, &got, e));
	s->eof = got < s->cap - WINDOW_PADDING - s->n;
	s->n += got;
	pad(s);
	if (s->in->progress)
		s->in->progress(s->in->progress_ctx, source_taken(s->in->source),
			s->in->source->disk_bytes, s->base + (int64_t)s->n);
	return OK;
}

static enum status cut(const struct jsonstream *s, struct err *e)
{
	return err_set(e, E_TRUNCATED, s->base + (int64_t)s->n, "the JSON ends too early");
}

static enum status wanted(const struct jsonstream *s, const char *what, struct err *e)
{
	(void)err_set(e, E_SYNTAX, jsonstream_offset(s), "malformed JSON: expected %s", what);
	return err_hint(e, "write it again; what another program has edited may be damaged");
}

enum status jsonstream_peek(struct jsonstream *s, char *first, struct err *e)
{
	for (;;) {
		while (s->at < s->n && (unsigned char)s->buf[s->at] <= 0x20)
			s->at++;
		if (s->at < s->n || s->eof)
			break;
		TRY(refill(s, e));
	}
	*first = s->at < s->n ? s->buf[s->at] : '\0';
	return OK;
}

/* Goes into the object or array whose bracket must stand here. */
static enum status jsonstream_enter(struct jsonstream *s, char bracket, struct err *e)
{
	char c;

	TRY(jsonstream_peek(s, &c, e));
	if (!c)
		return cut(s, e);
	if (c != bracket)
		return wanted(s, bracket == '{' ? "an object" : "an array", e);
	s->at++;
	return OK;
}

/* How many bytes the string at hand has, quotes and all.  It is held from at on. */
static enum status string_length(struct jsonstream *s, size_t max, size_t *n, struct err *e)
{
	size_t i = 1;

	for (;;) {
		for (; s->at + i < s->n && s->buf[s->at + i] != '"'; i++)
			i += s->buf[s->at + i] == '\\';
		if (s->at + i < s->n)
			break;
		if (s->eof)
			return cut(s, e);
		if (i > max)
			return err_set(e, E_LIMIT, jsonstream_offset(s),
				"a text of more than %zu bytes", max);
		TRY(refill(s, e));
	}
	*n = i + 1;
	return OK;
}

/* Where the colon behind the name of n bytes at hand is, from its beginning. */
static enum status to_colon(struct jsonstream *s, size_t n, size_t *colon, struct err *e)
{
	for (;; n++) {
		while (s->at + n == s->n && !s->eof)
			TRY(refill(s, e));
		if (s->at + n == s->n)
			return cut(s, e);
		if ((unsigned char)s->buf[s->at + n] > 0x20 || n > 2 * LIMIT_NAME_BYTES)
			break;
	}
	if (s->buf[s->at + n] != ':')
		return wanted(s, "':' behind a member's name", e);
	*colon = n;
	return OK;
}

/* To the next member or item; false in *there behind the closing bracket.  key: of an object, as it
 * is written, valid until the value is read; NULL: it is an array. */
static enum status jsonstream_next(
	struct jsonstream *s, bool *there, struct span *key, struct err *e)
{
	size_t n = 0, colon = 0;
	char c;

	do {
		TRY(jsonstream_peek(s, &c, e));
		s->at += c == ',';
	} while (c == ',');
	if (!c)
		return cut(s, e);
	*there = c != ']' && c != '}';
	if (!*there) {
		if (c != (key ? '}' : ']'))
			return wanted(s, key ? "'}'" : "']'", e);
		s->at++;
		return OK;
	}
	if (!key)
		return OK;
	if (c != '"')
		return wanted(s, "a member's name", e);
	TRY(string_length(s, LIMIT_NAME_BYTES, &n, e));
	TRY(to_colon(s, n, &colon, e));
	*key = (struct span){ s->buf + s->at + 1, n - 2 };
	s->at += colon + 1;
	return OK;
}

enum status jsonstream_each(struct jsonstream *s, char bracket,
	enum status (*each)(void *ctx, struct jsonstream *s, struct span key, struct err *e),
	void *ctx, struct err *e)
{
	struct span key = { "", 0 };
	bool there = true;

	TRY(jsonstream_enter(s, bracket, e));
	while (there) {
		TRY(jsonstream_next(s, &there, bracket == '{' ? &key : NULL, e));
		if (there)
			TRY(each(ctx, s, key, e));
	}
	return OK;
}

/* How many bytes the number or word at hand has. */
static enum status word_length(struct jsonstream *s, size_t max, size_t *n, struct err *e)
{
	size_t i = 0;

	for (;;) {
		for (; s->at + i < s->n && (unsigned char)s->buf[s->at + i] > 0x20 &&
			!strchr(",]}", s->buf[s->at + i]);
			i++)
			;
		if (s->at + i < s->n || s->eof)
			break;
		if (i > max)
			return err_set(e, E_LIMIT, jsonstream_offset(s),
				"a number of more than %zu bytes", max);
		TRY(refill(s, e));
	}
	if (s->at + i == s->n)
		return cut(s, e);
	if (i == 0)
		return wanted(s, "a value", e);
	*n = i;
	return OK;
}

/* How many bytes the object or array at hand has, unless it is passed over: then it is behind it.
 */
static enum status nested_length(
	struct jsonstream *s, size_t max, bool pass, size_t *n, struct err *e)
{
	struct skip k = { .open = s->buf[s->at], .depth = 1 };
	size_t i = 1;

	for (;;) {
		const char *p = s->buf + s->at + i;
		enum skip_end end = s->scanner->skip(&k, &p, s->buf + s->n);

		i = (size_t)(p - (s->buf + s->at));
		if (end == SKIP_DONE)
			break;
		if (pass) {
			s->at += i;
			i = 0;
		}
		if (end == SKIP_BAD)
			return wanted(s, "',' or a bracket", e);
		if (s->eof)
			return cut(s, e);
		if (i > max)
			return err_set(e, E_LIMIT, jsonstream_offset(s),
				"a record of more than %zu bytes", max);
		TRY(refill(s, e));
	}
	*n = i;
	return OK;
}

static enum status value_length(
	struct jsonstream *s, size_t max, bool pass, size_t *n, struct err *e)
{
	char c;

	TRY(jsonstream_peek(s, &c, e));
	if (!c)
		return cut(s, e);
	if (c == '"')
		return string_length(s, max, n, e);
	if (c == '{' || c == '[')
		return nested_length(s, max, pass, n, e);
	return word_length(s, max, n, e);
}

enum status jsonstream_value(struct jsonstream *s, size_t max, struct span *text, struct err *e)
{
	size_t n = 0;

	TRY(value_length(s, max, false, &n, e));
	*text = (struct span){ s->buf + s->at, n };
	s->at += n;
	return OK;
}

enum status jsonstream_pass(struct jsonstream *s, struct err *e)
{
	size_t n = 0;

	TRY(value_length(s, LIMIT_EVENT_BYTES, true, &n, e));
	s->at += n;
	return OK;
}
