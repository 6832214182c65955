/* An event's text by its members, and the same text with some of them replaced or left out.
 *
 * What is not touched stays byte for byte as it was written. */
#pragma once

#include "base/base.h"

enum { PARTS_MAX = 48 };

/* A member: its key as written, without quotes; its value as written, with quotes. */
struct part_of {
	struct span key, value;
	const char *from; /* the '"' of its key */
	struct span with; /* what its value becomes; p NULL: it stays */
	bool is_gone;     /* it is left out */
};

struct parts {
	struct span text;
	struct part_of v[PARTS_MAX]; /* by place */
	size_t n;
	struct span added; /* members that come behind the last, `"key": value, ...`; or empty */
};

/* False when the text is no object, or has more than PARTS_MAX members.  Points into text. */
bool parts_read(struct parts *p, struct span text);

/* The member of that key, or NULL. */
struct part_of *parts_find(struct parts *p, const char *key);

/* What a value says: a string's inside, else the value as it is.  p NULL without the member. */
struct span parts_text(struct parts *p, const char *key);

/* The member "id" of an event, as parts_text gives it, without looking at all the others where the
 * event is flat: flows are many. */
struct span parts_id(struct span text);

/* Its value becomes the text, copied to mem.  The text is freed. */
void part_becomes(struct part_of *part, struct str *text, struct arena *mem);

/* Appends the event. */
void parts_put(const struct parts *p, struct str *out);
