/* Timing all work of a job again: as a graph of pieces, which collectives join over ranks. */
#include "analyze/job/path/job_timing.h"

#include "analyze/job/match/collective_instances.h"
#include "base/parallel.h"

enum { PIECES_MAX = 1 << 20, PIECES_MIN = 10000 }; /* of all ranks; fewer are not worth a thread */

/* ---- the graph ---- */

/* The step of that number.  The first or last if there is none. */
static const struct rankwork_step *step_of(const struct rankwork *p, int64_t number)
{
	size_t i = 0;

	while (i + 1 < p->nstep && p->step[i].number < number)
		i++;
	return &p->step[i];
}

/* A rank's work up to the end of so many of the job's steps; SIZE_MAX: it lacks the last. */
static size_t work_until(const struct timing *t, size_t r, size_t nstep)
{
	const struct rankwork *w = t->work[r];
	const struct rankwork_step *s = step_of(w, t->j->step[nstep - 1]);

	return s->number == t->j->step[nstep - 1]
		? PARTITION_POINT(i, 0, w->n, w->v[i].start < s->end)
		: SIZE_MAX;
}

/* The first steps, of which all ranks have the work, and no more than is timed fast. */
static void choose_steps(struct timing *t)
{
	size_t n;

	for (t->nstep = t->j->nstep; t->nstep > 0; t->nstep--) {
		n = 0;
		for (size_t r = 0; r < t->j->nrank && n <= PIECES_MAX; r++)
			n += MIN(work_until(t, r, t->nstep), PIECES_MAX + 1);
		if (n <= PIECES_MAX)
			return;
	}
}

/* Its length, without what a clock that was set in it adds. */
static nsec took(const struct job_clock *c, const struct rankwork_step *s)
{
	return c->nset ? job_time(c, s->end) - job_time(c, s->start) : s->end - s->start;
}

static bool knows(struct timing *t)
{
	const struct job *j = t->j;

	t->zero = INT64_MAX;
	for (size_t r = 0; r < j->nrank; r++) {
		const struct job_clock *c = &j->rank[r].clock;

		if (j->nstep == 0 || !t->work[r] || t->work[r]->nstep == 0 || !c->is_known ||
			j->nisland != 1)
			return false;
		t->zero = MIN(job_time(c, step_of(t->work[r], j->step[0])->start), t->zero);
	}
	choose_steps(t);
	for (size_t i = 0; i < t->nstep; i++) {
		nsec most = 0;

		for (size_t r = 0; r < j->nrank; r++) {
			const struct rankwork_step *s = step_of(t->work[r], j->step[i]);

			most = MAX(took(&j->rank[r].clock, s), most);
		}
		saturate_onto(&t->now, most);
	}
	return j->nrank > 1 && t->nstep > 0;
}

/* A rank's pieces in the job's steps. */
struct adding {
	struct timing *t;
	struct collective_instances meets;
	struct {
		size_t from, to; /* which ones */
		uint32_t first;  /* where they go */
	} * of;                  /* by rank */
};

static void find_ranks(struct adding *a)
{
	struct timing *t = a->t;

	a->of = arena_array(t->mem, t->j->nrank, sizeof(*a->of));
	for (size_t r = 0; r < t->j->nrank; r++) {
		const struct rankwork *w = t->work[r];
		nsec from = step_of(w, t->j->step[0])->start;
		nsec to = step_of(w, t->j->step[t->nstep - 1])->end;

		a->of[r].first = (uint32_t)t->n;
		a->of[r].from = PARTITION_POINT(i, 0, w->n, w->v[i].start < from);
		a->of[r].to = PARTITION_POINT(i, a->of[r].from, w->n, w->v[i].start < to);
		t->n += a->of[r].to - a->of[r].from;
	}
}

