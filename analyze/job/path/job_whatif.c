/* Timing the collectives of a job again: one pass in the order of their starts. */
#include "analyze/job/path/job_whatif.h"

#include <stdlib.h>

#include "analyze/job/match/collective_instances.h"
#include "analyze/job/path/rankpath.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/search.h"

#define END UINT32_MAX /* in place of a collective: the end of the last step */

/* ---- classes of ranks ---- */

/*
 * Ranks that do the same in a job: whose collectives in the steps, stream by stream, are the same
 * kinds in the same order.  The stages of a pipeline differ, the data parallel ranks of a stage do
 * not.
 */
struct jobalike_rank {
	uint32_t rank;        /* place in job.rank */
	uint32_t *collective; /* those in the job's steps, by stream, then time */
	uint32_t *place;      /* by collective of the rank: 1 + its place among those, or 0 */
	size_t n;
	uint64_t hash; /* of their streams and kinds */
};

struct jobalike {
	struct jobalike_rank *v; /* by class, then rank */
	size_t n;
};

struct by_lane {
	uint32_t lane, collective;
};

ORDER(by_lane, struct by_lane, compare3(a->lane, b->lane), compare3(a->collective, b->collective))

static uint64_t mix(uint64_t hash, uint64_t v)
{
	return (hash ^ v) * UINT64_C(0x100000001b3);
}

/* Whether it is in a step of the job. */
static bool counts(const struct job *j, const struct digest *d, const struct collective *c)
{
	return c->step != COLL_NO_STEP &&
		job_step_place(j, d->step[c->step].number) != COLL_NO_STEP;
}

static void look(struct jobalike_rank *r, const struct job *j, struct arena *mem)
{
	const struct digest *d = j->rank[r->rank].digest;
	const struct collectives *c = d->collectives;
	struct by_lane *v;

	if (!c)
		return;
	v = arena_array(mem, c->n, sizeof(*v));
	for (size_t i = 0; i < c->n; i++)
		if (counts(j, d, &c->v[i]))
			v[r->n++] = (struct by_lane){ c->v[i].lane, (uint32_t)i };
	sort_rows(v, r->n, sizeof(*v), by_lane);
	r->collective = arena_array(mem, r->n, sizeof(*r->collective));
	r->place = arena_array(mem, c->n, sizeof(*r->place));
	for (size_t i = 0; i < r->n; i++) {
		const struct collective *one = &c->v[v[i].collective];

		r->collective[i] = v[i].collective;
		r->place[v[i].collective] = (uint32_t)i + 1;
		r->hash = mix(mix(mix(r->hash, one->lane), (uint64_t)c->kind[one->kind].op), i);
	}
}

ORDER(by_class, struct jobalike_rank, compare3(a->n, b->n), compare3(a->hash, b->hash),
	compare3(a->rank, b->rank))

/* Memory is the arena's.  O(n log n) in collectives. */
static void jobalike_init(struct jobalike *a, const struct job *j, struct arena *mem)
{
	*a = (struct jobalike){ arena_array(mem, j->nrank, sizeof(*a->v)), j->nrank };
	for (size_t i = 0; i < a->n; i++) {
		a->v[i].rank = (uint32_t)i;
		look(&a->v[i], j, mem);
	}
	sort_rows(a->v, a->n, sizeof(*a->v), by_class);
}

/* Behind the last rank of the class that begins at `from`. */
static size_t jobalike_end(const struct jobalike *a, size_t from)
{
	size_t i = from + 1;

	while (i < a->n && a->v[i].n == a->v[from].n && a->v[i].hash == a->v[from].hash)
		i++;
	return i;
}

/* ---- the pass over what waits ---- */

/* What begins again: a collective of a rank, or its end. */
struct turn {
	nsec at; /* as it was, in the reference's time */
	uint32_t rank, collective;
};

/* A meet that is under way. */
struct meeting {
	nsec last; /* when the last came, as it was */
	nsec then; /* the latest of those that have come again */
	uint32_t n;
};

/* What a rank did itself before it came. */
struct local_work {
	uint32_t rank;
	uint32_t since; /* 1 + the meet, or the place of the collective, behind which; 0: since its
	                   first step began */
	nsec ns;
};

