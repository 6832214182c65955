/* `hang`: calls that have not completed and belong together, and what is known of each such
 * meeting. */
#include "analyze/answer/hang/hang.h"

/* calls that have not completed and belong together: of a collective by its number in the
 * group; of sends and receives in their order between two ranks. */

/* Of a send: who sends to whom; `turn` counts what is pending between them. */
struct meeting_key {
	uint64_t group;
	int64_t seq, source, target;
};

static struct hang_meeting *meeting_of(struct hang_job *job, const struct meeting_key *key)
{
	uint32_t at = keymap_add(&job->meetings, key);

	if (at == job->nmeeting) {
		ARENA_PUSH(&job->mem, job->meeting, job->nmeeting, job->meeting_cap,
			(struct hang_meeting){ .group = (size_t)key->group,
				.seq = key->seq,
				.is_p2p = key->source != NOWHERE });
	}
	return &job->meeting[at];
}

static void join(struct hang_job *job, size_t call, const struct meeting_key *key)
{
	struct hang_meeting *m = meeting_of(job, key);

	if (m->ncall == 0)
		m->first = call;
	ARENA_PUSH(&job->mem, m->call, m->ncall, m->call_cap, call);
	job->call[call].meeting = (size_t)(m - job->meeting);
}

/* How many sends, or receives, of the rank between these two are pending in front of this one. */
struct turn_key {
	uint64_t group;
	int64_t rank, source, target;
};

struct turns {
	struct keymap keys;
	int64_t *next;
	size_t cap;
};

static int64_t take_turn(struct turns *t, const struct turn_key *key)
{
	uint32_t at = keymap_add(&t->keys, key);
	size_t was = t->cap;

	t->next = array_grow(t->next, &t->cap, t->keys.n, sizeof(*t->next));
	for (; was < t->cap; was++)
		t->next[was] = 0;
	return t->next[at]++;
}

static void meet_p2p(struct hang_job *job, size_t i, struct turns *turns)
{
	const struct hang_call *c = &job->call[i];
	int64_t own = (int64_t)c->rank, other = c->peer;
	struct turn_key turn = { c->group, own, c->is_send ? own : other,
		c->is_send ? other : own };
	struct meeting_key key = { c->group, 0, turn.source, turn.target };

	key.seq = take_turn(turns, &turn);
	join(job, i, &key);
	struct hang_meeting *m = &job->meeting[job->call[i].meeting];
	if (m->ncall == 1 && other != NOWHERE) {
		m->partner = (size_t)other;
		m->has_partner = true;
	}
}

void hang_meet(struct hang_job *job)
{
	struct turns turns = { .next = NULL };

	keymap_init(&job->meetings, sizeof(struct meeting_key));
	keymap_init(&turns.keys, sizeof(struct turn_key));
	for (size_t i = 0; i < job->ncall; i++) {
		const struct hang_call *c = &job->call[i];
		struct meeting_key key = { c->group, c->seq, NOWHERE, NOWHERE };

		if (c->state == STATE_COMPLETED)
			continue;
		if (!c->is_p2p)
			join(job, i, &key);
		else if (!c->is_batch_end)
			meet_p2p(job, i, &turns);
	}
	keymap_clear(&turns.keys);
	free(turns.next);
}

/* whether the calls of one collective fit together, as NCCL needs them to: the same
 * operation, types and numbers of elements.  Shapes may differ where the elements are as many.
 *
 * Source: Op.match in torch/distributed/flight_recorder/components/types.py. */

/* What has to be the same of all who came. */
struct figure {
	struct span text;
	int64_t count;
};

static bool is_one_of(struct span op, const char *const *ops)
{
	for (; *ops; ops++)
		if (span_is(op, *ops))
			return true;
	return false;
}

static const char *const no_input[] = { "all_to_all", "all_to_all_v_single", "scatter", "broadcast",
	"_broadcast_oop", "all_gather_v", NULL };
