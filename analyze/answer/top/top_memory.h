/* Memory of CPU ops: what the allocator was asked for while a call ran. */
#ifndef ANALYZE_ANSWER_TOP_TOP_MEMORY_H
#define ANALYZE_ANSWER_TOP_TOP_MEMORY_H

#include "analyze/trace/columns/events.h"
#include "base/arena.h"

struct run;

/* Bytes allocated less bytes freed: of the host's memory and of devices. */
struct top_bytes {
	int64_t cpu, device;
};

/* A group's memory. */
struct top_use {
	struct top_bytes total; /* while calls of that name ran, children included */
	struct top_bytes self;  /* less that of the direct children */
};

/* [memory] records by lane and time, with running sums. */
struct top_memory {
	nsec *at;
	struct top_bytes *sum; /* of the records before; one more than there are records */
	size_t *begin;         /* by lane, one more than there are lanes */
	bool is_torch;         /* all records are in one lane */
};

/*
 * Collects the records of r; NEED_MEMORY was loaded.  is_torch: records count for calls on all
 * threads, as in torch; otherwise only for those on their own.  O(n log n); memory is the arena's.
 */
void top_memory_init(struct top_memory *m, const struct run *r, bool is_torch, struct arena *mem);

/*
 * The records of that lane from start on and before end, as in `memory`; with is_torch the one at
 * end, too.  O(log n).
 */
struct top_bytes top_memory_in(const struct top_memory *m, uint32_t lane, nsec start, nsec end);

/* a + b, a - b; sums end at the limits of their type. */
struct top_bytes top_bytes_add(struct top_bytes a, struct top_bytes b);
struct top_bytes top_bytes_sub(struct top_bytes a, struct top_bytes b);

#endif
