/* Stragglers: ranks that come later than the others, step after step or in some steps by far.
 *
 * In a step every rank either works or waits, so that who waits less than the others by so much
 * comes later by so much.  Steps x ranks of waits are a two-way layout: what a step has for all
 * ranks drops out, what is left of a rank over the steps is its lead, and what neither explains is
 * noise, which the lead is held against (Student's t, Bonferroni over the ranks).  Of few steps and
 * ranks the noise is hardly known, so its variance is drawn towards what is usual (Smyth 2004).
 *
 * Who is late in some steps only makes the noise of all, so that its mean lead is also held against
 * that of the usual step (median absolute deviation).  Such ranks are stragglers where they cause
 * half of all waits; of several, which may be many that take turns, most or nearly all, at least in
 * the steps in which they are late together. */
#include "analyze/job/waits/jobwhy_parts.h"

#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "base/base.h"

static const double alpha = 0.003;       /* how often a job without a straggler may get one named */
static const double matched_least = 0.5; /* of a rank's collectives */
static const double met_least = 0.75;    /* of its meets in the usual step: fewer tell nothing */
static const double steadiness = 0.25;   /* of its lead, in three quarters of the steps */
static const double as_slow = 0.5;       /* of the slowest one's lead: as slow as that */
static const double prior_noise = 0.012; /* of a step: what ranks differ by from step to step ... */
static const double prior_freedom = 4;   /* ... before anything is known, and how sure that is */
static const double handed_on = 0.5;     /* of its lead: waits that can be told to go back to it */
static const double mad_to_sigma = 1.4826; /* of normal values */
static const double least_uneven = 0.02;   /* of a step: the mean lead of one late in some steps ...
                                            */
static const double least_often = 0.015;   /* the same of one that is late in several of many */
static const double least_in_one = 0.2;    /* ... and what of a step one of them has to add alone */
static const double half = 0.5;       /* of all waits: what one that is late in some steps causes */
static const double most = 0.75;      /* the same of several, a third of the ranks at most */
static const double nearly_all = 0.9; /* the same of several, half of the ranks at most */
static const double their_part = 0.5; /* of the mean one's: what each of several causes in a step */
enum { STEPS_MIN = 3, BLOCKS = 12 };  /* of fewer steps meets are asked, too */
enum { STEPS_MANY = 8 };              /* so many tell what is usual */

/* Blocks x ranks: minus what each waits in each; blocks are steps, or, where these are few and tell
 * nothing, meets one after the other. */
struct layout {
	double *x;
	size_t n;        /* blocks */
	double per_step; /* blocks in a step */
	const struct why_work *w;
};

/* Ranks that are compared with each other. */
struct peers {
	uint32_t *rank;
	size_t n;
	double *sorted;  /* blocks x peers: each block's values, ascending */
	double variance; /* of what neither block nor rank explains */
	double usual;    /* the same of the usual block */
	double freedom;  /* their degrees */
};

/* How much later ranks come, ns of a step; 0: no more than noise explains. */
struct leads {
	double *ns;      /* by rank */
	bool *is_steady; /* by rank: in most blocks */
};

/* Steps x ranks: how many meets a rank was in; of those that are far fewer than usual its waits are
 * not known: its trace has them in another order, as its clock was set back, or lacks some. */
static void forget_unmatched(struct layout *l)
{
	const struct job *j = l->w->j;
	double *met = arena_array(l->w->mem, l->n * j->nrank, sizeof(*met));
	double *own = arena_array(l->w->mem, l->n, sizeof(*own));

	for (EACH(const struct collective_instance, m, j->meet, j->nmeet))
		for (uint32_t k = 0; m->step != COLL_NO_STEP && k < m->n; k++)
			met[m->step * j->nrank + m->arrival[k].rank]++;
	for (size_t r = 0; r < j->nrank; r++) {
		for (size_t b = 0; b < l->n; b++)
			own[b] = met[b * j->nrank + r];
		double usual = l->n > 0 ? quantile_select(own, l->n, 0.5) : 0;
		for (size_t b = 0; b < l->n; b++)
			if (met[b * j->nrank + r] < met_least * usual)
				l->x[b * j->nrank + r] = NAN;
	}
}

