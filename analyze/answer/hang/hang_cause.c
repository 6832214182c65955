/*
 * `hang`: where the chains end, as sentences.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "analyze/answer/hang/hang.h"

enum { NS_OF_S = 1000000000 };

/* One end of chains: ranks that keep a meeting from happening. */
struct cause {
	const struct hang_meeting *m;
	struct hang_ranks ranks;
	bool is_circle;
	size_t held; /* ranks that wait because of it */
};

static bool has(struct hang_ranks r, size_t rank)
{
	size_t i;

	for (i = 0; i < r.n; i++)
		if (r.v[i] == rank)
			return true;
	return false;
}

/* Of two meetings that want a rank, the one that says more of it. */
static bool is_better(const struct hang_meeting *a, const struct hang_meeting *b)
{
	if (!b || a->nhead != b->nhead)
		return !b || a->nhead > b->nhead;
	return a->is_p2p != b->is_p2p ? b->is_p2p : a->seq < b->seq;
}

/*
 * What a root keeps from happening: the call that most ranks wait in for it, collectives before
 * sends; where none does, the call that it stands in itself.
 */
static const struct hang_meeting *meeting_of(const struct hang_job *job, size_t rank)
{
	const struct hang_rank *r = &job->rank[rank];
	const struct hang_meeting *best = NULL, *other = NULL;
	size_t i;

	for (i = 0; i < job->nmeeting; i++) {
		const struct hang_meeting *m = &job->meeting[i];

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

static void add_rank(struct hang_job *job, struct cause *c, size_t rank)
{
	size_t *v = arena_array(&job->mem, c->ranks.n + 1, sizeof(*v)), i;

	for (i = 0; i < c->ranks.n; i++)
		v[i] = c->ranks.v[i];
	v[c->ranks.n] = rank;
	c->ranks.v = v;
	c->ranks.n++;
}

static struct cause *cause_of(struct hang_job *job, struct cause **v, size_t *n, size_t *cap,
	const struct hang_meeting *m)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if ((*v)[i].m == m && !(*v)[i].is_circle)
			return &(*v)[i];
	*v = arena_grow(&job->mem, *v, *n, cap, 8, sizeof(**v));
	(*v)[*n] = (struct cause){ .m = m };
	return &(*v)[(*n)++];
}

static size_t find_causes(struct hang_job *job, struct cause **v)
{
	size_t i, n = 0, cap = 0;
	struct cause *circle = NULL;

	*v = NULL;
	for (i = 0; i < job->nrank; i++) {
		const struct hang_meeting *m = job->rank[i].is_root ? meeting_of(job, i) : NULL;

		if (m)
			add_rank(job, cause_of(job, v, &n, &cap, m), i);
	}
	for (i = 0; i < job->nrank; i++) {
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
static void count_held(struct hang_job *job, struct cause *c)
{
	bool *leads = calloc(job->nrank + 1, sizeof(*leads)), is_new = true;
	size_t i, k;

	for (i = 0; leads && i < c->ranks.n; i++)
		leads[c->ranks.v[i]] = true;
	while (leads && is_new) {
		is_new = false;
		for (i = 0; i < job->nrank; i++) {
			const struct hang_ranks *b;

			if (leads[i] || job->rank[i].head == NOWHERE)
				continue;
			b = &job->meeting[job->call[job->rank[i].head].meeting].blocks;
			for (k = 0; k < b->n && !leads[i]; k++)
				leads[i] = leads[b->v[k]];
			c->held += leads[i];
			is_new |= leads[i];
		}
	}
	free(leads);
}

static int by_weight(const void *pa, const void *pb)
{
	const struct cause *a = pa, *b = pb;

	if (a->m->kind == KIND_MISMATCHED || b->m->kind == KIND_MISMATCHED)
		if (a->m->kind != b->m->kind)
			return a->m->kind == KIND_MISMATCHED ? -1 : 1;
	if (a->held != b->held)
		return a->held > b->held ? -1 : 1;
	return (a->ranks.v[0] > b->ranks.v[0]) - (a->ranks.v[0] < b->ranks.v[0]);
}

static void say_ranks(struct str *out, const struct hang_job *job, struct hang_ranks r)
{
	str_adds(out, r.n == 1 ? "rank " : "ranks ");
	hang_put_ranks(out, job, r);
}

/* "all_to_all #20537 of EXPERT_MODEL_PARALLEL_GROUP (74)" */
static void say_call(struct str *out, const struct hang_job *job, const struct hang_call *c)
{
	hang_put_call(out, job, c);
	str_adds(out, " of ");
	hang_put_group(out, &job->group[c->group]);
}

static void say_shape(struct str *out, const struct hang_call *c)
{
	if (c->in.n)
		str_addf(out, " [%.*s%s%.*s]", (int)c->in.n, c->in.p, c->in_type.n ? " " : "",
			(int)c->in_type.n, c->in_type.p);
}

static void say_where(struct str *out, const struct hang_call *c)
{
	if (c->where.n)
		str_addf(out, " in %.*s", (int)c->where.n, c->where.p);
}

/* Of one rank: what it stands in, or its last call. */
static void say_where_it_is(struct str *out, const struct hang_job *job, const struct hang_rank *r)
{
	int64_t at = r->head != NOWHERE ? r->head : r->last;
	const struct hang_call *c = &job->call[at];

	if (at == NOWHERE)
		return;
	str_addf(out, "; it %s ", r->head != NOWHERE ? "stands in" : "last called");
	say_call(out, job, c);
	say_where(out, c);
	if (r->head != NOWHERE && job->meeting[c->meeting].kind == KIND_LATE)
		str_adds(out, ", which others have completed");
}

/* How far those who did not come are. */
static void say_last(struct str *out, const struct hang_job *job, const struct cause *c)
{
	const struct hang_rank *r = &job->rank[c->ranks.v[0]];
	const struct hang_member *m = hang_member_of(&job->group[c->m->group], r->number);
	bool is_there =
		r->head == NOWHERE && r->last != NOWHERE && job->call[r->last].group == c->m->group;

	if (m && !c->m->is_p2p && m->enqueued != NOWHERE && !(is_there && c->ranks.n == 1))
		str_addf(out, "; %s last call there was #%" PRId64,
			c->ranks.n == 1 ? "its" : "their", m->enqueued);
	else if (r->head == NOWHERE && r->last == NOWHERE)
		str_adds(out, "; nothing else is under way there");
	if (c->ranks.n == 1)
		say_where_it_is(out, job, r);
}

static void say_held(struct str *out, const struct cause *c)
{
	if (c->held)
		str_addf(out, "; %zu rank%s held up", c->held, c->held == 1 ? " is" : "s are");
}

/* Those whose first pending call it is; *since: when the first of them called it. */
static struct hang_ranks waiting_of(
	const struct hang_job *job, const struct hang_meeting *m, struct arena *mem, int64_t *since)
{
	struct hang_ranks r = { arena_array(mem, m->ncall, sizeof(size_t)), 0 };
	size_t i;

	*since = NOWHERE;
	for (i = 0; i < m->ncall; i++) {
		const struct hang_call *c = &job->call[m->call[i]];

		if (job->rank[c->rank].head != (int64_t)m->call[i])
			continue;
		r.v[r.n++] = c->rank;
		if (c->created != NOWHERE && (*since == NOWHERE || c->created < *since))
			*since = c->created;
	}
	return r;
}

/* " since 2025-09-23 06:55:05 UTC (timeout 600 s)" */
static void say_since(struct str *out, int64_t since, int64_t timeout)
{
	time_t seconds = (time_t)(since / NS_OF_S);
	char text[32];
	struct tm tm;

	if (since == NOWHERE || !gmtime_r(&seconds, &tm) ||
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm) == 0)
		return;
	str_addf(out, " since %s UTC", text);
	if (timeout != NOWHERE)
		str_addf(out, " (timeout %" PRId64 " s)", timeout / NS_OF_S);
}

/* Who waits in the call, and how many do because of it. */
static void say_waiting(struct str *out, const struct hang_job *job, const struct cause *c)
{
	const struct hang_call *call = &job->call[c->m->first];
	struct hang_ranks waiting;
	struct arena mem;
	int64_t since;

	arena_init(&mem);
	waiting = waiting_of(job, c->m, &mem, &since);
	if (waiting.n && c->held) {
		str_adds(out, "; ");
		say_ranks(out, job, waiting);
		str_adds(out, waiting.n == 1 ? " waits in it" : " wait in it");
		if (call->where.n)
			str_addf(out, ", %.*s,", (int)call->where.n, call->where.p);
		say_since(out, since, call->timeout);
	}
	if (c->held > waiting.n)
		str_addf(out, "%s%zu rank%s held up", waiting.n ? ", " : "; ", c->held,
			c->held == 1 ? " is" : "s are in all");
	arena_clear(&mem);
}

static void say_missing(struct str *out, const struct hang_job *job, const struct cause *c)
{
	const struct hang_call *call = &job->call[c->m->first];

	hang_put_group(out, &job->group[call->group]);
	str_adds(out, ": ");
	hang_put_call(out, job, call);
	say_shape(out, call);
	str_adds(out, " never completed: ");
	say_ranks(out, job, c->ranks);
	if (c->m->kind == KIND_NO_DUMP) {
		str_adds(out, " left no dump");
	} else {
		str_adds(out, " did not come");
		say_last(out, job, c);
	}
	say_waiting(out, job, c);
}

static void say_standing(struct str *out, const struct hang_job *job, const struct cause *c)
{
	const struct hang_call *call = &job->call[job->rank[c->ranks.v[0]].head];

	hang_put_group(out, &job->group[call->group]);
	str_adds(out, ": ");
	hang_put_call(out, job, call);
	say_shape(out, call);
	if (c->m->kind == KIND_LATE) {
		str_adds(out, " is not completed by ");
		say_ranks(out, job, c->ranks);
		str_adds(out, ", though by ");
		say_ranks(out, job, c->m->through);
		str_addf(out, ": %s GPU stands, or %s watchdog does",
			c->ranks.n == 1 ? "its" : "their", c->ranks.n == 1 ? "its" : "their");
	} else {
		str_adds(out, " never completed: ");
		say_ranks(out, job, c->m->came);
		str_adds(out, " came, nobody is missing and nothing differs: the transfer stands");
		say_since(out, call->created, call->timeout);
	}
	say_held(out, c);
	if (call->where.n)
		str_addf(out, "; it was called in %.*s", (int)call->where.n, call->where.p);
}

/* "rank 2 has 9 Float", with the output where it is another. */
static void say_one(struct str *out, const struct hang_job *job, const struct hang_call *c,
	enum hang_differs what)
{
	str_addf(out, "rank %" PRId64 " has ", job->rank[c->rank].number);
	if (what == DIFFERS_OP) {
		str_addf(out, "%.*s", (int)c->op.n, c->op.p);
	} else {
		str_addf(out, "%.*s %.*s", (int)c->in.n, c->in.p, (int)c->in_type.n, c->in_type.p);
		if (!span_eq(c->in, c->out) || !span_eq(c->in_type, c->out_type))
			str_addf(out, " -> %.*s %.*s", (int)c->out.n, c->out.p, (int)c->out_type.n,
				c->out_type.p);
	}
	say_where(out, c);
}

/* What one of those who differ called, and what one of the others did. */
static void say_mismatch(struct str *out, const struct hang_job *job, const struct cause *c)
{
	static const char *const what[] = { "", "operation", "type", "size" };
	const struct hang_call *odd = &job->call[c->m->odd_call];
	const struct hang_call *other = &job->call[c->m->other_call];

	hang_put_group(out, &job->group[other->group]);
	str_adds(out, ": ");
	hang_put_call(out, job, other);
	str_adds(out, " never completed: ");
	say_ranks(out, job, c->m->odd);
	str_addf(out, " differ%s in %s: ", c->m->odd.n == 1 ? "s" : "", what[c->m->differs]);
	say_one(out, job, odd, c->m->differs);
	str_adds(out, ", ");
	say_one(out, job, other, c->m->differs);
	say_held(out, c);
}

static void say_circle(struct str *out, const struct hang_job *job, const struct cause *c)
{
	size_t i;

	say_ranks(out, job, c->ranks);
	str_adds(out, " wait for each other: they call their groups in different orders");
	for (i = 0; i < c->ranks.n && i < 2; i++) {
		const struct hang_rank *r = &job->rank[c->ranks.v[i]];
		const struct hang_call *call = &job->call[r->head];

		str_addf(out, "%s rank %" PRId64 " is in ", i ? "," : ":", r->number);
		say_call(out, job, call);
		say_where(out, call);
	}
	say_held(out, c);
}

static void say(struct str *out, const struct hang_job *job, const struct cause *c)
{
	if (c->is_circle)
		say_circle(out, job, c);
	else if (c->m->kind == KIND_MISMATCHED)
		say_mismatch(out, job, c);
	else if (c->m->kind >= KIND_NO_DUMP)
		say_missing(out, job, c);
	else
		say_standing(out, job, c);
}

static void put_figures(const struct hang_job *job, struct table *t, const struct cause *c)
{
	const struct hang_call *call = &job->call[c->m->first];
	const struct hang_group *g = &job->group[c->m->group];
	struct str b = { 0 };

	hang_put_ranks(&b, job, c->m->kind == KIND_MISMATCHED ? c->m->odd : c->ranks);
	table_textf(t, CAUSE_RANKS, "%s", b.s);
	str_free(&b);
	table_text(t, CAUSE_KIND, span_of(c->is_circle ? "circle" : hang_kind_word(c->m)));
	table_text(t, CAUSE_GROUP, g->name);
	if (g->desc.n)
		table_text(t, CAUSE_DESC, g->desc);
	table_text(t, CAUSE_OP, call->op);
	if (call->seq != NOWHERE)
		table_int(t, CAUSE_SEQ, call->seq);
	if (call->created != NOWHERE)
		table_int(t, CAUSE_SINCE, call->created);
	if (call->timeout != NOWHERE)
		table_int(t, CAUSE_TIMEOUT, call->timeout);
	table_text(t, CAUSE_SIZES, call->in);
	table_text(t, CAUSE_DTYPES, call->in_type);
	table_int(t, CAUSE_HELD, (int64_t)c->held);
	if (call->where.n)
		table_text(t, CAUSE_WHERE, call->where);
}

static void put_none(const struct hang_job *job, struct table *t)
{
	table_row(t);
	table_text(t, CAUSE_KIND, SPAN("none"));
	table_int(t, CAUSE_HELD, 0);
	table_textf(t, CAUSE_VERDICT,
		"no hang: every call of the %zu rank%s that left a dump has completed", job->ndump,
		job->ndump == 1 ? "" : "s");
}

void hang_put_causes(struct hang_job *job, struct table *t)
{
	struct cause *v;
	size_t n = find_causes(job, &v), i;
	struct str b = { 0 };

	if (n == 0) {
		put_none(job, t);
		return;
	}
	for (i = 0; i < n; i++)
		count_held(job, &v[i]);
	qsort(v, n, sizeof(*v), by_weight);
	for (i = 0; i < n; i++) {
		str_reset(&b);
		say(&b, job, &v[i]);
		table_row(t);
		table_textf(t, CAUSE_VERDICT, "%s", b.s);
		put_figures(job, t, &v[i]);
	}
	str_free(&b);
}
