/* Values: the arguments of a raw event into the side table of its kind. */
#pragma once

#include "analyze/trace/columns/kinds.h"

struct batch;
struct plan;
struct raw_event;

/* Adds a row with the arguments the plan keeps; 1 + its index, or NO_ARGS when there are none. */
uint32_t values_row(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	enum kind kind, int64_t offset);
