/* Replays: kernels of CUDA and HIP graph replays, and the calls that launched them when the graph
 * was captured, in a trace of the capture (captured.h).
 *
 * What was captured lies behind the events of the run: rows from events.n on, each with name, kind
 * and arguments, at the first launch of its graph and of no duration, since nothing of it ran on
 * the host again.  No index and no count has them; links->op leads to the innermost operator,
 * `call` to the innermost call, and `up` from there outwards, to what began inside the capture. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/graphs/captured.h"

struct replay {
	uint32_t *call; /* by device side row: the innermost captured call, or NO_ROW */
	uint32_t *op;   /* by device side row: what links->op was without the capture */
	uint32_t first; /* the first captured row: events.n */
	uint32_t n;     /* how many there are */
	uint32_t *up;   /* by captured row less first: the call around it, or NO_ROW */
	size_t up_cap;
	uint32_t *begin; /* by launch side row, one more: its kernels in `row`, where it is a
	                    graph's */
	uint32_t *row;
	/* Counts; of kernels, copies and sets alike. */
	int64_t launches; /* graph launches that launched anything */
	int64_t kernels;  /* what they launched */
	int64_t by_name;  /* of these: known by the kernel's name */
	int64_t by_place; /* by their place in the graph alone */
	int64_t nameless; /* of both: in no call that began inside the capture */
	int64_t alike;    /* launches of one of several graphs that fit as well, by their order: the
	                     graphs' kernels are the same, but not their calls */
	int64_t unfit;    /* launches that no captured graph fits */
	int64_t graphs;   /* captured */
};

/* Looks for the run's graph replays in n captures, and makes r->replay of it, which run_clear
 * releases.  Needs order and links, of both, and CAPTURED_NEEDS; once for each run.  Captures of
 * other ranks than the run's are left out where there are some of its own. */
void replay_attach(struct run *r, const struct captured *capture, size_t n);
void replay_free(struct replay *p);

/* The innermost captured call of a device row, or NO_ROW; p may be NULL. */
uint32_t replay_call(const struct replay *p, const struct run *r, uint32_t row);

/* The call around a captured one, or NO_ROW. */
static inline uint32_t replay_up(const struct replay *p, uint32_t row)
{
	return p->up[row - p->first];
}
