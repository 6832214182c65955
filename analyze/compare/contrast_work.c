/* Contrasts: whether a change of device time is more work or slower work, op by op.
 *
 * Rows are tested as those of work are; the sum, and what of it is work and what is speed, as the
 * step's parts: a part is judged as the change that it alone would be, by the noise of the sum. */
#include "analyze/compare/contrast.h"
#include "analyze/job/sides.h"
#include "analyze/stat/bh.h"

static void add_row(struct contrast_work *w, const struct worksum *base, const struct worksum *now)
{
	static const struct work_side none;
	const struct worksum *any = base ? base : now;
	struct contrast_work_row *row = &w->v[w->n];

	if (!any)
		return;
	w->n++;
	*row = (struct contrast_work_row){ .op = any->op,
		.base = base,
		.now = now,
		.base_ns = base ? base->does.ns : 0,
		.now_ns = now ? now->does.ns : 0,
		.p = NAN,
		.q = NAN,
		.needed = NAN };
	worksplit_of(&row->split, base ? &base->does : &none, now ? &now->does : &none);
	if (row->op.n == 0) /* nobody knows what it is part of: not more of the same, either */
		row->split = (struct worksplit){ .delta = row->split.delta,
			.unknown = row->split.delta,
			.why = ROOF_WHY_NO_OP };
	saturate_onto(&w->base_ns, row->base_ns);
	saturate_onto(&w->now_ns, row->now_ns);
	saturate_onto(&w->unknown, row->split.unknown);
	if (!row->base || !row->now) {
		saturate_onto(&w->other, row->split.calls);
		return;
	}
	saturate_onto(&w->calls, row->split.calls);
	saturate_onto(&w->larger, row->split.larger);
	saturate_onto(&w->slower, row->split.slower);
}

static void match(struct contrast_work *w)
{
	size_t i = 0, k = 0;

	while (i < w->base.n || k < w->now.n) {
		const struct worksum *a = i < w->base.n ? &w->base.v[i] : NULL;
		const struct worksum *b = k < w->now.n ? &w->now.v[k] : NULL;
		int c = !a ? 1 : !b ? -1 : span_cmp(a->op, b->op);

		add_row(w, c <= 0 ? a : NULL, c >= 0 ? b : NULL);
		i += c <= 0;
		k += c >= 0;
	}
}

/* An op, NULL: all of them, as a metric of a side.  What it has more than `less` counts. */
static struct metric metric_of(
	const struct worksums *o, const struct worksum *op, double less, struct arena *mem)
{
	struct metric m = {
		.unit = UNIT_NS,
		.better = BETTER_LOWER,
		.is_mean = true,
		.sample = arena_array(mem, o->side->nrun, sizeof(*m.sample)),
	};

	for (size_t i = 0; i < o->side->nrun; i++) {
		struct metric_sample *x = &m.sample[m.n];

		if (!worksums_sample(o, op, i, x, mem))
			continue;
		x->centre -= less;
		x->mean -= less;
		for (size_t k = 0; k < x->n; k++)
			x->v[k] -= less;
		m.n++;
	}
	return m;
}

static enum contrast_status plain_status(
	const struct contrast *c, const struct contrast_work_row *row)
{
	if (!row->base || !row->now)
		return row->base ? CONTRAST_REMOVED : CONTRAST_NEW;
	if (fabs(row->base->calls - row->now->calls) > 1e-9 &&
		worksum_is_steady(&c->work.base, row->base) &&
		worksum_is_steady(&c->work.now, row->now))
		return CONTRAST_CHANGED;
	if (row->split.delta == 0 && fabs(row->base->calls - row->now->calls) <= 1e-9)
		return CONTRAST_SAME;
	return contrast_is_large(c, row->base_ns, row->now_ns) ? CONTRAST_STATUS_COUNT
							       : CONTRAST_UNTESTED;
}

static void test_rows(struct contrast *c)
{
	struct contrast_work *w = &c->work;
	struct change *change = arena_array(c->mem, w->n, sizeof(*change));
	double *p = arena_array(c->mem, w->n, sizeof(*p)),
	       *q = arena_array(c->mem, w->n, sizeof(*q));

	for (size_t i = 0; i < w->n; i++) {
		struct arena_mark mark = arena_mark(c->mem);
		struct contrast_work_row *row = &w->v[i];

		p[i] = NAN;
		row->status = plain_status(c, row);
		if (row->status != CONTRAST_STATUS_COUNT)
			continue;
		struct metric a = metric_of(&w->base, row->base, 0, c->mem);
		struct metric b = metric_of(&w->now, row->now, 0, c->mem);
		if (contrast_judge_row(c, &a, &b, &change[i]) && contrast_knows_noise(c))
			p[i] = contrast_p_beyond(&change[i]);
		arena_reset(c->mem, mark);
	}
	bh_adjust(p, w->n, q, c->mem);
	for (size_t i = 0; i < w->n; i++) {
		struct contrast_work_row *row = &w->v[i];

		row->p = p[i];
		row->q = q[i];
		contrast_conclude(c, q[i], &change[i], &row->status, &row->needed);
	}
}

/* The change as if only that part of it were there. */
static void judge_part(const struct contrast *c, int64_t part, struct change *change)
{
	const struct contrast_work *w = &c->work;
	struct arena_mark mark = arena_mark(c->mem);
	struct metric a = metric_of(&w->base, NULL, 0, c->mem);
	struct metric b =
		metric_of(&w->now, NULL, (double)(w->now_ns - w->base_ns) - (double)part, c->mem);

	contrast_judge(c, &a, &b, change);
	arena_reset(c->mem, mark);
}

void contrast_find_amounts(struct contrast *c)
{
	struct contrast_work *w = &c->work;

	worksums_init(&w->base, c->base, c->mem);
	worksums_init(&w->now, c->now, c->mem);
	w->is_known = w->base.is_known && w->now.is_known;
	if (!w->is_known)
		return;
	w->v = arena_array(c->mem, w->base.n + w->now.n, sizeof(*w->v));
	match(w);
	test_rows(c);
	judge_part(c, w->now_ns - w->base_ns, &w->change);
	judge_part(c, saturate_add(w->calls, w->larger), &w->more);
	judge_part(c, w->slower, &w->faster);
}
