/*
 * `diff`: the ranks, those whose step changed most first.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/diff/diff.h"
#include "analyze/analysis/row_limit.h"
#include "base/compare3.h"

enum { PEOPLE_RANKS = 8 };

static double size(const struct contrast_rank *r)
{
	double delta = r->now.ns - r->base.ns;

	return isnan(delta) ? INFINITY : delta;
}

static int by_delta(const void *pa, const void *pb)
{
	const struct contrast_rank *a = *(const struct contrast_rank *const *)pa;
	const struct contrast_rank *b = *(const struct contrast_rank *const *)pb;

	return COMPARE_BY(compare3_down(size(a), size(b)), compare3(a->rank, b->rank));
}

static void put_slowest(struct table *t, size_t col, const struct contrast_rank_side *s)
{
	if (s->steps > 0)
		table_real(t, col, (double)s->slowest / (double)s->steps);
}

void diff_put_ranks(struct diff *d)
{
	const struct table_doc *doc = &diff_docs[DIFF_RANKS_TABLE];
	const struct contrast_ranks *r = &d->c.ranks;
	const struct contrast_rank **order = arena_array(&d->mem, r->n, sizeof(*order));
	size_t i, most = rows_limit(d->q, d->o->limit, PEOPLE_RANKS, SIZE_MAX);
	struct table *t;

	if (r->n == 0)
		return;
	for (i = 0; i < r->n; i++)
		order[i] = &r->v[i];
	qsort(order, r->n, sizeof(*order), by_delta);
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	for (i = 0; i < r->n && i < most; i++) {
		table_row(t);
		table_int(t, DRANK_RANK, order[i]->rank);
		table_real(t, DRANK_BASE, order[i]->base.ns);
		table_real(t, DRANK_NEW, order[i]->now.ns);
		table_real(t, DRANK_DELTA, order[i]->now.ns - order[i]->base.ns);
		put_slowest(t, DRANK_BASE_SLOWEST, &order[i]->base);
		put_slowest(t, DRANK_NEW_SLOWEST, &order[i]->now);
	}
	t->ncut = r->n - i;
}
