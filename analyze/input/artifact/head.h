/* The beginning of a text: what form it has, and which keys or columns it names.  Readers decide by
 * it whether a file is theirs; names of files play no part. */
#pragma once

#include "analyze/input/text/json_text.h"
#include "base/base.h"

enum { HEAD_BYTES = 256 << 10, HEAD_LONG = 16 << 20, HEAD_KEYS = 256 };

enum head_form {
	HEAD_EMPTY,  /* blanks */
	HEAD_OBJECT, /* a JSON object */
	HEAD_ARRAY,  /* a JSON array */
	HEAD_LINES,  /* JSON objects, one a line */
	HEAD_TEXT,   /* other text */
	HEAD_BINARY  /* no text */
};

/* How sure a probe is. */
enum match {
	MATCH_NO,
	MATCH_WEAK,  /* the form fits, no key or column says more: any log, any configuration */
	MATCH_FAIR,  /* keys that others may have, too */
	MATCH_STRONG /* keys, columns or marks that only this kind has */
};

struct head {
	struct span text; /* up to HEAD_LONG bytes, or more blanks, without byte order mark */
	bool is_whole;    /* there is no more */
	enum head_form form;
	struct span line; /* the first line that is not blank, without its end */
	/* Of the object, of the first line's object, or of the array's first element when it is
	 * one: its keys as far as the text goes, escapes as written. */
	struct span key[HEAD_KEYS];
	size_t nkey;
	struct json_value first; /* ARRAY: the first element; OBJECT, LINES: the object; type
	                            JSON_NONE when it is not whole */
};

/* text: the first bytes, borrowed. */
void head_look(struct head *h, struct span text, bool is_whole);

/* A line of a log, not JSON, though its first byte is a bracket: "[2025-11-30 12:00:00] INFO",
 * "[rank0]: ", "[0]: step 1", "{'loss': 0.69}"; and such a line in what Docker keeps of it.  False
 * for all that JSON could begin with. */
bool head_is_logged(struct span text);

/* Of HEAD_OBJECT: it is the whole first line, and not further ones; *behind: what is below. */
bool head_is_row(const struct head *h, struct span *behind);

/* One of the keys. */
bool head_has(const struct head *h, const char *key);

/* How many of the keys, listed with blanks or bars between them, are there. */
size_t head_count(const struct head *h, const char *keys);

/* One of them stands anywhere in the text, in quotes: for keys further down. */
bool head_mentions(const struct head *h, const char *keys);

/* A Chrome trace, as far as this tells. */
bool head_is_trace(const struct head *h);
