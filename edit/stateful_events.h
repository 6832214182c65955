/* Events that cannot be judged alone: counters, which hold until their next value, and slices whose
 * begin and end are two events.  Windows come in the order of the file. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"

struct choice;

enum stateful_what { STATEFUL_COUNTER, STATEFUL_BEGIN, STATEFUL_END, STATEFUL_OTHER };

/* What kind of event needs this, by its phase; STATEFUL_OTHER: none. */
enum stateful_what stateful_what(char ph);

/* Appends an event for stateful_take.  where: what tells its track (counters: process, name, id;
 * slices: process, thread) from others.  wanted: false for the begin of a slice that is filtered
 * out.  Any thread. */
void stateful_note(struct str *notes, enum stateful_what what, nsec at, bool wanted,
	struct span where, struct span event);

struct stateful {
	const struct choice *choice;
	int64_t sample_ns; /* at most one value of a counter in so much time; 0: all */
	nsec zero;         /* where that time is counted from */
	struct strings where;
	struct track *track; /* by number of its where */
	size_t ntrack, track_cap;
	struct keymap held_of; /* {track, stretch}: index into held */
	struct held *held;
	size_t held_cap;
};

void stateful_init(struct stateful *b, const struct choice *c, int64_t sample_ns, nsec zero);
void stateful_clear(struct stateful *b);

/* Takes in a window's notes, and appends what is kept of them to out as the writer wants it (",\n"
 * before each); *n: events appended. */
void stateful_take(struct stateful *b, const struct str *notes, struct str *out, int64_t *n);

/* Behind the last window: the values that counters have where stretches begin, and slices that no
 * event ended. */
void stateful_end(struct stateful *b, struct str *out, int64_t *n);
