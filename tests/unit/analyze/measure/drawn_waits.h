/* Runs drawn by hand, for tests of waits: calls of a thread, and the work they launch.  Times in
 * ns. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/trace/run.h"

enum { GAP_CAUSES_NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS, GAP_CAUSES_MOST = 64 };

/* A run with one thread and one stream of device 0. */
struct drawing {
	struct run run;
	uint32_t thread, stream;
	uint64_t correlation;
};

void drawing_begin(struct drawing *d);
/* A call in [from, to) of a thread. */
void drawing_call(
	struct drawing *d, enum kind k, uint32_t thread, const char *name, nsec from, nsec to);
/* Work in [start, end) of a stream, and the call in [from, to) that launched it.  The work's row.
 */
uint32_t drawing_work_of(struct drawing *d, enum kind k, uint32_t thread, nsec from, nsec to,
	uint32_t stream, nsec start, nsec end);
/* A kernel that the thread launched in a call of 1 ns. */
uint32_t drawing_work(struct drawing *d, nsec at, nsec start, nsec end);

/* What a gap is split in, gathered by parts_see. */
struct parts {
	struct gap_cause_part v[GAP_CAUSES_MOST];
	size_t n;
};

void parts_see(void *parts, const struct gap_cause_part *p);
/* Fails unless parts have a length, touch, differ from the one before and are the whole gap. */
void parts_are_whole(const struct parts *s, nsec start, nsec end);
