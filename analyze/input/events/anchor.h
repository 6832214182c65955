/* Anchors: where to cut windows, and where to go on behind broken text. */
#ifndef ANALYZE_INPUT_EVENTS_ANCHOR_H
#define ANALYZE_INPUT_EVENTS_ANCHOR_H

#include <stdbool.h>

/* The first byte at or behind p that is no blank or control character, or end. */
const char *anchor_blanks(const char *p, const char *end);

/* True when the first key of the object at p (a '{') is one of an event's. */
bool anchor_opens_event(const char *p, const char *end);

/* True when an event seems to open at p (a '{'), within text [begin, end). */
bool anchor_is(const char *begin, const char *p, const char *end);

/*
 * Does the object that opens at p name its "ph" soon, and before any '}'?  Unescaped JSON inside of
 * a string has anchors, too, but no phases.
 */
bool anchor_shows_phase(const char *p, const char *end);

/* The next place at or behind p where an event seems to open, or NULL. */
const char *anchor_next(const char *begin, const char *p, const char *end);

#endif
