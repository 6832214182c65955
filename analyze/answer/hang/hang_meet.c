/*
 * `hang`: calls that have not completed and belong together: of a collective by its number in the
 * group; of sends and receives in their order between two ranks.
 */
#include <stdlib.h>

#include "analyze/answer/hang/hang.h"

/* Of a send: who sends to whom; `turn` counts what is pending between them. */
struct meeting_key {
	uint64_t group;
	int64_t seq, source, target;
};

static struct hang_meeting *meeting_of(struct hang_job *job, const struct meeting_key *key)
{
	uint32_t at = keymap_add(&job->meetings, key);

	if (at == job->nmeeting) {
		job->meeting = arena_grow(&job->mem, job->meeting, job->nmeeting, &job->meeting_cap,
			64, sizeof(*job->meeting));
		job->meeting[job->nmeeting++] = (struct hang_meeting){ .group = (size_t)key->group,
			.seq = key->seq,
			.is_p2p = key->source != NOWHERE };
	}
	return &job->meeting[at];
}

static void join(struct hang_job *job, size_t call, const struct meeting_key *key)
{
	struct hang_meeting *m = meeting_of(job, key);

	m->call = arena_grow(&job->mem, m->call, m->ncall, &m->call_cap, 4, sizeof(*m->call));
	if (m->ncall == 0)
		m->first = call;
	m->call[m->ncall++] = call;
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
	struct hang_meeting *m;

	key.seq = take_turn(turns, &turn);
	join(job, i, &key);
	m = &job->meeting[job->call[i].meeting];
	if (m->ncall == 1 && other != NOWHERE) {
		m->partner = (size_t)other;
		m->has_partner = true;
	}
}

void hang_meet(struct hang_job *job)
{
	struct turns turns = { .next = NULL };
	size_t i;

	keymap_init(&job->meetings, sizeof(struct meeting_key));
	keymap_init(&turns.keys, sizeof(struct turn_key));
	for (i = 0; i < job->ncall; i++) {
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
