/* `hang`: calls, ranks, groups and stacks as tables. */
#include "analyze/answer/hang/hang.h"
#include "analyze/analysis/row_limit.h"

static struct row_cell ranks_cell(
	const struct hang_job *job, const struct table *t, struct hang_ranks r)
{
	struct str b = { 0 };

	hang_put_ranks(&b, job, r);
	return cell_str(t, &b);
}

/* "all_to_all #20537" */
static struct row_cell call_cell(
	const struct hang_job *job, const struct table *t, const struct hang_call *c)
{
	struct str b = { 0 };

	hang_put_call(&b, job, c);
	return cell_str(t, &b);
}

/* "EXPERT_MODEL_PARALLEL_GROUP (74)" */
static struct row_cell group_cell(const struct table *t, const struct hang_group *g)
{
	struct str b = { 0 };

	hang_put_group(&b, g);
	return cell_str(t, &b);
}

/* Who has not completed something of the group that another has. */
static struct hang_ranks late_of(struct hang_job *job, const struct hang_group *g)
{
	struct hang_ranks late = { arena_array(&job->mem, g->nmember, sizeof(size_t)), 0 };
	int64_t most = NOWHERE;

	for (size_t i = 0; i < g->nmember; i++)
		most = MAX(g->member[i].completed, most);
	for (size_t i = 0; i < g->nmember; i++) {
		const struct hang_rank *r = &job->rank[g->member[i].at];

		for (size_t k = r->from; k < r->to; k++) {
			const struct hang_call *c = &job->call[k];

			if (&job->group[c->group] != g || c->is_p2p ||
				c->state == STATE_COMPLETED || c->seq > most)
				continue;
			late.v[late.n++] = g->member[i].at;
			break;
		}
	}
	return late;
}

static void put_meeting(struct hang_job *job, struct table *t, const struct hang_meeting *m)
{
	const struct hang_group *g = &job->group[m->group];
	const struct hang_call *c = &job->call[m->first];
	size_t whole = m->is_p2p ? 2 : g->nmember;
	size_t pending = SUM(size_t, i, g->nmember, g->member[i].npending);

	TABLE_ROW(t, [MEET_KIND] = cell_word(hang_kind_word(m)), [MEET_CALL] = call_cell(job, t, c),
		[MEET_GROUP] = group_cell(t, g), [MEET_OP] = cell_text(c->op),
		[MEET_SEQ] = cell_known(c->seq, NOWHERE), [MEET_SIZES] = cell_text(c->in),
		[MEET_DTYPES] = cell_text(c->in_type),
		[MEET_CAME] = cell_textf(t, "%zu of %zu", m->came.n + m->through.n, whole),
		[MEET_MISSING] = ranks_cell(job, t, m->missing),
		[MEET_ODD] = ranks_cell(job, t, m->odd),
		[MEET_LATE] = ranks_cell(job, t, late_of(job, g)),
		[MEET_UNKNOWN] = ranks_cell(job, t, m->unknown),
		[MEET_CALLED] = ranks_cell(job, t, m->came),
		[MEET_THROUGH] = ranks_cell(job, t, m->through), [MEET_PG] = cell_text(g->name),
		[MEET_DESC] = cell_name(g->desc), [MEET_HEADS] = cell_size(m->nhead),
		[MEET_PENDING] = cell_size(m->is_p2p ? m->ncall : pending),
		[MEET_CREATED] = cell_known(c->created, NOWHERE),
		[MEET_TIMEOUT] = cell_known(c->timeout, NOWHERE));
}

static bool has_root(const struct hang_job *job, struct hang_ranks r)
{
	return ANY(i, r.n, job->rank[r.v[i]].is_root);
}

/* It tells of those that hold up others, not only of others that wait for them elsewhere. */
static bool is_evidence(const struct hang_job *job, const struct hang_meeting *m)
{
	switch (m->kind) {
	case KIND_MISMATCHED: return true;
	case KIND_MISSING: return has_root(job, m->missing);
	case KIND_NO_DUMP: return has_root(job, m->unknown);
	case KIND_LATE: return m->nhead > 0;
	case KIND_STUCK: break;
	}
	return m->nhead > 0 && m->blocks.n == 0;
}

