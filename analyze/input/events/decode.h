/* Decoding: a raw event becomes a row, a count, or a name. */
#pragma once

#include "analyze/input/events/plan.h"
#include "analyze/trace/columns/events.h"

struct batch;
struct raw_event;

/* The class (kind or enum plan_class) of an event of which the members before args are known:
 * plan->want[class] are the keys worth reading. */
unsigned decode_class(struct batch *b, struct raw_event *raw);

/* Takes the event in; offset is that of its '{' in the input. */
void decode_event(const struct plan *plan, struct batch *b, struct raw_event *raw, int64_t offset);

/* The number of its name in the batch's dictionary; 0, the empty text, without one. */
sym decode_name_number(struct batch *b, const struct raw_event *raw, int64_t offset);

/* Shows it to the plan's tap; end: behind its '}'.  is_mended: the text is no JSON. */
void decode_tap(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	const char *end, bool is_mended, int64_t offset);

/* The duration of a slice whose end nobody knows. */
#define DECODE_NO_DURATION INT64_MIN

/* The duration of a slice whose end is still to come: its row's flags say EVENT_OPEN, and
 * EVENT_END, too, when it has no category. */
#define DECODE_OPEN (INT64_MIN + 1)

/* The same for an event of ph X, B, E, i or C whose time is a number already: raw has no ts and no
 * dur, which count for ph X only. */
void decode_timed(const struct plan *plan, struct batch *b, struct raw_event *raw, nsec start,
	nsec dur, int64_t offset);

/* Counts n events that become no rows: flows, asynchronous ones; raw has ph, and cat if any. */
void decode_counted(struct batch *b, struct raw_event *raw, uint32_t n);