struct retiming {
	const struct job *j;
	const struct rankpath *const *path;
	const bool *is_changed;
	struct job_whatif *out;
	struct collective_instances meets;
	struct meeting *meeting; /* by meet */
	nsec **later;            /* by rank and collective: how much later it begins */
	nsec **longer;           /* how much longer a rank is on its way to it */
	bool **is_compared;      /* the same: whether that could be told */
	nsec *end_longer;        /* by rank: of the end */
	bool *is_end_compared;
	nsec *first; /* by rank: when its first step begins, own time */
	size_t *end; /* by rank: place of the last step of the job */
	struct turn *turn;
	size_t nturn;
	struct arena *mem;
};

static const struct collective *collective_of(const struct retiming *t, uint32_t rank, uint32_t i)
{
	return &t->j->rank[rank].digest->collectives->v[i];
}

static nsec time_of(const struct retiming *t, uint32_t rank, nsec own)
{
	return job_time(&t->j->rank[rank].clock, own);
}

static const struct rankpath_ready *ready_of(
	const struct retiming *t, uint32_t rank, uint32_t collective)
{
	const struct rankpath *p = t->path[rank];

	return collective == END ? &p->of_end[t->end[rank]] : &p->of_start[collective];
}

static bool is_before(const struct retiming *t, uint32_t rank, uint32_t collective)
{
	return collective != END && collective_of(t, rank, collective)->start <= t->first[rank];
}

/* ---- what is compared ---- */

ORDER(by_since, struct local_work, compare3(a->since, b->since), compare3(a->ns, b->ns),
	compare3(a->rank, b->rank))

/*
 * What a rank did itself before it came, if that can be compared; by: what tells which collectives
 * are the same, by those of the rank.
 */
static bool find_own(const struct retiming *t, uint32_t rank, uint32_t collective,
	const uint32_t *by, struct local_work *own)
{
	const struct rankpath_ready *r = ready_of(t, rank, collective);
	bool is_inside = r->anchor != RANKPATH_NONE && r->left >= t->first[rank];
	nsec from = is_inside ? r->left : t->first[rank];

	*own = (struct local_work){ .rank = rank };
	if (r->ready == INT64_MIN || r->ready < from)
		return false;
	own->ns = saturate_sub(time_of(t, rank, r->ready), time_of(t, rank, from));
	if (is_inside)
		own->since = by[r->anchor];
	return own->since != 0 || !is_inside;
}

/* The median of what the unchanged ranks of v[0..n), ascending, have; false: there are none. */
static bool median_of(const struct retiming *t, const struct local_work *v, size_t n, nsec *median)
{
	size_t count = 0, at = 0;
	nsec low = 0, high = 0;

	for (size_t i = 0; i < n; i++)
		count += !t->is_changed[v[i].rank];
	for (size_t i = 0; i < n && count > 0; i++) {
		if (t->is_changed[v[i].rank])
			continue;
		if (at == (count - 1) / 2)
			low = v[i].ns;
		if (at++ == count / 2)
			high = v[i].ns;
	}
	*median = low + (high - low) / 2;
	return count > 0;
}

static void set_longer(struct retiming *t, uint32_t rank, uint32_t collective, nsec by)
{
	bool *is =
		collective == END ? &t->is_end_compared[rank] : &t->is_compared[rank][collective];

	if (*is || is_before(t, rank, collective))
		return;
	*is = true;
	if (collective == END) {
		t->end_longer[rank] = by;
		return;
	}
	t->longer[rank][collective] = by;
	t->out->compared++;
}

/* Ranks that come to the same from the same: v[0..n). */
static void compare(
	struct retiming *t, const struct local_work *v, size_t n, const uint32_t *collective)
{
	nsec median;

	if (!median_of(t, v, n, &median))
		return;
	for (size_t i = 0; i < n; i++)
		if (t->is_changed[v[i].rank])
			set_longer(
				t, v[i].rank, collective[v[i].rank], saturate_sub(median, v[i].ns));
}

/* collective: by rank. */
static void compare_all(
	struct retiming *t, struct local_work *v, size_t n, const uint32_t *collective)
{
	size_t from = 0;

	sort_rows(v, n, sizeof(*v), by_since);
	for (size_t i = 1; i <= n; i++)
		if (i == n || v[i].since != v[from].since) {
			compare(t, v + from, i - from, collective);
			from = i;
		}
}

/* What is compared at once. */
struct comparing {
	uint32_t *collective; /* by rank */
	struct local_work *v;
};

/* A class of ranks: the first of each of their collectives with one another, then the second ... */
static void compare_class(struct retiming *t, const struct comparing *c,
	const struct jobalike_rank *rank, size_t nrank)
{
	size_t i, n;

	for (size_t k = 0; k <= rank->n; k++) {
		for (i = 0, n = 0; i < nrank; i++) {
			uint32_t r = rank[i].rank;

			c->collective[r] = k < rank->n ? rank[i].collective[k] : END;
			n += find_own(t, r, c->collective[r], rank[i].place, &c->v[n]);
		}
		compare_all(t, c->v, n, c->collective);
	}
}

