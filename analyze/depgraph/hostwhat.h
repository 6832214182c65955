/*
 * What a thread is in: the class of host time.
 *
 * Of the calls around a moment the innermost that says DATA or SYNC does; else the innermost call's
 * kind.  Old traces have steps among the operators; they are regions, too.
 */
#ifndef ANALYZE_DEPGRAPH_HOSTWHAT_H
#define ANALYZE_DEPGRAPH_HOSTWHAT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/measure/phase.h"
#include "analyze/trace/columns/events.h"
#include "base/arena.h"

struct run;

enum host_class {
	HOST_NOTHING, /* nothing is recorded there */
	HOST_PYTHON,  /* a region, and no operator or call in it */
	HOST_OP,
	HOST_RUNTIME, /* a call that launches nothing and waits for nothing, or for what was done */
	HOST_LAUNCH,  /* a call that launches device work */
	HOST_SYNC,    /* another call that waits for a device, whatever it does */
	HOST_DATA,    /* the data loader */
	HOST_COUNT
};

struct hostwhat {
	const struct run *run;
	struct phases phases;
	uint8_t *of_name;   /* by sym: see hostwhat.c */
	uint64_t *launches; /* bits by row: calls that launched work */
	uint64_t *in_vain;  /* bits by row: calls whose work was done when they began */
};

/* Needs order and links.  Memory is the arena's. */
void hostwhat_init(struct hostwhat *w, const struct run *r, struct arena *mem);

/* Asks what the name of a call says.  When all were asked, several threads may ask all below at
 * once: depend_init does. */
void hostwhat_ask(struct hostwhat *w, uint32_t row);

/* The class of a call with calls of class `around` around it (HOST_NOTHING: none). */
enum host_class hostwhat_class(struct hostwhat *w, uint32_t row, enum host_class around);

/* A region that does not make a thread busy: an annotation but the data loader's, a step. */
bool hostwhat_is_region(struct hostwhat *w, uint32_t row);

/* Whether the call launched device work that is in the trace.  Inline: asked for every call. */
static inline bool hostwhat_launches(const struct hostwhat *w, uint32_t row)
{
	return w->launches[row / 64] >> row % 64 & 1;
}

/* A call that waits for a device began when its work was done: it waits for nothing. */
void hostwhat_waits_in_vain(struct hostwhat *w, uint32_t row);

/* Whether a runtime call's name says that it waits for a device. */
bool hostwhat_waits(struct hostwhat *w, uint32_t row);

/* Whether it is that it copies. */
bool hostwhat_copies(struct hostwhat *w, uint32_t row);

#endif
