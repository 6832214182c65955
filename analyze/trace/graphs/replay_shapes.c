/*
 * Shapes: sequences of launches or kernels, found by their hash.
 */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analyze/trace/graphs/replay_work.h"

struct shape_key {
	uint64_t hash;
	uint64_t turn; /* of shapes with one hash */
};

void shapes_init(struct replay_shapes *s)
{
	*s = (struct replay_shapes){ 0 };
	keymap_init(&s->by_hash, sizeof(struct shape_key));
}

void shapes_clear(struct replay_shapes *s)
{
	keymap_clear(&s->by_hash);
	*s = (struct replay_shapes){ 0 };
}

size_t shapes_count(const struct replay_shapes *s)
{
	return s->by_hash.n;
}

static bool same(struct replay_steps a, struct replay_steps b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.v, b.v, a.n * sizeof(*a.v)) == 0);
}

uint32_t shapes_add(struct replay_shapes *s, struct replay_steps steps, struct arena *mem)
{
	struct shape_key key = { XXH3_64bits(steps.v, steps.n * sizeof(*steps.v)), 0 };

	for (;; key.turn++) {
		size_t before = s->by_hash.n;
		uint32_t at = keymap_add(&s->by_hash, &key);

		if (s->by_hash.n > before) {
			s->v = arena_grow(mem, s->v, before, &s->cap, 16, sizeof(*s->v));
			s->v[at] = steps;
			return at;
		}
		if (same(s->v[at], steps))
			return at;
	}
}