/* Takes them over. */
static void add_rank(void *ctx, size_t r)
{
	const struct adding *a = ctx;
	const struct timing *t = a->t;
	const struct rankwork_piece *v = t->work[r]->v;
	const struct job_clock *c = &t->j->rank[r].clock;
	size_t from = a->of[r].from;

	for (size_t i = from; i < a->of[r].to; i++) {
		struct timing_piece *x = &t->v[a->of[r].first + (i - from)];
		uint32_t which = v[i].collective;
		nsec before = INT64_MIN;

		*x = (struct timing_piece){
			.rank = (uint32_t)r, .next = TIMING_NONE, .what = v[i].what
		};
		for (int k = 0; k < RANKWORK_DEPS; k++) {
			uint32_t dep = v[i].dep[k];

			x->dep[k] = TIMING_NONE;
			if (dep == TIMING_NONE || dep < from)
				continue;
			x->dep[k] = a->of[r].first + (dep - (uint32_t)from);
			x->waits++;
			before = MAX(before, job_time(c, v[dep].end));
		}
		x->gap = saturate_sub(
			job_time(c, v[i].start), before == INT64_MIN ? t->zero : before);
		x->runs = (double)v[i].runs;
		x->inner = saturate_sub(saturate_sub(v[i].end, v[i].start), v[i].runs);
		uint32_t meet = which == TIMING_NONE ? 0 : a->meets.meet[r][which];
		x->collective = which == TIMING_NONE ? 0 : which + 1;
		if (meet && t->j->meet[meet - 1].is_sync)
			x->joint = x->meet = meet;
	}
}

/* Pieces that wait for each other. */
static void join(struct timing *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (!t->v[i].meet)
			continue;
		struct timing_joint *x = &t->joint[t->v[i].meet - 1];
		t->v[i].next = x->n++ ? x->first : TIMING_NONE;
		x->first = i;
	}
	for (size_t i = 0; i < t->j->nmeet; i++)
		t->joint[i].transfer =
			(double)saturate_add(t->j->meet[i].transfer, t->j->meet[i].late);
}

/* Who waits for whom, by whom they wait for. */
static void link_pieces(struct timing *t)
{
	size_t n = 0;

	t->from = arena_array(t->mem, t->n + 1, sizeof(*t->from));
	for (size_t i = 0; i < t->n; i++)
		for (int k = 0; k < RANKWORK_DEPS; k++)
			if (t->v[i].dep[k] != TIMING_NONE) {
				t->from[t->v[i].dep[k] + 1]++;
				n++;
			}
	for (size_t i = 0; i < t->n; i++)
		t->from[i + 1] += t->from[i];
	t->succ = arena_array(t->mem, n, sizeof(*t->succ));
	uint32_t *next = arena_array(t->mem, t->n, sizeof(*next));
	for (size_t i = 0; i < t->n; i++)
		for (int k = 0; k < RANKWORK_DEPS; k++)
			if (t->v[i].dep[k] != TIMING_NONE) {
				uint32_t dep = t->v[i].dep[k];

				t->succ[t->from[dep] + next[dep]++] = (uint32_t)i;
			}
}

static void make_graph(struct timing *t, unsigned threads)
{
	struct adding a = { .t = t };

	collective_instances_init(&a.meets, t->j, t->mem);
	find_ranks(&a);
	t->v = arena_array(t->mem, t->n, sizeof(*t->v));
	/* a joint of those that were not matched is of two at least */
	t->joint = arena_array(t->mem, t->j->nmeet + t->n / 2, sizeof(*t->joint));
	t->njoint = t->j->nmeet;
	parallel_run(t->j->nrank, t->n < PIECES_MIN ? 1 : threads, add_rank, &a);
	join(t);
	link_pieces(t);
}

/* ---- what was not matched ---- */

