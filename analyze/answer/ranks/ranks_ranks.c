/* `ranks`: the ranks.  Of many, people see those that say something. */
#include "analyze/answer/ranks/ranks.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/stat/quantile.h"

enum { PEOPLE_RANKS = 16 };
static const double odd = 3.5;        /* modified z: Iglewicz and Hoaglin 1993 */
static const double odd_ratio = 0.01; /* of the step: how far from the median it has to be */

/* What is known of ranks besides the job's own figures. */
struct extra {
	nsec *waits;       /* of all its meets, hidden ones too */
	const char **what; /* why it is shown; NULL: nothing is special */
	size_t nshown;
};

static double own(const struct job_ledger *l)
{
	return l->wall - l->suffered;
}

static void mark(struct extra *x, size_t rank, const char *what)
{
	if (x->what[rank])
		return;
	x->what[rank] = what;
	x->nshown++;
}

static void mark_slow(const struct ranks *r, struct extra *x)
{
	for (const struct job_why *w = &r->at->why; w; w = w->next) {
		if (w->rank < r->at->job.nrank)
			mark(x, w->rank, "slow");
		for (size_t i = 0; i < w->nalso; i++)
			mark(x, w->also[i], "slow");
	}
}

/* The one that works longest by itself, the shortest, the median; and who is far from it. */
static void mark_odd(struct ranks *r, struct extra *x)
{
	const struct job_ledgers *l = &r->at->facts.ledgers;
	double *v = arena_array(&r->mem, l->n, sizeof(*v));
	size_t most = 0, least = 0, median = 0;

	for (size_t i = 0; i < l->n; i++)
		v[i] = own(&l->v[i]);
	double middle = quantile_median(v, l->n, &r->mem);
	double spread = quantile_mad(v, l->n, middle, &r->mem);
	for (size_t i = 0; i < l->n; i++) {
		most = v[i] > v[most] ? i : most;
		least = v[i] < v[least] ? i : least;
		median = fabs(v[i] - middle) < fabs(v[median] - middle) ? i : median;
	}
	if (l->n < 3 || isnan(middle))
		return;
	mark(x, most, "most");
	mark(x, least, "least");
	mark(x, median, "median");
	for (size_t i = 0; i < l->n && x->nshown < PEOPLE_RANKS; i++)
		if (0.6745 * fabs(v[i] - middle) > odd * spread &&
			fabs(v[i] - middle) > odd_ratio * l->step)
			mark(x, i, "odd");
}

static double host_of(const struct job_ledger *l)
{
	double sum = l->part[PART_IDLE_LAUNCH];

	for (int p = PART_IDLE_ALLOCATOR; p <= PART_IDLE_PYTHON; p++)
		sum += l->part[p];
	return sum;
}

static void put_ledger(struct table *t, const struct job_ledger *l)
{
	TABLE_CELLS(t, [RRANK_STEP] = cell_real(l->median),
		[RRANK_COMPUTE] = cell_real(l->part[PART_COMPUTE]),
		[RRANK_WAIT] = cell_real(l->suffered), [RRANK_TRANSFER] = cell_real(l->transfer),
		[RRANK_CAUSED] = cell_real(l->caused),
		[RRANK_IDLE] = cell_real(l->part[PART_IDLE] + l->part[PART_UNRECORDED]),
		[RRANK_LOADING] = cell_real(l->loading),
		[RRANK_DATA] = cell_real(l->part[PART_IDLE_DATA]),
		[RRANK_HOST] = cell_real(host_of(l)),
		[RRANK_SYNC] = cell_real(l->part[PART_IDLE_SYNC]),
		[RRANK_COPIES] = cell_real(l->part[PART_MEMCPY]),
		[RRANK_OTHER] = cell_real(l->part[PART_IDLE] + l->part[PART_UNRECORDED] -
			l->part[PART_IDLE_DATA] - host_of(l) - l->part[PART_IDLE_SYNC]));
}

static void put_clock(struct table *t, const struct job_clock *c)
{
	static const double ppm = 1e6;

	if (!c->is_known)
		return;
	TABLE_CELLS(t, [RRANK_OFFSET] = cell_real(c->offset),
		[RRANK_OFFSET_ERROR] = cell_real(c->offset_error),
		[RRANK_DRIFT] = cell_real(ppm * c->drift),
		[RRANK_DRIFT_ERROR] = cell_real(ppm * c->drift_error),
		[RRANK_UNCERTAINTY] = cell_int(c->uncertainty),
		[RRANK_ISLAND] = cell_int(c->island), [RRANK_AT] = cell_int(c->at),
		[RRANK_TRUE] = cell_int(c->true_at));
}

