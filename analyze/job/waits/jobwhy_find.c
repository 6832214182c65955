/* Finding what is wrong with a job: in which order, and what counts. */
#include "analyze/job/waits/jobwhy.h"

#include <assert.h>

#include "analyze/job/waits/jobwhy_parts.h"
#include "base/base.h"
#include "base/words.h"

static const double floor_ratio = 0.01;  /* of a step: waits below are nobody's fault */
static const double bubble_ratio = 0.05; /* of a step: bubbles that are worth a word */
static const double moving_ratio = 0.05; /* of a step: waits of the mean rank that are */
static const double matched_least = 0.5; /* of the collectives: fewer tell nothing */
static const double matched_well = 0.9;  /* fewer, whose ends are not together, are mismatched */
static const double uneven = 1.15;       /* load over the mean one: that explains lateness */
static const double explained = 0.5;     /* of the waits that go back to who has most tokens */

enum { FINDINGS_MAX = 5 }; /* a straggler, an absent one, a link, bubbles, what moves */

/* Findings, as they are found. */
struct list {
	const struct why_work *w;
	struct job_why *v[FINDINGS_MAX];
	size_t n;
	double slow;    /* what they explain by ranks that are waited for, ns a step */
	nsec of_absent; /* waits for the absent that are explained, over all ranks and steps */
};

/* A new finding behind the others. */
static struct job_why *add(struct list *l, enum job_state state)
{
	struct job_why *y = arena_alloc(l->w->mem, sizeof(*y));
	double uncertainty = 0;

	for (size_t i = 0; i < l->w->j->nrank; i++)
		if ((double)l->w->j->rank[i].clock.uncertainty > uncertainty)
			uncertainty = (double)l->w->j->rank[i].clock.uncertainty;
	*y = (struct job_why){ .state = state,
		.rank = WHY_NOBODY,
		.number = -1,
		.group = UINT32_MAX,
		.share = NAN,
		.last_ratio = NAN,
		.matched_ratio = ratio_of((double)l->w->j->nmatched, (double)l->w->j->ncollective),
		.uncertainty = uncertainty };
	assert(l->n < FINDINGS_MAX);
	l->v[l->n++] = y;
	return y;
}

static void set_wait(struct job_why *y, const struct why_work *w, double ns)
{
	y->wait = saturate_round(ns);
	y->share = ratio_of(ns, w->f->ledgers.step);
	y->cost = ns;
}

static void set_part(struct job_why *y, const struct why_part *p)
{
	y->cause = p->cause;
	y->own = saturate_round(p->own);
	y->others = saturate_round(p->others);
}

ORDER(by_place, uint32_t, compare3(*a, *b))

static void set_culprit(struct job_why *y, const struct why_work *w, const struct why_slow *s)
{
	const struct job_rank *r = &w->j->rank[s->rank[0]];

	y->rank = s->rank[0];
	y->number = r->rank;
	y->last_ratio = ratio_of((double)r->nlast, (double)r->nmeet);
	y->also = s->rank + 1;
	y->nalso = s->n - 1;
	sort_rows(s->rank + 1, y->nalso, sizeof(*s->rank), by_place);
	set_wait(y, w, s->wait);
	if (s->is_uneven)
		y->share = ratio_of(s->wait, w->f->ledgers.mean);
}

static bool is_hot(const struct why_work *w, uint32_t rank)
{
	const struct job_experts *x = &w->f->experts;

	return x->nmeet > 0 && x->ratio[rank] >= uneven;
}

/* Ranks the others wait for, by what they compute, wait for or move. */
static void add_slow(struct list *l, const struct why_slow *s, const struct why_part *p)
{
	const struct why_work *w = l->w;
	struct why_kernels k = { 0 };

	if (p->cause == JOB_CAUSE_SLOWER)
		why_kernels(&k, w, s);
	struct job_why *y = add(l,
		p->cause == JOB_CAUSE_SLOWER && is_hot(w, s->rank[0]) ? JOB_EXPERTS
								      : JOB_STRAGGLER);
	set_culprit(y, w, s);
	set_part(y, p);
	if (p->cause == JOB_CAUSE_SLOWER && (k.is_work || y->state == JOB_EXPERTS))
		y->cause = JOB_CAUSE_WORK;
	if (y->state == JOB_EXPERTS)
		why_say_experts(y, w, s);
	else
		why_say_slow(y, w, s, &k);
}

/* One that has no trace: most waits go back to it, or transfers may be waits for it.  Stages hand
 * on what they wait for: beside a slow rank of a pipeline nobody can tell. */
