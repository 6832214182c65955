/* Contrasts: which rows changed.
 *
 * A row is judged as the step is, by its mean per step in each run (change.h): steps of one run are
 * no sample of what runs of the same code differ by.  p is of a change no larger than the
 * threshold; q, over all rows tested, is what --alpha is held against.  Where nobody says how much
 * runs differ, rows are listed and not judged. */
#include "analyze/compare/contrast.h"

#include "analyze/trace/figure.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/sides.h"
#include "analyze/stat/bh.h"
#include "analyze/stat/law.h"

/* Rows below this share of the step on both sides are not tested: noise, and many of them. */
static const double TESTED_SHARE = 0.005;

bool contrast_knows_noise(const struct contrast *c)
{
	return !isnan(c->o.noise) ||
		(c->base->nrun >= DECIDE_MEASURED && c->now->nrun >= DECIDE_MEASURED);
}

/* One side, prepared for all its rows. */
struct tested {
	const struct side *side;
	const struct opsums *sums;
	struct jobsteps *of_run;
};

static void prepare(
	struct tested *t, const struct side *s, const struct opsums *sums, struct arena *mem)
{
	*t = (struct tested){ s, sums, arena_array(mem, s->nrun, sizeof(*t->of_run)) };
	for (size_t i = 0; i < s->nrun; i++)
		jobsteps_init(&t->of_run[i], &s->run[i], mem);
}

/* A row of one side as a metric: its mean per step in each run. */
static struct metric metric_of(const struct tested *t, const struct opsum *row, struct arena *mem)
{
	struct metric m = {
		.unit = UNIT_NS,
		.better = BETTER_LOWER,
		.is_mean = true,
		.sample = arena_array(mem, t->side->nrun, sizeof(*m.sample)),
	};

	for (size_t i = 0; i < t->side->nrun; i++) {
		const struct jobsteps *steps = &t->of_run[i];
		struct metric_sample *x = &m.sample[m.n];

		if (steps->n == 0)
			continue;
		x->centre = x->mean = opsum_run_ns(t->sums, row, i);
		x->sd = NAN;
		x->v = arena_array(mem, steps->n, sizeof(*x->v));
		if (opsum_run_values(t->sums, row, &t->side->run[i], i, steps, x->v))
			x->n = steps->n;
		x->count = (int64_t)steps->n;
		m.n++;
	}
	return m;
}

double contrast_p_beyond(const struct change *c)
{
	double over = fabs(c->change.estimate) - c->tolerance;

	if (isnan(over) || over <= 0)
		return isnan(over) ? NAN : 1;
	if (!(c->change.se > 0))
		return 0;
	double p = 2 * law_t_above(over / c->change.se, c->change.df);
	return MIN(p, 1);
}

bool contrast_judge_row(const struct contrast *c, const struct metric *base,
	const struct metric *now, struct change *change)
{
	const struct change_options o = {
		.noise = isnan(c->o.noise) ? CONTRAST_NOISE : c->o.noise,
		.tolerance = c->o.threshold,
		.confidence = 1 - c->o.alpha / 2,
	};

	change_of(change, base, now, &o, c->mem);
	return change->answer.decision != DECISION_SKIP && !change->is_difference;
}

static bool judge(const struct contrast *c, const struct tested *base, const struct tested *now,
	struct contrast_row *row, struct change *change)
{
	struct arena_mark mark = arena_mark(c->mem);
	struct metric a = metric_of(base, row->base, c->mem);
	struct metric b = metric_of(now, row->now, c->mem);
	bool says = contrast_judge_row(c, &a, &b, change);

	arena_reset(c->mem, mark);
	return says;
}

/* Both sides call it as often in every step, and not equally often: a property of the program. */
static bool calls_changed(const struct contrast_rows *r, const struct contrast_row *row)
{
	return fabs(row->base_calls - row->now_calls) > 1e-9 &&
		opsum_is_steady(&r->base, row->base) && opsum_is_steady(&r->now, row->now);
}

bool contrast_is_large(const struct contrast *c, int64_t base_ns, int64_t now_ns)
{
	return (double)base_ns >= TESTED_SHARE * (double)c->ledger.base ||
		(double)now_ns >= TESTED_SHARE * (double)c->ledger.now;
}

/* What can be said without a test; CONTRAST_STATUS_COUNT: nothing. */
static enum contrast_status plain_status(
	const struct contrast *c, const struct contrast_rows *r, const struct contrast_row *row)
{
	if (!row->base || row->base->calls == 0)
		return CONTRAST_NEW;
	if (!row->now || row->now->calls == 0)
		return CONTRAST_REMOVED;
	if (calls_changed(r, row))
		return CONTRAST_CHANGED;
	if (row->a.delta == 0 && fabs(row->base_calls - row->now_calls) <= 1e-9)
		return CONTRAST_SAME;
	return contrast_is_large(c, row->base_ns, row->now_ns) ? CONTRAST_STATUS_COUNT
							       : CONTRAST_UNTESTED;
}

