/* A memory snapshot, taken apart: what lists and dicts of it become, whatever it was written in.
 *
 * Source: torch/cuda/memory.py (_snapshot), torch/csrc/cuda/memory_snapshot.cpp and Module.cpp of
 * PyTorch 2.x. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/value/compact.h"
#include "analyze/trace/memsnap.h"

/* X(NAME, word): the words that mean something. */
#define SNAPSHOT_WORDS(X)                   \
	X(SEGMENTS, "segments")             \
	X(DEVICE_TRACES, "device_traces")   \
	X(SETTINGS, "allocator_settings")   \
	X(DEVICE, "device")                 \
	X(ADDRESS, "address")               \
	X(TOTAL_SIZE, "total_size")         \
	X(STREAM, "stream")                 \
	X(SEGMENT_TYPE, "segment_type")     \
	X(ALLOCATED_SIZE, "allocated_size") \
	X(ACTIVE_SIZE, "active_size")       \
	X(REQUESTED_SIZE, "requested_size") \
	X(POOL_ID, "segment_pool_id")       \
	X(IS_EXPANDABLE, "is_expandable")   \
	X(FRAMES, "frames")                 \
	X(BLOCKS, "blocks")                 \
	X(SIZE, "size")                     \
	X(STATE, "state")                   \
	X(NAME, "name")                     \
	X(FILENAME, "filename")             \
	X(LINE, "line")                     \
	X(ACTION, "action")                 \
	X(ADDR, "addr")                     \
	X(TIME_US, "time_us")               \
	X(DEVICE_FREE, "device_free")       \
	X(LARGE, "large")                   \
	X(EXPANDABLE_SEGMENTS, "expandable_segments")

/* The sym of each, since they are the first that are interned. */
enum snapshot_word {
	SNAPSHOT_EMPTY,
#define X(name, word) SNAPSHOT_##name,
	SNAPSHOT_WORDS(X)
#undef X
		SNAPSHOT_WORD_COUNT
};

struct snapshot_take {
	struct memsnap *m;
	struct compact compact;
	struct compact_taker taker;
	sym action[MEMSNAP_ACTION_COUNT], state[MEMSNAP_STATE_COUNT];
	uint32_t *frame; /* of the list that is looked at */
	size_t frame_cap;
	size_t nblock, nentry; /* those before are of some segment or device */
	size_t nbad;           /* entries and blocks whose sizes are none */
};

void snapshot_take_init(struct snapshot_take *t, struct memsnap *m);
void snapshot_take_clear(struct snapshot_take *t);
