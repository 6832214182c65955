/* Echoes: what a Perfetto trace says of an event, as the text that Chrome's JSON has for it, for
 * whoever reads the trace along (tap.h).  All arguments are in it, also those nobody keeps. Nothing
 * here may be called where nobody does (decoder.is_heard). */
#pragma once

#include "analyze/input/events/tap.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct decoder;
struct said_name;
struct track;

/* The members of an event beside its arguments.  What is not known has p NULL. */
struct event_json_event {
	char ph, scope; /* scope: of an instant, 0: none */
	struct span cat, name;
	const struct track *track;
	nsec time;
	uint64_t id;
	bool has_id, binds_enclosing;
};

/* An event begins, with its members; event_json_note and event_json_value add arguments, one each.
 */
void event_json_begin(struct decoder *d, const struct event_json_event *event);
void event_json_note(struct decoder *d, struct span annotation);
void event_json_value(struct decoder *d, struct span key, double value);
void event_json_whole(struct decoder *d, struct span key, int64_t value);

/* It ends.  row: of the batch that it became, or TAP_NO_ROW. */
void event_json_end(struct decoder *d, uint32_t row);

/* Arrows from and to the event that has ended, by the flow ids of its message: a slice says that it
 * is on one, not at which end.  on_device: at its head; else at its tail unless the id says so. */
void event_json_flows(struct decoder *d, const struct event_json_event *event, struct span message,
	bool on_device);

/* A process's or thread's name, labels or sort index. */
void event_json_name(struct decoder *d, const struct said_name *name);
