/* Entries in a table of open addresses, which is replaced by a larger one and never changed but by
 * one slot at a time.  Tables that were replaced stay, as somebody may read them: together they
 * are as large as the last. */
#include "analyze/input/format/proto/book.h"

#include <stdatomic.h>

enum { FIRST_SLOTS = 16 };

typedef const struct book_entry *_Atomic slot;

struct book_table {
	size_t mask;
	slot at[];
};

static struct book_table *new_table(struct book *b, size_t n)
{
	struct book_table *t = arena_alloc(b->mem, sizeof(*t) + n * sizeof(slot));

	t->mask = n - 1;
	return t;
}

void book_init(struct book *b, uint64_t seed, struct arena *mem)
{
	b->n = 0;
	b->seed = seed;
	b->mem = mem;
	atomic_init(&b->table, NULL);
}

static size_t hash(const struct book *b, uint32_t kind, uint64_t key)
{
	uint64_t h = (key ^ b->seed) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 32 ^ kind) * UINT64_C(0xd6e8feb86659fd93);
	return (size_t)(h >> 32);
}

/* Where a key is in a table, or would be. */
static slot *find_slot(const struct book *b, struct book_table *t, uint32_t kind, uint64_t key)
{
	size_t i = hash(b, kind, key) & t->mask;
	const struct book_entry *e;

	for (;; i = (i + 1) & t->mask) {
		e = atomic_load_explicit(&t->at[i], memory_order_acquire);
		if (!e || (e->key == key && e->kind == kind))
			return &t->at[i];
	}
}

static struct book_table *grow(struct book *b, struct book_table *old)
{
	struct book_table *t = new_table(b, old ? (old->mask + 1) * 2 : FIRST_SLOTS);

	for (size_t i = 0; old && i <= old->mask; i++) {
		const struct book_entry *e =
			atomic_load_explicit(&old->at[i], memory_order_relaxed);

		if (e)
			atomic_store_explicit(
				find_slot(b, t, e->kind, e->key), e, memory_order_relaxed);
	}
	atomic_store_explicit(&b->table, t, memory_order_release);
	return t;
}

bool book_put(struct book *b, uint32_t kind, uint64_t key, uint64_t since, const void *value)
{
	struct book_table *t = atomic_load_explicit(&b->table, memory_order_relaxed);
	struct book_entry *e = arena_alloc(b->mem, sizeof(*e));

	if (!t || b->n * 2 > t->mask)
		t = grow(b, t);
	slot *at = find_slot(b, t, kind, key);
	*e = (struct book_entry){ key, since, kind, value,
		atomic_load_explicit(at, memory_order_relaxed) };
	b->n += !e->older;
	atomic_store_explicit(at, e, memory_order_release);
	return e->older != NULL;
}

const void *book_find(const struct book *b, uint32_t kind, uint64_t key, uint64_t place)
{
	struct book_table *t = atomic_load_explicit(&b->table, memory_order_acquire);

	if (!t)
		return NULL;
	const struct book_entry *e =
		atomic_load_explicit(find_slot(b, t, kind, key), memory_order_acquire);
	if (e && (e->key != key || e->kind != kind))
		return NULL; /* the slot was free when it was found, and is another's by now */
	while (e && e->since > place)
		e = e->older;
	return e ? e->value : NULL;
}
