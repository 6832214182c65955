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

struct row_cell ranks_text(struct ranks *r, struct span s)
{
	return cell_name((struct span){ s.n ? arena_copy(&r->out->mem, s.p, s.n) : NULL, s.n });
}

struct row_cell ranks_number(const struct ranks *r, uint32_t rank)
{
	return rank < r->at->job.nrank ? cell_count(r->at->job.rank[rank].rank) : NO_CELL;
}

struct row_cell ranks_members(struct ranks *r, const uint32_t *rank, size_t n)
{
	const struct job *j = &r->at->job;
	struct row_cell cell;
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
	cell = ranks_text(r, (struct span){ b.s, b.n });
	str_free(&b);
	return cell;
}

struct row_cell ranks_group(struct ranks *r, uint32_t group)
{
	const struct job_group *g = &r->at->job.group[group];

	if (group >= r->at->job.ngroup)
		return NO_CELL;
	return ranks_text(r, g->name.n > 0 ? g->name : g->desc);
}