/* Those who meet; the two ends of a message do different things. */
static void compare_meets(struct retiming *t, const struct comparing *c)
{
	size_t n;
	uint32_t k;

	for (size_t i = 0; i < t->j->nmeet; i++) {
		const struct collective_instance *m = &t->j->meet[i];

		for (k = 0, n = 0; k < m->n && m->op != COMM_SEND; k++) {
			const struct job_arrival *a = &m->arrival[k];

			c->collective[a->rank] = a->collective;
			n += find_own(t, a->rank, a->collective, t->meets.meet[a->rank], &c->v[n]);
		}
		compare_all(t, c->v, n, c->collective);
	}
}

static bool has_both(const struct retiming *t, const struct jobalike_rank *v, size_t n)
{
	size_t changed = SUM(size_t, i, n, t->is_changed[v[i].rank]);

	return changed > 0 && changed < n;
}

/* Collectives of changed ranks, in the steps. */
static void count_ready(struct retiming *t)
{
	for (uint32_t r = 0; r < t->j->nrank; r++)
		for (uint32_t i = 0; t->is_changed[r] && i < t->path[r]->ncollective; i++)
			t->out->ready += !is_before(t, r, i) &&
				collective_of(t, r, i)->start < t->path[r]->step[t->end[r]].end;
}

static void find_longer(struct retiming *t)
{
	const struct comparing c = { arena_array(t->mem, t->j->nrank, sizeof(*c.collective)),
		arena_array(t->mem, t->j->nrank, sizeof(*c.v)) };
	struct jobalike alike;
	bool is_alone = false;
	size_t end;

	count_ready(t);
	jobalike_init(&alike, t->j, t->mem);
	for (size_t i = 0; i < alike.n; i = end) {
		end = jobalike_end(&alike, i);
		if (has_both(t, &alike.v[i], end - i))
			compare_class(t, &c, &alike.v[i], end - i);
		else
			is_alone |= t->is_changed[alike.v[i].rank];
	}
	if (is_alone)
		compare_meets(t, &c);
}

/* ---- the pass ---- */

/* How much later a collective of a rank ends. */
static nsec ends_later(const struct retiming *t, uint32_t rank, uint32_t collective)
{
	uint32_t at = t->meets.meet[rank][collective];
	const struct job_arrival *a;
	const struct collective_instance *m =
		collective_instances_find(&t->meets, rank, collective, &a);

	if (!m || !m->is_clocked)
		return t->later[rank][collective];
	const struct meeting *g = &t->meeting[at - 1];
	if (a->end <= g->last)
		return t->later[rank][collective];
	nsec then = g->then;
	if (g->n < m->n && g->last > then)
		then = g->last;
	return saturate_sub(then, g->last);
}

/* When what was ready at `at` is ready behind that collective. */
static nsec behind(const struct retiming *t, uint32_t rank, uint32_t collective, nsec left, nsec at)
{
	if (collective == RANKPATH_NONE)
		return at;
	const struct collective *c = collective_of(t, rank, collective);
	nsec later = left < saturate_add(c->start, c->dur) ? t->later[rank][collective]
							   : ends_later(t, rank, collective);
	return saturate_add(at, later);
}

/* When it begins now. */
static nsec begins(const struct retiming *t, const struct turn *turn)
{
	const struct rankpath_ready *r = ready_of(t, turn->rank, turn->collective);
	nsec at = INT64_MIN, then;

	if (is_before(t, turn->rank, turn->collective) ||
		(r->ready == INT64_MIN && r->held == RANKPATH_NONE))
		return turn->at;
	nsec longer = turn->collective == END ? t->end_longer[turn->rank]
					      : t->longer[turn->rank][turn->collective];
	if (r->ready != INT64_MIN)
		at = saturate_add(
			behind(t, turn->rank, r->anchor, r->left, time_of(t, turn->rank, r->ready)),
			longer);
	if (r->held != RANKPATH_NONE) {
		then = behind(t, turn->rank, r->held, INT64_MAX, time_of(t, turn->rank, r->free));
		at = MAX(then, at);
	}
	return at;
}

