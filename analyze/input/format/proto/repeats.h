/* Repeats: begins of slices whose bytes are those of one before but for times, flows, ids and what
 * nobody wants.
 *
 * What was decoded once leaves its bytes and a mask of those that matter, each with the row it
 * became (form.h).  An event that has the same bytes under the mask, from the same view of its
 * sequence, has the same fields of the same lengths and means the same: its row is a copy.  All of
 * it lasts for one window. */
#pragma once

#include "analyze/input/format/emit_events.h"
#include "base/base.h"

struct notes;
struct view;

enum { REPEAT_BUCKETS = 256, REPEAT_WAYS = 4, REPEATS_MAX = REPEAT_BUCKETS * REPEAT_WAYS };
enum { REPEAT_BLOCK = 32, REPEAT_LEAST = 8, REPEAT_MOST = 2048 };

/* An event's bytes, and all that their meaning depends on. */
struct repeat_event {
	struct span body; /* with WINDOW_PADDING readable bytes behind it */
	const struct view *view;
	uint32_t said; /* as the packet's */
};

struct repeat {
	const char *body;     /* of the first, in the window */
	const uint64_t *mask; /* of the bits that matter, in blocks of REPEAT_BLOCK bytes */
	const struct view *view;
	uint32_t track; /* number of its half's */
	uint32_t flows, flow_ends;
	struct emit_form form;
	struct {
		uint16_t at;
		uint8_t n; /* bytes of a varint */
	} number[FORM_NUMBERS];
};

/* What is compared first: the first bytes of the body, and its length, 0: there is no such one. */
struct repeat_tag {
	uint64_t first;
	uint32_t n;
	uint32_t said;
};

struct repeats {
	struct repeat_tag tag[REPEATS_MAX];
	struct repeat repeat[REPEATS_MAX];
	uint8_t turn[REPEAT_BUCKETS]; /* which of a bucket is replaced next */
	size_t learned, taken;        /* so far in the window */
};

/* Forgets all, for the next window. */
void repeats_begin(struct repeats *r);

/* The repeat that an event is, or NULL. */
const struct repeat *repeats_find(struct repeats *r, const struct repeat_event *e);

/* The numbers of an event that is that repeat, for emit_like. */
void repeats_numbers(const struct repeat *r, struct span body, uint64_t number[FORM_NUMBERS]);

/* Whether an event is worth learning: not when few of those that were come again. */
bool repeats_wants(const struct repeats *r, const struct repeat_event *e);

/* Remembers an event whose fields are whole, and all the numbers in it that stand for something
 * known.  seen has what the event came to: form, track, flows.  notes: of the event, whose emitter
 * has nothing newer. */
void repeats_learn(struct repeats *r, const struct repeat_event *e, struct notes *notes,
	const struct repeat *seen);
