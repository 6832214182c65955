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

	table_row(t);
	table_int(t, RARR_MEET, (int64_t)at);
	if (m->step != COLL_NO_STEP)
		table_int(t, RARR_STEP, r->at->job.step[m->step]);
	table_text(t, RARR_OP, span_of(commclass_word(m->op)));
	if (m->bytes >= 0)
		table_int(t, RARR_BYTES, m->bytes);
	ranks_number(r, t, RARR_RANK, a->rank);
	table_int(t, RARR_START, m->is_clocked ? saturate_sub(a->start, zero) : a->start);
	table_int(t, RARR_DUR, saturate_sub(a->end, a->start));
	table_int(t, RARR_WAIT, a->wait);
	table_int(t, RARR_EXPOSED, a->exposed_wait);
	if (m->last < m->n)
		table_bool(t, RARR_LAST, m->last == k);
	table_int(t, RARR_TRANSFER, m->transfer);
	table_int(t, RARR_ORDINAL, (int64_t)m->ordinal);
	ranks_group(r, t, RARR_GROUP, m->group);
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
