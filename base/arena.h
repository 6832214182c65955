/* Memory by lifetime: allocate freely, release everything at once.
 *
 * Three arenas are usual: one per run, one per result, one for scratch.  Out of memory ends the
 * program (base/xalloc.h), so nothing here returns NULL. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *block; /* newest first */
	size_t used;               /* bytes used of the newest block */
	size_t total;              /* bytes held from the system */
};

/* A position to return to; valid until the arena is cleared or reset below it. */
struct arena_mark {
	struct arena_block *block;
	size_t used;
};

/* An arena whose memory may hold anything becomes an empty one, which one of zeros is already. */
void arena_init(struct arena *a);

/* Releases everything.  The arena is empty and usable again. */
void arena_clear(struct arena *a);
/* One of a block, which is cleared where the block is left: `SCOPED_ARENA mem = { 0 };`. */
#define SCOPED_ARENA __attribute__((cleanup(arena_clear))) struct arena

/* n bytes, zeroed, aligned to 16.  n may be 0.  Owned by the arena. */
void *arena_alloc(struct arena *a, size_t n);

/* count objects of size bytes each, zeroed; overflow of the product ends the program. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* Room for one more than the n objects of `size` bytes in the arena's array p of *cap: p, or a copy
 * of twice that room, 8 at least.  What is behind the n is zero. */
void *arena_grow(struct arena *a, void *p, size_t n, size_t *cap, size_t size);

/* A NUL-terminated copy of the n bytes at p (which may hold NULs). */
char *arena_copy(struct arena *a, const char *p, size_t n);

/* printf into the arena.  The text is NUL-terminated and owned by the arena. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Whether p points into what is allocated.  O(blocks). */
bool arena_has(const struct arena *a, const void *p);

struct arena_mark arena_mark(const struct arena *a);

/* Releases what was allocated since the mark was taken. */
void arena_reset(struct arena *a, struct arena_mark mark);

/*
 * A growing array outside arenas, for columns that reach gigabytes: makes room for at least `need`
 * objects of `size` bytes in the block p of *cap objects, and returns the block, moved or not.
 * Capacity grows by half; large blocks grow without copying (glibc remaps them).  The caller frees.
 */
void *array_grow(void *p, size_t *cap, size_t need, size_t size);

/* The value (with commas, where it has some) becomes one more, the last, of the n in such an array
 * v with room for cap: v, n and cap are changed.  The place, until the array grows again. */
#define PUSH(v, n, cap, ...) \
	PUSH_INTO((v), (n), (cap), array_grow((v), &(cap), (n) + 1, sizeof(*(v))), __VA_ARGS__)
/* So for an array in an arena. */
#define ARENA_PUSH(arena, v, n, cap, ...) \
	PUSH_INTO((v), (n), (cap), arena_grow((arena), (v), (n), &(cap), sizeof(*(v))), __VA_ARGS__)
#define PUSH_INTO(v, n, cap, grown, ...) \
	__extension__({                  \
		if (n >= cap || !v)      \
			v = grown;       \
		v[n] = __VA_ARGS__;      \
		&v[n++];                 \
	})