struct shown {
	const struct hang_meeting *m;
	bool is_evidence;
};

/* Evidence first; in it collectives, those in which more ranks wait first, the worse. */
ORDER(by_weight, struct shown, compare3_down(a->is_evidence, b->is_evidence),
	compare3(a->m->is_p2p, b->m->is_p2p), compare3(b->m->nhead, a->m->nhead),
	compare3(b->m->kind, a->m->kind), compare3(a->m->first, b->m->first))

/* Of each group the one that tells most, and all in which somebody waits first.  People see what is
 * evidence, unless they ask for more. */
void hang_put_meetings(struct hang_job *job, struct table *t, size_t limit, bool is_asked)
{
	struct shown *v = arena_array(&job->mem, job->nmeeting, sizeof(*v));
	size_t n = 0, evidence = 0;

	for (size_t i = 0; i < job->nmeeting; i++) {
		const struct hang_meeting *m = &job->meeting[i];

		if (!m->nhead && job->group[m->group].worst != (int64_t)i)
			continue;
		v[n] = (struct shown){ m, is_evidence(job, m) };
		evidence += v[n++].is_evidence;
	}
	sort_rows(v, n, sizeof(*v), by_weight);
	if (job->q->for_people && !is_asked && evidence && evidence < limit)
		limit = evidence;
	for (size_t i = 0; i < n && i < limit; i++)
		put_meeting(job, t, v[i].m);
	rows_cut(t, MEET_CALL, n > limit ? n - limit : 0);
	rows_for_people(job->q, t);
}

static bool is_wanted_somewhere(const struct hang_job *job, size_t rank)
{
	for (EACH(const struct hang_meeting, meeting, job->meeting, job->nmeeting))
		for (size_t k = 0; meeting->nhead && k < meeting->missing.n; k++)
			if (meeting->missing.v[k] == rank)
				return true;
	return false;
}

static const char *state_of(const struct hang_job *job, size_t at)
{
	const struct hang_rank *r = &job->rank[at];
	const struct hang_meeting *m =
		r->head == NOWHERE ? NULL : &job->meeting[job->call[r->head].meeting];

	if (!r->has_dump)
		return "no dump";
	if (r->is_in_circle)
		return "circle";
	if (!r->is_root)
		return "waits";
	if (is_wanted_somewhere(job, at))
		return "did not come";
	if (!m)
		return "idle";
	if (m->kind == KIND_MISMATCHED)
		return "differs";
	return m->kind == KIND_LATE ? "late" : "stuck";
}

/* When the first of all ranks came to stand. */
static int64_t first_created(const struct hang_job *job)
{
	int64_t first = NOWHERE;

	for (EACH(const struct hang_rank, rank, job->rank, job->nrank)) {
		int64_t at = rank->head == NOWHERE ? NOWHERE : job->call[rank->head].created;

		if (at != NOWHERE && (first == NOWHERE || at < first))
			first = at;
	}
	return first;
}

static const struct hang_call *call_of(const struct hang_job *job, const struct hang_rank *r)
{
	if (r->head != NOWHERE)
		return &job->call[r->head];
	return r->last != NOWHERE ? &job->call[r->last] : NULL;
}

static void put_state_call(const struct hang_job *job, struct table *t, const struct hang_rank *r,
	const struct hang_call *c, int64_t first)
{
	const struct hang_group *g = &job->group[c->group];

	TABLE_CELLS(t, [HRANK_CALL] = call_cell(job, t, c), [HRANK_GROUP] = group_cell(t, g),
		[HRANK_OP] = cell_text(c->op), [HRANK_SEQ] = cell_known(c->seq, NOWHERE),
		[HRANK_PG] = cell_text(g->name), [HRANK_DESC] = cell_name(g->desc),
		[HRANK_WHERE] = cell_name(c->where), [HRANK_THREAD] = cell_name(c->thread),
		[HRANK_TIMEOUT] = cell_known(c->timeout, NOWHERE));
	if (c->created == NOWHERE)
		return;
	TABLE_CELLS(t, [HRANK_CREATED] = cell_int(c->created),
		[HRANK_BEGIN] = CELL_IF(r->head != NOWHERE, cell_int(c->created - first)));
}

