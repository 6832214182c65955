/* Scenarios: what is changed, before nodes are timed again (whatif.h). */
#pragma once

#include "analyze/depgraph/lags.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* X(NAME, word, what it is about) */
#define CHANGES(X)                                                                                 \
	X(KERNEL, "kernel", "kernels that are no collectives, and sets")                           \
	X(FAMILY, "family", "kernels of a family: 'family:matmul=0.5'")                            \
	X(COMM, "comm", "collectives; hidden: others do not wait for them")                        \
	X(COPY, "copy", "copies")                                                                  \
	X(OP, "op", "CPU time of operators, with all they call")                                   \
	X(HOST, "host", "calls and regions with all they call; unnamed: what no other kind has")   \
	X(LAUNCH, "launch", "calls that launch work, and the delay from their start to the work")  \
	X(SYNC, "sync", "calls that wait for a device, but the allocator's: 0 = they do not wait") \
	X(DATA, "dataloader", "time in the data loader")                                           \
	X(ALLOCATOR, "allocator", "CPU time in which memory is allocated or freed")                \
	X(CHECKPOINT, "checkpoint", "CPU time in which a checkpoint is written or read")           \
	X(LOGGING, "logging", "CPU time in which something is logged")                             \
	X(GC, "gc", "CPU time in which Python collects garbage")                                   \
	X(PYTHON, "python", "CPU time in Python functions themselves, in no operator or call")     \
	X(STARTUP, "startup", "calls in which a context is made, a module loaded, code compiled")  \
	X(GAP, "gap", "between pieces of work, by the name of the later one")

enum change_kind {
#define X(name, word, what) CHANGE_##name,
	CHANGES(X)
#undef X
		CHANGE_COUNT
};

/* "kernel"; what it is about; constant. */
const char *change_word(enum change_kind k);
const char *change_what(enum change_kind k);

/* The group of host time that it is about, by a word (gap_words.def), or GROUP_COUNT. */
enum host_group change_group(enum change_kind k);

struct change {
	enum change_kind kind;
	const bool *match; /* by sym: names it is about; NULL: all */
	double factor;     /* of the duration, >= 0; or ... */
	nsec ns;           /* ... the duration itself; -1: it is the factor that counts */
	bool is_hidden;    /* COMM: no other work, and no thread, waits for it */
	bool is_one; /* LAUNCH: from the first to the last launch of a stretch of a thread, in which
	                it waits for nothing, the CPU does nothing but the first; KERNEL: neither
	                does it what leads to launches of these rows */
	bool is_all; /* HOST without names: time in which nothing is recorded, too */
	const uint64_t *rows; /* KERNEL: bits by row: it is about these; NULL: about all */
};

struct datadeps;

/* Several changes at once. */
struct scenario {
	const struct change *change;
	size_t n;
	/* NULL, or: work that only follows other work on its stream (datadeps.h) waits for the work
	 * whose data it needs instead.  What waits for a stream waits for all of it then. */
	const struct datadeps *apart;
};

/* Whether collectives are hidden: nothing else waits for them. */
bool scenario_hides(const struct scenario *s);

/* Whether all nodes still wait for the one before them on their lane. */
bool scenario_in_order(const struct scenario *s);