static void add_absent(struct list *l, const struct why_slow *s)
{
	struct why_absent a;

	if (s->n > 0 && l->w->f->stages.n > 1)
		return;
	bool is_sure = l->w->j->nabsent > 0 && why_find_absent(&a, l->w);

	if (!is_sure && (l->w->j->nabsent == 0 || !why_may_be_absent(&a, l->w)))
		return;
	struct job_why *y = add(l, is_sure ? JOB_STRAGGLER : JOB_UNJUDGED);
	set_wait(y, l->w, a.wait);
	y->cause = JOB_CAUSE_NO_TRACE;
	y->number = a.n == 1 ? a.rank[0] : -1;
	if (is_sure) {
		l->slow += a.wait;
		l->of_absent = saturate_round(a.all);
	}
	why_say_absent(y, l->w, &a, is_sure);
}

static void add_link(
	struct list *l, const struct why_link *link, const struct why_slow *s, bool waits)
{
	struct job_why *y = add(l, JOB_SLOW_LINK);

	if (waits)
		set_culprit(y, l->w, s);
	else
		set_wait(y, l->w, link->excess);
	y->cause = JOB_CAUSE_LINK;
	y->rank = link->rank;
	y->number = link->rank != WHY_NOBODY ? l->w->j->rank[link->rank].rank : -1;
	y->group = link->group;
	y->own = saturate_round(link->flow->median);
	y->others = saturate_round(link->flow->peers);
	why_say_link(y, l->w, link);
}

static double mean_bubble(const struct why_work *w)
{
	const struct job_stages *s = &w->f->stages;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->j->nrank; i++) {
		if (s->of[i] == JOB_NO_STAGE)
			continue;
		sum += s->bubble[i];
		n++;
	}
	return n > 0 ? sum / (double)n : 0;
}

static void add_bubble(struct list *l)
{
	const struct why_work *w = l->w;
	double ns = mean_bubble(w);

	if (w->f->stages.n < 2 || ns < bubble_ratio * w->f->ledgers.step)
		return;
	struct job_why *y = add(l, JOB_BUBBLE);
	set_wait(y, w, ns);
	double least = job_stages_least(w->f->stages.n, w->f->stages.micro);
	y->cost = fmax(ns - l->slow, least * (w->f->ledgers.step - l->slow));
	for (size_t i = 0; i < w->f->flows.n && y->group == UINT32_MAX; i++)
		if (w->f->flows.v[i].key.a != UINT32_MAX)
			y->group = w->f->flows.v[i].key.group;
	why_say_bubble(y, w);
}

/* Waits of the mean rank in a step that no named rank and no stage explains. */
static double moving_waits(const struct list *l, const struct why_slow *s)
{
	const struct why_work *w = l->w;
	const struct job *j = w->j;
	double sum = -(double)l->of_absent / (double)j->nstep;

	for (size_t i = 0; i < j->nrank; i++) {
		sum += (double)j->rank[i].suffered / (double)j->nstep;
		if (w->f->stages.of[i] != JOB_NO_STAGE)
			sum -= w->f->stages.bubble[i];
		if (s->is_slow[i])
			sum -= (double)j->rank[i].caused / (double)j->nstep;
	}
	return sum / (double)j->nrank;
}

/* How much of all waits goes back to who had most tokens in its step. */
static double explained_by_load(const struct why_work *w)
{
	const struct job *j = w->j;
	double hot = 0, all = 0;

	for (size_t i = 0; i < j->nstep; i++) {
		const int64_t *load = w->f->experts.by_step + i * j->nrank;
		const struct job_step *blame = j->by_step + i * j->nrank;
		size_t top = 0;

		for (size_t r = 0; r < j->nrank; r++) {
			top = load[r] > load[top] ? r : top;
			all += (double)blame[r].caused;
		}
		hot += load[top] > 0 ? (double)blame[top].caused : 0;
	}
	return ratio_of(hot, all);
}

static void add_moving(struct list *l, const struct why_slow *s)
{
	const struct why_work *w = l->w;
	const struct job_experts *x = &w->f->experts;
	double ns = moving_waits(l, s);
	struct job_why *y;

	if (ns < moving_ratio * w->f->ledgers.step)
		return;
	struct why_part part = why_moving_cause(w);
	if (x->nmeet > 0 && x->imbalance >= uneven &&
		explained_by_load(w) > fmax(explained, 1.5 / (double)w->j->nrank)) {
		y = add(l, JOB_EXPERTS);
		part.cause = JOB_CAUSE_WORK;
	} else {
		y = add(l, JOB_MOVING);
	}
	set_wait(y, w, ns);
	set_part(y, &part);
	if (y->state == JOB_EXPERTS)
		why_say_experts(y, w, NULL);
	else
		why_say_moving(y, w);
}

/* What only absent ranks could have is no lack of what is there. */
static double matched_ratio(const struct why_work *w)
{
	const struct job *j = w->j;
	size_t alone = SUM(size_t, i, j->nrank, w->alone[i]);

	return ratio_of((double)j->nmatched, (double)(j->ncollective - alone));
}

/* Whether collectives are held to be others of the same kind: ends of those that are the same are
 * together. */
static bool is_mismatched(const struct why_work *w)
{
	const struct job *j = w->j;

	return matched_ratio(w) < matched_well &&
		(j->nisland > 1 ||
			ANY(i, j->nrank, (double)j->rank[i].clock.uncertainty > w->floor));
}

