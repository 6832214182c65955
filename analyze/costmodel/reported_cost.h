/*
 * What a trace itself says of a kernel's work: XLA's compiler counts operations and bytes of each
 * op that it makes a kernel of (xplane.proto's statistics flops and bytes_accessed).
 */
#ifndef ANALYZE_COSTMODEL_REPORTED_COST_H
#define ANALYZE_COSTMODEL_REPORTED_COST_H

#include <stdint.h>

#include "analyze/costmodel/op_work.h"
#include "analyze/trace/columns/keymap.h"

struct run;

/* A key of a keymap. */
struct reported_cost {
	int64_t flop, bytes; /* -1: not said */
};

/* 1 + the number of what is said of a device row, which is added to the map; 0: nothing is. */
uint32_t reported_cost_at(struct keymap *said, const struct run *r, uint32_t row);

/* Takes that (not 0) for the work; in which format it is done nobody says. */
void reported_cost_take(struct roof_work *w, const struct keymap *said, uint32_t which);

#endif
