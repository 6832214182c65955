/*
 * `hang`: of each call that has not completed: who came, who did not, who is through with it.
 */
#include "analyze/answer/hang/hang.h"

#include "base/search.h"

static struct hang_ranks room(struct hang_job *job, size_t n)
{
	return (struct hang_ranks){ arena_array(&job->mem, n, sizeof(size_t)), 0 };
}

static bool has_come(const struct hang_job *job, const struct hang_meeting *m, size_t rank)
{
	size_t lo = PARTITION_POINT(i, 0, m->ncall, job->call[m->call[i]].rank < rank);

	return lo < m->ncall && job->call[m->call[lo]].rank == rank;
}

/*
 * Who has no pending call of it is through, or did not come.  What its calls and statuses say
 * decides; a rank that never called anything of the group is at 0.
 */
static void judge_member(
	struct hang_job *job, struct hang_meeting *m, const struct hang_member *member)
{
	bool is_through = member->completed >= m->seq;
	bool is_lost = !is_through && member->enqueued >= m->seq; /* its entry is overwritten */

	if (has_come(job, m, member->at) || is_lost)
		m->came.v[m->came.n++] = member->at;
	else if (is_through)
		m->through.v[m->through.n++] = member->at;
	else if (job->rank[member->at].has_dump)
		m->missing.v[m->missing.n++] = member->at;
	else
		m->unknown.v[m->unknown.n++] = member->at;
}

static void judge_pair(struct hang_job *job, struct hang_meeting *m)
{
	size_t i;

	for (i = 0; i < m->ncall; i++)
		m->came.v[m->came.n++] = job->call[m->call[i]].rank;
	if (m->ncall > 1 || !m->has_partner)
		return;
	if (job->rank[m->partner].has_dump)
		m->missing.v[m->missing.n++] = m->partner;
	else
		m->unknown.v[m->unknown.n++] = m->partner;
}

static void judge(struct hang_job *job, struct hang_meeting *m)
{
	const struct hang_group *g = &job->group[m->group];
	size_t i, n = g->nmember + m->ncall;

	m->came = room(job, n);
	m->missing = room(job, n);
	m->through = room(job, n);
	m->unknown = room(job, n);
	if (m->is_p2p)
		judge_pair(job, m);
	else
		for (i = 0; i < g->nmember; i++)
			judge_member(job, m, &g->member[i]);
	hang_match(job, m);
	if (m->odd.n)
		m->kind = KIND_MISMATCHED;
	else if (m->missing.n)
		m->kind = KIND_MISSING;
	else if (m->unknown.n)
		m->kind = KIND_NO_DUMP;
	else
		m->kind = m->through.n ? KIND_LATE : KIND_STUCK;
}

/* Which of two of a group tells more: that for which somebody is missing, then the earlier. */
static bool is_worse(const struct hang_meeting *a, const struct hang_meeting *b)
{
	if ((a->kind >= KIND_MISSING) != (b->kind >= KIND_MISSING))
		return a->kind > b->kind;
	if (a->is_p2p != b->is_p2p)
		return b->is_p2p;
	return a->seq < b->seq;
}

void hang_judge_groups(struct hang_job *job)
{
	size_t i;

	for (i = 0; i < job->nmeeting; i++) {
		struct hang_meeting *m = &job->meeting[i];
		struct hang_group *g = &job->group[m->group];

		judge(job, m);
		if (g->worst == NOWHERE || is_worse(m, &job->meeting[g->worst]))
			g->worst = (int64_t)i;
	}
}
