/* Companions of a cut: they look at every event in the first reading, and change those that are
 * kept in the second.  Lanes and anonymizing are two. */
#pragma once

#include "analyze/input/events/event_batch.h"
#include "edit/event_change.h"

struct cut;

enum { COMPANIONS_MAX = TAP_TEXTS - 1 };

struct companion {
	unsigned needs; /* enum need: of the first reading */
	/* In any thread, for every event of the input; what is found goes to seen, which is the
	 * companion's own in that window. */
	void (*see)(void *ctx, struct batch *b, const struct tap_event *event, struct str *seen);
	/* In one thread at a time, window after window in the order of the file. */
	void (*take)(void *ctx, const struct str *seen);
	/* Behind the last window of the first reading; or NULL. */
	void (*ready)(void *ctx);
	/* Behind the second reading: events that come behind all others, by cut_more; or NULL. */
	void (*more)(void *ctx, struct cut *c);
	void (*clear)(void *ctx); /* releases it; NULL: nothing is its own */
	struct change change;
	void *ctx;
};
