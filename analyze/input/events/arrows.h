/* Arrows (flow events, ph s, t and f): what ties calls and ops to device work where no correlation
 * id does: Ascend's HostToDevice and async_npu, unitrace's, rocprof's.
 *
 * They become no rows.  Once all slices are known, the call or op where an arrow begins and the
 * work where it ends get an id of their own, as if the trace had said it (links.h). */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

struct raw_event;
struct run;

/* An end of an arrow: it is of the slice that is open there. */
struct arrow {
	uint64_t key; /* of what all ends share: category, name, id */
	nsec at;
	sym pid, tid;
	bool begins;
	uint32_t row; /* of the slice, or NO_ROW; while tying */
};

struct arrows {
	struct arrow *v; /* owned */
	size_t n, cap;
};

/* Of an event of those phases, less its place; false where it says too little, and of those of
 * PyTorch's profiler, whose ids say as much. */
bool arrow_of(struct arrow *a, const struct raw_event *raw, uint64_t seed);

/* Ties calls and ops to work, in a run no work of which has a correlation id.  Reorders a. */
void arrows_tie(struct arrows *a, struct run *run);
