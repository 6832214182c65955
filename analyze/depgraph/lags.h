/* Lags: how long after each thing that it waits for a node begins at the earliest.
 *
 * The delay behind what binds is the one that was measured; behind anything else no less than
 * delays of that sort are (depend_floors), as far as the trace leaves room for it.  Behind the node
 * before it on its thread it is what the thread did meanwhile. */
#pragma once

#include "analyze/depgraph/hosttime.h"
#include "analyze/depgraph/nodes.h"
#include "analyze/measure/gaps/gap_words.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* Host weights: how long a thread ran from one node to the next, by what it did.
 *
 * Of a return that is only the time before the call; what it spends in the call is told apart, as
 * it may be waiting.  Of a resume that another thread brought about it is nothing. */

/* Classes of host time that are scaled alike: each piece of it is in one of them. */
enum host_group {
	GROUP_OTHER,   /* operators, Python, calls */
	GROUP_LAUNCH,  /* calls that launch work */
	GROUP_STARTUP, /* calls that start something up (hosttime.h), and compiling */
	GROUP_NOTHING, /* nothing is recorded */
	GROUP_DATA,    /* what a word names (gap_words.def) */
	GROUP_ALLOCATOR,
	GROUP_CHECKPOINT,
	GROUP_LOGGING,
	GROUP_GC,
	GROUP_COUNT /* and behind it one for each Python function that was innermost, in no
	               operator or call, and that no word names */
};

struct host_part {
	nsec ns;
	uint32_t group;
};

struct host_weights {
	size_t *begin; /* by node.host: of its parts, which add up to the time between the nodes */
	struct host_part *part;
	size_t npart, cap;
	uint8_t *around;    /* by node.host: of a return, the group that its call is in */
	sym *function;      /* of the groups behind GROUP_COUNT: the first of that name */
	uint32_t *group_of; /* by sym: of a function, or 0 */
	bool *has_calls;    /* by sym: of a function: it is right around an operator or call */
	size_t nfunction, function_cap;
	bool *is_apart; /* by function: it has a change of its own; the caller's, or NULL */
	nsec *total;    /* by group */
};

/* What is named so, or GROUP_COUNT. */
enum host_group group_of_word(enum gap_cause c);

/* Scaled by what calls say, and by group.  Frees with free(). */
nsec *host_scaled_new(struct depend *d, const struct host_weights *w, host_scale_fn *scale,
	void *ctx, const double *group);

/* What a scenario may have otherwise of a node: bits. */
enum {
	LAG_ALL = 1,    /* every node's */
	LAG_OTHER = 2,  /* it waits for nothing, for more than one of each, or has no room here */
	LAG_POINTS = 2, /* how far to shift a bit: by enum node_point */
	LAG_CLASSES = LAG_POINTS + POINT_WORK + 1, /* by class of the work */
	LAG_GROUPS = LAG_CLASSES + CLASS_COUNT,    /* by group of what the host did before it */
	LAG_FUNCTIONS = LAG_GROUPS + GROUP_COUNT   /* any of the Python functions' groups */
};
#define LAG_BIT(of, i) (1u << (LAG_##of + (unsigned)(i)))

/* How the most of the nodes are timed: what waits for no more than the node before it and its
 * cause. */
struct lag_node {
	uint32_t on[EDGE_CAUSE + 1]; /* those; of an edge that is not there, how many nodes there
	                                are */
	int32_t ns[EDGE_CAUSE + 1];  /* the lags; 0 where the edge is not there, INT32_MIN: no room
	                              */
	uint32_t dur;                /* of work, else 0 */
	uint32_t of;                 /* the row of work, else node.host */
	uint32_t has;                /* LAG_BITs */
};

/* Of work. */
static inline enum devclass lag_class(const struct lag_node *n)
{
	return (enum devclass)__builtin_ctz(n->has >> LAG_CLASSES);
}

struct lags {
	const struct depend *d;
	struct host_weights *host;
	struct lag_node *node;
};

/* Made once for all scenarios.  O(nodes + host calls); 28 bytes a node, and host_weights.  Released
 * by lags_clear, also where it is all zero. */
void lags_init(struct lags *l, struct depend *d);
void lags_clear(struct lags *l);

/* How long a return that was held up is in its call, at the least, behind the node before it on its
 * thread. */
nsec lag_in_call(const struct depend *d, uint32_t node);

/* What a launching call takes where it does not wait. */
nsec lag_of_call(const struct depend *d, uint32_t row);

/* Worked out anew. */
nsec lag_long(const struct lags *l, uint32_t node, enum edge e);

/* Of an edge that is there. */
static inline nsec lag_of(const struct lags *l, uint32_t node, enum edge e)
{
	int32_t ns = e <= EDGE_CAUSE ? l->node[node].ns[e] : INT32_MIN;

	return LIKELY(ns != INT32_MIN) ? ns : lag_long(l, node, e);
}

/* How much longer the work of each node could take before the last of the nodes in [start, end)
 * ended later than end: by node, INT64_MAX for what nothing follows that counts.  The caller frees
 * it.  O(nodes). */
nsec *slack(struct depend *d, const struct lags *l, nsec end);
