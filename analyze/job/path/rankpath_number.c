/*
 * The path of one rank: its collectives by their numbers in the rank's digest.
 */
#include <stdlib.h>

#include "analyze/job/path/rankpath.h"
#include "base/compare3.h"

struct numbered {
	uint32_t row, collective;
};

static int by_row(const void *pa, const void *pb)
{
	const struct numbered *a = pa, *b = pb;

	return compare3(a->row, b->row);
}

/* By collective as it came: its number in the digest. */
static uint32_t *find_numbers(
	const struct rankpath *p, const struct collectives *c, struct arena *scratch)
{
	struct numbered *v = arena_array(scratch, c->n, sizeof(*v));
	uint32_t *to = arena_array(scratch, p->ncollective, sizeof(*to));
	size_t i;

	for (i = 0; i < c->n && c->row; i++)
		v[i] = (struct numbered){ c->row[i], (uint32_t)i };
	if (c->n > 1)
		qsort(v, c->n, sizeof(*v), by_row);
	for (i = 0; i < p->ncollective; i++) {
		const struct numbered key = { p->row[i], 0 };
		const struct numbered *at =
			c->row ? bsearch(&key, v, c->n, sizeof(*v), by_row) : NULL;

		to[i] = at ? at->collective : RANKPATH_NONE;
	}
	return to;
}

static void renumber(uint32_t *collective, const uint32_t *to)
{
	if (*collective != RANKPATH_NONE)
		*collective = to[*collective];
}

void rankpath_number(struct rankpath *p, const struct collectives *c)
{
	struct rankpath_ready *ready = arena_array(&p->mem, c->n, sizeof(*ready));
	uint32_t *start = arena_array(&p->mem, c->n, sizeof(*start)), *to;
	struct arena scratch;
	size_t i;

	arena_init(&scratch);
	to = find_numbers(p, c, &scratch);
	for (i = 0; i < c->n; i++) {
		start[i] = RANKPATH_NONE;
		ready[i] = (struct rankpath_ready){ RANKPATH_NONE, 0, INT64_MIN, RANKPATH_NONE,
			INT64_MIN };
	}
	for (i = 0; i < p->ncollective; i++)
		if (to[i] != RANKPATH_NONE) {
			start[to[i]] = p->start[i];
			ready[to[i]] = p->of_start[i];
			renumber(&ready[to[i]].anchor, to);
			renumber(&ready[to[i]].held, to);
		}
	for (i = 0; i < p->nstep; i++)
		renumber(&p->of_end[i].anchor, to);
	for (i = 0; i < p->npoint; i++)
		renumber(&p->point[i].collective, to);
	p->start = start;
	p->of_start = ready;
	p->ncollective = c->n;
	p->row = NULL;
	arena_clear(&scratch);
}
