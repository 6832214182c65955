/* Digests at rest: words, conditions, the end of their life. */
#include "analyze/job/digest/digest.h"

#include "analyze/job/match/collectives.h"
#include "analyze/trace/columns/record.h"
#include "base/words.h"

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

	if (value.n == 0)
		return;
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 16;
		grown = arena_array(mem, f->cap, sizeof(*grown));
		for (size_t i = 0; i < f->n; i++)
			grown[i] = f->v[i];
		f->v = grown;
	}
	f->v[f->n++] =
		(struct digest_condition){ key, { arena_copy(mem, value.p, value.n), value.n } };
}

struct span digest_condition(const struct digest_conditions *f, const char *key)
{
	for (EACH(const struct digest_condition, condition, f->v, f->n))
		if (strcmp(condition->key, key) == 0)
			return condition->value;
	return (struct span){ NULL, 0 };
}

int digest_op_compare(const struct digest_op *a, const struct digest_op *b)
{
	return COMPARE_BY(
		span_cmp(a->name, b->name), span_cmp(a->op, b->op), compare3(a->kind, b->kind));
}

nsec digest_recorded(const struct digest *d)
{
	const struct collectives *l = d->collectives;

	if (d->recorded_ns > 0)
		return d->recorded_ns;
	return l && l->n && l->has_epoch ? l->v[0].start : 0;
}

bool digest_cost_is_known(const struct digest_cost *c)
{
	return c->flop > 0 || c->bytes > 0;
}

WORDS(digest_part_key, enum digest_part, DIGEST_PARTS, 2)

WORDS(digest_part_word, enum digest_part, DIGEST_PARTS, 3)
