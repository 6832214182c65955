/*
 * `stages`: how long each call of a path took, for quartiles.
 */
#include <stdlib.h>

#include "analyze/answer/stages/stages.h"
#include "analyze/stat/quantile.h"
#include "base/saturate.h"

void stages_call(struct stages *s, struct calltree *t, uint32_t node, nsec dur)
{
	struct stages_calls *c = &s->calls;

	calltree_count(t, node, dur, 0);
	c->v = array_grow(c->v, &c->cap, c->n + 1, sizeof(*c->v));
	c->v[c->n++] = (struct stages_call){ node, dur };
}

void stages_calls_clear(struct stages_calls *c)
{
	free(c->v);
	*c = (struct stages_calls){ 0 };
}

void stages_group(
	struct stages_groups *g, const struct stages_calls *c, size_t nnode, struct arena *mem)
{
	size_t *next = arena_array(mem, nnode + 1, sizeof(*next)), i;

	g->begin = arena_array(mem, nnode + 1, sizeof(*g->begin));
	g->ns = arena_array(mem, c->n, sizeof(*g->ns));
	for (i = 0; i < c->n; i++)
		g->begin[c->v[i].node + 1]++;
	for (i = 0; i < nnode; i++) {
		g->begin[i + 1] += g->begin[i];
		next[i] = g->begin[i];
	}
	for (i = 0; i < c->n; i++)
		g->ns[next[c->v[i].node]++] = (double)c->v[i].ns;
}

void stages_put_quartiles(struct table *t, const struct stages_groups *g, uint32_t node)
{
	size_t n = g->begin[node + 1] - g->begin[node];
	double *v = g->ns + g->begin[node];

	if (n == 0)
		return;
	quantile_sort(v, n);
	TABLE_CELLS(t, [STAGE_P25] = cell_real(quantile_sorted(v, n, 0.25)),
		[STAGE_MEDIAN] = cell_real(quantile_sorted(v, n, 0.5)),
		[STAGE_P75] = cell_real(quantile_sorted(v, n, 0.75)));
}
