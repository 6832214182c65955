/* What an allocator holds, from a memory snapshot's segments and blocks: by device, and by the kind
 * of segment.
 *
 * Reserved = allocated + pending + inactive, and allocated = requested + rounding; inactive =
 * releasable + held by private pools + fragmented.  Sizes are those of blocks, except reserved.
 *
 * Source: torch.cuda.memory_stats for the words; c10/cuda/CUDACachingAllocator.cpp for what can go
 * back to the device: a segment that is one inactive block, and of an expandable segment pages of
 * 2 MiB (small) or 20 MiB (large) that no block in use touches. */
#pragma once

#include "analyze/trace/memsnap.h"

/* Sums, in bytes and counts. */
struct snapsum {
	int64_t segments, reserved;
	int64_t blocks[MEMSNAP_STATE_COUNT], bytes[MEMSNAP_STATE_COUNT];
	int64_t requested;   /* of allocated blocks, as far as it is known */
	int64_t unrequested; /* allocated bytes of blocks that do not say what was requested */
	int64_t split;       /* inactive blocks that share a segment that is not expandable, as
	                        memory_stats' inactive_split_bytes */
	int64_t releasable;  /* inactive, and empty_cache() would give it back */
	int64_t pooled;      /* inactive, in private pools: only they can use it */
	int64_t largest; /* the largest inactive block outside of private pools; 0: there is none */
};

int64_t snapsum_allocated(const struct snapsum *s);
int64_t snapsum_pending(const struct snapsum *s); /* freed, but still in use by a stream */
int64_t snapsum_inactive(const struct snapsum *s);
int64_t snapsum_fragmented(const struct snapsum *s);

/* Segments of a kind. */
struct snapgroup {
	int64_t device, stream;
	uint32_t pool;
	bool is_large, is_expandable;
	struct snapsum sum;
};

struct snapstate {
	struct snapgroup *device;     /* by number; device alone is set */
	size_t ndevice, ndevice_more; /* more: beyond DEVICES_MAX (devices.h), left out */
	struct snapgroup *group;      /* by device, then what is reserved, most first */
	size_t ngroup;
	int64_t uneven; /* segments whose blocks do not come to their size */
};

/* The pool is one that a program made, or a CUDA graph: not the one all use. */
bool snapstate_is_private(const struct memsnap *m, uint32_t pool);

/* On the heap; O(blocks). */
void snapstate_init(struct snapstate *s, const struct memsnap *m);
void snapstate_clear(struct snapstate *s);

/* The device's sums, or NULL. */
const struct snapsum *snapstate_of(const struct snapstate *s, int64_t device);

/* The largest free block of those a request of that size could be given: of its device, stream and
 * class (up to 1 MiB is small), outside of private pools.  0: there is none. */
int64_t snapstate_fitting(const struct memsnap *m, int64_t device, int64_t stream, int64_t size);
