/*
 * `ranks`: groups, collectives, pairs: what moves between whom, and how fast; arrivals one by one.
 */
#include "analyze/answer/ranks/ranks.h"

#include "analyze/analysis/ranked.h"
#include "analyze/analysis/row_limit.h"

enum { PEOPLE_GROUPS = 12, PEOPLE_COLLECTIVES = 12, PEOPLE_PAIRS = 10 };
static const double ns_per_s = 1e9;

/* ---- groups ---- */

struct group_sum {
	uint32_t group;
	size_t count;
	nsec wait, transfer;
	double slow; /* the largest ratio to the peers of what is slow; 0 */
};

static int by_time(const void *pa, const void *pb)
{
	const struct group_sum *a = pa, *b = pb;
	nsec x = saturate_add(a->wait, a->transfer), y = saturate_add(b->wait, b->transfer);

	return COMPARE_BY(compare3_down(a->slow > 0, b->slow > 0), compare3(y, x),
		compare3(a->group, b->group));
}

static struct group_sum *sum_groups(struct ranks *r)
{
	const struct job *j = &r->at->job;
	const struct job_flows *f = &r->at->facts.flows;
	struct group_sum *s = arena_array(&r->mem, j->ngroup, sizeof(*s));

	for (uint32_t g = 0; g < j->ngroup; g++)
		s[g].group = g;
	for (EACH(const struct job_flow, flow, f->v, f->n)) {
		struct group_sum *to = &s[flow->key.group];
		double slow = flow->is_slow ? flow->median / flow->peers : 0;

		to->count += flow->count;
		saturate_onto(&to->wait, flow->exposed);
		saturate_onto(&to->transfer, flow->transfer);
		to->slow = MAX(slow, to->slow);
	}
	sort_rows(s, j->ngroup, sizeof(*s), by_time);
	return s;
}

/* Over the steps there are, or over all where there are none. */
static double per_step(const struct ranks *r, nsec ns)
{
	return (double)ns / (double)(r->at->job.nstep > 0 ? r->at->job.nstep : 1);
}

static void put_group(struct ranks *r, struct table *t, const struct group_sum *s)
{
	const struct job_group *g = &r->at->job.group[s->group];

	TABLE_ROW(t, [RGROUP_SIZE] = cell_int(g->nrank >= 0 ? g->nrank : (int64_t)g->nmember),
		[RGROUP_TRACES] = cell_size(g->nmember), [RGROUP_COUNT] = cell_size(s->count),
		[RGROUP_WAIT] = cell_real(per_step(r, s->wait)),
		[RGROUP_TRANSFER] = cell_real(per_step(r, s->transfer)),
		[RGROUP_SLOW] = CELL_IF(s->slow > 0, cell_real(s->slow)),
		[RGROUP_NAME] = cell_copy(t, g->name), [RGROUP_DESC] = cell_copy(t, g->desc),
		[RGROUP_MEMBERS] = ranks_members(r, t, g->member, g->nmember));
}

void ranks_put_groups(struct ranks *r)
{
	size_t limit = ranks_limit(r, PEOPLE_GROUPS), n = r->at->job.ngroup, i;
	const struct group_sum *s = sum_groups(r);

	if (n < 2)
		return;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_GROUPS]);
	for (i = 0; i < n && i < limit; i++)
		put_group(r, t, &s[i]);
	rows_for_people(r->q, t);
	t->ncut = n - i;
}

/* ---- collectives ---- */

static void put_speed(struct table *t, const struct job_flow *f)
{
	double rate = f->bytes > 0 ? ratio_of(f->bytes * ns_per_s, (double)f->sized) : NAN;

	TABLE_CELLS(t, [RCOLL_ALGORITHM] = cell_real(rate),
		[RCOLL_BUS] = cell_real(rate * commclass_bus_factor(f->key.op, f->size)));
}

