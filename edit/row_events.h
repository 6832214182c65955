/*
 * Rows of a run as events of Chrome's JSON: how a trace of another format is written as one.
 *
 * What traceq reads of an event is in it, under the names that Kineto has for it, and nothing else.
 */
#ifndef EDIT_ROW_EVENTS_H
#define EDIT_ROW_EVENTS_H

#include "analyze/trace/run.h"
#include "base/str.h"

/* Everything that rows can say. */
#define ROWS_NEEDS                                                                               \
	(NEED_LINKS | NEED_SHAPES | NEED_KERNEL | NEED_BYTES | NEED_MEMORY | NEED_PYTHON |       \
		NEED_COMM | NEED_AUTOGRAD | NEED_STACKS | NEED_SYNC | NEED_INPUTS | NEED_TYPES | \
		NEED_FLOPS | NEED_PEERS | NEED_GRAPHS | NEED_CALL_IDS)

/* Appends the event of that row, one line without its end. */
void rows_put(const struct run *r, size_t row, struct str *out);

/* Appends the arrow from a call to work it launched, two events with ",\n" before each; nothing
 * where no launch is known.  Returns how many events.  Needs links. */
int rows_put_arrow(const struct run *r, size_t row, struct str *out);

/* Appends the names of processes and threads, with ",\n" before each; returns how many. */
int64_t rows_put_names(const struct run *r, struct str *out);

#endif
