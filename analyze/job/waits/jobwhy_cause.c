/* Causes: what a late rank's ledger has more of than its peers'.
 *
 * All ranks of a job have the same step sooner or later: what is not waiting for others is work of
 * its own, and the part of it that is longest beside the median peer's is why it is late. */
#include "analyze/job/waits/jobwhy_parts.h"
#include "analyze/measure/device/family.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* What a cause is about before it is known whether the device is slower or has more to do. */
static const enum job_cause causes[] = { JOB_CAUSE_SLOWER, JOB_CAUSE_INPUT, JOB_CAUSE_HOST,
	JOB_CAUSE_SYNC, JOB_CAUSE_COPIES, JOB_CAUSE_LINK, JOB_CAUSE_OTHER };
enum { CAUSES = sizeof(causes) / sizeof(*causes) };
static const double from_loader = 0.5;    /* of what a rank idles longer */
static const double from_attention = 0.6; /* of what who is late computes longer */
static const double half_as_much = 0.5;   /* of what attention grows by: the rest */
static const double enough = 0.3;         /* of how late a rank is: a part below explains nothing */
static const double as_neighbours = 0.5;  /* of what it computes longer: those of its pipeline, too
                                           */
static const double seldom = 0.5;         /* of the mean of that: in some step it is less */

static double sum_of(const double *part, enum digest_part from, enum digest_part to)
{
	double sum = 0;

	for (int p = (int)from; p <= (int)to; p++)
		sum += part[p];
	return sum;
}

static double part_of(const struct job_ledger *l, enum job_cause cause)
{
	switch (cause) {
	case JOB_CAUSE_SLOWER:
	case JOB_CAUSE_WORK: return l->part[PART_COMPUTE];
	case JOB_CAUSE_INPUT: return l->part[PART_IDLE_DATA];
	case JOB_CAUSE_HOST:
		return sum_of(l->part, PART_IDLE_ALLOCATOR, PART_IDLE_PYTHON) +
			l->part[PART_IDLE_LAUNCH];
	case JOB_CAUSE_SYNC: return l->part[PART_IDLE_SYNC];
	case JOB_CAUSE_COPIES: return l->part[PART_MEMCPY];
	case JOB_CAUSE_LINK: return l->transfer;
	case JOB_CAUSE_OTHER:
		return l->part[PART_IDLE_NOTHING] + l->part[PART_IDLE_DEPENDENCY] +
			l->part[PART_IDLE_UNKNOWN] + l->part[PART_UNRECORDED];
	default: return 0;
	}
}

static bool is_idle(enum job_cause cause)
{
	return cause == JOB_CAUSE_INPUT || cause == JOB_CAUSE_HOST || cause == JOB_CAUSE_SYNC ||
		cause == JOB_CAUSE_OTHER;
}

bool why_has_devices(const struct why_work *w)
{
	return ANY(i, w->j->nrank, w->j->rank[i].digest->ndevice > 0);
}

static void look_at_host(const struct why_work *w, struct why_part *p)
{
	if (p->cause == JOB_CAUSE_SLOWER && !why_has_devices(w))
		p->cause = JOB_CAUSE_HOST;
}

/* Idle after a call that waits for the device counts for that call, whatever the host does then.
 * All ranks call it; where one of them loads data for so much longer, this is what differs. */
static void look_at_loader(struct why_part *p, double own, double others)
{
	if (is_idle(p->cause) && own - others > from_loader * (p->own - p->others))
		*p = (struct why_part){ JOB_CAUSE_INPUT, own, others };
}

/* The rank that most waits of a step go back to. */
static uint32_t blamed(const struct why_work *w, size_t step)
{
	uint32_t top = 0;

	for (uint32_t i = 1; i < w->j->nrank; i++)
		if (job_facts_caused(w->f, step, i) > job_facts_caused(w->f, step, top))
			top = i;
	return top;
}

/* Kernels' names of all ranks, and whether each is one of attention. */
struct kernels {
	struct strings name;
	bool *is; /* by its number */
	size_t cap, n;
};