static const char *const no_output[] = { "all_to_all", "all_to_all_v_single", "gather",
	"reduce_scatter_v", NULL };

static bool is_same(const struct figure *a, const struct figure *b)
{
	return a->count == b->count && span_eq(a->text, b->text);
}

/* What a call has of what is asked for; false: nothing, so that it fits. */
static bool figure_of(
	const struct hang_call *c, enum hang_differs what, bool is_out, struct figure *f)
{
	*f = (struct figure){ { "", 0 }, 0 };
	switch (what) {
	case DIFFERS_OP: f->text = c->op; return true;
	case DIFFERS_TYPE:
		f->text = is_out ? c->out_type : c->in_type;
		return f->text.n > 0 && (is_out ? c->out_count : c->in_count) > 0;
	case DIFFERS_SIZE:
		f->count = is_out ? c->out_count : c->in_count;
		return !is_one_of(c->op, is_out ? no_output : no_input);
	case DIFFERS_NOT: break;
	}
	return false;
}

static void add_odd(struct hang_meeting *m, size_t rank)
{
	if (m->odd.n == 0 || m->odd.v[m->odd.n - 1] != rank)
		m->odd.v[m->odd.n++] = rank;
}

/* What most have: *most is how many; false: it is not asked of these calls. */
static bool find_rule(const struct hang_job *job, const size_t *call, size_t n,
	enum hang_differs what, bool is_out, struct figure *rule, size_t *most)
{
	struct figure own, other;
	size_t i;

	for (*most = 0, i = 0; i < n && *most <= n / 2; i++) {
		if (!figure_of(&job->call[call[i]], what, is_out, &own))
			return false;
		size_t votes = SUM(size_t, k, n,
			figure_of(&job->call[call[k]], what, is_out, &other) &&
				is_same(&own, &other));
		if (votes > *most) {
			*most = votes;
			*rule = own;
		}
	}
	return true;
}

/* Those who differ from what most have; where no more than half agree, all of them do.  A batch has
 * several calls a rank: the i-th of each is compared. */
static bool compare(struct hang_job *job, struct hang_meeting *m, const size_t *call, size_t n,
	enum hang_differs what, bool is_out)
{
	struct figure own, rule = { { "", 0 }, 0 };
	size_t most;
	bool is_rule;

	if (!find_rule(job, call, n, what, is_out, &rule, &most) || most == n)
		return false;
	for (size_t i = n; i > 0; i--) {
		is_rule = figure_of(&job->call[call[i - 1]], what, is_out, &own) &&
			is_same(&own, &rule);
		*(is_rule ? &m->other_call : &m->odd_call) = call[i - 1];
	}
	for (size_t i = 0; i < n; i++)
		if (most <= n / 2 ||
			(figure_of(&job->call[call[i]], what, is_out, &own) &&
				!is_same(&own, &rule)))
			add_odd(m, job->call[call[i]].rank);
	m->differs = what;
	return m->odd.n > 0;
}

/* The sums of all who came have to be equal where each may have its own number. */
static bool is_uneven(const struct hang_job *job, const struct hang_meeting *m, size_t nmember)
{
	int64_t in = 0, out = 0;

	if (m->ncall != nmember || !is_one_of(job->call[m->first].op, no_output) ||
		!is_one_of(job->call[m->first].op, no_input))
		return false;
	for (size_t i = 0; i < m->ncall; i++) {
		const struct hang_call *c = &job->call[m->call[i]];

		if (c->in_count < 0 || c->out_count < 0 ||
			__builtin_add_overflow(in, c->in_count, &in) ||
			__builtin_add_overflow(out, c->out_count, &out))
			return false;
	}
	return in != out;
}

