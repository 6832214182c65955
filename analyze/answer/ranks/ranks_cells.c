/*
 * `ranks`: cells that several tables have: ranks, groups, texts.
 */
#include "analyze/answer/ranks/ranks.h"
#include "analyze/analysis/row_limit.h"

struct table *ranks_begin(struct ranks *r, enum ranks_table doc)
{
	const struct table_doc *d = &ranks_docs[doc];

	return result_table(r->out, d->id, d->title, d->col, d->ncol);
}

size_t ranks_limit(const struct ranks *r, size_t people)
{
	return rows_limit(r->q, r->o->limit, people, SIZE_MAX);
}

void ranks_text(struct ranks *r, struct table *t, size_t col, struct span s)
{
	if (s.n > 0)
		table_text(t, col, (struct span){ arena_copy(&r->out->mem, s.p, s.n), s.n });
}

void ranks_number(const struct ranks *r, struct table *t, size_t col, uint32_t rank)
{
	if (rank < r->at->job.nrank && r->at->job.rank[rank].rank >= 0)
		table_int(t, col, r->at->job.rank[rank].rank);
}

void ranks_members(struct ranks *r, struct table *t, size_t col, const uint32_t *rank, size_t n)
{
	const struct job *j = &r->at->job;
	struct str b = { 0 };
	size_t i, k;

	for (i = 0; i < n; i = k) {
		int64_t first = j->rank[rank[i]].rank;

		for (k = i + 1; k < n && j->rank[rank[k]].rank == first + (int64_t)(k - i); k++)
			;
		str_addf(&b, "%s%lld", i ? ", " : "", (long long)first);
		if (k > i + 1)
			str_addf(&b, "%s%lld", k == i + 2 ? ", " : " to ",
				(long long)(first + (int64_t)(k - i) - 1));
	}
	ranks_text(r, t, col, (struct span){ b.s, b.n });
	str_free(&b);
}

void ranks_group(struct ranks *r, struct table *t, size_t col, uint32_t group)
{
	const struct job_group *g;

	if (group >= r->at->job.ngroup)
		return;
	g = &r->at->job.group[group];
	ranks_text(r, t, col, g->name.n > 0 ? g->name : g->desc);
}
