/*
 * `hang`: who waits for whom.  A rank waits in its first call that has not completed: for those who
 * did not come to it, or, where all came, for those who are held up in front of it by another.
 * Following that from rank to rank ends at those who wait for nobody, or in a circle.
 */
#include "analyze/answer/hang/hang.h"

static bool is_at(const struct hang_job *job, size_t rank, const struct hang_meeting *m)
{
	int64_t head = job->rank[rank].head;

	return head != NOWHERE && &job->meeting[job->call[head].meeting] == m;
}

/* Of those who came, the ones that are not there yet: another call is in front of it. */
static void find_held_up(struct hang_job *job, struct hang_meeting *m)
{
	size_t i;

	m->blocks.v = arena_array(&job->mem, m->ncall, sizeof(*m->blocks.v));
	m->blocks.n = 0;
	for (i = 0; i < m->ncall; i++) {
		const struct hang_call *c = &job->call[m->call[i]];
		bool is_again = m->blocks.n && m->blocks.v[m->blocks.n - 1] == c->rank;

		if (c->state == STATE_SCHEDULED && !is_again && !is_at(job, c->rank, m))
			m->blocks.v[m->blocks.n++] = c->rank;
	}
}

static void find_blocks(struct hang_job *job, struct hang_meeting *m)
{
	switch (m->kind) {
	case KIND_MISMATCHED: m->blocks = (struct hang_ranks){ NULL, 0 }; break;
	case KIND_MISSING: m->blocks = m->missing; break;
	case KIND_NO_DUMP: m->blocks = m->unknown; break;
	case KIND_STUCK:
	case KIND_LATE: find_held_up(job, m); break;
	}
}

static const struct hang_ranks *blocks_of(const struct hang_job *job, const struct hang_rank *r)
{
	return &job->meeting[job->call[r->head].meeting].blocks;
}

/* Whose chains end in a root: until nothing changes, one more rank of each chain at a time. */
static void explain(struct hang_job *job)
{
	bool is_new = true;
	size_t i, k;

	while (is_new) {
		is_new = false;
		for (i = 0; i < job->nrank; i++) {
			struct hang_rank *r = &job->rank[i];
			const struct hang_ranks *b;

			if (r->is_explained)
				continue;
			b = blocks_of(job, r);
			for (k = 0; k < b->n && !r->is_explained; k++)
				r->is_explained = job->rank[b->v[k]].is_explained;
			is_new |= r->is_explained;
		}
	}
}

/*
 * Who is left leads into a circle: going on from any of them as many steps as there are ranks ends
 * on it.
 */
static void find_circle(struct hang_job *job, size_t from)
{
	size_t at = from, i;

	for (i = 0; i < job->nrank; i++)
		at = blocks_of(job, &job->rank[at])->v[0];
	for (i = 0; i < job->nrank && !job->rank[at].is_in_circle; i++) {
		job->rank[at].is_in_circle = true;
		at = blocks_of(job, &job->rank[at])->v[0];
	}
}

void hang_wait(struct hang_job *job)
{
	size_t i;

	for (i = 0; i < job->nrank; i++)
		if (job->rank[i].head != NOWHERE)
			job->meeting[job->call[job->rank[i].head].meeting].nhead++;
	for (i = 0; i < job->nmeeting; i++)
		find_blocks(job, &job->meeting[i]);
	for (i = 0; i < job->nrank; i++) {
		struct hang_rank *r = &job->rank[i];

		r->is_root = r->head == NOWHERE || blocks_of(job, r)->n == 0;
		r->is_explained = r->is_root;
	}
	explain(job);
	for (i = 0; i < job->nrank; i++)
		if (!job->rank[i].is_explained) {
			find_circle(job, i);
			explain(job);
			break;
		}
}
