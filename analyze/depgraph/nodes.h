/* Dependencies: what each moment of a run had to wait for.
 *
 * A node is a piece of device work, or a moment at which a thread meets something else:
 *
 *	  thread   ..(launch)......[ sync call (return)..(launch)..      resume needs a yield
 *	                 \              /                    \
 *	  stream          [-- work --)[-- work --)            [-- work --)
 *
 *	launch   a call that put work on a device begins
 *	return   a call that waits for a device ends, or that launches where the queue may be full
 *	yield    a thread's last operator or call ends, and there is none for a while
 *	resume   a thread that was in no operator or call begins one, right after another thread,
 *	         which had been busy for most of that time, stopped: autograd's thread and the
 *	         caller of backward()
 *	mark     begin or end of a step, on its thread
 *	work     a kernel, copy or set, from its start to its end
 *
 * A node waits for up to four others, which are before it in the order of nodes; the one that
 * finished last is what it waited for (`binding`):
 *
 *	prev     the node before it on its thread or stream.  A thread runs from one to the other.
 *	cause    of work: its launch, where that was held up its return; of a return: the work that
 *	         was waited for; of a resume: the yield
 *	wait     of work: work of another stream, by an event that the stream waits for, inside
 *	         one graph's replay, or where nothing else explains its start; of a return, as
 *	         `engine`: of streams that were waited for the second, and the third, to end
 *	engine   of a collective or copy: the one before on another stream of the device, over the
 *	         same link or copy engine, when that had ended
 *
 * A launch takes its time (depend_floors), too: work that began later behind other work than work
 * does, and within that time, waited for its launch, though the call had begun a little before the
 * other work ended.
 *
 * A return does not wait for work that was done when its call began.  The first recorded work of a
 * stream that began long after its launch, and longer than all work so far took, waited for older
 * work, which was not recorded (gap_cause.h): it waits for nothing that is known.
 *
 * Of equals the first in that order binds, so that the same trace gives the same path.  Work that
 * starts before the one before it on its stream has ended (ROCm's durations) waits for it no
 * longer than to its own start. */
#pragma once

#include "analyze/depgraph/hosttime.h"
#include "analyze/measure/device/classes.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

#define NO_NODE     UINT32_MAX
#define DEPEND_LONG UINT32_MAX /* longer than there is room for: see the event */

/* In the order of nodes that have the same time. */
enum node_point { POINT_RETURN, POINT_YIELD, POINT_RESUME, POINT_MARK, POINT_LAUNCH, POINT_WORK };

enum edge { EDGE_PREV, EDGE_CAUSE, EDGE_WAIT, EDGE_ENGINE, EDGE_COUNT };

/* X(NAME, key, what): how it is known what a return, or work of another stream's, waited for */
#define EVIDENCES(X)                                                        \
	X(NONE, "none", "nothing tells")                                    \
	X(ROW, "sync_row", "a cuda_sync row names the stream")              \
	X(EVENT, "event", "a cuda_sync row names the event's record")       \
	X(COPY, "own_copy", "the call's own copy ended before it returned") \
	X(GRAPH, "graph", "work of the same replay of a graph")             \
	X(QUEUE, "queue", "the queue was full: the call waits for work")    \
	X(INFERRED, "inferred", "from the names, the order and the ends of calls; no row says so")

enum evidence {
#define X(name, key, what) EVIDENCE_##name,
	EVIDENCES(X)
#undef X
		EVIDENCE_COUNT
};

struct depend_node {
	nsec at;      /* the moment; of work its start */
	uint32_t row; /* its event; of a mark: the step's index, doubled, + 1 at its end */
	uint32_t lane;
	uint32_t from[EDGE_COUNT]; /* nodes, all before it; NO_NODE */
	uint8_t point;             /* enum node_point */
	uint8_t binding;           /* enum edge; EDGE_COUNT: it waits for nothing that is known */
	uint8_t evidence;          /* enum evidence, of `cause` or `wait` where not the launch */
	uint8_t cls;               /* enum devclass of work */
	uint32_t host; /* number among the nodes that are no work; of work its duration, or
	                  DEPEND_LONG */
};

/* Medians of delays that bind (of `own` the tenth, of `call` and `copy` of what calls take), in ns:
 * what an edge that does not bind needs at least.  Of `stream` only of work that was launched in
 * good time. */
struct depend_floors {
	nsec launch; /* start of the call to start of the work, the device idle */
	nsec stream; /* end to start of work, one right behind the other on a stream */
	nsec back;   /* end of work to return of the call that waits for it */
	nsec room;   /* end of work to return of a launch that waited for room in the queue */
	nsec own;    /* a call that waits, where there is nothing to wait for */
	nsec call;   /* a call that launches, where it does not wait */
	nsec copy;   /* the same of a copy */
};

struct depend {
	const struct run *run;
	bool is_part;             /* of a stretch of the run */
	struct depend_node *node; /* by time, then point, then lane */
	size_t n;
	size_t nhost;   /* of those no work */
	uint32_t *last; /* by lane: its last node, or NO_NODE */
	struct classes classes;
	struct hostwhat what;
	struct depend_floors floor;
	int64_t returns[EVIDENCE_COUNT]; /* calls that wait for the device, by what tells */
	int64_t waits[EVIDENCE_COUNT];   /* work that waits for another stream's; NONE: rows of
	                                    waiting whose source is not in the trace */
	int64_t resumes;                 /* hand-overs between threads */
	int64_t works, launched;         /* device work, and such with its launch */
	int64_t work_of[CLASS_COUNT];
	int64_t early;              /* of that: before its launch */
	struct depend_paths *paths; /* critpath.c: what one path leaves for the next, or NULL */
	struct arena mem;
};

/* Whether it is device work. */
static inline bool depend_is_work(const struct depend_node *n)
{
	return n->point == POINT_WORK;
}

/* When it has finished: its end, or its moment; of long work. */
nsec depend_long_fin(const struct depend *d, const struct depend_node *n);

/* Inline: asked several times for every node and scenario. */
static inline nsec depend_fin(const struct depend *d, uint32_t node)
{
	const struct depend_node *n = &d->node[node];

	if (!depend_is_work(n))
		return n->at;
	return n->host == DEPEND_LONG ? depend_long_fin(d, n) : saturate_add(n->at, n->host);
}

/* What a node waits for by that edge, as far as before its own time: the smaller of depend_fin and
 * node.at.  The edge is there. */
nsec depend_until(const struct depend *d, uint32_t node, enum edge e);

/* "sync_row"; what it means; constant. */
const char *evidence_key(enum evidence e);
const char *evidence_what(enum evidence e);
