/* A memory snapshot at rest: what PyTorch's caching allocator held of a device, and what it did
 * before that, as torch.cuda.memory._dump_snapshot writes it.
 *
 * Compact, because such files reach gigabytes: texts, frames and stacks are there once; an entry of
 * the history is a row of columns, 33 bytes.  Sizes are bytes, times microseconds as written.
 *
 * Filled by analyze/input/artifact/snapshot_*.c, const afterwards. */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"

#define MEMSNAP_UNKNOWN INT64_MIN /* a number that is not in the file */
#define MEMSNAP_NOWHERE UINT32_MAX

/* X(NAME, word): what an entry of the history is. */
#define MEMSNAP_ACTIONS(X)                  \
	X(OTHER, "")                        \
	X(ALLOC, "alloc")                   \
	X(FREE_REQUESTED, "free_requested") \
	X(FREE_COMPLETED, "free_completed") \
	X(SEGMENT_ALLOC, "segment_alloc")   \
	X(SEGMENT_FREE, "segment_free")     \
	X(SEGMENT_MAP, "segment_map")       \
	X(SEGMENT_UNMAP, "segment_unmap")   \
	X(OOM, "oom")                       \
	X(SNAPSHOT, "snapshot")             \
	X(WORKSPACE, "workspace_snapshot")  \
	X(USER, "user_defined")

#define MEMSNAP_ID(name, ...) MEMSNAP_##name,
enum memsnap_action { MEMSNAP_ACTIONS(MEMSNAP_ID) MEMSNAP_ACTION_COUNT };
const char *memsnap_action_word(enum memsnap_action a);

/* X(NAME, word): of a block. */
#define MEMSNAP_STATES(X)                   \
	X(STATE_OTHER, "")                  \
	X(ALLOCATED, "active_allocated")    \
	X(PENDING, "active_pending_free")   \
	X(AWAITING, "active_awaiting_free") \
	X(INACTIVE, "inactive")

enum memsnap_state {
#define X(name, word) MEMSNAP_##name,
	MEMSNAP_STATES(X)
#undef X
		MEMSNAP_STATE_COUNT
};
const char *memsnap_state_word(enum memsnap_state s);

struct memsnap_frame {
	sym name, file;
	int64_t line;
};

struct memsnap_block {
	int64_t address; /* of the first its segment's, then behind the one before, if not written
	                  */
	int64_t size, requested; /* requested may be UNKNOWN */
	uint32_t stack;          /* 0: not recorded */
	uint8_t state;           /* enum memsnap_state */
};

struct memsnap_segment {
	int64_t device, address, total, stream;
	/* Sums as written; UNKNOWN where they are not.  The blocks say the same. */
	int64_t allocated, active, requested;
	uint32_t stack, pool;   /* pool: number of the pair; 0: not said */
	uint32_t block, nblock; /* its blocks, by address */
	bool is_large, is_expandable;
};

/* Entries of a device in the order in which they happened. */
struct memsnap_trace {
	int64_t device;
	size_t first, n;
};

/* A pair of numbers: a pool's id. */
struct memsnap_pair {
	int64_t a, b;
};

struct memsnap {
	int artifact; /* index in the record */
	struct strings names;

	struct keymap frames;  /* struct memsnap_frame, by number */
	struct strings stacks; /* by number: numbers of frames, innermost first, 4 bytes each */
	struct keymap streams; /* int64_t */
	struct keymap pairs;   /* struct memsnap_pair; number 0 is no pair */

	struct memsnap_segment *segment; /* in file order */
	size_t nsegment, segment_cap;
	struct memsnap_block *block;
	size_t nblock, block_cap;

	/* The history: columns of nentry rows. */
	uint8_t *action;
	int64_t *addr; /* of OOM: device_free */
	int64_t *size, *time_us;
	uint32_t *stack, *stream;
	size_t nentry, entry_cap;
	struct memsnap_trace *trace; /* of devices that have entries */
	size_t ntrace, trace_cap;

	size_t nother;  /* entries of an action that is not known */
	int expandable; /* setting expandable_segments: 0, 1, or -1 where it is not in the file */
};

/* An entry as it is added. */
struct memsnap_entry {
	enum memsnap_action action;
	int64_t addr, size, time_us, stream;
	uint32_t stack;
};

/* On the heap.  memsnap_free(NULL) is fine. */
struct memsnap *memsnap_new(int artifact);
void memsnap_free(struct memsnap *m);

/* The number of a stack: its frames, innermost first; 0 of none. */
uint32_t memsnap_stack(struct memsnap *m, const uint32_t *frame, size_t n);
uint32_t memsnap_frame(struct memsnap *m, sym name, sym file, int64_t line);
uint32_t memsnap_pair(struct memsnap *m, int64_t a, int64_t b);

/* Appends, and returns the number; memsnap_set_entry writes over one. */
uint32_t memsnap_add_entry(struct memsnap *m, const struct memsnap_entry *e);
void memsnap_set_entry(struct memsnap *m, uint32_t at, const struct memsnap_entry *e);
struct memsnap_entry memsnap_entry(const struct memsnap *m, uint32_t at);
uint32_t memsnap_add_block(struct memsnap *m, const struct memsnap_block *b);
uint32_t memsnap_add_segment(struct memsnap *m, const struct memsnap_segment *s);
void memsnap_add_trace(struct memsnap *m, int64_t device, size_t first, size_t n);

/* How many frames a stack has, and the i-th from the innermost. */
size_t memsnap_depth(const struct memsnap *m, uint32_t stack);
struct memsnap_frame memsnap_frame_at(const struct memsnap *m, uint32_t stack, size_t i);
struct memsnap_pair memsnap_pool(const struct memsnap *m, uint32_t pair);
int64_t memsnap_stream(const struct memsnap *m, size_t entry);