static bool is_attention(struct kernels *k, struct span name)
{
	sym s = strings_intern(&k->name, name);

	for (; k->n < k->name.n; k->n++) {
		k->is = array_grow(k->is, &k->cap, k->n + 1, sizeof(*k->is));
		k->is[k->n] = family_of(strings_get(&k->name, (sym)k->n)) == FAMILY_ATTENTION;
	}
	return k->is[s];
}

/* By the job's step and rank, step first: time in attention. */
static double *find_attention(const struct why_work *w)
{
	const struct job *j = w->j;
	double *v = arena_array(w->mem, j->nstep * j->nrank, sizeof(*v));
	struct kernels kernels = { .n = 0 };

	strings_init(&kernels.name, 1);

	for (size_t r = 0; r < j->nrank; r++) {
		const struct digest *d = j->rank[r].digest;

		for (size_t k = 0; k < d->device.n; k++) {
			const struct digest_op *op = &d->device.v[k];

			if (!op->step_ns || op->kind != KIND_KERNEL ||
				!is_attention(&kernels, op->name))
				continue;
			for (size_t i = 0; i < j->nstep; i++)
				v[i * j->nrank + r] +=
					(double)op->step_ns[job_ledgers_step(&w->f->ledgers, i, r) -
						d->step];
		}
	}
	strings_clear(&kernels.name);
	free(kernels.is);
	return v;
}

/* Attention grows with the square of sequences: where it is most of what who is late computes more,
 * and grows twice as much as the rest at least, these are uneven.  A slower device is so in all. */
static void look_at_attention(
	const struct why_work *w, const struct why_slow *s, struct why_part *p)
{
	struct why_part sum = { JOB_CAUSE_SEQUENCES, 0, 0 };
	double *of = find_attention(w), *v = arena_array(w->mem, w->j->nrank, sizeof(*v));

	for (size_t i = 0; i < w->j->nstep; i++, of += w->j->nrank) {
		uint32_t late = s ? s->rank[0] : blamed(w, i);
		size_t n = 0;

		for (uint32_t r = 0; !s && r < w->j->nrank; r++)
			if (r != late)
				v[n++] = of[r];
		for (size_t k = 0; s && k < s->npeer; k++)
			v[n++] = of[s->peer[k]];
		sum.own += of[late] / (double)w->j->nstep;
		sum.others += quantile_select(v, n, 0.5) / (double)w->j->nstep;
	}
	double more = sum.own - sum.others, rest = p->own - p->others - more;
	if (more > from_attention * (p->own - p->others) &&
		rest * sum.others <= half_as_much * more * (p->others - sum.others))
		*p = sum;
}

struct why_part why_cause(const struct why_work *w, const struct why_slow *s)
{
	const struct job_ledgers *l = &w->f->ledgers;
	struct why_part best = { JOB_CAUSE_NONE, 0, 0 };
	double *v = arena_array(w->mem, s->npeer, sizeof(*v)), most = enough * s->lead;

	for (size_t k = 0; k < CAUSES; k++) {
		double own = part_of(&l->v[s->rank[0]], causes[k]);

		for (size_t i = 0; i < s->npeer; i++)
			v[i] = part_of(&l->v[s->peer[i]], causes[k]);
		double others = quantile_select(v, s->npeer, 0.5);
		if (own - others <= most)
			continue;
		most = own - others;
		best = (struct why_part){ causes[k], own, others };
	}
	for (size_t i = 0; i < s->npeer; i++)
		v[i] = l->v[s->peer[i]].loading;
	look_at_loader(&best, l->v[s->rank[0]].loading, quantile_select(v, s->npeer, 0.5));
	if (best.cause == JOB_CAUSE_SLOWER)
		look_at_attention(w, s, &best);
	look_at_host(w, &best);
	return best;
}

/* One step of one rank as a ledger. */
static struct job_ledger ledger_of(const struct why_work *w, size_t step, uint32_t rank)
{
	const struct digest_step *s = job_ledgers_step(&w->f->ledgers, step, rank);
	size_t devices = w->j->rank[rank].digest->ndevice;
	struct job_ledger l = { 0 };