static void put_counts(struct table *t, const struct job_rank *k, nsec waits)
{
	TABLE_CELLS(t, [RRANK_STEPS] = cell_size(k->digest->nstep),
		[RRANK_COLLECTIVES] = cell_size(k->ncollective),
		[RRANK_MATCHED] = cell_real(ratio_of((double)k->nmatched, (double)k->ncollective)),
		[RRANK_LAST] = cell_real(ratio_of((double)k->nlast, (double)k->nmeet)));
	if (k->nmeet == 0)
		return;
	TABLE_CELLS(t, [RRANK_SUM] = cell_int(waits),
		[RRANK_MEAN] = cell_real((double)waits / (double)k->nmeet),
		[RRANK_LASTS] = cell_size(k->nlast));
}

static void put_rank(struct ranks *r, struct table *t, const struct extra *x, uint32_t i)
{
	const struct job_facts *f = &r->at->facts;
	const struct job_rank *k = &r->at->job.rank[i];

	TABLE_ROW(t, [RRANK_RANK] = ranks_number(r, i), [RRANK_WHAT] = cell_word(x->what[i]));
	if (f->stages.of[i] != JOB_NO_STAGE)
		TABLE_CELLS(t, [RRANK_STAGE] = cell_int(f->stages.of[i]),
			[RRANK_BUBBLE] = cell_real(f->stages.bubble[i]));
	if (r->at->job.nstep > 0)
		put_ledger(t, &f->ledgers.v[i]);
	put_clock(t, &k->clock);
	put_counts(t, k, x->waits[i]);
	TABLE_CELLS(t, [RRANK_FILE] = cell_copy(t, span_of(k->digest->path)));
}

/* Means of a step. */
static double absent_caused(const struct ranks *r, uint32_t rank)
{
	size_t n = r->at->job.nstep;

	return SUM(double, i, n, (double)job_facts_caused(&r->at->facts, i, rank)) / (double)n;
}

/* Those that have no trace, and that others wait for. */
static void put_absent(struct ranks *r, struct table *t)
{
	const struct job *j = &r->at->job;

	for (uint32_t i = (uint32_t)j->nrank; i < j->nrank + j->nabsent && j->nstep > 0; i++)
		if (absent_caused(r, i) > 0)
			TABLE_ROW(t, [RRANK_RANK] = ranks_number(r, i),
				[RRANK_WHAT] = cell_word("no trace"),
				[RRANK_CAUSED] = cell_real(absent_caused(r, i)));
}

/* Sums of what adds up over ranks, and the middle of what does not. */
static void put_foot(struct ranks *r, struct table *t)
{
	const struct job_ledgers *l = &r->at->facts.ledgers;
	double suffered = 0, caused = 0;

	if (r->at->job.nstep == 0)
		return;
	for (EACH(const struct job_ledger, ledger, l->v, l->n)) {
		suffered += ledger->suffered;
		caused += ledger->caused;
	}
	for (size_t i = 0; i < r->at->job.nabsent; i++)
		caused += absent_caused(r, (uint32_t)(l->n + i));
	TABLE_ROW(t, [RRANK_WHAT] = cell_word("median"));
	put_ledger(t, &l->middle);
	TABLE_ROW(t, [RRANK_WHAT] = cell_word("sum"), [RRANK_WAIT] = cell_real(suffered),
		[RRANK_CAUSED] = cell_real(caused));
	t->nfoot += 2;
}

/* Columns that are not empty for anybody stay.  What nobody spends time on is left out. */
static bool is_shown(const struct ranks *r, const struct extra *x, size_t i, size_t limit)
{
	if (r->o->limit >= 0 || !r->q->for_people)
		return i < limit;
	return r->at->job.nrank <= PEOPLE_RANKS || x->what[i];
}

void ranks_put_ranks(struct ranks *r)
{
	const struct job *j = &r->at->job;
	struct table *t = result_table_of(r->out, &ranks_docs[RANKS_RANKS]);
	size_t limit = ranks_limit(r, PEOPLE_RANKS), shown = 0;
	struct extra x = { 0 };

	x.waits = arena_array(&r->mem, j->nrank, sizeof(*x.waits));
	x.what = arena_array(&r->mem, j->nrank, sizeof(const char *));
	for (size_t i = 0; i < j->nmeet; i++)
		for (uint32_t k = 0; k < j->meet[i].n; k++)
			saturate_onto(
				&x.waits[j->meet[i].arrival[k].rank], j->meet[i].arrival[k].wait);
	mark_slow(r, &x);
	mark_odd(r, &x);
	for (uint32_t i = 0; i < j->nrank; i++) {
		if (!is_shown(r, &x, i, limit))
			continue;
		put_rank(r, t, &x, i);
		shown++;
	}
	if (shown < j->nrank)
		rows_cut_of(t, RRANK_WHAT, j->nrank - shown, "rank");
	put_absent(r, t);
	put_foot(r, t);
	rows_for_people(r->q, t);
}
