/* Kernels of graph replays with the calls that were captured around them, launch by launch
 * (trace/replay.h). */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;
struct run;

/* One kernel, copy or set. */
struct replayed {
	uint32_t row;         /* of it */
	uint32_t launch;      /* row of the graph's launch */
	nsec dur;             /* of it */
	const uint32_t *call; /* rows of captured calls around it, the outermost first; n of them */
	size_t n;
	size_t nown;  /* the first nown: down to the op that owns it (links->op); 0: none does */
	size_t nseen; /* the first nseen: around a kernel of this replay before */
};

struct replays {
	const struct run *run;
	const struct filter_view *view;
	unsigned kinds;
	uint32_t *seen; /* by captured row: 1 + side row of the last launch it was seen in */
	uint32_t *call;
	size_t cap;
};

typedef void replays_visit(void *ctx, const struct replayed *k);

/*
 * Captured calls of `kinds` (of KIND_OP, KIND_ANNOTATION, KIND_PYTHON) around kernels that pass v's
 * kinds and lanes, as in devtime.h.  Without a capture there are none.  Released by replays_clear.
 */
void replays_init(
	struct replays *w, const struct run *r, const struct filter_view *v, unsigned kinds);
void replays_clear(struct replays *w);

/* Whether a host row launched a graph that captures name something of. */
bool replays_has(const struct replays *w, uint32_t row);

/* Visits the kernels of one launch that have captured calls around them, in the graph's order. */
void replays_of(struct replays *w, uint32_t launch, replays_visit *visit, void *ctx);

/* The same for all launches. */
void replays_all(struct replays *w, replays_visit *visit, void *ctx);