	for (int p = 0; p < PART_COUNT; p++)
		l.part[p] = (double)s->part[p] / (double)(devices ? devices : 1);
	l.wall = (double)s->wall;
	l.loading = (double)s->phase[PHASE_DATA];
	l.suffered = (double)w->j->by_step[step * w->j->nrank + rank].suffered;
	l.transfer = (double)w->j->by_step[step * w->j->nrank + rank].transfer;
	if (devices == 0)
		job_ledger_of_host(&l);
	return l;
}

/* Adds a figure of the one who is late, and of the median other. */
static void add_figure(struct why_part *sum, double *v, size_t n, uint32_t late, double steps)
{
	double own = v[late];

	quantile_sort(v, n);
	sum->own += own / steps;
	sum->others += quantile_median_but(v, n, own) / steps;
}

/* Adds what the one who is waited for has more of than the median rank of the step. */
static void add_step(
	const struct why_work *w, size_t step, struct why_part *sum, struct why_part *loading)
{
	struct arena_mark mark = arena_mark(w->mem);
	struct job_ledger *l = arena_array(w->mem, w->j->nrank, sizeof(*l));
	double *v = arena_array(w->mem, w->j->nrank, sizeof(*v));
	uint32_t late = blamed(w, step);

	for (uint32_t i = 0; i < w->j->nrank; i++)
		l[i] = ledger_of(w, step, i);
	for (size_t k = 0; k < CAUSES; k++) {
		for (uint32_t i = 0; i < w->j->nrank; i++)
			v[i] = part_of(&l[i], causes[k]);
		add_figure(&sum[k], v, w->j->nrank, late, (double)w->j->nstep);
	}
	for (uint32_t i = 0; i < w->j->nrank; i++)
		v[i] = l[i].loading;
	add_figure(loading, v, w->j->nrank, late, (double)w->j->nstep);
	arena_reset(w->mem, mark);
}

static double computes(const nsec *part)
{
	return (double)part[PART_COMPUTE];
}

/* How much longer than others of their stages those compute that a rank hands work to, or gets it
 * from: the least; 0 where they have no trace. */
static double neighbours_longer(const struct why_work *w, size_t step, uint32_t rank)
{
	double least = INFINITY;

	for (EACH(const struct job_flow, flow, w->f->flows.v, w->f->flows.n)) {
		uint32_t other = flow->key.a == rank ? flow->key.b : flow->key.a;

		if (other < w->j->nrank && (flow->key.a == rank || flow->key.b == rank))
			least = fmin(least, why_longer(w, step, other, computes));
	}
	return isfinite(least) ? least : 0;
}

bool why_is_batches(const struct why_work *w, uint32_t rank)
{
	double own = 0, theirs = 0, least = INFINITY;

	if (!why_by_stages(w))
		return false;
	for (size_t i = 0; i < w->j->nstep; i++) {
		uint32_t late = rank == WHY_NOBODY ? blamed(w, i) : rank;
		double more = why_longer(w, i, late, computes);

		own += more;
		least = fmin(least, more);
		theirs += neighbours_longer(w, i, late);
	}
	return own > 0 && theirs >= as_neighbours * own &&
		(rank == WHY_NOBODY || least < seldom * own / (double)w->j->nstep);
}

struct why_part why_moving_cause(const struct why_work *w)
{
	struct why_part sum[CAUSES] = { 0 }, loading = { 0 }, best = { JOB_CAUSE_NONE, 0, 0 };
	double most = enough * w->floor;

	for (size_t i = 0; i < w->j->nstep; i++)
		add_step(w, i, sum, &loading);
	for (size_t i = 0; i < CAUSES; i++) {
		if (sum[i].own - sum[i].others <= most)
			continue;
		most = sum[i].own - sum[i].others;
		best = (struct why_part){ causes[i], sum[i].own, sum[i].others };
	}
	look_at_loader(&best, loading.own, loading.others);
	if (best.cause == JOB_CAUSE_SLOWER)
		look_at_attention(w, NULL, &best);
	if (best.cause == JOB_CAUSE_SLOWER && why_is_batches(w, WHY_NOBODY))
		best.cause = JOB_CAUSE_BATCHES;
	look_at_host(w, &best);
	return best;
}
