/*
 * Runs made by hand through the store's own interface, for tests.
 */
#ifndef TESTS_UNIT_HANDMADE_H
#define TESTS_UNIT_HANDMADE_H

#include <stdint.h>

#include "analyze/store/run.h"

/* A thread of process 100; a stream of a device. */
uint32_t hand_thread(struct run *r, int64_t tid);
uint32_t hand_stream(struct run *r, int64_t device, int64_t stream);

/* An event with an empty row in its side table; the run's first_ns and last_ns follow.  Its row. */
uint32_t hand_event(
	struct run *r, enum kind kind, uint32_t lane, const char *name, nsec start, nsec dur);

/* Sets the correlation (not for ops) and External id of a row; 0 leaves them unset. */
void hand_ids(struct run *r, uint32_t row, uint64_t correlation, uint64_t external_id);

/* A launch on `thread` and its kernel on `stream`, with this correlation.  The kernel's row. */
uint32_t hand_launch(struct run *r, uint32_t thread, uint32_t stream, nsec at, nsec kernel_at,
	nsec kernel_dur, uint64_t correlation);

/* Counts n events of that raw category and phase; cat NULL: the event has none. */
void hand_count(struct run *r, const char *cat, char ph, int64_t n);

#endif