static void put_flow(struct ranks *r, struct table *t, const struct job_flow *f)
{
	double n = (double)f->count;

	TABLE_ROW(t, [RCOLL_OP] = cell_word(commclass_word(f->key.op)),
		[RCOLL_BYTES] = cell_real(ratio_of(f->bytes, (double)f->nsized)),
		[RCOLL_DTYPE] = cell_copy(t, f->key.dtype), [RCOLL_COUNT] = cell_size(f->count),
		[RCOLL_SKEW] = cell_real((double)f->skew / n),
		[RCOLL_SKEW_MAX] = cell_int(f->skew_max), [RCOLL_TRANSFER] = cell_real(f->median));
	put_speed(t, f);
	TABLE_CELLS(t, [RCOLL_PEERS] = cell_real(f->peers), [RCOLL_SLOW] = cell_bool(f->is_slow),
		[RCOLL_EXPOSED] = cell_int(f->exposed), [RCOLL_WAITS] = cell_int(f->waits),
		[RCOLL_MEAN] = cell_real((double)f->transfer / n),
		[RCOLL_MIN] = cell_int(f->transfer_min),
		[RCOLL_END_SKEW] = cell_real(ratio_of((double)f->end_skew, (double)f->nclocked)),
		[RCOLL_WHOLE] = cell_size(f->nwhole), [RCOLL_FROM] = ranks_number(r, f->key.a),
		[RCOLL_TO] = ranks_number(r, f->key.b), [RCOLL_RANKS] = cell_int(f->n),
		[RCOLL_GROUP] = ranks_group(r, t, f->key.group));
}

void ranks_put_collectives(struct ranks *r)
{
	const struct job_flows *f = &r->at->facts.flows;
	struct ranked *order = arena_array(&r->mem, f->n, sizeof(*order));
	size_t limit = ranks_limit(r, PEOPLE_COLLECTIVES), i;

	if (f->n == 0)
		return;
	for (i = 0; i < f->n; i++)
		order[i] = (struct ranked){ .value = saturate_add(f->v[i].waits, f->v[i].transfer),
			.at = i };
	ranked_sort(order, f->n);
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_COLLECTIVES]);
	for (i = 0; i < f->n && i < limit; i++)
		put_flow(r, t, &f->v[order[i].at]);
	rows_for_people(r->q, t);
	t->ncut = f->n - i;
}

/* ---- pairs ---- */

void ranks_put_pairs(struct ranks *r)
{
	const struct job *j = &r->at->job;
	struct ranked *order = arena_array(&r->mem, j->npair, sizeof(*order));
	size_t limit = ranks_limit(r, PEOPLE_PAIRS), i;
	nsec all = 0;

	if (j->npair == 0)
		return;
	for (i = 0; i < j->npair; i++) {
		order[i] = (struct ranked){ .value = j->pair[i].ns, .at = i };
		saturate_onto(&all, j->pair[i].ns);
	}
	ranked_sort(order, j->npair);
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_PAIRS]);
	for (i = 0; i < j->npair && i < limit; i++)
		TABLE_ROW(t, [RPAIR_WAITS] = ranks_number(r, j->pair[order[i].at].waits),
			[RPAIR_CAUSES] = ranks_number(r, j->pair[order[i].at].causes),
			[RPAIR_NS] = cell_real(per_step(r, order[i].value)),
			[RPAIR_SHARE] = cell_ratio(order[i].value, all));
	t->ncut = j->npair - i;
}

/* ---- the list of arrivals, collective by collective ---- */

enum { PEOPLE_ARRIVALS = 40 };

/* The first arrival of a rank's island: what its times are shown since. */
static nsec zero_of(const struct job *j, bool is_clocked)
{
	nsec first = INT64_MAX;

	for (size_t i = 0; i < j->nmeet; i++)
		for (uint32_t k = 0; k < j->meet[i].n && j->meet[i].is_clocked == is_clocked; k++)
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
		[RARR_GROUP] = ranks_group(r, t, m->group));
}

void ranks_put_arrivals(struct ranks *r)
{
	const struct job *j = &r->at->job;
	size_t limit = ranks_limit(r, PEOPLE_ARRIVALS), shown = 0, n = 0;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_ARRIVALS]);
	nsec zero = zero_of(j, true);

	for (size_t i = 0; i < j->nmeet; i++) {
		for (uint32_t k = 0; k < j->meet[i].n && shown < limit; k++, shown++)
			put_arrival(r, t, i, k, zero);
		n += j->meet[i].n;
	}
	t->ncut = n - shown;
	rows_for_people(r->q, t);
}