static bool is_judged(const struct why_work *w)
{
	return w->j->nrank > 1 && w->j->nmeet > 0 && w->j->nstep > 0 && !is_mismatched(w) &&
		matched_ratio(w) >= matched_least;
}

/* One that others wait for in no collective; false: there is none. */
static bool add_idle(struct list *l)
{
	struct why_slow s;

	if (!why_find_idle(&s, l->w))
		return false;
	const struct why_part part = why_cause(l->w, &s);
	add_slow(l, &s, &part);
	return true;
}

/* Whether it is its own doing that a rank is later than its peers.  Those of other stages wait at
 * other times, transfers of groups that lack ranks may be waits, one late moment without a cause
 * may be a clock that was set, and what its pipeline does longer with it are batches. */
static bool is_own(const struct why_work *w, const struct why_slow *s, const struct why_part *p)
{
	bool is_told = p->cause != JOB_CAUSE_NONE && p->cause != JOB_CAUSE_LINK;

	if ((s->is_uneven && p->cause == JOB_CAUSE_NONE) ||
		((p->cause == JOB_CAUSE_SLOWER || p->cause == JOB_CAUSE_SEQUENCES) &&
			why_is_batches(w, s->rank[0])))
		return false;
	return is_told || (w->j->nabsent == 0 && (w->f->stages.n < 2 || why_by_stages(w)));
}

/* Who is not named explains no waits. */
static void forget(const struct why_work *w, struct why_slow *s)
{
	s->n = 0;
	memset(s->is_slow, 0, w->j->nrank * sizeof(*s->is_slow));
}

static void find(struct list *l)
{
	const struct why_work *w = l->w;
	struct why_part part = { JOB_CAUSE_NONE, 0, 0 };
	struct why_link link;
	struct why_slow s;

	if (!w->is_judged) {
		if (!add_idle(l))
			why_say_unjudged(add(l, JOB_UNJUDGED), w);
		return;
	}
	why_find_slow(&s, w);
	bool has_link = why_find_link(&link, w);
	if (s.n > 0) {
		part = why_cause(w, &s);
		if (!is_own(w, &s, &part))
			forget(w, &s);
		l->slow = s.n > 0 ? s.wait : 0;
	}
	if (s.n > 0 && !(part.cause == JOB_CAUSE_LINK && has_link))
		add_slow(l, &s, &part);
	if (has_link)
		add_link(l, &link, &s, s.n > 0 && part.cause == JOB_CAUSE_LINK);
	add_absent(l, &s);
	add_bubble(l);
	add_moving(l, &s);
	if (s.n == 0 && l->of_absent == 0)
		(void)add_idle(l);
	if (l->n == 0)
		why_say_balanced(add(l, JOB_BALANCED), w);
}

/* The first, behind it the others: what costs most comes first, of the same what was found first.
 */
static void sort(struct list *l, struct job_why *first)
{
	for (size_t i = 1; i < l->n; i++)
		for (size_t k = i; k > 0 && l->v[k]->cost > l->v[k - 1]->cost; k--) {
			struct job_why *y = l->v[k];

			l->v[k] = l->v[k - 1];
			l->v[k - 1] = y;
		}
	for (size_t i = 1; i < l->n; i++)
		l->v[i - 1]->next = l->v[i];
	*first = *l->v[0];
}

void job_why_of(struct job_why *w, const struct job_facts *f, struct arena *mem)
{
	struct why_work work = { .f = f, .j = f->job, .mem = mem };
	struct list l = { .w = &work };

	work.alone = arena_array(mem, f->job->nrank, sizeof(*work.alone));
	for (size_t i = 0; i < f->job->nmeet; i++)
		if (f->job->meet[i].n == 1)
			work.alone[f->job->meet[i].arrival[0].rank]++;
	work.floor = f->job->nstep > 0 ? floor_ratio * f->ledgers.step : 0;
	work.is_judged = is_judged(&work);
	find(&l);
	sort(&l, w);
}

void job_why(struct job_why *w, const struct job *j, struct arena *mem)
{
	struct job_facts *f = arena_alloc(mem, sizeof(*f));

	job_facts_init(f, j, mem);
	job_why_of(w, f, mem);
}

/* ---- what is wrong with a job: its words, and whom it is about ---- */

WORDS(job_state_word, enum job_state, JOB_STATES, 2)

WORDS(job_cause_word, enum job_cause, JOB_CAUSES, 2)

bool job_why_is_slow(const struct job_why *w, uint32_t rank)
{
	for (; w; w = w->next) {
		if (w->rank == rank)
			return true;
		for (size_t i = 0; i < w->nalso; i++)
			if (w->also[i] == rank)
				return true;
	}
	return false;
}

const struct job_why *job_why_straggler(const struct job_why *w)
{
	const struct job_why *at = w;

	while (at && at->state != JOB_STRAGGLER)
		at = at->next;
	return at ? at : w;
}
