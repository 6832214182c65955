/* Calls: the CPU op tree (analyze/measure/host/optree.h) as columns beside the host order.
 *
 * One entry for each place of order->host.  A call's parent stands before it, so what is inherited
 * from above is known when it is met.  No stack is needed to go over the tree.
 *
 *	  place      0  1  2  3  4         A [---------------------)
 *	  row        A  B  C  B  E         B   [-----------)  B  [--)
 *	  parent     -  0  1  0  -         C     [--)
 *	                                   E                          [--)
 *
 * Self time is a call's less that of the calls whose parent it is: who goes over all takes each
 * from its parent as it is met. */
#pragma once

#include "analyze/trace/columns/events.h"

struct run;

enum call_flag {
	CALL_IN_TREE = 1, /* of a kind that makes the tree; others only have a parent */
	CALL_IS_DUP = 2,  /* the only child of a call of the same name: torch drops it */
	CALL_HAS_ONE = 4, /* children: one; neither bit: none */
	CALL_HAS_MORE = 8
};

struct calls {
	unsigned kinds;   /* KIND_BIT set: that are in the tree */
	uint32_t *parent; /* place of the call around it, or NO_ROW */
	uint8_t *flags;   /* enum call_flag */
};

/* Kinds that make the tree of this run: ops, annotations and runtime calls; in a trace that has
 * none of them (a generic Chrome trace), slices of unknown category. */
unsigned calls_kinds(const struct run *r);

/* Needs r->order.  Empty; calls_fill fills one lane, and lanes know nothing of each other. */
struct calls *calls_new(const struct run *r);
/* O(rows of the lane). */
void calls_fill(struct calls *c, const struct run *r, size_t lane);
void calls_free(struct calls *c);

/* The place of a lane from which on everything is that is open at t or begins then or later.
 * O(log n). */
size_t calls_from(const struct calls *c, const struct run *r, size_t lane, nsec t);
