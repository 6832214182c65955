/*
 * Digests at rest: words, conditions, the end of their life.
 */
#include "analyze/job/digest/digest.h"

#include <stdlib.h>

#include "analyze/trace/columns/record.h"

void digest_free(struct digest *d)
{
	if (!d)
		return;
	record_free(d->record);
	arena_clear(&d->mem);
	free(d);
}

void digest_condition_add(
	struct digest_conditions *f, struct arena *mem, const char *key, struct span value)
{
	struct digest_condition *grown;
	size_t i;

	if (value.n == 0)
		return;
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 16;
		grown = arena_array(mem, f->cap, sizeof(*grown));
		for (i = 0; i < f->n; i++)
			grown[i] = f->v[i];
		f->v = grown;
	}
	f->v[f->n++] =
		(struct digest_condition){ key, { arena_copy(mem, value.p, value.n), value.n } };
}

struct span digest_condition(const struct digest_conditions *f, const char *key)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (strcmp(f->v[i].key, key) == 0)
			return f->v[i].value;
	return (struct span){ NULL, 0 };
}

bool digest_cost_is_known(const struct digest_cost *c)
{
	return c->flop > 0 || c->bytes > 0;
}

const char *digest_part_key(enum digest_part p)
{
#define X(name, key, word, is_idle) key,
	static const char *const keys[] = { DIGEST_PARTS(X) };
#undef X

	return keys[p];
}

const char *digest_part_word(enum digest_part p)
{
#define X(name, key, word, is_idle) word,
	static const char *const words[] = { DIGEST_PARTS(X) };
#undef X

	return words[p];
}
