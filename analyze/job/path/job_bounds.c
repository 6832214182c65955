/* Timing all work of a job again: as a graph of pieces, which collectives join over ranks. */
#include "analyze/job/path/job_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/job/match/collective_instances.h"
#include "analyze/job/path/rankpath.h"
#include "analyze/stat/quantile.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/words.h"

#define NONE RANKWORK_NONE

/* A piece of a rank in the graph. */
struct piece {
	uint32_t rank, meet; /* meet: 1 + its place in job.meet where all of it wait; else 0 */
	uint32_t dep[RANKWORK_DEPS];
	uint32_t collective; /* 1 + its number in the rank's digest; 0: it is none */
	uint32_t joint;      /* 1 + where all of it wait if gaps are dropped; else 0 */
	uint32_t next;       /* of the same meet; NONE */
	uint32_t waits;      /* pieces it waits for */
	nsec gap;            /* from the end of the last of those to its start, as it was */
	nsec inner;          /* between its kernels */
	double runs, mean;   /* mean: of the same work of all ranks and steps */
	uint64_t what;
};

/* A meet in the graph. */
struct joint {
	uint32_t first, n;      /* pieces: the first, how many */
	double transfer, usual; /* usual: the mean of those that are the same */
};

struct timing {
	const struct job_facts *f;
	const struct job *j;
	const struct rankpath *const *path;
	const bool *slow;
	struct job_bounds *out;
	struct piece *v; /* by rank, then start */
	size_t n;
	uint32_t **ordinal;  /* by rank and collective: of those of its kind in the step */
	struct joint *joint; /* by meet, then of what was not matched */
	size_t njoint;
	uint32_t *succ;      /* pieces that wait for others, by whom they wait for */
	uint32_t *from;      /* by piece: its first in succ; one more at the end */
	double *ready, *fin; /* by piece */
	uint32_t *left;      /* by piece: what it still waits for */
	uint32_t *come;      /* by joint: how many have come */
	uint32_t *stack;
	nsec zero; /* when the first rank's first step begins */
	struct arena *mem;
};

/* ---- the graph ---- */

/* The step of that number; the first or last if there is none. */
static const struct rankpath_step *step_of(const struct rankpath *p, int64_t number)
{
	size_t i = 0;

	while (i + 1 < p->nstep && p->step[i].number < number)
		i++;
	return &p->step[i];
}

static bool knows(struct timing *t)
{
	const struct job *j = t->j;

	t->zero = INT64_MAX;
	for (size_t r = 0; r < j->nrank; r++) {
		const struct job_clock *c = &j->rank[r].clock;

		if (j->nstep == 0 || !t->path[r] || t->path[r]->nstep == 0 || !c->is_known ||
			j->nisland != 1)
			return false;
		t->zero = MIN(job_time(c, step_of(t->path[r], j->step[0])->start), t->zero);
	}
	return j->nrank > 1;
}

/* Takes over a rank's pieces in the job's steps. */
static void add_rank(struct timing *t, uint32_t r, const struct collective_instances *meets)
{
	const struct rankpath *p = t->path[r];
	const struct job_clock *c = &t->j->rank[r].clock;
	const struct rankwork_piece *v = p->work.v;
	nsec from = step_of(p, t->j->step[0])->start;
	nsec to = step_of(p, t->j->step[t->j->nstep - 1])->end;
	uint32_t *at = arena_array(t->mem, p->work.n, sizeof(*at));

	for (size_t i = 0; i < p->work.n; i++) {
		struct piece *x = &t->v[t->n];
		nsec before = INT64_MIN;

		at[i] = NONE;
		if (v[i].start < from || v[i].start >= to)
			continue;
		at[i] = (uint32_t)t->n++;
		*x = (struct piece){ .rank = r, .next = NONE, .what = v[i].what };
		for (int k = 0; k < RANKWORK_DEPS; k++) {
			x->dep[k] = v[i].dep[k] == NONE ? NONE : at[v[i].dep[k]];
			x->waits += x->dep[k] != NONE;
			if (x->dep[k] != NONE)
				before = MAX(before, job_time(c, v[v[i].dep[k]].end));
		}
		x->gap = saturate_sub(
			job_time(c, v[i].start), before == INT64_MIN ? t->zero : before);
		x->runs = (double)v[i].runs;
		x->inner = saturate_sub(saturate_sub(v[i].end, v[i].start), v[i].runs);
		uint32_t meet = v[i].collective == NONE ? 0 : meets->meet[r][v[i].collective];
		x->collective = v[i].collective == NONE ? 0 : v[i].collective + 1;
		if (!meet || !t->j->meet[meet - 1].is_sync)
			continue;
		x->joint = x->meet = meet;
		x->next = t->joint[meet - 1].n++ ? t->joint[meet - 1].first : NONE;
		t->joint[meet - 1].first = at[i];
	}
}

