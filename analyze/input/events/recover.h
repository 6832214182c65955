/* Recovery: events whose text is broken, read as meant or passed over.  Slow and careful. */
#pragma once

#include "analyze/input/events/scan.h"

enum recover_end {
	RECOVER_OK,   /* *after is behind the event, raw is filled */
	RECOVER_MORE, /* well-formed as far as the text goes */
	RECOVER_BAD   /* *after is how far it was read */
};

/* Reads the event that opens at p byte by byte.  lenient: a quote (escaped or not) ends a string
 * only where what follows shows it: a ',' and the next key, or a closing bracket that fits. */
enum recover_end recover_event(const struct plan *plan, struct batch *b, struct raw_event *raw,
	const char *p, const char *end, bool lenient, const char **after);

/* --- anchors: where to cut windows, and where to go on behind broken text --- */

/* The first byte at or behind p that is no blank or control character, or end. */
const char *anchor_blanks(const char *p, const char *end);

/* True when the first key of the object at p (a '{') is one of an event's. */
bool anchor_opens_event(const char *p, const char *end);

/* True when an event seems to open at p (a '{'), within text [begin, end). */
bool anchor_is(const char *begin, const char *p, const char *end);

/* Does the object that opens at p name its "ph" soon, and before any '}'?  Unescaped JSON inside of
 * a string has anchors, too, but no phases. */
bool anchor_shows_phase(const char *p, const char *end);

/* The next place at or behind p where an event seems to open, or NULL. */
const char *anchor_next(const char *begin, const char *p, const char *end);