uint32_t **timing_number(const struct timing *t, bool by_lane, struct arena *mem)
{
	uint32_t **v = arena_array(mem, t->j->nrank, sizeof(*v));

	for (size_t r = 0; r < t->j->nrank; r++) {
		const struct collectives *c = t->j->rank[r].digest->collectives;
		uint32_t *count, most = COMM_OP_COUNT;

		for (size_t i = 0; i < c->n; i++)
			most = MAX(c->v[i].lane + 1, most);
		count = arena_array(mem, most, sizeof(*count));
		v[r] = arena_array(mem, c->n, sizeof(**v));
		for (size_t i = 0; i < c->n; i++) {
			if (i > 0 && c->v[i].step != c->v[i - 1].step)
				memset(count, 0, most * sizeof(*count));
			v[r][i] = count[by_lane ? c->v[i].lane : c->kind[c->v[i].kind].op]++;
		}
	}
	return v;
}

const struct collective *timing_collective(const struct timing *t, const struct timing_piece *p)
{
	return &t->j->rank[p->rank].digest->collectives->v[p->collective - 1];
}

static const struct coll_kind *timing_kind(const struct timing *t, const struct timing_piece *p)
{
	return &t->j->rank[p->rank].digest->collectives->kind[timing_collective(t, p)->kind];
}

uint32_t timing_ordinal(const struct timing *t, const struct timing_piece *p)
{
	return t->ordinal[p->rank][p->collective - 1];
}

uint32_t timing_step(const struct timing *t, const struct timing_piece *p)
{
	uint32_t step = timing_collective(t, p)->step;

	return step == COLL_NO_STEP
		? step
		: job_step_place(t->j, t->j->rank[p->rank].digest->step[step].number);
}

/* A collective that was not matched, since its ends are not together. */
struct lone {
	const struct coll_kind *kind;
	uint32_t step, ordinal, piece;
};

static int compare_lone(const struct lone *a, const struct lone *b)
{
	return COMPARE_BY(span_cmp(a->kind->group, b->kind->group),
		span_cmp(a->kind->ranks, b->kind->ranks), compare3(a->kind->op, b->kind->op),
		compare3(a->kind->bytes, b->kind->bytes), compare3(a->step, b->step),
		compare3(a->ordinal, b->ordinal));
}

ORDER(by_ordinal, struct lone, compare_lone(a, b), compare3(a->piece, b->piece))

static size_t find_lone(const struct timing *t, struct lone *v)
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct timing_piece *p = &t->v[i];

		if (p->meet || !p->collective)
			continue;
		const struct coll_kind *k = timing_kind(t, p);
		uint32_t step = timing_step(t, p);
		if (k->nrank < 2 || k->group.n == 0 || step == COLL_NO_STEP || job_is_pair(k->op))
			continue;
		v[n++] = (struct lone){ k, step, timing_ordinal(t, p), i };
	}
	sort_rows(v, n, sizeof(*v), by_ordinal);
	return n;
}

/* They wait for each other all the same where gaps are dropped: all ranks of a group are there. */
static void join_lone(struct timing *t)
{
	struct lone *v = arena_array(t->mem, t->n, sizeof(*v));
	size_t n = find_lone(t, v), end;

	for (size_t i = 0; i < n; i = end) {
		struct timing_joint x = { .first = TIMING_NONE, .transfer = INFINITY };

		for (end = i; end < n && compare_lone(&v[i], &v[end]) == 0; end++)
			x.transfer = fmin(x.transfer, t->v[v[end].piece].runs);
		if ((int64_t)(end - i) != v[i].kind->nrank)
			continue;
		for (size_t k = i; k < end; k++) {
			t->v[v[k].piece].joint = (uint32_t)t->njoint + 1;
			t->v[v[k].piece].next = x.first;
			x.first = v[k].piece;
			x.n++;
		}
		t->joint[t->njoint++] = x;
	}
}