static void by_steps(struct layout *l)
{
	const struct job *j = l->w->j;

	l->n = j->nstep;
	l->per_step = 1;
	l->x = arena_array(l->w->mem, l->n * j->nrank, sizeof(*l->x));
	for (size_t i = 0; i < l->n * j->nrank; i++)
		l->x[i] = -(double)j->by_step[i].suffered;
	forget_unmatched(l);
}

static void by_meets(struct layout *l)
{
	const struct job *j = l->w->j;
	size_t at = 0;
	size_t n = SUM(size_t, i, j->nmeet, j->meet[i].step != COLL_NO_STEP);

	l->n = MIN(n, BLOCKS);
	l->per_step = (double)l->n / (double)j->nstep;
	l->x = arena_array(l->w->mem, l->n * j->nrank, sizeof(*l->x));
	for (EACH(const struct collective_instance, m, j->meet, j->nmeet)) {
		if (m->step == COLL_NO_STEP)
			continue;
		for (uint32_t k = 0; k < m->n; k++)
			l->x[at * l->n / n * j->nrank + m->arrival[k].rank] -=
				(double)m->arrival[k].exposed_wait;
		at++;
	}
}

static double at(const struct layout *l, size_t block, uint32_t rank)
{
	return l->x[block * l->w->j->nrank + rank];
}

static double mean_of_block(const struct layout *l, const struct peers *p, size_t block)
{
	double sum = SUM(double, i, p->n, at(l, block, p->rank[i]));

	return sum / (double)p->n;
}

/* What squares of the noise would add up to if all blocks were as the usual ones are. */
static double usual_squares(const struct layout *l, const struct peers *p)
{
	double *rest = arena_array(l->w->mem, l->n * p->n, sizeof(*rest));
	double *own = arena_array(l->w->mem, l->n, sizeof(*own));

	for (size_t i = 0; i < p->n; i++) {
		for (size_t b = 0; b < l->n; b++)
			own[b] = rest[b * p->n + i] = at(l, b, p->rank[i]) -
				quantile_sorted(p->sorted + b * p->n, p->n, 0.5);
		double middle = quantile_select(own, l->n, 0.5);
		for (size_t b = 0; b < l->n; b++)
			rest[b * p->n + i] -= middle;
	}
	double spread = mad_to_sigma * quantile_mad(rest, l->n * p->n, 0, l->w->mem);
	return spread * spread * (double)(l->n * p->n);
}

/* effect: by place among the peers, how much later than the mean a rank comes, a block. */
static void fit(const struct layout *l, struct peers *p, double *effect)
{
	double *mean = arena_array(l->w->mem, l->n, sizeof(*mean)), sum = 0, rest;
	double prior = prior_noise * l->w->f->ledgers.step / l->per_step;

	for (size_t b = 0; b < l->n; b++)
		mean[b] = mean_of_block(l, p, b);
	for (size_t i = 0; i < p->n; i++) {
		effect[i] = 0;
		for (size_t b = 0; b < l->n; b++)
			effect[i] += (at(l, b, p->rank[i]) - mean[b]) / (double)l->n;
		for (size_t b = 0; b < l->n; b++) {
			rest = at(l, b, p->rank[i]) - mean[b] - effect[i];
			sum += rest * rest;
		}
	}
	double own = (double)((l->n - 1) * (p->n - 1));
	p->freedom = own + prior_freedom;
	p->variance = (sum + prior_freedom * prior * prior) / p->freedom;
	p->usual = (usual_squares(l, p) + prior_freedom * prior * prior) / p->freedom;
}

/* The chance that noise makes any of the job's ranks lead by so much. */
static double chance(const struct layout *l, const struct peers *p, double effect, double variance)
{
	double m = (double)p->n, b = (double)l->n;
	double lead = effect * m / (m - 1), error = sqrt(variance / b * (1 + 1 / (m - 1)));

	if (lead <= 0)
		return 1;
	if (error <= 0)
		return 0;
	return law_t_above(lead / error, p->freedom) * (double)l->w->j->nrank;
}

/* How much later it comes than its median peer in each block, ascending. */
static void leads(const struct layout *l, const struct peers *p, uint32_t rank, double *lead)
{
	for (size_t b = 0; b < l->n; b++)
		lead[b] = at(l, b, rank) -
			quantile_median_but(p->sorted + b * p->n, p->n, at(l, b, rank));
	quantile_sort(lead, l->n);
}

