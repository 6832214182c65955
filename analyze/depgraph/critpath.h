/* The critical path of a stretch of time: who had to finish so that the rest could go on.
 *
 * From the end of the stretch backwards, always to what finished last of what a node waited for
 * (nodes.h).  Segments tile the stretch, to the nanosecond.
 *
 *	  thread    [op][launch)...........................................(return][op]
 *	  stream 7        |      [--- kernel ---)(gap)[--- kernel ---)         ^
 *	                  |      ^                                   |         |
 *	  path      [op   ][delay][--- kernel ---][gap][--- kernel ---][return  ][op  ] */
#pragma once

#include "analyze/depgraph/nodes.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* X(NAME, key of columns, word, definition): who owns a segment */
#define OWNERS(X)                                                                                  \
	X(KERNEL, "kernel", "kernel", "a kernel that is not a collective runs, or a set")          \
	X(COMM, "comm", "collective", "a collective runs")                                         \
	X(COPY, "copy", "copy", "a copy runs")                                                     \
	X(LAUNCH_DELAY, "launch_delay", "launch delay",                                            \
		"from the start of the launching call, or what the GPU did last, to the start "    \
		"of the work: the GPU had nothing else to wait for")                               \
	X(GAP, "gap", "stream gap",                                                                \
		"between the end of the work that was waited for and the start of the next, on a " \
		"device")                                                                          \
	X(RETURN, "sync_return", "sync return",                                                    \
		"from the end of the GPU work to the return of the call that waited for it")       \
	X(SYNC, "sync_call", "sync call",                                                          \
		"in a call that waits for a GPU, while no GPU work is known that it waited "       \
		"for")                                                                             \
	X(LAUNCH, "launch", "launch call", "in a call that launches GPU work")                     \
	X(RUNTIME, "runtime_call", "runtime call", "in another runtime or driver call")            \
	X(OP, "cpu_op", "CPU op", "in an operator itself: its self CPU time")                      \
	X(PYTHON, "python", "Python",                                                              \
		"in a step, another region or a Python function, but in no operator or call "      \
		"within it")                                                                       \
	X(DATA, "dataloader", "data loader", "in the data loader")                                 \
	X(HANDOVER, "handover", "thread hand-over",                                                \
		"from the end of what one thread did to the start of what another took over")      \
	X(NOTHING, "nothing", "nothing recorded", "a thread in nothing that is recorded")          \
	X(UNRECORDED, "unrecorded", "unrecorded",                                                  \
		"before GPU work of which neither launch nor predecessor is recorded, or "         \
		"behind the last of it")

enum owner {
#define X(name, key, word, doc) OWNER_##name,
	OWNERS(X)
#undef X
		OWNER_COUNT
};

const char *owner_key(enum owner o);
const char *owner_word(enum owner o);
const char *owner_doc(enum owner o);

struct segment {
	nsec start, end;   /* end > start */
	uint32_t row;      /* the work; the call; of delays and gaps the work behind them; of a
	                      hand-over NO_ROW, as of nothing and what is unrecorded */
	uint32_t function; /* of Python's the function that it is, or NO_ROW: it is the call, a
	                      region */
	uint32_t lane;     /* the thread or stream it is on, of delays that of the work; NO_ROW */
	uint32_t node;     /* whose waiting it is; NO_NODE behind the last */
	enum owner owner;
	enum edge edge; /* EDGE_COUNT: it is the work itself, or nothing is known before */
};

/* The row that it is named after, or NO_ROW. */
static inline uint32_t segment_row(const struct segment *s)
{
	return s->function == NO_ROW ? s->row : s->function;
}

typedef void segment_fn(void *ctx, const struct segment *s);

/* Calls fn with the segments of [start, end), last first; the last node is what finished last
 * before `end`: where a step ends there, its mark; where a step begins there on the device, its
 * first work.  O(nodes and host calls on the path), but for what all paths share, which the first
 * one makes. */
void critpath(struct depend *d, nsec start, nsec end, segment_fn *fn, void *ctx);

/* The same hop by hop, for who follows many paths that share most of their way: from a node to the
 * start of what bound it, which is returned (NO_NODE: nothing is known to have, and all before is
 * told).  What is before `start` is not told. */
uint32_t critpath_hop(struct depend *d, uint32_t node, nsec start, segment_fn *fn, void *ctx);

/* From the end of a stretch to the start of the node it ends in. */
void critpath_end(struct depend *d, uint32_t node, nsec start, nsec end, segment_fn *fn, void *ctx);

/* The node the path of a stretch ends in, NO_NODE: there is none.  O(log nodes), but for the first.
 */
uint32_t critpath_last(struct depend *d, nsec end);

/* The node in which a step begins or ends at that time, NO_NODE: none does.  O(log nodes). */
uint32_t critpath_border(const struct depend *d, nsec at);

/* What paths share; depend_clear calls it. */
void critpath_forget(struct depend *d);

/* The owner of host time and of device work. */
enum owner owner_of_host(enum host_class cls);
enum owner owner_of_work(enum devclass cls);
