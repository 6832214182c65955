/*
 * `ranks`: the list of arrivals, collective by collective.
 */
#include "analyze/answer/ranks/ranks.h"

#include "base/saturate.h"

enum { PEOPLE_ARRIVALS = 40 };

/* The first arrival of a rank's island: what its times are shown since. */
static nsec zero_of(const struct job *j, bool is_clocked)
{
	nsec first = INT64_MAX;
	size_t i;
	uint32_t k;

	for (i = 0; i < j->nmeet; i++)
		for (k = 0; k < j->meet[i].n && j->meet[i].is_clocked == is_clocked; k++)
			if (j->meet[i].arrival[k].start < first)
				first = j->meet[i].arrival[k].start;
	return first;
}

static void put_arrival(struct ranks *r, struct table *t, size_t at, uint32_t k, nsec zero)
{
	const struct collective_instance *m = &r->at->job.meet[at];
	const struct job_arrival *a = &m->arrival[k];

	TABLE_ROW(t, [RARR_MEET] = cell_size(at),
		[RARR_STEP] = CELL_IF(m->step != COLL_NO_STEP, cell_int(r->at->job.step[m->step])),
		[RARR_OP] = cell_word(commclass_word(m->op)), [RARR_BYTES] = cell_count(m->bytes),
		[RARR_RANK] = ranks_number(r, a->rank),
		[RARR_START] = cell_int(m->is_clocked ? saturate_sub(a->start, zero) : a->start),
		[RARR_DUR] = cell_int(saturate_sub(a->end, a->start)),
		[RARR_WAIT] = cell_int(a->wait), [RARR_EXPOSED] = cell_int(a->exposed_wait),
		[RARR_LAST] = CELL_IF(m->last < m->n, cell_bool(m->last == k)),
		[RARR_TRANSFER] = cell_int(m->transfer), [RARR_ORDINAL] = cell_size(m->ordinal),
		[RARR_GROUP] = ranks_group(r, m->group));
}

void ranks_put_arrivals(struct ranks *r)
{
	const struct job *j = &r->at->job;
	size_t limit = ranks_limit(r, PEOPLE_ARRIVALS), shown = 0, n = 0, i;
	struct table *t = ranks_begin(r, RANKS_ARRIVALS);
	nsec zero = zero_of(j, true);
	uint32_t k;

	for (i = 0; i < j->nmeet; i++) {
		for (k = 0; k < j->meet[i].n && shown < limit; k++, shown++)
			put_arrival(r, t, i, k, zero);
		n += j->meet[i].n;
	}
	t->ncut = n - shown;
	if (r->q->for_people)
		table_drop_empty(t);
}
