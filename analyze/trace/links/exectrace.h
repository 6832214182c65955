/* An execution trace at rest: the operators a program called, in order, and which memory each of
 * them read and wrote.
 *
 *	node   0 linear  1 t        2 addmm                (by id: in the order of their beginning)
 *	parent -         0          0
 *	uses             weight: r  bias, in, weight: r  out: w
 *
 * It has no times; a trace of the same program has (etjoin.h).  Memory is known by its storage,
 * which views share; a storage that is freed and given out again has the same number, as the same
 * address has.
 *
 * Source: PyTorch, ExecutionTraceObserver (torch/csrc/profiler/standalone/
 * execution_trace_observer.cpp); Chakra, MLCommons. */
#pragma once

#include "analyze/trace/columns/strings.h"

#define ET_NONE UINT32_MAX

enum et_use_flag {
	ET_READS = 1,
	ET_WRITES = 2,
	ET_FRESH = 4, /* written, and in memory that no input of the node has */
	ET_OVER = 8,  /* written as a whole: what was there before is gone */
	ET_MAYBE = 16 /* nothing says whether it is read or written: it may be both */
};

/* A tensor that a node takes or gives. */
struct et_use {
	uint32_t storage;   /* index of it, < exectrace.nstorage */
	uint8_t flags;      /* enum et_use_flag; 0: a view is made of it, no more */
	int64_t begin, end; /* bytes of the storage; 0 and INT64_MAX: strides are not known */
};

struct et_node {
	sym name; /* of exectrace.strings */
	int64_t id;
	int64_t rf_id;   /* number of the call in the process; 0: not known */
	uint32_t parent; /* the node around it, before it; ET_NONE: none */
	uint32_t last;   /* the last of the nodes inside of it; itself: there are none */
	uint32_t thread; /* index < exectrace.nthread */
	bool is_call;    /* an operator or annotation; else a root of the process or a thread */
	bool has_schema; /* what it does to its tensors is written down */
	size_t use, nuse;
};

struct exectrace {
	struct et_node *node; /* by id, which is the order in which they began */
	size_t n, cap;
	size_t ncall; /* of those calls */
	struct et_use *use;
	size_t nuse, use_cap;
	uint32_t nstorage, nthread;
	struct strings strings;
	sym schema;  /* "1.0.1" */
	int64_t pid; /* of the process that wrote it; 0: it does not say */
	const char *path;
	bool is_found; /* nobody named it: it lies beside traces */
};

void exectrace_init(struct exectrace *et);
void exectrace_clear(struct exectrace *et);

/* True when node `in` lies inside of node `around`, or is it. */
bool exectrace_is_in(const struct exectrace *et, uint32_t in, uint32_t around);
