/* `hang`: its words, and a cause as a sentence. */
#include "analyze/answer/hang/hang.h"

#include <time.h>

#include "analyze/trace/ranklist.h"

/* ---- its words ---- */

void hang_put_ranks(struct str *out, const struct hang_job *job, struct hang_ranks r)
{
	SCOPED_ARENA mem = { 0 };

	int64_t *v = arena_array(&mem, r.n, sizeof(*v));
	for (size_t i = 0; i < r.n; i++)
		v[i] = job->rank[r.v[i]].number;
	ranklist_put(out, v, ranklist_sort(v, r.n), true);
}

void hang_put_group(struct str *out, const struct hang_group *g)
{
	if (g->desc.n && !span_is(g->desc, "undefined"))
		str_addf(out, "%.*s (%.*s)", (int)g->desc.n, g->desc.p, (int)g->name.n, g->name.p);
	else
		str_addf(out, "group %.*s", (int)g->name.n, g->name.p);
}

void hang_put_call(struct str *out, const struct hang_job *job, const struct hang_call *c)
{
	str_addf(out, "%.*s", (int)c->op.n, c->op.p);
	if (c->seq != NOWHERE)
		str_addf(out, " #%" PRId64, c->seq);
	if (c->is_p2p && c->peer != NOWHERE)
		str_addf(out, " %s rank %" PRId64, c->is_send ? "to" : "from",
			job->rank[c->peer].number);
}

const char *hang_kind_word(const struct hang_meeting *m)
{
	static const char *const differing[] = { "mismatch", "other op", "other dtype",
		"other size" };

	switch (m->kind) {
	case KIND_MISMATCHED: return differing[m->differs];
	case KIND_MISSING: return "missing";
	case KIND_NO_DUMP: return "no dump";
	case KIND_LATE: return "late";
	case KIND_STUCK: break;
	}
	return m->blocks.n ? "held up" : "stuck";
}

/* ---- a cause as a sentence ---- */

enum { NS_OF_S = 1000000000 };

static void say_ranks(struct str *out, const struct hang_job *job, struct hang_ranks r)
{
	str_adds(out, plural(r.n, "rank ", "ranks "));
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
static void say_last(struct str *out, const struct hang_job *job, const struct hang_cause *c)
{
	const struct hang_rank *r = &job->rank[c->ranks.v[0]];
	const struct hang_member *m = hang_member_of(&job->group[c->m->group], r->number);
	bool is_there =
		r->head == NOWHERE && r->last != NOWHERE && job->call[r->last].group == c->m->group;

	if (m && !c->m->is_p2p && m->enqueued != NOWHERE && !(is_there && c->ranks.n == 1))
		str_addf(out, "; %s last call there was #%" PRId64,
			plural(c->ranks.n, "its", "their"), m->enqueued);
	else if (r->head == NOWHERE && r->last == NOWHERE)
		str_adds(out, "; nothing else is under way there");
	if (c->ranks.n == 1)
		say_where_it_is(out, job, r);
}

static void say_held(struct str *out, const struct hang_cause *c)
{
	if (c->held)
		str_addf(out, "; %zu rank%s held up", c->held, plural(c->held, " is", "s are"));
}

/* Those whose first pending call it is; *since: when the first of them called it. */
static struct hang_ranks waiting_of(
	const struct hang_job *job, const struct hang_meeting *m, struct arena *mem, int64_t *since)
{
	struct hang_ranks r = { arena_array(mem, m->ncall, sizeof(size_t)), 0 };

	*since = NOWHERE;
	for (size_t i = 0; i < m->ncall; i++) {
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
static void say_waiting(struct str *out, const struct hang_job *job, const struct hang_cause *c)
{
	const struct hang_call *call = &job->call[c->m->first];
	SCOPED_ARENA mem = { 0 };
	int64_t since;

	struct hang_ranks waiting = waiting_of(job, c->m, &mem, &since);
	if (waiting.n && c->held) {
		str_adds(out, "; ");
		say_ranks(out, job, waiting);
		str_adds(out, plural(waiting.n, " waits in it", " wait in it"));
		if (call->where.n)
			str_addf(out, ", %.*s,", (int)call->where.n, call->where.p);
		say_since(out, since, call->timeout);
	}
	if (c->held > waiting.n)
		str_addf(out, "%s%zu rank%s held up", waiting.n ? ", " : "; ", c->held,
			plural(c->held, " is", "s are in all"));
}

static void say_missing(struct str *out, const struct hang_job *job, const struct hang_cause *c)
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

static void say_standing(struct str *out, const struct hang_job *job, const struct hang_cause *c)
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
			plural(c->ranks.n, "its", "their"), plural(c->ranks.n, "its", "their"));
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
static void say_mismatch(struct str *out, const struct hang_job *job, const struct hang_cause *c)
{
	static const char *const what[] = { "", "operation", "type", "size" };
	const struct hang_call *odd = &job->call[c->m->odd_call];
	const struct hang_call *other = &job->call[c->m->other_call];

	hang_put_group(out, &job->group[other->group]);
	str_adds(out, ": ");
	hang_put_call(out, job, other);
	str_adds(out, " never completed: ");
	say_ranks(out, job, c->m->odd);
	str_addf(out, " differ%s in %s: ", plural(c->m->odd.n, "s", ""), what[c->m->differs]);
	say_one(out, job, odd, c->m->differs);
	str_adds(out, ", ");
	say_one(out, job, other, c->m->differs);
	say_held(out, c);
}

static void say_circle(struct str *out, const struct hang_job *job, const struct hang_cause *c)
{
	say_ranks(out, job, c->ranks);
	str_adds(out, " wait for each other: they call their groups in different orders");
	for (size_t i = 0; i < c->ranks.n && i < 2; i++) {
		const struct hang_rank *r = &job->rank[c->ranks.v[i]];
		const struct hang_call *call = &job->call[r->head];

		str_addf(out, "%s rank %" PRId64 " is in ", i ? "," : ":", r->number);
		say_call(out, job, call);
		say_where(out, call);
	}
	say_held(out, c);
}

void hang_say_cause(struct str *out, const struct hang_job *job, const struct hang_cause *c)
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