/* What goes back to ranks that are there, but for what stages wait for each other. */
static double all_waits(const struct why_work *w)
{
	return SUM(double, i, w->j->nrank,
		(double)w->j->rank[i].caused - w->f->stages.bubble[i] * (double)w->j->nstep);
}

/* Whether nearly all waits go back to it, in a few steps at least: then it is no matter of chance
 * who is late, even if what others wait in some steps makes all of it look like noise. */
static bool causes_nearly_all(const struct layout *l, uint32_t rank)
{
	const struct job *j = l->w->j;
	double mean = (double)j->rank[rank].caused / (double)j->nstep;
	size_t often =
		SUM(size_t, i, j->nstep, (double)j->by_step[i * j->nrank + rank].caused > mean);

	return l->per_step <= 1 && often >= STEPS_MIN &&
		(double)j->rank[rank].caused >= nearly_all * all_waits(l->w);
}

/* The least mean lead of one that is late in some steps: of few steps, and in one of many, it may
 * be chance, and in two where it does not cause most of all waits. */
static double least_lead(const struct layout *l, uint32_t rank, const double *lead)
{
	double sum = 0, squares = 0, step = l->w->f->ledgers.step;

	for (size_t b = 0; b < l->n; b++) {
		sum += fmax(lead[b], 0);
		squares += fmax(lead[b], 0) * fmax(lead[b], 0);
	}
	size_t often = SUM(size_t, b, l->n, lead[b] * sum >= half * squares);
	bool is_often = l->n >= STEPS_MANY &&
		(often >= STEPS_MIN ||
			(often > 1 &&
				(double)l->w->j->rank[rank].caused >= most * all_waits(l->w)));
	double least = least_in_one / (double)(is_often ? often : 1) / (double)l->n * step;
	return fmax((is_often ? least_often : least_uneven) * step, least);
}

/* The lead of a rank, its i-th. */
static void judge(
	const struct layout *l, const struct peers *p, size_t i, double effect, struct leads *to)
{
	struct arena_mark mark = arena_mark(l->w->mem);
	double *lead = arena_array(l->w->mem, l->n, sizeof(*lead));
	uint32_t rank = p->rank[i];

	if (chance(l, p, effect, MIN(p->variance, p->usual)) > alpha && !causes_nearly_all(l, rank))
		return;
	leads(l, p, rank, lead);
	double middle = quantile_sorted(lead, l->n, 0.5);
	double low = quantile_sorted(lead, l->n, 0.25);
	double mean = SUM(double, b, l->n, lead[b] / (double)l->n * l->per_step);
	double least = least_lead(l, rank, lead);
	arena_reset(l->w->mem, mark);
	bool is_by_meets = l->per_step > 1;
	to->is_steady[rank] = chance(l, p, effect, p->variance) <= alpha &&
		low >= (is_by_meets ? 0 : steadiness * middle) &&
		(is_by_meets ? mean : middle) >= l->w->floor;
	if (to->is_steady[rank])
		to->ns[rank] = is_by_meets ? mean : middle;
	else if (!is_by_meets && mean >= least)
		to->ns[rank] = mean;
}

/* Enough of a rank's collectives were matched to say something of it. */
static bool is_matched(const struct why_work *w, uint32_t rank)
{
	const struct job_rank *r = &w->j->rank[rank];

	return r->nmatched > 0 &&
		(double)r->nmatched >= matched_least * (double)(r->ncollective - w->alone[rank]);
}

/* The ranks of one stage, or of the whole job. */
static void gather(struct peers *p, const struct why_work *w, uint32_t stage)
{
	p->n = 0;
	for (size_t i = 0; i < w->j->nrank; i++)
		if ((stage == JOB_NO_STAGE || w->f->stages.of[i] == stage) &&
			is_matched(w, (uint32_t)i))
			p->rank[p->n++] = (uint32_t)i;
}

