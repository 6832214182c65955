/* Phrases: the table of them, and the memory of what followed what. */
#include "analyze/input/events/phrases.h"

#define XXH_INLINE_ALL
#include "base/base.h"
#include <xxhash.h>

_Static_assert(PHRASE_SLOTS == 1 << (64 - 51), "phrases_guess takes so many bits");
_Static_assert(PHRASES_MAX <= 1 << 12, "the history keeps so many bits of each");

void phrases_init(struct phrases *ps, uint64_t seed)
{
	ps->seed = seed;
	ps->all = xmalloc(PHRASES_MAX * sizeof(*ps->all));
	ps->all[0] = (struct phrase){ 0 };
	phrases_reset(ps);
}

void phrases_clear(struct phrases *ps)
{
	free(ps->all);
	ps->all = NULL;
}

void phrases_reset(struct phrases *ps)
{
	ps->n = 1;
	ps->history = 0;
	memset(ps->next, 0, sizeof(ps->next));
	memset(ps->known, 0, sizeof(ps->known));
}

static struct phrase *find(struct phrases *ps, const struct phrase *p)
{
	size_t at = XXH3_64bits_withSeed(p->text, p->n, ps->seed) % PHRASE_SLOTS;

	for (; ps->known[at]; at = (at + 1) % PHRASE_SLOTS) {
		struct phrase *old = &ps->all[ps->known[at]];

		if (old->n == p->n && memcmp(old->text, p->text, p->n) == 0)
			return old;
	}
	if (ps->n == PHRASES_MAX)
		return NULL;
	ps->known[at] = (uint16_t)ps->n;
	ps->all[ps->n] = *p;
	return &ps->all[ps->n++];
}

struct phrase *phrases_learn(struct phrases *ps, const struct phrase *p)
{
	if (p->n < PHRASE_MIN_BYTES)
		return NULL;
	struct phrase *found = find(ps, p);
	if (found)
		ps->next[phrases_due(ps)] = (uint16_t)(found - ps->all);
	return found;
}