/* Who waits for whom, by whom they wait for. */
static void link_pieces(struct timing *t)
{
	size_t n = 0;

	t->from = arena_array(t->mem, t->n + 1, sizeof(*t->from));
	for (size_t i = 0; i < t->n; i++)
		for (int k = 0; k < RANKWORK_DEPS; k++)
			if (t->v[i].dep[k] != NONE) {
				t->from[t->v[i].dep[k] + 1]++;
				n++;
			}
	for (size_t i = 0; i < t->n; i++)
		t->from[i + 1] += t->from[i];
	t->succ = arena_array(t->mem, n, sizeof(*t->succ));
	uint32_t *next = arena_array(t->mem, t->n, sizeof(*next));
	for (size_t i = 0; i < t->n; i++)
		for (int k = 0; k < RANKWORK_DEPS; k++)
			if (t->v[i].dep[k] != NONE) {
				uint32_t dep = t->v[i].dep[k];

				t->succ[t->from[dep] + next[dep]++] = (uint32_t)i;
			}
}

static void make_graph(struct timing *t)
{
	const struct job *j = t->j;
	struct collective_instances meets;
	size_t n = 0;

	collective_instances_init(&meets, j, t->mem);
	for (size_t r = 0; r < j->nrank; r++)
		n += t->path[r]->work.n;
	t->v = arena_array(t->mem, n, sizeof(*t->v));
	t->joint = arena_array(t->mem, j->nmeet + n, sizeof(*t->joint));
	t->njoint = j->nmeet;
	for (uint32_t r = 0; r < j->nrank; r++)
		add_rank(t, r, &meets);
	for (size_t i = 0; i < j->nmeet; i++)
		t->joint[i].transfer = (double)saturate_add(j->meet[i].transfer, j->meet[i].late);
	link_pieces(t);
	t->ready = arena_array(t->mem, t->n, sizeof(*t->ready));
	t->fin = arena_array(t->mem, t->n, sizeof(*t->fin));
	t->left = arena_array(t->mem, t->n, sizeof(*t->left));
	t->come = arena_array(t->mem, j->nmeet + n, sizeof(*t->come));
	t->stack = arena_array(t->mem, t->n, sizeof(*t->stack));
}

/* ---- how long the same takes elsewhere ---- */

struct same_work {
	uint64_t what;
	uint32_t stage, piece;
};

static int compare_work(const struct same_work *a, const struct same_work *b)
{
	return COMPARE_BY(compare3(a->what, b->what), compare3(a->stage, b->stage));
}

ORDER(by_work, struct same_work, compare_work(a, b), compare3(a->piece, b->piece))

/* Mean computing of a stage's ranks, or of all. */
static double computes(const struct timing *t, uint32_t stage)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < t->j->nrank; i++) {
		if (stage != JOB_NO_STAGE && t->f->stages.of[i] != stage)
			continue;
		sum += t->f->ledgers.v[i].part[PART_COMPUTE];
		n++;
	}
	return n > 0 ? sum / n : 0;
}

/* By its median rank: one slow rank makes no slow stage. */
static void find_stage(struct timing *t)
{
	double *v = arena_array(t->mem, t->j->nrank, sizeof(*v)), most = 0;

	t->out->stage = JOB_NO_STAGE;
	for (uint32_t s = 0; t->f->stages.n > 1 && s < t->f->stages.n; s++) {
		size_t n = 0;

		for (size_t i = 0; i < t->j->nrank; i++)
			if (t->f->stages.of[i] == s)
				v[n++] = t->f->ledgers.v[i].part[PART_COMPUTE];
		double middle = n > 0 ? quantile_select(v, n, 0.5) : 0;
		if (middle <= most)
			continue;
		most = middle;
		t->out->stage = s;
	}
}

/* What the mean stage computes over what that one does. */
static double evens_out(const struct timing *t, uint32_t stage)
{
	double own = computes(t, stage);

	return t->f->stages.n > 1 && stage != JOB_NO_STAGE && own > 0
		? computes(t, JOB_NO_STAGE) / own
		: 1;
}