static enum contrast_status tested_status(
	const struct contrast *c, double q, const struct decide_answer *a)
{
	if (isnan(q))
		return CONTRAST_UNKNOWN;
	if (q <= c->o.alpha)
		return CONTRAST_CHANGED;
	switch (a->verdict) {
	case DECIDED_BELOW: return CONTRAST_BELOW;
	case DECIDED_NO_CHANGE: return CONTRAST_NO_CHANGE;
	default: return CONTRAST_UNKNOWN;
	}
}

void contrast_conclude(const struct contrast *c, double q, const struct change *change,
	enum contrast_status *status, double *needed)
{
	if (*status != CONTRAST_STATUS_COUNT)
		return;
	*status = tested_status(c, q, &change->answer);
	if (*status == CONTRAST_UNKNOWN)
		*needed = contrast_knows_noise(c) ? change->answer.needed
						  : MAX(change->answer.needed, DECIDE_MEASURED);
}

const struct contrast_row *contrast_op_of(
	const struct contrast *c, const struct contrast_row *kernel)
{
	const struct contrast_row *row = NULL;

	if (kernel->key.op.n == 0)
		return NULL;
	/* Rows by op have its name, and are in the order of names. */
	size_t lo = PARTITION_POINT(
		i, 0, c->device.n, span_cmp(c->device.v[i].key.name, kernel->key.op) < 0);
	for (; lo < c->device.n && span_eq(c->device.v[lo].key.name, kernel->key.op); lo++)
		if (c->device.v[lo].base_calls > 0 && c->device.v[lo].now_calls > 0)
			return &c->device.v[lo];
		else if (!row)
			row = &c->device.v[lo];
	return row;
}

/* Kernels that are on one side only, of an op that is on both. */
static void find_kernels(const struct contrast *c, struct contrast_rows *r)
{
	for (EACH(struct contrast_row, row, r->v, r->n)) {
		const struct contrast_row *op = contrast_op_of(c, row);

		if (row->key.kind != KIND_KERNEL || !op || !(op->base_calls > 0) ||
			!(op->now_calls > 0))
			continue;
		if (row->status == CONTRAST_NEW)
			row->status = CONTRAST_NEW_KERNEL;
		else if (row->status == CONTRAST_REMOVED)
			row->status = CONTRAST_OLD_KERNEL;
	}
}

void contrast_test_rows(struct contrast *c, struct contrast_rows *r)
{
	struct arena_mark mark = arena_mark(c->mem);
	struct change *change = arena_array(c->mem, r->n, sizeof(*change));
	double *p = arena_array(c->mem, r->n, sizeof(*p));
	double *q = arena_array(c->mem, r->n, sizeof(*q));
	struct tested base, now;

	prepare(&base, c->base, &r->base, c->mem);
	prepare(&now, c->now, &r->now, c->mem);
	for (size_t i = 0; i < r->n; i++) {
		r->v[i].status = plain_status(c, r, &r->v[i]);
		p[i] = NAN;
		if (r->v[i].status == CONTRAST_STATUS_COUNT &&
			judge(c, &base, &now, &r->v[i], &change[i]) && contrast_knows_noise(c))
			p[i] = contrast_p_beyond(&change[i]);
	}
	bh_adjust(p, r->n, q, c->mem);
	for (size_t i = 0; i < r->n; i++) {
		struct contrast_row *row = &r->v[i];

		row->p = p[i];
		row->q = q[i];
		contrast_conclude(c, q[i], &change[i], &row->status, &row->needed);
	}
	arena_reset(c->mem, mark);
	contrast_pair(r, c->mem);
	if (r == &c->kernels)
		find_kernels(c, r);
}

/* ---- contrasts: the change of a metric, by what is said of noise ---- */

void contrast_judge_by(const struct contrast *c, const struct metric *base,
	const struct metric *now, double floor, struct change *change)
{
	double noise = base && base->kind ? base->kind->noise : NAN;
	const struct change_options o = {
		.noise = !isnan(c->o.noise) ? c->o.noise
			: isnan(noise)      ? CONTRAST_NOISE
					    : noise,
		.tolerance = base && base->is_exact ? 0 : c->o.threshold,
		.confidence = 1 - c->o.alpha / 2,
		.floor = floor,
	};

	change_of(change, base, now, &o, c->mem);
}

void contrast_judge(const struct contrast *c, const struct metric *base, const struct metric *now,
	struct change *change)
{
	const struct metric *m = base ? base : now;
	double floor = 0;

	/* Parts of the step are held to the step, too: a microsecond more is none. */
	if (m->kind)
		floor = fmax(figure_kind_floor(m->kind, m->unit), m->least);
	else if (c->has_step && m->unit == UNIT_NS)
		floor = c->o.threshold * c->step.base;
	contrast_judge_by(c, base, now, floor, change);
}
