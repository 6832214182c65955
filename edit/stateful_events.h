/*
 * Events that cannot be judged alone: counters, which hold until their next value, and slices whose
 * begin and end are two events.  Windows come in the order of the file.
 */
#ifndef EDIT_STATEFUL_EVENTS_H
#define EDIT_STATEFUL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/str.h"

struct choice;

enum beside_what { BESIDE_COUNTER, BESIDE_BEGIN, BESIDE_END, BESIDE_OTHER };

/* What kind of event needs this, by its phase; BESIDE_OTHER: none. */
enum beside_what beside_what(char ph);

/*
 * Appends an event for beside_take.  where: what tells its track (counters: process, name, id;
 * slices: process, thread) from others.  wanted: false for the begin of a slice that is filtered
 * out.  Any thread.
 */
void beside_note(struct str *notes, enum beside_what what, nsec at, bool wanted, struct span where,
	struct span event);

struct beside {
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

void beside_init(struct beside *b, const struct choice *c, int64_t sample_ns, nsec zero);
void beside_clear(struct beside *b);

/* Takes in a window's notes, and appends what is kept of them to out as the writer wants it (",\n"
 * before each); *n: events appended. */
void beside_take(struct beside *b, const struct str *notes, struct str *out, int64_t *n);

/* Behind the last window: the values that counters have where stretches begin, and slices that no
 * event ended. */
void beside_end(struct beside *b, struct str *out, int64_t *n);

#endif
