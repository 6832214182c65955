/*
 * Who wrote what a call of an execution trace reads.
 *
 *	A writes x     B writes y      C reads x and y: C needs the data of A and of B
 *	               (a part of x is read, that A did not write: C does not need A's)
 *
 * A call reads and writes at its place in the order of calls; one that has others inside of it
 * writes behind the last of them, and what they wrote stays written.  Only what was written before
 * it is read counts: not who reads what is overwritten, nor who writes the same twice.
 */
#ifndef ANALYZE_DEPGRAPH_DATAFLOW_H
#define ANALYZE_DEPGRAPH_DATAFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/links/exectrace.h"

struct flow_edge {
	uint32_t node; /* who wrote it */
	bool is_maybe; /* nothing says whether it is written there, or read here */
};

struct dataflow {
	size_t *begin; /* by node, one more: its edges */
	struct flow_edge *edge;
	size_t nedge, cap;
	bool *is_known;   /* by node: what memory it uses is written down */
	bool *is_outside; /* by node: it reads what nothing before it has written */
};

/* Released by dataflow_clear.  O(uses), each with at most FLOW_WRITERS of the same storage. */
void dataflow_init(struct dataflow *f, const struct exectrace *et);
void dataflow_clear(struct dataflow *f);

enum { FLOW_WRITERS = 16 };

#endif