static void find_means(struct timing *t)
{
	struct same_work *v = arena_array(t->mem, t->n, sizeof(*v));
	size_t end;

	for (size_t i = 0; i < t->n; i++)
		v[i] = (struct same_work){ t->v[i].what, t->f->stages.of[t->v[i].rank],
			(uint32_t)i };
	sort_rows(v, t->n, sizeof(*v), by_work);
	for (size_t i = 0; i < t->n; i = end) {
		double sum = 0, ratio = evens_out(t, v[i].stage);

		for (end = i; end < t->n && compare_work(&v[end], &v[i]) == 0; end++)
			sum += t->v[v[end].piece].runs;
		for (size_t k = i; k < end; k++)
			t->v[v[k].piece].mean = ratio * sum / (double)(end - i);
	}
}

/* ---- transfers, and which of a step is the same as which of another ---- */

/* By rank and collective: how many of its op the rank had in the step before it. */
static void find_ordinals(struct timing *t)
{
	t->ordinal = arena_array(t->mem, t->j->nrank, sizeof(*t->ordinal));
	for (size_t r = 0; r < t->j->nrank; r++) {
		const struct collectives *c = t->j->rank[r].digest->collectives;
		uint32_t count[COMM_OP_COUNT] = { 0 };

		t->ordinal[r] = arena_array(t->mem, c->n, sizeof(**t->ordinal));
		for (size_t i = 0; i < c->n; i++) {
			if (i > 0 && c->v[i].step != c->v[i - 1].step)
				memset(count, 0, sizeof(count));
			t->ordinal[r][i] = count[c->kind[c->v[i].kind].op]++;
		}
	}
}

static const struct collective *collective_of(const struct timing *t, const struct piece *p)
{
	return &t->j->rank[p->rank].digest->collectives->v[p->collective - 1];
}

static const struct coll_kind *kind_of(const struct timing *t, const struct piece *p)
{
	return &t->j->rank[p->rank].digest->collectives->kind[collective_of(t, p)->kind];
}

