/* Chains. */
#define XXH_INLINE_ALL
#include "edit/chains.h"

#include <xxhash.h>

#include "edit/keep_ranges.h"

void chains_init(struct chains *c)
{
	*c = (struct chains){ 0 };
	keymap_init(&c->keys, sizeof(uint64_t));
}

void chains_clear(struct chains *c)
{
	keymap_clear(&c->keys);
	free(c->v);
	c->v = NULL;
}

bool chain_is_flow(char ph)
{
	return ph == 's' || ph == 't' || ph == 'f';
}

bool chain_is_async(char ph)
{
	static const char phases[] = "bneSTpF";

	return ph && memchr(phases, ph, sizeof(phases) - 1) != NULL;
}

bool chain_is_launch(struct span cat)
{
	return span_in(cat, "ac2g|async_cpu_to_gpu|async_gpu");
}

uint64_t chain_key(struct span cat, struct span id)
{
	return XXH3_64bits_withSeed(id.p, id.n, XXH3_64bits(cat.p, cat.n));
}

void chains_note(struct chains *c, struct chain_end end, bool is_flow)
{
	size_t before = c->keys.n;
	uint32_t at = keymap_add(&c->keys, &end.key);

	if (at == before) {
		PUSH(c->v, before, c->cap, (struct chain){ end.at, end.at, is_flow });
		return;
	}
	c->v[at].from = MIN(end.at, c->v[at].from);
	c->v[at].to = MAX(end.at, c->v[at].to);
}

void chains_choose(struct chains *c, const struct keep_ranges *h, struct idset *kept)
{
	for (uint32_t i = 0; i < c->keys.n; i++) {
		const struct chain *v = &c->v[i];
		uint64_t key;

		memcpy(&key, keymap_key(&c->keys, i), sizeof(key));
		if (v->is_flow ? keep_ranges_holds(h, v->from, v->to)
			       : keep_ranges_meets(h, v->from, v->to))
			idset_add(kept, key);
	}
	idset_seal(kept);
}