static void put_state(struct hang_job *job, struct table *t, size_t at, int64_t first)
{
	const struct hang_rank *r = &job->rank[at];
	const struct hang_call *c = call_of(job, r);
	int64_t pending = 0;

	for (size_t i = r->from; i < r->to; i++)
		pending += job->call[i].state != STATE_COMPLETED;
	TABLE_ROW(t, [HRANK_RANK] = cell_int(r->number),
		[HRANK_STATE] = cell_word(state_of(job, at)));
	if (c)
		put_state_call(job, t, r, c, first);
	if (!r->has_dump)
		return;
	TABLE_CELLS(t,
		[HRANK_FOR] = CELL_IF(r->head != NOWHERE,
			ranks_cell(job, t, job->meeting[job->call[r->head].meeting].blocks)),
		[HRANK_PENDING] = cell_int(pending), [HRANK_DUMP] = cell_word(r->path));
}

/* Those that hold up others first, then by number. */
void hang_put_states(
	struct hang_job *job, struct table *t, size_t limit, const struct filter_set *set)
{
	int64_t first = first_created(job);
	size_t n = 0, cut = 0;

	for (size_t turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < job->nrank; i++) {
			const struct hang_rank *r = &job->rank[i];

			if ((turn == 0) != (r->is_root || r->is_in_circle) ||
				!filter_in(&set->rank, r->number))
				continue;
			if (n++ < limit)
				put_state(job, t, i, first);
			else
				cut++;
		}
	rows_cut(t, HRANK_STATE, cut);
	rows_for_people(job->q, t);
}

void hang_put_groups(struct hang_job *job, struct table *t, const struct filter_set *set)
{
	for (EACH(const struct hang_rank, r, job->rank, job->nrank)) {
		for (size_t k = 0; k < r->ngroup && filter_in(&set->rank, r->number); k++) {
			const struct hang_group *g = &job->group[r->group[k]];
			const struct hang_member *m = hang_member_of(g, r->number);

			if (!m)
				continue;
			TABLE_ROW(t, [HGROUP_RANK] = cell_int(r->number),
				[HGROUP_NAME] = cell_text(g->name),
				[HGROUP_DESC] = cell_name(g->desc),
				[HGROUP_ENQUEUED] = cell_known(m->enqueued, NOWHERE),
				[HGROUP_STARTED] = cell_known(m->started, NOWHERE),
				[HGROUP_COMPLETED] = cell_known(m->completed, NOWHERE),
				[HGROUP_PENDING] = cell_size(m->npending),
				[HGROUP_GUESSED] = cell_bool(m->is_guessed));
		}
	}
	rows_for_people(job->q, t);
}

void hang_put_stacks(struct hang_job *job, struct table *t, const struct filter_set *set)
{
	for (EACH(const struct hang_rank, r, job->rank, job->nrank)) {
		const struct hang_call *c = call_of(job, r);

		/* One row a frame. */
		if (c && filter_in(&set->rank, r->number)) {
			struct span rest = c->stack;
			int64_t depth = 0;
			while (rest.n) {
				const char *end = memchr(rest.p, ';', rest.n);
				size_t n = end ? (size_t)(end - rest.p) : rest.n;

				table_row(t);
				if (depth == 0 || r->head == NOWHERE)
					TABLE_CELLS(t, [HSTACK_RANK] = cell_int(r->number),
						[HSTACK_OP] = cell_text(c->op));
				TABLE_CELLS(t, [HSTACK_DEPTH] = cell_int(depth++),
					[HSTACK_FRAME] = cell_text((struct span){ rest.p, n }));
				rest.p += n + (end != NULL);
				rest.n -= n + (end != NULL);
			}
		}
	}
}
