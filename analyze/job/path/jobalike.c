/*
 * Classes of ranks.
 */
#include "analyze/job/path/jobalike.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/compare3.h"

struct by_lane {
	uint32_t lane, collective;
};

static int by_lane(const void *pa, const void *pb)
{
	const struct by_lane *a = pa, *b = pb;

	return COMPARE_BY(compare3(a->lane, b->lane), compare3(a->collective, b->collective));
}

static uint64_t mix(uint64_t hash, uint64_t v)
{
	return (hash ^ v) * UINT64_C(0x100000001b3);
}

/* Whether it is in a step of the job. */
static bool counts(const struct job *j, const struct digest *d, const struct collective *c)
{
	return c->step != COLL_NO_STEP &&
		job_step_place(j, d->step[c->step].number) != COLL_NO_STEP;
}

static void look(struct jobalike_rank *r, const struct job *j, struct arena *mem)
{
	const struct digest *d = j->rank[r->rank].digest;
	const struct collectives *c = d->collectives;
	struct by_lane *v;
	size_t i;

	if (!c)
		return;
	v = arena_array(mem, c->n, sizeof(*v));
	for (i = 0; i < c->n; i++)
		if (counts(j, d, &c->v[i]))
			v[r->n++] = (struct by_lane){ c->v[i].lane, (uint32_t)i };
	if (r->n > 1)
		qsort(v, r->n, sizeof(*v), by_lane);
	r->collective = arena_array(mem, r->n, sizeof(*r->collective));
	r->place = arena_array(mem, c->n, sizeof(*r->place));
	for (i = 0; i < r->n; i++) {
		const struct collective *one = &c->v[v[i].collective];

		r->collective[i] = v[i].collective;
		r->place[v[i].collective] = (uint32_t)i + 1;
		r->hash = mix(mix(mix(r->hash, one->lane), (uint64_t)c->kind[one->kind].op), i);
	}
}

static int by_class(const void *pa, const void *pb)
{
	const struct jobalike_rank *a = pa, *b = pb;

	return COMPARE_BY(
		compare3(a->n, b->n), compare3(a->hash, b->hash), compare3(a->rank, b->rank));
}

void jobalike_init(struct jobalike *a, const struct job *j, struct arena *mem)
{
	size_t i;

	*a = (struct jobalike){ arena_array(mem, j->nrank, sizeof(*a->v)), j->nrank };
	for (i = 0; i < a->n; i++) {
		a->v[i].rank = (uint32_t)i;
		look(&a->v[i], j, mem);
	}
	if (a->n > 1)
		qsort(a->v, a->n, sizeof(*a->v), by_class);
}

size_t jobalike_end(const struct jobalike *a, size_t from)
{
	size_t i = from + 1;

	while (i < a->n && a->v[i].n == a->v[from].n && a->v[i].hash == a->v[from].hash)
		i++;
	return i;
}
