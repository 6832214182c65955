/* Recovery: events whose text is broken, read as meant or passed over.  Slow and careful. */
#ifndef ANALYZE_INPUT_EVENTS_RECOVER_H
#define ANALYZE_INPUT_EVENTS_RECOVER_H

#include "analyze/input/events/scan.h"

struct batch;

enum recover_end {
	RECOVER_OK,   /* *after is behind the event, raw is filled */
	RECOVER_MORE, /* well-formed as far as the text goes */
	RECOVER_BAD   /* *after is how far it was read */
};

/*
 * Reads the event that opens at p byte by byte.  lenient: a quote (escaped or not) ends a string
 * only where what follows shows it: a ',' and the next key, or a closing bracket that fits.
 */
enum recover_end recover_event(const struct plan *plan, struct batch *b, struct raw_event *raw,
	const char *p, const char *end, bool lenient, const char **after);

#endif
