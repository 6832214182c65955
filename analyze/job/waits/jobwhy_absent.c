/* Stragglers without a trace: what each group says of the absent, put together.
 *
 * A group that lacks several ranks tells that one of them is late, not which.  A rank that lacks in
 * all groups that wait explains all of it; so do others that are always absent with it. */
#include "analyze/job/waits/jobwhy_parts.h"

#include "analyze/stat/quantile.h"
#include "base/base.h"

static const double half = 0.5;
static const double as_much = 0.9; /* of what the one explains that explains most: it may be it */
static const double above_peers = 1.5; /* of what goes back to any rank of its stage */
static const double least_wait = 0.02; /* of a step: what the median rank waits */
static const double least_may = 0.1;   /* the same of what it may wait */

/* What a rank may have caused, ns. */
struct suspect {
	int64_t rank;
	double caused;
};

ORDER(by_rank, struct suspect, compare3(a->rank, b->rank), compare3(a->caused, b->caused))

/* What goes back to a rank or to absent ones, but for what stages wait for each other. */
static double caused_by(const struct why_work *w, size_t i)
{
	const struct job *j = w->j;
	nsec ns = i < j->nrank ? j->rank[i].caused : j->absent[i - j->nrank].caused;

	return fmax((double)ns - w->f->stages.bubble[i] * (double)j->nstep, 0);
}

/* One for each rank, ascending. */
static size_t find_suspects(struct suspect **to, const struct why_work *w)
{
	const struct job *j = w->j;
	size_t kept = 0;
	size_t n = SUM(size_t, i, j->nabsent, j->absent[i].nrank);

	struct suspect *v = *to = arena_array(w->mem, n, sizeof(*v));
	n = 0;
	for (size_t i = 0; i < j->nabsent; i++)
		for (size_t k = 0; k < j->absent[i].nrank; k++)
			v[n++] = (struct suspect){ j->absent[i].rank[k],
				caused_by(w, j->nrank + i) };
	sort_rows(v, n, sizeof(*v), by_rank);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && v[i].rank == v[kept - 1].rank)
			v[kept - 1].caused += v[i].caused;
		else
			v[kept++] = v[i];
	}
	return kept;
}

static bool may_be(const struct job_absent *of, const struct why_absent *a)
{
	for (size_t i = 0; i < of->nrank; i++)
		for (size_t k = 0; k < a->n; k++)
			if (of->rank[i] == a->rank[k])
				return true;
	return of->nrank == 0 && a->n == 0;
}

/* What the median rank waits for them, without its part of what stages wait for each other. */
static double median_wait(const struct why_work *w, const struct why_absent *a)
{
	const struct job *j = w->j;
	double *v = arena_array(w->mem, j->nrank, sizeof(*v)), sum = 0;

	for (size_t i = 0; i < j->npair; i++) {
		if (j->pair[i].causes < j->nrank ||
			!may_be(&j->absent[j->pair[i].causes - j->nrank], a))
			continue;
		v[j->pair[i].waits] += (double)j->pair[i].ns / (double)j->nstep;
		sum += (double)j->pair[i].ns;
	}
	return quantile_select(v, j->nrank, 0.5) * fmin(a->all / sum, 1);
}

/* Whether more goes back to the absent of a stage than to any rank of it: stages hand on waits. */
static bool stands_out(const struct why_work *w, int64_t rank)
{
	const struct job *j = w->j;
	const uint32_t *of = w->f->stages.of;
	double own = 0, peers = 0;
	uint32_t stage = JOB_NO_STAGE;

	for (size_t i = 0; i < j->nabsent; i++) {
		if (j->absent[i].nrank != 1 || j->absent[i].rank[0] != rank)
			continue;
		own += (double)j->absent[i].caused;
		stage = of[j->nrank + i] != JOB_NO_STAGE ? of[j->nrank + i] : stage;
	}
	for (size_t i = 0; i < j->nrank && stage != JOB_NO_STAGE; i++)
		if (of[i] == stage)
			peers = fmax((double)j->rank[i].caused, peers);
	return own >= above_peers * peers;
}

bool why_find_absent(struct why_absent *a, const struct why_work *w)
{
	const struct job *j = w->j;
	struct suspect *v;
	size_t n = find_suspects(&v, w);

	*a = (struct why_absent){ .rank = arena_array(w->mem, n, sizeof(*a->rank)) };
	double all = SUM(double, i, j->nrank,
		(double)j->rank[i].caused - w->f->stages.bubble[i] * (double)j->nstep);
	for (size_t i = 0; i < j->nabsent; i++) {
		all += (double)j->absent[i].caused;
		if (j->absent[i].nrank == 0)
			a->all = caused_by(w, j->nrank + i);
	}
	for (EACH(const struct suspect, suspect, v, n))
		if (suspect->caused > a->all)
			a->all = suspect->caused;
	for (size_t i = 0; i < n; i++)
		if (v[i].caused > 0 && v[i].caused >= as_much * a->all)
			a->rank[a->n++] = v[i].rank;
	if (a->all <= 0 || a->all < half * all)
		return false;
	a->wait = median_wait(w, a);
	return a->wait >= least_wait * w->f->ledgers.step &&
		(a->n != 1 || stands_out(w, a->rank[0]));
}

bool why_may_be_absent(struct why_absent *a, const struct why_work *w)
{
	const struct job *j = w->j;
	double *v = arena_array(w->mem, j->nrank, sizeof(*v)), most = 0;
	double *by_set = arena_array(w->mem, j->nabsent, sizeof(*by_set));

	*a = (struct why_absent){ 0 };
	for (EACH(const struct collective_instance, m, j->meet, j->nmeet)) {
		for (uint32_t k = 0;
			k < m->n && m->absent && m->step != COLL_NO_STEP && !m->is_told; k++) {
			const struct job_arrival *of = &m->arrival[k];
			double ns = (double)(job_collective(j, of)->exposed - of->exposed_wait);

			v[of->rank] += ns / (double)j->nstep;
			by_set[m->absent - 1] += ns;
		}
	}
	for (size_t i = 0; i < j->nabsent; i++) {
		if (by_set[i] <= most)
			continue;
		most = by_set[i];
		a->rank = j->absent[i].rank;
		a->n = j->absent[i].nrank;
	}
	a->wait = quantile_select(v, j->nrank, 0.5);
	return a->wait >= least_may * w->f->ledgers.step;
}
