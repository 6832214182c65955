/* `hang`: who waits for whom, and where the chains of that end. */
#include "analyze/answer/hang/hang.h"

/* who waits for whom.  A rank waits in its first call that has not completed: for those
 * who did not come to it, or, where all came, for those who are held up in front of it by another.
 * Following that from rank to rank ends at those who wait for nobody, or in a circle. */

static bool is_at(const struct hang_job *job, size_t rank, const struct hang_meeting *m)
{
	int64_t head = job->rank[rank].head;

	return head != NOWHERE && &job->meeting[job->call[head].meeting] == m;
}

/* Of those who came, the ones that are not there yet: another call is in front of it. */
static void find_held_up(struct hang_job *job, struct hang_meeting *m)
{
	m->blocks.v = arena_array(&job->mem, m->ncall, sizeof(*m->blocks.v));
	m->blocks.n = 0;
	for (size_t i = 0; i < m->ncall; i++) {
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

	while (is_new) {
		is_new = false;
		for (EACH(struct hang_rank, r, job->rank, job->nrank)) {
			if (r->is_explained)
				continue;
			const struct hang_ranks *b = blocks_of(job, r);
			for (size_t k = 0; k < b->n && !r->is_explained; k++)
				r->is_explained = job->rank[b->v[k]].is_explained;
			is_new |= r->is_explained;
		}
	}
}

/* Who is left leads into a circle: going on from any of them as many steps as there are ranks ends
 * on it. */
static void find_circle(struct hang_job *job, size_t from)
{
	size_t at = from;

	for (size_t i = 0; i < job->nrank; i++)
		at = blocks_of(job, &job->rank[at])->v[0];
	for (size_t i = 0; i < job->nrank && !job->rank[at].is_in_circle; i++) {
		job->rank[at].is_in_circle = true;
		at = blocks_of(job, &job->rank[at])->v[0];
	}
}

void hang_wait(struct hang_job *job)
{
	for (EACH(struct hang_rank, rank, job->rank, job->nrank))
		if (rank->head != NOWHERE)
			job->meeting[job->call[rank->head].meeting].nhead++;
	for (size_t i = 0; i < job->nmeeting; i++)
		find_blocks(job, &job->meeting[i]);
	for (EACH(struct hang_rank, r, job->rank, job->nrank)) {
		r->is_root = r->head == NOWHERE || blocks_of(job, r)->n == 0;
		r->is_explained = r->is_root;
	}
	explain(job);
	for (size_t i = 0; i < job->nrank; i++)
		if (!job->rank[i].is_explained) {
			find_circle(job, i);
			explain(job);
			break;
		}
}

/* ---- where the chains end ---- */

static bool has(struct hang_ranks r, size_t rank)
{
	return ANY(i, r.n, r.v[i] == rank);
}

/* Of two meetings that want a rank, the one that says more of it. */
static bool is_better(const struct hang_meeting *a, const struct hang_meeting *b)
{
	if (!b || a->nhead != b->nhead)
		return !b || a->nhead > b->nhead;
	return a->is_p2p != b->is_p2p ? b->is_p2p : a->seq < b->seq;
}

/* What a root keeps from happening: the call that most ranks wait in for it, collectives before
 * sends; where none does, the call that it stands in itself. */
static const struct hang_meeting *meeting_of(const struct hang_job *job, size_t rank)
{
	const struct hang_rank *r = &job->rank[rank];
	const struct hang_meeting *best = NULL, *other = NULL;

	for (EACH(const struct hang_meeting, m, job->meeting, job->nmeeting)) {
		if (m->nhead == 0 || !has(m->blocks, rank))
			continue;
		if (has(m->missing, rank) || has(m->unknown, rank)) {
			if (!best || (best->is_p2p && !m->is_p2p) ||
				(best->is_p2p == m->is_p2p && is_better(m, best)))
				best = m;
		} else if (is_better(m, other)) {
			other = m;
		}
	}
	if (best && (!best->is_p2p || r->head == NOWHERE))
		return best;
	if (r->head != NOWHERE)
		return &job->meeting[job->call[r->head].meeting];
	return best ? best : other;
}

static void add_rank(struct hang_job *job, struct hang_cause *c, size_t rank)
{
	size_t *v = arena_array(&job->mem, c->ranks.n + 1, sizeof(*v));

	for (size_t i = 0; i < c->ranks.n; i++)
		v[i] = c->ranks.v[i];
	v[c->ranks.n] = rank;
	c->ranks.v = v;
	c->ranks.n++;
}

static struct hang_cause *cause_of(struct hang_job *job, struct hang_cause **v, size_t *n,
	size_t *cap, const struct hang_meeting *m)
{
	for (size_t i = 0; i < *n; i++)
		if ((*v)[i].m == m && !(*v)[i].is_circle)
			return &(*v)[i];
	return ARENA_PUSH(&job->mem, *v, *n, *cap, (struct hang_cause){ .m = m });
}

static size_t find_causes(struct hang_job *job, struct hang_cause **v)
{
	size_t n = 0, cap = 0;
	struct hang_cause *circle = NULL;

	*v = NULL;
	for (size_t i = 0; i < job->nrank; i++) {
		const struct hang_meeting *m = job->rank[i].is_root ? meeting_of(job, i) : NULL;

		if (m)
			add_rank(job, cause_of(job, v, &n, &cap, m), i);
	}
	for (size_t i = 0; i < job->nrank; i++) {
		if (!job->rank[i].is_in_circle)
			continue;
		if (!circle) {
			circle = cause_of(job, v, &n, &cap, NULL);
			circle->is_circle = true;
			circle->m = &job->meeting[job->call[job->rank[i].head].meeting];
		}
		add_rank(job, circle, i);
	}
	return n;
}

/* Ranks from which a chain leads to the cause, without its own. */
static void count_held(struct hang_job *job, struct hang_cause *c)
{
	bool *leads = xcalloc(job->nrank + 1, sizeof(*leads)), is_new = true;

	for (size_t i = 0; i < c->ranks.n; i++)
		leads[c->ranks.v[i]] = true;
	while (is_new) {
		is_new = false;
		for (size_t i = 0; i < job->nrank; i++) {
			if (leads[i] || job->rank[i].head == NOWHERE)
				continue;
			const struct hang_ranks *b =
				&job->meeting[job->call[job->rank[i].head].meeting].blocks;
			for (size_t k = 0; k < b->n && !leads[i]; k++)
				leads[i] = leads[b->v[k]];
			c->held += leads[i];
			is_new |= leads[i];
		}
	}
	free(leads);
}

ORDER(by_weight, struct hang_cause,
	compare3_down(a->m->kind == KIND_MISMATCHED, b->m->kind == KIND_MISMATCHED),
	compare3_down(a->held, b->held), compare3(a->ranks.v[0], b->ranks.v[0]))

static void put_figures(const struct hang_job *job, struct table *t, const struct hang_cause *c)
{
	const struct hang_call *call = &job->call[c->m->first];
	const struct hang_group *g = &job->group[c->m->group];
	struct str b = { 0 };

	hang_put_ranks(&b, job, c->m->kind == KIND_MISMATCHED ? c->m->odd : c->ranks);
	TABLE_CELLS(t, [CAUSE_RANKS] = cell_str(t, &b),
		[CAUSE_KIND] = cell_word(c->is_circle ? "circle" : hang_kind_word(c->m)),
		[CAUSE_GROUP] = cell_text(g->name), [CAUSE_DESC] = cell_name(g->desc),
		[CAUSE_OP] = cell_text(call->op), [CAUSE_SEQ] = cell_known(call->seq, NOWHERE),
		[CAUSE_SINCE] = cell_known(call->created, NOWHERE),
		[CAUSE_TIMEOUT] = cell_known(call->timeout, NOWHERE),
		[CAUSE_SIZES] = cell_text(call->in), [CAUSE_DTYPES] = cell_text(call->in_type),
		[CAUSE_HELD] = cell_size(c->held), [CAUSE_WHERE] = cell_name(call->where));
}

void hang_put_causes(struct hang_job *job, struct table *t)
{
	struct hang_cause *v;
	size_t n = find_causes(job, &v);
	SCOPED_STR b = { 0 };

	if (n == 0) {
		TABLE_ROW(t, [CAUSE_KIND] = cell_word("none"), [CAUSE_HELD] = cell_int(0),
			[CAUSE_VERDICT] = cell_textf(t,
				"no hang: every call of the %zu rank%s that left a dump has completed",
				job->ndump, plural_s(job->ndump)));
		return;
	}
	for (size_t i = 0; i < n; i++)
		count_held(job, &v[i]);
	qsort(v, n, sizeof(*v), by_weight);
	for (EACH(const struct hang_cause, cause, v, n)) {
		str_reset(&b);
		hang_say_cause(&b, job, cause);
		TABLE_ROW(t, [CAUSE_VERDICT] = cell_textf(t, "%s", b.s));
		put_figures(job, t, cause);
	}
}
