/* Debug annotations: the arguments of an event, of any type and nesting. */
#pragma once

#include "analyze/input/format/proto/book.h"
#include "analyze/input/format/proto/keys.h"
#include "base/base.h"

struct emitter;

enum { NOTES_DEPTH = 64 }; /* of dictionaries and arrays in each other */

/* Where annotations go, and what they refer to. */
struct notes {
	struct emitter *m;
	const struct keys *keys;
	const struct book *book; /* of the sequence; NULL: it has none */
	uint64_t place;
	struct str json; /* scratch */
	bool is_damaged, is_too_deep;
	bool is_unknown; /* something stands for nothing that was said so far */
};

/* Emits an annotation as an argument of the event that was begun.  What its key says. */
unsigned notes_emit(struct notes *n, struct span note);

/* The number of an annotation that is one behind its name. */
struct note_number {
	struct key key;          /* of PLAN_NO_KEY: nobody wants it */
	const char *behind_name; /* what is not read of one that nobody wants; NULL: it has no name
	                          */
	const char *at;          /* the varint of a whole number, n bytes; n 0: it is none */
	size_t n;
};
void notes_number(struct notes *n, struct span note, struct note_number *to);

/* Appends a text as a JSON string with its quotes. */
void notes_quote(struct str *to, struct span text);

/* A number as JSON has it, with as many digits as it needs; NaN and infinities as Python has them.
 */
void notes_real(struct str *to, double v);

/* Appends an annotation as a member of a JSON object, `"key": value`. */
void notes_member(struct notes *n, struct span note, struct str *to);
