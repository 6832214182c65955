/*
 * `ranks`: groups, collectives, pairs: what moves between whom, and how fast.
 */
#include <math.h>
#include <stdlib.h>

#include "analyze/answer/ranks/ranks.h"
#include "analyze/analysis/row_limit.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/ratio.h"
#include "base/saturate.h"

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
	uint32_t g;
	size_t i;

	for (g = 0; g < j->ngroup; g++)
		s[g].group = g;
	for (i = 0; i < f->n; i++) {
		struct group_sum *to = &s[f->v[i].key.group];
		double slow = f->v[i].is_slow ? f->v[i].median / f->v[i].peers : 0;

		to->count += f->v[i].count;
		saturate_onto(&to->wait, f->v[i].exposed);
		saturate_onto(&to->transfer, f->v[i].transfer);
		to->slow = MAX(slow, to->slow);
	}
	if (j->ngroup > 1)
		qsort(s, j->ngroup, sizeof(*s), by_time);
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

	table_row(t);
	table_int(t, RGROUP_SIZE, g->nrank >= 0 ? g->nrank : (int64_t)g->nmember);
	table_int(t, RGROUP_TRACES, (int64_t)g->nmember);
	table_int(t, RGROUP_COUNT, (int64_t)s->count);
	table_real(t, RGROUP_WAIT, per_step(r, s->wait));
	table_real(t, RGROUP_TRANSFER, per_step(r, s->transfer));
	if (s->slow > 0)
		table_real(t, RGROUP_SLOW, s->slow);
	ranks_text(r, t, RGROUP_NAME, g->name);
	ranks_text(r, t, RGROUP_DESC, g->desc);
	ranks_members(r, t, RGROUP_MEMBERS, g->member, g->nmember);
}

void ranks_put_groups(struct ranks *r)
{
	size_t limit = ranks_limit(r, PEOPLE_GROUPS), n = r->at->job.ngroup, i;
	const struct group_sum *s = sum_groups(r);
	struct table *t;

	if (n < 2)
		return;
	t = ranks_begin(r, RANKS_GROUPS);
	for (i = 0; i < n && i < limit; i++)
		put_group(r, t, &s[i]);
	if (r->q->for_people)
		table_drop_empty(t);
	t->ncut = n - i;
}

/* ---- collectives ---- */

static int by_cost(const void *pa, const void *pb)
{
	const struct job_flow *a = *(const struct job_flow *const *)pa;
	const struct job_flow *b = *(const struct job_flow *const *)pb;
	nsec x = saturate_add(a->waits, a->transfer), y = saturate_add(b->waits, b->transfer);

	return COMPARE_BY(compare3(y, x), compare3(a, b));
}

static void put_speed(struct table *t, const struct job_flow *f)
{
	double rate = f->bytes > 0 ? ratio_of(f->bytes * ns_per_s, (double)f->sized) : NAN;

	table_real(t, RCOLL_ALGORITHM, rate);
	table_real(t, RCOLL_BUS, rate * commclass_bus_factor(f->key.op, f->n));
}

static void put_flow(struct ranks *r, struct table *t, const struct job_flow *f)
{
	double n = (double)f->count;

	table_row(t);
	table_text(t, RCOLL_OP, span_of(commclass_word(f->key.op)));
	table_real(t, RCOLL_BYTES, ratio_of(f->bytes, (double)f->nsized));
	ranks_text(r, t, RCOLL_DTYPE, f->key.dtype);
	table_int(t, RCOLL_COUNT, (int64_t)f->count);
	table_real(t, RCOLL_SKEW, (double)f->skew / n);
	table_int(t, RCOLL_SKEW_MAX, f->skew_max);
	table_real(t, RCOLL_TRANSFER, f->median);
	put_speed(t, f);
	table_real(t, RCOLL_PEERS, f->peers);
	table_bool(t, RCOLL_SLOW, f->is_slow);
	table_int(t, RCOLL_EXPOSED, f->exposed);
	table_int(t, RCOLL_WAITS, f->waits);
	table_real(t, RCOLL_MEAN, (double)f->transfer / n);
	table_int(t, RCOLL_MIN, f->transfer_min);
	table_real(t, RCOLL_END_SKEW, ratio_of((double)f->end_skew, (double)f->nclocked));
	table_int(t, RCOLL_WHOLE, (int64_t)f->nwhole);
	ranks_number(r, t, RCOLL_FROM, f->key.a);
	ranks_number(r, t, RCOLL_TO, f->key.b);
	table_int(t, RCOLL_RANKS, f->n);
	ranks_group(r, t, RCOLL_GROUP, f->key.group);
}

void ranks_put_collectives(struct ranks *r)
{
	const struct job_flows *f = &r->at->facts.flows;
	const struct job_flow **order = arena_array(&r->mem, f->n, sizeof(const struct job_flow *));
	size_t limit = ranks_limit(r, PEOPLE_COLLECTIVES), i;
	struct table *t;

	if (f->n == 0)
		return;
	for (i = 0; i < f->n; i++)
		order[i] = &f->v[i];
	qsort(order, f->n, sizeof(const struct job_flow *), by_cost);
	t = ranks_begin(r, RANKS_COLLECTIVES);
	for (i = 0; i < f->n && i < limit; i++)
		put_flow(r, t, order[i]);
	if (r->q->for_people)
		table_drop_empty(t);
	t->ncut = f->n - i;
}

/* ---- pairs ---- */

static int by_wait(const void *pa, const void *pb)
{
	const struct job_pair *a = *(const struct job_pair *const *)pa;
	const struct job_pair *b = *(const struct job_pair *const *)pb;

	return COMPARE_BY(compare3(b->ns, a->ns), compare3(a, b));
}

void ranks_put_pairs(struct ranks *r)
{
	const struct job *j = &r->at->job;
	const struct job_pair **order =
		arena_array(&r->mem, j->npair, sizeof(const struct job_pair *));
	size_t limit = ranks_limit(r, PEOPLE_PAIRS), i;
	struct table *t;
	nsec all = 0;

	if (j->npair == 0)
		return;
	for (i = 0; i < j->npair; i++) {
		order[i] = &j->pair[i];
		saturate_onto(&all, j->pair[i].ns);
	}
	qsort(order, j->npair, sizeof(const struct job_pair *), by_wait);
	t = ranks_begin(r, RANKS_PAIRS);
	for (i = 0; i < j->npair && i < limit; i++) {
		table_row(t);
		ranks_number(r, t, RPAIR_WAITS, order[i]->waits);
		ranks_number(r, t, RPAIR_CAUSES, order[i]->causes);
		table_real(t, RPAIR_NS, per_step(r, order[i]->ns));
		table_real(t, RPAIR_SHARE, ratio_of((double)order[i]->ns, (double)all));
	}
	t->ncut = j->npair - i;
}
