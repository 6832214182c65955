/* Contrasts: the ledger of both sides, as means per step that add up to the job's step.
 *
 * A part is the mean over the runs of the mean over their usual steps, ranks and devices; the
 * job's step is the mean of the slowest rank's, and what that is above the mean rank's is
 * imbalance.  Every side is rounded to integers that add up, so that the deltas do, too. */
#include "analyze/compare/contrast.h"

#include "analyze/job/digest/digest.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/sides.h"

/* Means over the runs of a side. */
struct means {
	double part[CONTRAST_PARTS_MAX];
	double rank; /* the step of the mean rank: the parts' sum */
	double job;  /* of the slowest one */
	size_t runs;
};

static bool all_traces(const struct side *s, bool (*is)(const struct digest *d))
{
	size_t n = 0;

	for (EACH(const struct side_run, run, s->run, s->nrun))
		for (size_t k = 0; k < run->nrank; k++, n++)
			if (!is(run->part[k].digest))
				return false;
	return n > 0;
}

static bool has_steps(const struct digest *d)
{
	return d->nstep > 0;
}

static bool has_device(const struct digest *d)
{
	return d->has_device;
}

int64_t contrast_rank_of(const struct side_run *run, size_t place)
{
	return run->part[place].rank >= 0 ? run->part[place].rank : (int64_t)place;
}

static void add_step(struct means *m, const struct digest *d, const struct digest_step *step,
	bool is_device, double weight)
{
	m->rank += (double)step->wall * weight;
	for (size_t p = 0; is_device && p < PART_COUNT; p++)
		m->part[p] += (double)step->part[p] / (double)d->ndevice * weight;
	for (size_t p = 0; !is_device && p < PHASE_COUNT; p++)
		m->part[p] += (double)step->phase[p] * weight;
}

/* One run's means: of all its ranks, or of one; a run without such steps adds nothing. */
static void add_run(struct means *m, const struct side_run *run, const int64_t *only,
	bool is_device, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct means of = { 0 };
	struct jobsteps j;

	jobsteps_init(&j, run, mem);
	size_t nstep = 0,
	       nrank = SUM(size_t, k, j.nrank, !only || contrast_rank_of(run, k) == *only);
	const bool *odd = jobsteps_odd(&j, mem);
	for (size_t i = 0; nrank > 0 && i < j.n; i++) {
		if (odd[i])
			continue;
		nstep++;
		of.job += (double)jobsteps_at(&j, i, jobsteps_slowest(&j, i))->wall;
		for (size_t k = 0; k < j.nrank; k++)
			if (!only || contrast_rank_of(run, k) == *only)
				add_step(&of, run->part[k].digest, jobsteps_at(&j, i, k), is_device,
					1);
	}
	if (nrank > 0 && j.n > 0) {
		double steps = (double)nstep, all = steps * (double)nrank;

		m->job += of.job / steps;
		m->rank += of.rank / all;
		for (size_t p = 0; p < CONTRAST_PARTS_MAX; p++)
			m->part[p] += of.part[p] / all;
		m->runs++;
	}
	arena_reset(mem, mark);
}

/* False: no run has such steps. */
static bool find_means(struct means *m, const struct side *s, const int64_t *only, bool is_device,
	struct arena *mem)
{
	*m = (struct means){ 0 };
	for (size_t i = 0; i < s->nrun; i++)
		add_run(m, &s->run[i], only, is_device, mem);
	if (m->runs == 0)
		return false;
	m->job /= (double)m->runs;
	m->rank /= (double)m->runs;
	for (size_t p = 0; p < CONTRAST_PARTS_MAX; p++)
		m->part[p] /= (double)m->runs;
	return true;
}

/* How many parts there are but imbalance, and how many of them are no details. */
static size_t count(bool is_device)
{
	return is_device ? (size_t)PART_COUNT : (size_t)PHASE_COUNT;
}

/* Rounds so that it adds up: top parts and imbalance to the job's step, details to IDLE.  out has
 * imbalance behind all parts.  Returns the step. */
static int64_t round_means(const struct means *m, bool is_device, bool has_ranks, int64_t *out)
{
	size_t top = is_device ? (size_t)PART_IDLE + 1 : (size_t)PHASE_COUNT, n = count(is_device);
	double value[CONTRAST_PARTS_MAX];
	int64_t rounded[CONTRAST_PARTS_MAX];
	int64_t total = saturate_round(has_ranks ? m->job : m->rank);

	for (size_t i = 0; i < top; i++)
		value[i] = m->part[i];
	value[top] = m->job - m->rank;
	attribution_round(value, has_ranks ? top + 1 : top, total, rounded);
	for (size_t i = 0; i < top; i++)
		out[i] = rounded[i];
	out[n] = has_ranks ? rounded[top] : 0;
	if (n > top)
		attribution_round(m->part + top, n - top, out[PART_IDLE], out + top);
	return total;
}

static void name_part(struct contrast_part *p, size_t i, bool is_device)
{
#define X(name, key, word, is_idle) is_idle,
	static const bool details[] = { DIGEST_PARTS(X) };
#undef X

	if (i == count(is_device))
		*p = (struct contrast_part){ "imbalance", "imbalance", false, 0, 0 };
	else if (is_device)
		*p = (struct contrast_part){ digest_part_key((enum digest_part)i),
			digest_part_word((enum digest_part)i), details[i], 0, 0 };
	else
		*p = (struct contrast_part){ phase_word((enum phase)i), phase_word((enum phase)i),
			false, 0, 0 };
}

static void fill(struct contrast_ledger *l, const struct means *a, const struct means *b,
	bool is_device, bool has_ranks)
{
	int64_t base[CONTRAST_PARTS_MAX], now[CONTRAST_PARTS_MAX];

	_Static_assert((int)PART_COUNT < (int)CONTRAST_PARTS_MAX, "parts and imbalance have room");
	_Static_assert((int)PHASE_COUNT < (int)CONTRAST_PARTS_MAX, "phases, too");
	l->is_device = is_device;
	l->n = count(is_device) + has_ranks;
	l->base = round_means(a, is_device, has_ranks, base);
	l->now = round_means(b, is_device, has_ranks, now);
	for (size_t i = 0; i < l->n; i++) {
		name_part(&l->part[i], i, is_device);
		l->part[i].base = base[i];
		l->part[i].now = now[i];
	}
}

void contrast_find_ledger(struct contrast *c)
{
	bool has_ranks = sides_ranks(c->base) > 1 || sides_ranks(c->now) > 1;
	struct means base, now;

	if (!all_traces(c->base, has_steps) || !all_traces(c->now, has_steps))
		return;
	bool is_device = all_traces(c->base, has_device) && all_traces(c->now, has_device);
	if (find_means(&base, c->base, NULL, is_device, c->mem) &&
		find_means(&now, c->now, NULL, is_device, c->mem))
		fill(&c->ledger, &base, &now, is_device, has_ranks);
}

void contrast_rank_ledger(
	const struct contrast *c, int64_t rank, struct contrast_ledger *l, struct arena *mem)
{
	struct means base, now;

	*l = (struct contrast_ledger){ 0 };
	if (c->ledger.n > 0 && find_means(&base, c->base, &rank, c->ledger.is_device, mem) &&
		find_means(&now, c->now, &rank, c->ledger.is_device, mem))
		fill(l, &base, &now, c->ledger.is_device, false);
}

const struct contrast_part *contrast_imbalance(const struct contrast_ledger *l)
{
	return l->n > count(l->is_device) ? &l->part[l->n - 1] : NULL;
}
