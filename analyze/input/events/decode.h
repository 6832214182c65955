/*
 * Decoding: a raw event becomes a row, a count, or a name.
 */
#ifndef ANALYZE_INPUT_EVENTS_DECODE_H
#define ANALYZE_INPUT_EVENTS_DECODE_H

#include <stdint.h>

#include "analyze/input/events/plan.h"

struct batch;
struct raw_event;

/*
 * The class (kind or enum plan_class) of an event of which the members before args are known:
 * plan->want[class] are the keys worth reading.
 */
unsigned decode_class(struct batch *b, struct raw_event *raw);

/* Takes the event in; offset is that of its '{' in the input. */
void decode_event(const struct plan *plan, struct batch *b, struct raw_event *raw, int64_t offset);

#endif
