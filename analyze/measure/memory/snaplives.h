/* Blocks of a memory snapshot's history, and how long each was allocated. */
#pragma once

#include "analyze/measure/memory/snapreplay.h"

#define SNAPLIFE_NONE SIZE_MAX

struct snaplife {
	size_t from;  /* the entry that allocated it; SNAPLIFE_NONE: it was alive before them */
	size_t to;    /* the entry that freed it; SNAPLIFE_NONE: none did */
	int64_t size; /* as requested */
	uint32_t stack;
	bool is_unknown; /* who allocated it is not in the file */
};

struct snaplives {
	struct snaplife *v; /* the largest, by when they were allocated */
	size_t n, more;     /* more: smaller ones, left out */
};

/* At most `most` of them.  O(entries log entries).  mem's. */
void snaplives_init(
	struct snaplives *l, const struct snapreplay *r, size_t most, struct arena *mem);
