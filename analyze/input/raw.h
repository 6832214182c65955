/*
 * A raw event: what the scanner hands to the decoder.
 */
#ifndef ANALYZE_INPUT_RAW_H
#define ANALYZE_INPUT_RAW_H

#include <stdint.h>

#include "analyze/input/plan.h"
#include "base/str.h"

enum raw_field {
	RAW_PH = 1 << 0,
	RAW_NAME = 1 << 1,
	RAW_CAT = 1 << 2,
	RAW_PID = 1 << 3,
	RAW_TID = 1 << 4,
	RAW_TS = 1 << 5,
	RAW_DUR = 1 << 6,
	RAW_ARGS = 1 << 7,
	RAW_NAME_ESCAPED = 1 << 8, /* the text holds backslashes */
	RAW_CAT_ESCAPED = 1 << 9,
	RAW_LANE_ESCAPED = 1 << 10 /* pid or tid */
};

/* One event as it stands in the text; spans point into the window, strings without their quotes. */
struct raw_event {
	const char *begin; /* its '{' */
	unsigned have;     /* enum raw_field */
	char ph;
	struct span name, cat, pid, tid, ts, dur;
	uint64_t found;    /* bit per plan key id: arg[id] is set */
	uint64_t escaped;  /* of those: strings that hold backslashes */
	uint64_t quoted;   /* of those: were strings */
	struct span arg[PLAN_MAX_KEYS];
};

#endif
