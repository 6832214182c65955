/*
 * Stages of a pipeline: the pairs, which way is forward, and how far each rank is from the first.
 */
#include "analyze/job/jobstages.h"

#include "analyze/job/waits/arrival_waits.h"
#include "analyze/job/waits/jobblame.h"
#include "analyze/stat/quantile.h"
#include "base/base.h"

/* Two ranks between which messages go. */
struct pair {
	uint32_t low, high;      /* places in job.rank, or behind them of the absent */
	size_t up, down;         /* messages from low to high, and back */
	size_t up_first, firsts; /* steps that begin with one up; steps with any */
	uint32_t step;           /* the last one that was looked at */
};

struct search {
	const struct job *j;
	struct pair *pair; /* by low, then high */
	size_t n;
	struct job_stages *s;
};

ORDER(compare, struct pair, compare3(a->low, b->low), compare3(a->high, b->high))

static bool is_ring_group(const struct job_group *g)
{
	return span_has_nocase(g->desc, "CONTEXT_PARALLEL") ||
		span_has_nocase(g->name, "CONTEXT_PARALLEL");
}

static bool is_message(const struct job *j, const struct job_flow_key *k)
{
	return k->a != UINT32_MAX && k->a != k->b && !is_ring_group(&j->group[k->group]);
}

static struct pair pair_of(uint32_t a, uint32_t b)
{
	return (struct pair){ .low = MIN(a, b), .high = MAX(b, a), .step = COLL_NO_STEP };
}

static void find_pairs(struct search *f, const struct job_flows *flows, struct arena *mem)
{
	size_t n = 0;

	f->pair = arena_array(mem, flows->n, sizeof(*f->pair));
	for (size_t i = 0; i < flows->n; i++)
		if (is_message(f->j, &flows->v[i].key))
			f->pair[n++] = pair_of(flows->v[i].key.a, flows->v[i].key.b);
	sort_rows(f->pair, n, sizeof(*f->pair), compare);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || compare(&f->pair[i], &f->pair[f->n - 1]) != 0)
			f->pair[f->n++] = f->pair[i];
}

static void count(struct search *f, const struct collective_instance *m)
{
	struct job_flow_key k = job_flow_key(f->j, m);
	struct pair key = pair_of(k.a, k.b);
	bool up = k.a < k.b;

	if (m->step == COLL_NO_STEP || !is_message(f->j, &k))
		return;
	struct pair *p = bsearch(&key, f->pair, f->n, sizeof(*f->pair), compare);
	if (!p)
		return;
	p->up += up;
	p->down += !up;
	if (p->step != m->step) {
		p->step = m->step;
		p->firsts++;
		p->up_first += up;
	}
}

static void add_bubble(struct search *f, const struct collective_instance *m)
{
	const uint32_t *of = f->s->of;

	if (m->step == COLL_NO_STEP || (m->last >= m->n && !m->late))
		return;
	uint32_t last = m->late ? (uint32_t)f->j->nrank + m->absent - 1 : m->arrival[m->last].rank;
	for (uint32_t i = 0; i < m->n; i++) {
		double ns = (double)m->arrival[i].exposed_wait / (double)f->j->nstep;

		if (!job_is_pair(m->op) && of[m->arrival[i].rank] == of[last])
			continue;
		f->s->bubble[m->arrival[i].rank] += ns;
		if (m->late)
			f->s->bubble[last] += ns;
	}
}

static bool is_up(const struct pair *p)
{
	return 2 * p->up_first >= p->firsts;
}

/* Puts each rank behind those it gets work from; false where that has no end.  ascending: messages
 * to lower ranks, which close a ring, aside. */
static bool order(const struct search *f, bool ascending)
{
	uint32_t *of = f->s->of, depth = 0;
	bool changed = true;

	for (EACH(struct pair, pair, f->pair, f->n))
		of[pair->low] = of[pair->high] = 0;
	while (changed && depth < f->j->nrank + f->j->nabsent) {
		changed = false;
		for (EACH(const struct pair, p, f->pair, f->n)) {
			uint32_t from = is_up(p) ? p->low : p->high;
			uint32_t to = is_up(p) ? p->high : p->low;

			if ((ascending && !is_up(p)) || of[to] > of[from])
				continue;
			of[to] = of[from] + 1;
			depth = of[to];
			changed = true;
		}
	}
	return !changed;
}

static bool goes_back(const struct search *f)
{
	return ANY(i, f->n, f->pair[i].up > 0 && f->pair[i].down > 0);
}

static double messages(const struct search *f, struct arena *mem)
{
	double *v = arena_array(mem, f->n, sizeof(*v));

	for (size_t i = 0; i < f->n; i++)
		v[i] = (double)(is_up(&f->pair[i]) ? f->pair[i].up : f->pair[i].down) /
			(double)f->j->nstep;
	return quantile_select(v, f->n, 0.5);
}

/* Whether each stage has two ranks at least. */
static bool has_several(const struct job_stages *s, size_t nrank)
{
	for (uint32_t stage = 0; stage < s->n; stage++)
		if (SUM(size_t, i, nrank, s->of[i] == stage) < 2)
			return false;
	return true;
}

static void drop_stages(struct job_stages *s, size_t nrank)
{
	FILL(s->of, nrank, JOB_NO_STAGE);
}

void job_stages_init(
	struct job_stages *s, const struct job *j, const struct job_flows *flows, struct arena *mem)
{
	struct search f = { .j = j, .s = s };
	size_t nrank = j->nrank + j->nabsent;

	*s = (struct job_stages){
		.micro = NAN,
		.of = arena_array(mem, nrank, sizeof(*s->of)),
		.bubble = arena_array(mem, nrank, sizeof(*s->bubble)),
	};
	drop_stages(s, nrank);
	find_pairs(&f, flows, mem);
	if (f.n == 0 || j->nstep == 0)
		return;
	for (size_t i = 0; i < j->nmeet; i++)
		count(&f, &j->meet[i]);
	if (!order(&f, false) && (!goes_back(&f) || !order(&f, true))) {
		drop_stages(s, nrank);
		return;
	}
	for (size_t i = 0; i < j->nmeet; i++)
		add_bubble(&f, &j->meet[i]);
	for (size_t i = 0; i < nrank; i++)
		if (s->of[i] != JOB_NO_STAGE && s->of[i] >= s->n)
			s->n = s->of[i] + 1;
	s->micro = messages(&f, mem);
	if (s->n > 1 && has_several(s, nrank)) {
		s->between = arena_array(mem, j->nstep * nrank, sizeof(*s->between));
		job_blame_between(j, job_number_steps(j, mem), s->of, s->between);
	}
}

double job_stages_least(uint32_t n, double micro)
{
	return n > 1 && micro > 0 ? (n - 1) / (micro + n - 1) : NAN;
}
