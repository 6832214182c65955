/* Placing: the lane of a raw event. */
#pragma once

#include "base/base.h"

struct batch;
struct plan;
struct raw_event;

/* The batch's lane (index) of the event: its pid and tid, for device events besides args.device
 * (else pid) and args.stream (else tid, of which "stream 7" is 7). */
uint32_t place_lane(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	bool on_device, int64_t offset);
