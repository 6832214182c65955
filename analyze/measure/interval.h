/* Sets of time: sorted lists of disjoint intervals, and what can be done with them.
 *
 * An interval is [start, end); one without length adds nothing. */
#pragma once

#include "analyze/trace/columns/events.h"

struct run;

struct interval {
	nsec start, end;
};

/* A set once intervals_unite was called; zero-initialise. */
struct intervals {
	struct interval *v;
	size_t n, cap;
};

void intervals_clear(struct intervals *s);

/* Appends [start, end) if it has length, in any order.  O(1); intervals_clear frees the memory. */
void intervals_add(struct intervals *s, nsec start, nsec end);

/* Makes s a set: sorts, joins what overlaps or touches.  O(n) when sorted, else O(n log n). */
void intervals_unite(struct intervals *s);

/* Total length of a set in ns. */
nsec intervals_length(const struct intervals *s);

/* Length of the part of a set that lies in [start, end).  O(log n + intervals inside). */
nsec intervals_within(const struct intervals *s, nsec start, nsec end);

/* The time at least one event of `kinds` (of KINDS_DEVICE) on `device` takes, over all its streams.
 * Needs r->order.
 * O(n log streams); out is empty before and a set afterwards, at most one interval an event. */
void intervals_of_device(
	struct intervals *out, const struct run *r, int64_t device, unsigned kinds);
