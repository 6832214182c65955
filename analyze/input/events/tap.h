/* Tapping: who reads along while a trace is read, and sees the text of each event.
 *
 * Rows keep what analyses ask for; what copies events to another file needs all of their text.  A
 * tap is called by the threads that scan, and leaves what it makes in the batch; the windows' worth
 * of it is taken in the order of the file. */
#pragma once

#include "base/base.h"

struct batch;
struct batch_member;
struct plan;
struct raw_event;

#define TAP_NO_ROW UINT32_MAX

/* What a tap leaves in a batch: text that one stage makes and a later one takes. */
enum { TAP_TEXTS = 4 };
struct tapped {
	struct str text[TAP_TEXTS];
	int64_t n; /* of what is in them, as the tap counts */
};

/* An event as it was read. */
struct tap_event {
	const struct plan *plan;
	const struct raw_event *raw; /* its args are those that the plan reads */
	struct span text;            /* from its '{' to its '}' */
	bool is_mended;              /* the text is no JSON: what of it is in raw was guessed */
	int64_t offset;              /* of the '{' in the input */
};

struct tap {
	/* In any thread, for each event of a window, in the order of the text. */
	void (*event)(void *ctx, struct batch *b, const struct tap_event *event);
	/* In any thread, behind the last event of a window; NULL: nothing is to be done there. */
	void (*scanned)(void *ctx, struct batch *b);
	/* In one thread at a time, window after window in the order of the file. */
	enum status (*window)(void *ctx, struct batch *b, struct err *e);
	/* Once, behind the last window: members of the document but the events (event_batch.h). */
	void (*members)(void *ctx, const struct batch_member *v, size_t n);
	void *ctx;
	/* Of formats that are no JSON, where they can: in any thread, in the order of the trace,
	 * the text that Chrome's JSON has for an event.  row: the batch's that it became, and then
	 * it lacks its duration, or TAP_NO_ROW. */
	void (*said)(void *ctx, struct batch *b, uint32_t row, struct span text);
	/* In place of window, then: rows of the batch are the run's from first_row on. */
	enum status (*rows)(void *ctx, struct batch *b, size_t first_row, struct err *e);
};