static void come(struct retiming *t, const struct turn *turn)
{
	nsec at = begins(t, turn);

	if (turn->collective == END) {
		t->out->then = MAX(at, t->out->then);
		t->out->now = MAX(turn->at, t->out->now);
		return;
	}
	t->later[turn->rank][turn->collective] = saturate_sub(at, turn->at);
	uint32_t meet = t->meets.meet[turn->rank][turn->collective];
	if (!meet)
		return;
	t->meeting[meet - 1].then = MAX(at, t->meeting[meet - 1].then);
	t->meeting[meet - 1].n++;
}

ORDER(by_time, struct turn, compare3(a->at, b->at), compare3(a->rank, b->rank),
	compare3(a->collective, b->collective))

static void find_turns(struct retiming *t)
{
	size_t n = 0;

	for (uint32_t r = 0; r < t->j->nrank; r++)
		n += t->path[r]->ncollective + 1;
	t->turn = arena_array(t->mem, n, sizeof(*t->turn));
	for (uint32_t r = 0; r < t->j->nrank; r++) {
		for (uint32_t i = 0; i < t->path[r]->ncollective; i++)
			t->turn[t->nturn++] =
				(struct turn){ time_of(t, r, collective_of(t, r, i)->start), r, i };
		t->turn[t->nturn++] =
			(struct turn){ time_of(t, r, t->path[r]->step[t->end[r]].end), r, END };
	}
	qsort(t->turn, t->nturn, sizeof(*t->turn), by_time);
}

/* ---- all of it ---- */

/* A rank's step of that number; SIZE_MAX: it has none. */
static size_t step_of(const struct rankpath *p, int64_t number)
{
	for (size_t i = 0; i < p->nstep; i++)
		if (p->step[i].number == number)
			return i;
	return SIZE_MAX;
}

static bool knows(struct retiming *t)
{
	const struct job *j = t->j;

	for (size_t r = 0; r < j->nrank && j->nstep > 0; r++) {
		const struct job_clock *c = &j->rank[r].clock;

		if (!t->path[r] || !j->rank[r].digest->collectives || !c->is_known ||
			j->nisland != 1)
			return false;
		size_t first = step_of(t->path[r], j->step[0]);
		t->end[r] = step_of(t->path[r], j->step[j->nstep - 1]);
		if (first == SIZE_MAX || t->end[r] == SIZE_MAX)
			return false;
		t->first[r] = t->path[r]->step[first].start;
	}
	return j->nstep > 0;
}

static void prepare(struct retiming *t)
{
	const struct job *j = t->j;

	collective_instances_init(&t->meets, j, t->mem);
	t->meeting = arena_array(t->mem, j->nmeet, sizeof(*t->meeting));
	t->later = arena_array(t->mem, j->nrank, sizeof(*t->later));
	t->longer = arena_array(t->mem, j->nrank, sizeof(*t->longer));
	t->end_longer = arena_array(t->mem, j->nrank, sizeof(*t->end_longer));
	t->is_compared = arena_array(t->mem, j->nrank, sizeof(*t->is_compared));
	t->is_end_compared = arena_array(t->mem, j->nrank, sizeof(*t->is_end_compared));
	for (size_t i = 0; i < j->nmeet; i++) {
		t->meeting[i] = (struct meeting){ INT64_MIN, INT64_MIN, 0 };
		for (uint32_t k = 0; k < j->meet[i].n; k++)
			if (j->meet[i].arrival[k].start > t->meeting[i].last)
				t->meeting[i].last = j->meet[i].arrival[k].start;
	}
	for (size_t i = 0; i < j->nrank; i++) {
		t->later[i] = arena_array(t->mem, t->path[i]->ncollective, sizeof(**t->later));
		t->longer[i] = arena_array(t->mem, t->path[i]->ncollective, sizeof(**t->longer));
		t->is_compared[i] =
			arena_array(t->mem, t->path[i]->ncollective, sizeof(**t->is_compared));
	}
}

void job_whatif(struct job_whatif *out, const struct job *j, const struct rankpath *const *path,
	const bool *is_changed, struct arena *mem)
{
	struct retiming t = {
		.j = j, .path = path, .is_changed = is_changed, .out = out, .mem = mem
	};

	*out = (struct job_whatif){ .now = INT64_MIN, .then = INT64_MIN };
	t.first = arena_array(mem, j->nrank, sizeof(*t.first));
	t.end = arena_array(mem, j->nrank, sizeof(*t.end));
	if (!knows(&t))
		return;
	out->is_known = true;
	prepare(&t);
	find_longer(&t);
	find_turns(&t);
	for (size_t i = 0; i < t.nturn; i++)
		come(&t, &t.turn[i]);
}