bool why_by_stages(const struct why_work *w)
{
	const struct job_stages *s = &w->f->stages;
	struct arena_mark mark = arena_mark(w->mem);
	size_t *count = arena_array(w->mem, s->n, sizeof(*count));
	bool yes = s->n > 1;

	for (size_t i = 0; yes && i < w->j->nrank; i++) {
		if (s->of[i] == JOB_NO_STAGE)
			yes = false;
		else
			count[s->of[i]]++;
	}
	for (size_t i = 0; yes && i < s->n; i++)
		yes = count[i] > 1;
	arena_reset(w->mem, mark);
	return yes;
}

/* What is not known of a block is as its median: of its peers that are known, else nothing. */
static void sort_block(const struct layout *l, struct peers *p, size_t block)
{
	double *sorted = p->sorted + block * p->n;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!isnan(at(l, block, p->rank[i])))
			sorted[n++] = at(l, block, p->rank[i]);
	double middle = n > 0 ? quantile_select(sorted, n, 0.5) : 0;
	for (size_t i = 0; i < p->n; i++) {
		double *x = &l->x[block * l->w->j->nrank + p->rank[i]];

		*x = isnan(*x) ? middle : *x;
		sorted[i] = *x;
	}
	quantile_sort(sorted, p->n);
}

static void judge_peers(const struct layout *l, struct peers *p, struct leads *to)
{
	double *effect = arena_array(l->w->mem, p->n, sizeof(*effect));

	if (p->n < 2)
		return;
	p->sorted = arena_array(l->w->mem, l->n * p->n, sizeof(*p->sorted));
	for (size_t b = 0; b < l->n; b++)
		sort_block(l, p, b);
	fit(l, p, effect);
	for (size_t i = 0; i < p->n; i++)
		judge(l, p, i, effect[i], to);
}

static void judge_all(const struct layout *l, struct peers *p, struct leads *to, bool is_by_stage)
{
	if (l->n == 0)
		return;
	if (!is_by_stage) {
		gather(p, l->w, JOB_NO_STAGE);
		judge_peers(l, p, to);
		return;
	}
	for (uint32_t i = 0; i < l->w->f->stages.n; i++) {
		gather(p, l->w, i);
		judge_peers(l, p, to);
	}
}

/* What goes back to the slow ones in a step, and to all that are there. */
static double step_caused(
	const struct why_slow *s, const struct why_work *w, size_t step, double *all)
{
	double own = 0;

	*all = 0;
	for (size_t r = 0; r < w->j->nrank; r++) {
		double ns = (double)job_facts_caused(w->f, step, r);

		own += s->is_slow[r] ? ns : 0;
		*all += ns;
	}
	return own;
}

/* How many of the slow ones cause their part of what they do together in a step. */
static size_t late_in(const struct why_slow *s, const struct why_work *w, size_t step, double own)
{
	return SUM(size_t, k, s->n,
		(double)job_facts_caused(w->f, step, s->rank[k]) * (double)s->n >=
			their_part * own);
}

/* Whether several are late in the same steps, in which they cause as much as stragglers do: others
 * wait in the other steps, too. */
static bool are_late_together(const struct why_slow *s, const struct why_work *w, double least)
{
	double sum = 0, squares = 0, own, all, hit_own = 0, hit_all = 0;
	size_t hits = 0, together = 0;

	for (size_t i = 0; i < w->j->nstep; i++) {
		own = step_caused(s, w, i, &all);
		sum += own;
		squares += own * own;
	}
	for (size_t i = 0; i < w->j->nstep; i++) {
		own = step_caused(s, w, i, &all);
		if (own * sum < half * squares)
			continue;
		hits++;
		together += late_in(s, w, i, own) == s->n;
		hit_own += own;
		hit_all += all;
	}
	return hits > 1 && together == hits && hit_own >= least * hit_all;
}

/* Whether those that are late in some steps cause as much of the waits as stragglers do; what
 * stages wait for each other aside, and what goes back to the absent, who may have waited for them.
 */
static bool cause_enough(const struct why_slow *s, const struct why_work *w)
{
	double own = SUM(double, i, w->j->nrank, s->is_slow[i] ? (double)w->j->rank[i].caused : 0);
	double least = s->n == 1 ? half : 3 * s->n <= w->j->nrank ? most : nearly_all;

	if (s->n > 1 && 2 * s->n > w->j->nrank)
		return false;
	return own >= least * all_waits(w) ||
		(s->n > 1 && own >= half * all_waits(w) && are_late_together(s, w, least));
}

