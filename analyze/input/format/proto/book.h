/* A book of what a trace says once and means from then on: interned texts, tracks.
 *
 * One thread writes it, in the order of the trace, while others read what was said up to a place
 * of it: a place is the number of events before.  So what a reader finds does not depend on how
 * far the writer is, and nobody waits. */
#pragma once

#include "base/base.h"

struct book_entry {
	uint64_t key;
	uint64_t since; /* the place from which it holds */
	uint32_t kind;
	const void *value;
	const struct book_entry *older; /* what was said before of the same */
};

struct book_table;

struct book {
	struct book_table *_Atomic table;
	size_t n;
	uint64_t seed;
	struct arena *mem; /* the writer's */
};

/* Entries and their tables are in mem, which has to outlive the readers. */
void book_init(struct book *b, uint64_t seed, struct arena *mem);

/* From that place on, key of that kind means value.  Places never go back.  True when something
 * was said of it before. */
bool book_put(struct book *b, uint32_t kind, uint64_t key, uint64_t since, const void *value);

/* What was said of a key up to that place, that included; NULL: nothing. */
const void *book_find(const struct book *b, uint32_t kind, uint64_t key, uint64_t place);