bool timing_init(struct timing *t, const struct job_facts *f, const struct rankwork *const *work,
	unsigned threads, struct arena *mem)
{
	*t = (struct timing){ .f = f, .j = f->job, .work = work, .mem = mem };
	if (!knows(t))
		return false;
	make_graph(t, threads);
	t->ordinal = timing_number(t, false, mem);
	join_lone(t);
	return true;
}

/* ---- the pass ---- */

struct passing {
	const struct timing *t;
	const struct timing_scenarios *s;
	struct timing_times *ready; /* by piece */
	uint32_t *left;             /* by piece: what it still waits for */
	uint32_t *come;             /* by joint: how many have come */
	uint32_t *stack;
	size_t n, done;
	struct timing_times end;
};

static void no_earlier(struct timing_times *t, const struct timing_times *than)
{
	for (size_t s = 0; s < TIMING_SCENARIOS; s++)
		t->at[s] = MAX(t->at[s], than->at[s]);
}

static void finish(struct passing *p, uint32_t i, const struct timing_times *at)
{
	const struct timing *t = p->t;

	p->done++;
	no_earlier(&p->end, at);
	for (uint32_t k = t->from[i]; k < t->from[i + 1]; k++) {
		uint32_t next = t->succ[k];

		if (p->s->dropped && t->v[next].dep[RANKWORK_GUESS] == i)
			continue;
		no_earlier(&p->ready[next], at);
		if (--p->left[next] == 0)
			p->stack[p->n++] = next;
	}
}

/* When it begins, and what it takes then. */
static void begin(const struct passing *p, uint32_t i, struct timing_times *takes)
{
	struct timing_times lag;

	p->s->look(p->s->ctx, &p->t->v[i], lag.at, takes->at);
	for (size_t s = 0; s < TIMING_SCENARIOS; s++)
		p->ready[i].at[s] += lag.at[s];
}

/* One more has come to its meet; the last lets all of them go on. */
static void meet(struct passing *p, uint32_t i)
{
	const struct timing *t = p->t;
	const struct timing_joint *x = &t->joint[t->v[i].joint - 1];
	struct timing_times last = { { 0 } };

	if (++p->come[t->v[i].joint - 1] < x->n)
		return;
	for (uint32_t k = x->first; k != TIMING_NONE; k = t->v[k].next)
		no_earlier(&last, &p->ready[k]);
	for (size_t s = 0; s < TIMING_SCENARIOS; s++)
		last.at[s] += p->s->evens[s] ? x->usual : x->transfer;
	for (uint32_t k = x->first; k != TIMING_NONE; k = t->v[k].next)
		finish(p, k, &last);
}

bool timing_take(const struct timing *t, const struct timing_scenarios *s, nsec *ns)
{
	SCOPED_ARENA mem = { 0 };
	struct passing p = { .t = t,
		.s = s,
		.ready = arena_array(&mem, t->n, sizeof(*p.ready)),
		.left = arena_array(&mem, t->n, sizeof(*p.left)),
		.come = arena_array(&mem, t->njoint, sizeof(*p.come)),
		.stack = arena_array(&mem, t->n, sizeof(*p.stack)) };
	struct timing_times takes;

	for (size_t i = 0; i < t->n; i++) {
		p.left[i] =
			t->v[i].waits - (s->dropped && t->v[i].dep[RANKWORK_GUESS] != TIMING_NONE);
		if (p.left[i] == 0)
			p.stack[p.n++] = (uint32_t)i;
	}
	while (p.n > 0) {
		uint32_t i = p.stack[--p.n];

		begin(&p, i, &takes);
		if (s->dropped ? t->v[i].joint : t->v[i].meet) {
			meet(&p, i);
			continue;
		}
		for (size_t k = 0; k < TIMING_SCENARIOS; k++)
			takes.at[k] += p.ready[i].at[k];
		finish(&p, i, &takes);
	}
	for (size_t k = 0; k < TIMING_SCENARIOS; k++)
		ns[k] = saturate_round(p.end.at[k]);
	return p.done == t->n;
}