/* The calls of those who came that are the turn-th of their rank. */
static size_t of_turn(
	const struct hang_job *job, const struct hang_meeting *m, size_t turn, size_t *out)
{
	size_t n = 0, seen = 0;

	for (size_t i = 0; i < m->ncall; i++) {
		bool is_new =
			i == 0 || job->call[m->call[i]].rank != job->call[m->call[i - 1]].rank;

		seen = is_new ? 0 : seen + 1;
		if (seen == turn)
			out[n++] = m->call[i];
	}
	return n;
}

static bool differs(struct hang_job *job, struct hang_meeting *m, const size_t *call, size_t n)
{
	return compare(job, m, call, n, DIFFERS_OP, false) ||
		compare(job, m, call, n, DIFFERS_TYPE, false) ||
		compare(job, m, call, n, DIFFERS_TYPE, true) ||
		compare(job, m, call, n, DIFFERS_SIZE, false) ||
		compare(job, m, call, n, DIFFERS_SIZE, true);
}

/* A send and its receive. */
static void match_pair(struct hang_job *job, struct hang_meeting *m)
{
	const struct hang_call *a = &job->call[m->call[0]];

	if (m->ncall < 2)
		return;
	const struct hang_call *b = &job->call[m->call[1]];
	if (a->in_type.n && b->in_type.n && !span_eq(a->in_type, b->in_type))
		m->differs = DIFFERS_TYPE;
	else if ((a->is_send ? a->in_count : a->out_count) !=
		(b->is_send ? b->in_count : b->out_count))
		m->differs = DIFFERS_SIZE;
	if (m->differs == DIFFERS_NOT)
		return;
	add_odd(m, a->rank);
	add_odd(m, b->rank);
	m->other_call = m->call[0];
	m->odd_call = m->call[1];
}

/* whether the calls that came fit; fills in differs and odd. */
static void hang_match(struct hang_job *job, struct hang_meeting *m)
{
	size_t *call = arena_array(&job->mem, m->ncall, sizeof(*call));
	size_t n;

	m->odd.v = arena_array(&job->mem, m->ncall, sizeof(*m->odd.v));
	if (m->is_p2p) {
		match_pair(job, m);
		return;
	}
	for (size_t turn = 0; (n = of_turn(job, m, turn, call)) > 0; turn++)
		if (differs(job, m, call, n))
			return;
	if (m->came.n == m->ncall && is_uneven(job, m, job->group[m->group].nmember)) {
		m->differs = DIFFERS_SIZE;
		m->other_call = m->call[0];
		m->odd_call = m->call[m->ncall - 1];
		for (n = 0; n < m->ncall; n++)
			add_odd(m, job->call[m->call[n]].rank);
	}
}

/* ---- who came, who did not, who is through with it ---- */

static struct hang_ranks room(struct hang_job *job, size_t n)
{
	return (struct hang_ranks){ arena_array(&job->mem, n, sizeof(size_t)), 0 };
}

static bool has_come(const struct hang_job *job, const struct hang_meeting *m, size_t rank)
{
	size_t lo = PARTITION_POINT(i, 0, m->ncall, job->call[m->call[i]].rank < rank);

	return lo < m->ncall && job->call[m->call[lo]].rank == rank;
}

/* Who has no pending call of it is through, or did not come.  What its calls and statuses say
 * decides; a rank that never called anything of the group is at 0. */
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
	for (size_t i = 0; i < m->ncall; i++)
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
	size_t n = g->nmember + m->ncall;

	m->came = room(job, n);
	m->missing = room(job, n);
	m->through = room(job, n);
	m->unknown = room(job, n);
	if (m->is_p2p)
		judge_pair(job, m);
	else
		for (size_t i = 0; i < g->nmember; i++)
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
	for (size_t i = 0; i < job->nmeeting; i++) {
		struct hang_meeting *m = &job->meeting[i];
		struct hang_group *g = &job->group[m->group];

		judge(job, m);
		if (g->worst == NOWHERE || is_worse(m, &job->meeting[g->worst]))
			g->worst = (int64_t)i;
	}
}