static uint32_t ordinal_of(const struct timing *t, const struct piece *p)
{
	return t->ordinal[p->rank][p->collective - 1];
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
		const struct piece *p = &t->v[i];

		if (p->meet || !p->collective)
			continue;
		const struct coll_kind *k = kind_of(t, p);
		uint32_t step = collective_of(t, p)->step;
		if (k->nrank < 2 || k->group.n == 0 || step == COLL_NO_STEP || job_is_pair(k->op))
			continue;
		step = job_step_place(t->j, t->j->rank[p->rank].digest->step[step].number);
		v[n++] = (struct lone){ k, step, ordinal_of(t, p), i };
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
		struct joint x = { NONE, 0, INFINITY, 0 };

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

/* A transfer, and what makes it the same as others. */
struct same_transfer {
	uint32_t joint, ordinal, n;
	const struct coll_kind *kind;
};

/* Names of groups without their numbers: "dp3" and "dp0" are there for the same thing. */
static int compare_use(struct span a, struct span b)
{
	size_t i = 0, k = 0;

	while (i < a.n || k < b.n) {
		if (i < a.n && a.p[i] >= '0' && a.p[i] <= '9')
			i++;
		else if (k < b.n && b.p[k] >= '0' && b.p[k] <= '9')
			k++;
		else if (i == a.n || k == b.n || a.p[i] != b.p[k])
			return i == a.n ? -1 : k == b.n ? 1 : compare3(a.p[i], b.p[k]);
		else {
			i++;
			k++;
		}
	}
	return 0;
}

static int compare_same(const struct same_transfer *a, const struct same_transfer *b)
{
	return COMPARE_BY(compare3(a->kind->op, b->kind->op),
		compare3(a->kind->bytes, b->kind->bytes), span_cmp(a->kind->dtype, b->kind->dtype),
		span_cmp(a->kind->desc, b->kind->desc), compare_use(a->kind->group, b->kind->group),
		compare3(a->n, b->n), compare3(a->ordinal, b->ordinal));
}

ORDER(by_same, struct same_transfer, compare_same(a, b), compare3(a->joint, b->joint))

/* The mean of those that are the same. */
static void find_usual(struct timing *t)
{
	struct same_transfer *v = arena_array(t->mem, t->njoint, sizeof(*v));
	size_t n = 0, end;

	for (uint32_t i = 0; i < t->njoint; i++) {
		const struct piece *p = &t->v[t->joint[i].first];

		if (t->joint[i].n > 0)
			v[n++] = (struct same_transfer){ i, ordinal_of(t, p), t->joint[i].n,
				kind_of(t, p) };
	}
	sort_rows(v, n, sizeof(*v), by_same);
	for (size_t i = 0; i < n; i = end) {
		double sum = 0;

		for (end = i; end < n && compare_same(&v[i], &v[end]) == 0; end++)
			sum += t->joint[v[end].joint].transfer;
		for (size_t k = i; k < end; k++)
			t->joint[v[k].joint].usual = sum / (double)(end - i);
	}
}

/* ---- the pass ---- */

static double runs_then(const struct timing *t, const struct piece *p, enum job_repair repair)
{
	if (p->collective)
		return p->runs;
	switch (repair) {
	case JOB_REPAIR_SLOW: return t->slow[p->rank] ? p->mean : p->runs;
	case JOB_REPAIR_STAGE: return t->f->stages.of[p->rank] == t->out->stage ? p->mean : p->runs;
	case JOB_REPAIR_RANKS:
	case JOB_REPAIR_ALL: return p->mean;
	default: return p->runs;
	}
}

static void finish(struct timing *t, uint32_t i, double at, bool keeps, size_t *n)
{
	t->fin[i] = at;
	for (uint32_t k = t->from[i]; k < t->from[i + 1]; k++) {
		uint32_t next = t->succ[k];

		t->ready[next] = fmax(t->ready[next], at);
		if (--t->left[next] > 0)
			continue;
		if (keeps)
			t->ready[next] += (double)t->v[next].gap;
		t->stack[(*n)++] = next;
	}
}

/* One more has come to its meet; the last lets all of them go on. */
static void meet(struct timing *t, uint32_t i, enum job_repair repair, bool keeps, size_t *n)
{
	const struct joint *x = &t->joint[t->v[i].joint - 1];
	double last = 0;

	if (++t->come[t->v[i].joint - 1] < x->n)
		return;
	for (uint32_t k = x->first; k != NONE; k = t->v[k].next)
		last = fmax(last, t->ready[k]);
	last += repair == JOB_REPAIR_LINKS || repair == JOB_REPAIR_ALL ? x->usual : x->transfer;
	for (uint32_t k = x->first; k != NONE; k = t->v[k].next)
		finish(t, k, last, keeps, n);
}

/* What all takes; 0: ranks wait for each other in a circle, so that the order is not the true one.
 */
static nsec take(struct timing *t, enum job_repair repair, bool keeps)
{
	double end = 0;
	size_t n = 0, done = 0;

	memset(t->come, 0, t->njoint * sizeof(*t->come));
	for (size_t i = 0; i < t->n; i++) {
		t->left[i] = t->v[i].waits;
		t->ready[i] = keeps && !t->left[i] ? (double)t->v[i].gap : 0;
		t->fin[i] = NAN;
		if (!t->left[i])
			t->stack[n++] = (uint32_t)i;
	}
	while (n > 0) {
		uint32_t i = t->stack[--n];
		const struct piece *p = &t->v[i];

		if (keeps ? p->meet : p->joint)
			meet(t, i, repair, keeps, &n);
		else
			finish(t, i,
				t->ready[i] + runs_then(t, p, repair) +
					(keeps ? (double)p->inner : 0),
				keeps, &n);
	}
	for (size_t i = 0; i < t->n; i++) {
		done += isnan(t->fin[i]) ? 0 : 1;
		end = isnan(t->fin[i]) ? end : fmax(end, t->fin[i]);
	}
	return done == t->n ? saturate_round(end) : 0;
}

void job_bounds(struct job_bounds *b, const struct job_facts *f, const struct rankpath *const *path,
	const bool *slow, struct arena *mem)
{
	struct timing t = { .f = f, .j = f->job, .path = path, .slow = slow, .out = b, .mem = mem };

	*b = (struct job_bounds){ .stage = JOB_NO_STAGE };
	if (!knows(&t))
		return;
	make_graph(&t);
	find_stage(&t);
	find_means(&t);
	find_ordinals(&t);
	join_lone(&t);
	find_usual(&t);
	for (int r = 0; r < JOB_REPAIR_COUNT; r++) {
		b->kept[r] = take(&t, (enum job_repair)r, true);
		b->dropped[r] = MIN(take(&t, (enum job_repair)r, false), b->kept[r]);
	}
	b->is_known = b->dropped[JOB_REPAIR_NONE] > 0;
	b->now = b->kept[JOB_REPAIR_NONE];
}

WORDS(job_repair_what, enum job_repair, JOB_REPAIRS, 2)
