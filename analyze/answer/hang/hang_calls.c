/* `hang`: what each rank called, and how far it is in each of its groups. */

#include "analyze/answer/hang/hang.h"
#include "analyze/trace/columns/record.h"

static enum hang_state state_of(struct span word)
{
	if (span_is(word, "completed"))
		return STATE_COMPLETED;
	return span_is(word, "started") ? STATE_STARTED : STATE_SCHEDULED;
}

static void take_texts(struct hang_call *c, const struct table *t, size_t row)
{
	c->op = table_text_at(t, row, CALLS_OP);
	c->in = table_text_at(t, row, CALLS_IN);
	c->out = table_text_at(t, row, CALLS_OUT);
	c->in_type = table_text_at(t, row, CALLS_IN_TYPE);
	c->out_type = table_text_at(t, row, CALLS_OUT_TYPE);
	c->where = table_text_at(t, row, CALLS_WHERE);
	c->stack = table_text_at(t, row, CALLS_STACK);
	c->thread = table_text_at(t, row, CALLS_THREAD);
}

static void take_call(struct hang_call *c, const struct table *t, size_t row)
{
	take_texts(c, t, row);
	c->record = table_int_at(t, row, CALLS_RECORD, NOWHERE);
	c->seq = table_int_at(t, row, CALLS_SEQ, NOWHERE);
	c->before = table_int_at(t, row, CALLS_BEFORE, NOWHERE);
	c->created = table_int_at(t, row, CALLS_CREATED, NOWHERE);
	c->timeout = table_int_at(t, row, CALLS_TIMEOUT, NOWHERE);
	c->in_count = table_int_at(t, row, CALLS_IN_COUNT, NOWHERE);
	c->out_count = table_int_at(t, row, CALLS_OUT_COUNT, NOWHERE);
	c->state = state_of(table_text_at(t, row, CALLS_STATE));
	c->is_p2p = table_number_at(t, row, CALLS_IS_P2P) > 0;
	c->is_send = span_is(c->op, "send");
	c->is_batch_end = span_ends(c->op, "coalesced");
}

/* Which of the rank's groups has that name. */
static bool find_group(
	const struct hang_job *job, const struct hang_rank *r, struct span name, size_t *group)
{
	for (size_t i = 0; i < r->ngroup; i++)
		if (span_eq(job->group[r->group[i]].name, name)) {
			*group = r->group[i];
			return true;
		}
	return false;
}

/* Who is at the other end: a number within the group, whose ranks are in order. */
static int64_t peer_of(const struct hang_group *g, int64_t peer)
{
	return peer >= 0 && (size_t)peer < g->nmember ? (int64_t)g->member[peer].at : NOWHERE;
}

static void note_progress(struct hang_member *m, const struct hang_call *c)
{
	int64_t called = c->is_p2p ? c->before : c->seq;

	if (m && called > m->enqueued)
		m->enqueued = called;
	if (!m || c->is_p2p)
		return;
	if (c->state == STATE_COMPLETED && c->seq > m->completed)
		m->completed = c->seq;
	if (c->state != STATE_COMPLETED)
		m->npending++;
}

static void read_rank(struct hang_job *job, size_t at)
{
	struct hang_rank *r = &job->rank[at];
	const struct sheet *s = record_sheet_of(r->record, r->artifact, SHEET_CALLS);

	r->from = r->to = job->ncall;
	for (size_t row = 0; s && row < s->table.nrow; row++) {
		job->call = arena_grow(
			&job->mem, job->call, job->ncall, &job->call_cap, sizeof(*job->call));
		struct hang_call *c = &job->call[job->ncall];
		*c = (struct hang_call){ .rank = at };
		take_call(c, &s->table, row);
		if (!find_group(job, r, table_text_at(&s->table, row, CALLS_GROUP), &c->group))
			continue;
		c->peer = peer_of(
			&job->group[c->group], table_int_at(&s->table, row, CALLS_PEER, NOWHERE));
		job->group[c->group].has_p2p |= c->is_p2p;
		job->npending += c->state != STATE_COMPLETED;
		job->ncall++;
	}
	r->to = job->ncall;
}

/* In a group with sends and receives the numbers of its statuses may be those of a send: there only
 * calls count.  A send says how many collectives there were before it. */
static void drop_mixed(struct hang_group *g)
{
	for (size_t i = 0; g->has_p2p && i < g->nmember; i++)
		g->member[i].enqueued = g->member[i].started = g->member[i].completed = NOWHERE;
}

/* The first call that has not completed, and the newest of all, by their records. */
static void find_ends(struct hang_job *job, struct hang_rank *r)
{
	for (size_t i = r->from; i < r->to; i++) {
		const struct hang_call *c = &job->call[i];

		if (r->last == NOWHERE || c->record > job->call[r->last].record)
			r->last = (int64_t)i;
		if (c->state != STATE_COMPLETED && !(c->is_batch_end && c->is_p2p) &&
			(r->head == NOWHERE || c->record < job->call[r->head].record))
			r->head = (int64_t)i;
	}
}

void hang_calls_read(struct hang_job *job)
{
	for (size_t i = 0; i < job->nrank; i++)
		if (job->rank[i].has_dump)
			read_rank(job, i);
	for (size_t i = 0; i < job->ngroup; i++)
		drop_mixed(&job->group[i]);
	for (EACH(const struct hang_call, c, job->call, job->ncall))
		note_progress(hang_member_of(&job->group[c->group], job->rank[c->rank].number), c);
	for (size_t i = 0; i < job->nrank; i++)
		find_ends(job, &job->rank[i]);
}
