/* What device work behind other work on its stream waits for: data, or only its turn.
 *
 *	stream   [- A -)[- B -)[- C -)[- D -)      B reads what A wrote: it needs A's data.  C reads
 *	                                           what was written before A: it only follows B.
 *
 * Work belongs to the operator that launched it, and that to a call of the execution trace
 * (etjoin.h); a call as a whole reads and writes (dataflow), whichever of its work does. */
#pragma once

#include "analyze/depgraph/depend.h"
#include "analyze/trace/links/exectrace.h"
#include "base/base.h"

/* X(NAME, key, word, what it means) */
#define DATA_CLASSES(X)                                                                          \
	X(NEEDS, "needs", "needs its data",                                                      \
		"its call reads memory that the call of the work before it on the stream wrote") \
	X(FOLLOWS, "follows", "only follows",                                                    \
		"its call reads nothing that the call of the work before it wrote: it could "    \
		"have run beside it, on a stream of its own")                                    \
	X(SAME, "same_call", "same call",                                                        \
		"both are of one call, or one of a call inside of the other's: an execution "    \
		"trace does not say what of a call needs what")                                  \
	X(UNKNOWN, "unknown", "not known",                                                       \
		"one of the two is of no call of the execution trace, or nothing says what "     \
		"that reads or writes")

enum data_class {
#define X(name, key, word, what) DATA_##name,
	DATA_CLASSES(X)
#undef X
		DATA_COUNT /* of what has no work before it on its stream */
};

const char *data_key(enum data_class c);
const char *data_word(enum data_class c);
const char *data_what(enum data_class c);

struct datadeps {
	uint8_t *cls;   /* by node: enum data_class, of its edge `prev` */
	uint32_t *op;   /* by node: number of its operator; ET_NONE: none that is known */
	uint32_t *base; /* by node of work that only follows: the last work of its stream before the
	                   iteration, where its call reads what was there before; or NO_NODE */
	size_t nop;
	size_t *begin;   /* by operator, one more: those whose data it needs */
	uint32_t *after; /* their numbers */
	size_t nafter, after_cap;
};

/* Of a run with an execution trace; d is of the same.  Work that only follows waits for all that
 * the calls launched whose data its own call reads (`after`); and where that reads what was there
 * before, for what its stream did before the iteration (`base`).  O(device work and its
 * dependencies).  Released by datadeps_clear. */
void datadeps_init(struct datadeps *t, const struct depend *d);
void datadeps_clear(struct datadeps *t);

/* Who wrote what a call of an execution trace reads.
 *
 *	A writes x     B writes y      C reads x and y: C needs the data of A and of B
 *	               (a part of x is read, that A did not write: C does not need A's)
 *
 * A call reads and writes at its place in the order of calls; one that has others inside of it
 * writes behind the last of them, and what they wrote stays written.  Only what was written before
 * it is read counts: not who reads what is overwritten, nor who writes the same twice. */

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
