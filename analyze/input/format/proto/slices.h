/* Slices: begins and ends of a Perfetto trace joined, track by track.
 *
 * Two kinds of writers are told apart.  One that records as things happen writes an end after all
 * that began before it on its track: last in, first out, in order of time (place in the trace where
 * equal), as Perfetto's trace processor does.  PyTorch's exporter writes all begins of a group and
 * then, in the same order, all their ends: the k-th end is that of the k-th begin, which is exact
 * also where slices touch or overlap.  A trace is of the second kind when in some group whose ends
 * fit its begins an end is earlier than a begin in front of it on the same track. */
#pragma once

#include "analyze/input/format/emit_events.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* A begin or an end of a window. */
struct half {
	nsec time;
	uint32_t row;   /* of the window's batch, enum emit_unkept, or HALF_END */
	uint32_t track; /* of the window's list */
};

/* In place of a row: an end; beginnings that are not kept have one of enum emit_unkept. */
#define HALF_END ((uint32_t)EMIT_UNKEPT_FIRST)

struct slices;

struct slices *slices_new(struct run *run, struct gathered *g);
void slices_free(struct slices *s);

/* The halves of a window in the order of the trace; their rows are the run's from first_row on, and
 * their tracks those of the list.  E_LIMIT. */
enum status slices_add(struct slices *s, const struct half *half, size_t n, size_t first_row,
	const uint64_t *track, struct err *e) MUST_CHECK;

/* Behind the last window: all rows have their durations, and what has no end or begin is counted.
 */
void slices_finish(struct slices *s);
