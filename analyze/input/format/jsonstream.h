/* JSON that is read as it comes: a place in a document of any size, of which only the value at hand
 * is held.  For formats of traces that are JSON, but not Chrome's.
 *
 *     static enum status take_item(void *ctx, struct jsonstream *s, struct span key, struct err *e)
 *     {
 *             TRY(jsonstream_value(s, LIMIT_EVENT_BYTES, &text, e));
 *             ...
 *     TRY(jsonstream_each(s, '[', take_item, ctx, e));
 *
 * Every call fails with E_TRUNCATED where the text ends inside the document, E_SYNTAX where it is
 * no JSON, each with the offset, E_IO. */
#pragma once

#include "base/base.h"

struct format_input;
struct scanner;

struct jsonstream {
	const struct format_input *in; /* NULL: all of the text is in buf */
	const struct scanner *scanner;
	char *buf;
	size_t cap, at, n; /* unread: buf[at .. n), then padding */
	bool eof;
	int64_t base; /* offset of buf[0] in the text */
};

/* Over the source of `in`, from its beginning. */
void jsonstream_open(struct jsonstream *s, const struct format_input *in);

/* Over a copy of a text that stands at that offset. */
void jsonstream_open_text(struct jsonstream *s, struct span text, int64_t offset);
void jsonstream_close(struct jsonstream *s);

/* The offset of what is read next. */
int64_t jsonstream_offset(const struct jsonstream *s);

/* The first byte that is no blank from here on; 0 at the end of the text.  E_IO only. */
enum status jsonstream_peek(struct jsonstream *s, char *first, struct err *e) MUST_CHECK;

/* Goes through the object or array that must stand here: each stands before the value of a member
 * or item, which it has to read or pass over.  key: of an object, as it is written, valid until the
 * value is read; empty in an array. */
enum status jsonstream_each(struct jsonstream *s, char bracket,
	enum status (*each)(void *ctx, struct jsonstream *s, struct span key, struct err *e),
	void *ctx, struct err *e) MUST_CHECK;

/* The text of the value at hand, valid until the next call.  E_LIMIT when it is longer than max. */
enum status jsonstream_value(
	struct jsonstream *s, size_t max, struct span *text, struct err *e) MUST_CHECK;

/* Passes over the value at hand, however long it is. */
enum status jsonstream_pass(struct jsonstream *s, struct err *e) MUST_CHECK;