/* The slowest one, and those that are as slow; steady: only those that are late in most steps. */
static void choose(
	struct why_slow *s, const struct why_work *w, const struct leads *of, bool steady)
{
	uint32_t top = 0;

	s->n = 0;
	memset(s->is_slow, 0, w->j->nrank * sizeof(*s->is_slow));
	for (uint32_t i = 0; i < w->j->nrank; i++)
		if ((of->is_steady[i] || !steady) &&
			(of->ns[i] > of->ns[top] || (steady && !of->is_steady[top])))
			top = i;
	if (of->ns[top] <= 0 || (steady && !of->is_steady[top]))
		return;
	s->lead = of->ns[top];
	s->is_uneven = !of->is_steady[top];
	s->rank[s->n++] = top;
	s->is_slow[top] = true;
	for (uint32_t i = 0; i < w->j->nrank; i++) {
		if (i == top || of->ns[i] < as_slow * s->lead || (steady && !of->is_steady[i]))
			continue;
		s->rank[s->n++] = i;
		s->is_slow[i] = true;
	}
	if (!of->is_steady[top] && !cause_enough(s, w))
		choose(s, w, of, true);
}

/* What the median of those waits who are not among them.  Where stages pass it on, or groups that
 * have waited for others meanwhile, not all that goes back to them can be told: then it is the
 * lead. */
static void find_wait(struct why_slow *s, const struct why_work *w)
{
	const struct job *j = w->j;
	nsec *waits = arena_array(w->mem, j->nrank, sizeof(*waits));
	double *v = arena_array(w->mem, j->nrank, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < j->npair; i++)
		if (j->pair[i].causes < j->nrank && s->is_slow[j->pair[i].causes])
			saturate_onto(&waits[j->pair[i].waits], j->pair[i].ns);
	for (size_t i = 0; i < j->nrank; i++)
		if (!s->is_slow[i] && is_matched(w, (uint32_t)i))
			v[n++] = (double)waits[i] / (double)j->nstep;
	s->wait = n > 0 ? quantile_select(v, n, 0.5) : s->lead;
	if (w->f->stages.n > 1 || s->wait < handed_on * s->lead)
		s->wait = s->lead;
}

static void find_peers(struct why_slow *s, const struct why_work *w, bool is_by_stage)
{
	const uint32_t *of = w->f->stages.of;

	s->peer = arena_array(w->mem, w->j->nrank, sizeof(*s->peer));
	for (size_t i = 0; i < w->j->nrank; i++)
		if (i != s->rank[0] && (!is_by_stage || of[i] == of[s->rank[0]]) &&
			is_matched(w, (uint32_t)i))
			s->peer[s->npeer++] = (uint32_t)i;
}

void why_find_slow(struct why_slow *s, const struct why_work *w)
{
	struct leads of = { arena_array(w->mem, w->j->nrank, sizeof(*of.ns)),
		arena_array(w->mem, w->j->nrank, sizeof(*of.is_steady)) };
	struct peers p = { .rank = arena_array(w->mem, w->j->nrank, sizeof(*p.rank)) };
	struct layout l = { .w = w };
	bool is_by_stage = why_by_stages(w);

	*s = (struct why_slow){
		.rank = arena_array(w->mem, w->j->nrank, sizeof(*s->rank)),
		.is_slow = arena_array(w->mem, w->j->nrank, sizeof(*s->is_slow)),
	};
	by_steps(&l);
	judge_all(&l, &p, &of, is_by_stage);
	choose(s, w, &of, false);
	if (s->n == 0 && w->j->nstep < STEPS_MIN) {
		by_meets(&l);
		judge_all(&l, &p, &of, is_by_stage);
		choose(s, w, &of, false);
	}
	if (s->n == 0)
		return;
	find_wait(s, w);
	find_peers(s, w, is_by_stage);
	s->by_step = arena_array(w->mem, w->j->nstep, sizeof(*s->by_step));
	for (size_t i = 0; i < w->j->nstep; i++)
		for (size_t r = 0; r < w->j->nrank; r++)
			s->by_step[i] += s->is_slow[r]
				? (double)w->j->by_step[i * w->j->nrank + r].caused
				: 0;
}
