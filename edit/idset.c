/* Sets of ids: ranges are appended, and put in order when they have doubled. */
#include "edit/idset.h"

enum { UNSEALED_MAX = 4096 };

ORDER(by_lo, struct idrange, compare3(a->lo, b->lo))

void idset_seal(struct idset *s)
{
	size_t n = 0;

	if (!s->v || s->sealed == s->n)
		return;
	qsort(s->v, s->n, sizeof(*s->v), by_lo);
	for (size_t i = 0; i < s->n; i++) {
		struct idrange *last = n ? &s->v[n - 1] : NULL;

		if (!last || (last->hi != UINT64_MAX && s->v[i].lo > last->hi + 1))
			s->v[n++] = s->v[i];
		else
			last->hi = MAX(s->v[i].hi, last->hi);
	}
	s->n = s->sealed = n;
}

void idset_add(struct idset *s, uint64_t id)
{
	struct idrange *last = s->n ? &s->v[s->n - 1] : NULL;

	if (last && id >= last->lo && id <= last->hi)
		return;
	if (last && id && id - 1 == last->hi) {
		last->hi = id;
		return;
	}
	if (s->n - s->sealed >= UNSEALED_MAX && s->n >= 2 * s->sealed)
		idset_seal(s);
	PUSH(s->v, s->n, s->cap, (struct idrange){ id, id });
}

bool idset_has(const struct idset *s, uint64_t id)
{
	size_t lo = PARTITION_POINT(i, 0, s->n, s->v[i].lo <= id);

	return lo > 0 && id <= s->v[lo - 1].hi;
}

void idset_clear(struct idset *s)
{
	free(s->v);
	*s = (struct idset){ 0 };
}
