/* A memory snapshot's history, replayed: how much was allocated and reserved after each entry, and
 * which stack had asked for it.
 *
 * The history gives sizes as they were requested.  What was alive before its first entry is known
 * from what it frees without having allocated it, and from blocks of the snapshot that it never
 * allocated; so the curve is absolute.  allocated falls when a block is freed (free_requested), as
 * memory_stats has it; blocks that streams still use are pending until free_completed.
 *
 * Source: c10/cuda/CUDACachingAllocator.cpp, record_trace. */
#pragma once

#include "analyze/trace/memsnap.h"

/* A block that was alive before the history. */
struct snapearly {
	int64_t addr, size; /* as requested; of the block where that is unknown */
	uint32_t stack;
	bool is_freed; /* within the history: who allocated it is not known */
};

struct snapreplay {
	const struct memsnap *m;
	int64_t device;
	size_t first, n; /* its entries */
	struct snapearly *early;
	size_t nearly, early_cap;
	int64_t before, reserved_before; /* bytes, before the first entry */
	size_t nfreed;                   /* of early, freed within the history */
	int64_t freed;                   /* their bytes */
	size_t odd;    /* entries that do not fit what is known: allocated twice, freed twice */
	int64_t drift; /* bytes by which replaying misses what the blocks say in the end */
};

/* What happened in an entry. */
struct snapstep {
	size_t entry;                /* its row */
	int64_t allocated, reserved; /* after it */
	int64_t change;              /* of allocated; 0: it is about something else */
	uint32_t stack;              /* of the block: who allocated it */
	bool is_early;               /* the block is one of `early` */
	uint32_t block;              /* of an early one: its index */
	size_t since;                /* of any other: the entry that allocated it */
};

/* Of one device's history.  O(entries); memory: some 80 bytes a block that is alive at a time. */
void snapreplay_init(struct snapreplay *r, const struct memsnap *m, const struct memsnap_trace *t);
void snapreplay_clear(struct snapreplay *r);

/* From the first entry on, in order; an entry that replaces a block is two steps.  Ends when `step`
 * says false.  O(entries). */
void snapreplay_walk(
	const struct snapreplay *r, bool (*step)(void *ctx, const struct snapstep *s), void *ctx);

/* Microseconds from the first entry of the device; MEMSNAP_UNKNOWN where times are not written. */
int64_t snapreplay_at(const struct snapreplay *r, size_t entry);
