/* String interning: open addressing over 32-bit ids, texts in an arena.  xxHash with a seed. */
#include "analyze/trace/columns/strings.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <xxhash.h>

enum { FIRST_SLOTS = 64 };

void strings_init(struct strings *s, uint64_t seed)
{
	*s = (struct strings){ .seed = seed, .nslot = FIRST_SLOTS };
	s->slot = zeroed(s->nslot, sizeof(*s->slot));
	(void)strings_intern(s, (struct span){ "", 0 });
}

void strings_clear(struct strings *s)
{
	FREE_ALL(s->text, s->slot, s->hash);
	arena_clear(&s->mem);
	*s = (struct strings){ 0 };
}

uint64_t strings_hash(const struct strings *s, struct span text)
{
	return XXH3_64bits_withSeed(text.p, text.n, s->seed);
}

static void rehash(struct strings *s)
{
	s->nslot *= 2;
	size_t mask = s->nslot - 1;
	free(s->slot);
	s->slot = zeroed(s->nslot, sizeof(*s->slot));
	for (size_t i = 0; i < s->n; i++) {
		size_t at = s->hash[i] & mask;

		while (s->slot[at])
			at = (at + 1) & mask;
		s->slot[at] = (uint32_t)i + 1;
	}
}

/* The slot that holds text, or the free one where it belongs. */
static size_t locate(const struct strings *s, struct span text, uint32_t hash)
{
	size_t mask = s->nslot - 1, at = hash & mask;

	for (; s->slot[at]; at = (at + 1) & mask) {
		uint32_t id = s->slot[at] - 1;

		if (s->hash[id] == hash && span_eq(s->text[id], text))
			break;
	}
	return at;
}

sym strings_intern_hashed(struct strings *s, struct span text, uint64_t hash)
{
	uint32_t h = (uint32_t)(hash >> 32);
	size_t at = locate(s, text, h), cap = s->cap;

	if (s->slot[at])
		return s->slot[at] - 1;
	if (s->n == UINT32_MAX - 1)
		die_oom(SIZE_MAX);
	s->text = array_grow(s->text, &s->cap, s->n + 1, sizeof(*s->text));
	s->hash = array_grow(s->hash, &cap, s->n + 1, sizeof(*s->hash));
	s->text[s->n] = (struct span){ arena_copy(&s->mem, text.p, text.n), text.n };
	s->hash[s->n] = h;
	s->slot[at] = (uint32_t)++s->n;
	if (s->n * 2 > s->nslot)
		rehash(s);
	return (sym)s->n - 1;
}

sym strings_intern(struct strings *s, struct span text)
{
	return strings_intern_hashed(s, text, strings_hash(s, text));
}

sym strings_find(const struct strings *s, struct span text)
{
	size_t at = locate(s, text, (uint32_t)(strings_hash(s, text) >> 32));

	return s->slot[at] ? s->slot[at] - 1 : UINT32_MAX;
}

struct span strings_get(const struct strings *s, sym id)
{
	assert(id < s->n);
	return s->text[id];
}
