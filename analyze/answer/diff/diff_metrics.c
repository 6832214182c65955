/*
 * `diff`: the step's change with its interval and verdict, and all metrics one by one.
 */
#include <math.h>

#include "analyze/answer/diff/diff.h"

/* The same for metrics that have no better side. */
static const char *verdict_of(const struct metric *m, const struct change *c)
{
	if (m->better != BETTER_NONE)
		return change_verdict(c);
	switch (c->answer.decision) {
	case DECISION_FAIL: return "higher";
	case DECISION_IMPROVED: return "lower";
	default: return change_verdict(c);
	}
}

static void put_change(struct table *t, const char *of, const struct change *c)
{
	table_row(t);
	table_text(t, DSTEP_OF, span_of(of));
	table_real(t, DSTEP_BASE, c->base);
	table_real(t, DSTEP_NEW, c->now);
	table_real(t, DSTEP_DELTA, c->delta);
	table_real(t, DSTEP_CHANGE, c->ratio);
	table_real(t, DSTEP_LO, c->lo);
	table_real(t, DSTEP_HI, c->hi);
	table_real(t, DSTEP_P, c->p);
}

void diff_put_step(struct diff *d)
{
	const struct table_doc *doc = &diff_docs[DIFF_STEP_TABLE];
	const struct change *c = &d->c.step;
	bool is_mean = d->c.has_median;
	struct table *t;

	if (!d->c.has_step)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	put_change(t, is_mean ? "mean" : "median", c);
	table_text(t, DSTEP_VERDICT, span_of(change_verdict(c)));
	if (!c->change.is_measured)
		table_real(
			t, DSTEP_NOISE, d->w.noise_origin ? d->c.o.noise : contrast_noise_assumed);
	table_text(t, DSTEP_NOISE_FROM, span_of(diff_noise_word(d)));
	table_bool(t, DSTEP_MEASURED, c->change.is_measured);
	table_real(t, DSTEP_NEEDED, c->answer.needed);
	if (is_mean)
		put_change(t, "median", &d->c.median);
}

static const char *unit_word(enum unit u)
{
	switch (u) {
	case UNIT_NS: return "ns";
	case UNIT_BYTES: return "bytes";
	case UNIT_RATIO: return "ratio";
	case UNIT_COUNT: return "count";
	default: return NULL;
	}
}

static const char *better_word(enum metric_better b)
{
	return b == BETTER_LOWER ? "lower" : b == BETTER_HIGHER ? "higher" : "neither";
}

static int64_t values_of(const struct metric *m)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < m->n; i++)
		sum += m->sample[i].count > 0 ? m->sample[i].count : 0;
	return sum;
}

static void put_metric(
	struct diff *d, struct table *t, const struct metric *base, const struct metric *now)
{
	const struct metric *m = base ? base : now;
	struct change c;

	contrast_judge(&d->c, base, now, &c);
	table_row(t);
	table_unit(t, m->unit);
	table_text(t, DMET_METRIC, diff_kept(d, span_of(m->title)));
	table_real(t, DMET_BASE, c.base);
	table_real(t, DMET_NEW, c.now);
	table_real(t, DMET_DELTA, c.delta);
	table_real(t, DMET_CHANGE, c.is_difference ? NAN : c.ratio);
	if (!c.is_difference) {
		table_real(t, DMET_LO, c.lo);
		table_real(t, DMET_HI, c.hi);
	}
	table_text(t, DMET_VERDICT, span_of(verdict_of(m, &c)));
	if (unit_word(m->unit))
		table_text(t, DMET_UNIT, span_of(unit_word(m->unit)));
	table_text(t, DMET_BETTER, span_of(better_word(m->better)));
	table_int(t, DMET_BASE_RUNS, base ? (int64_t)base->n : 0);
	table_int(t, DMET_NEW_RUNS, now ? (int64_t)now->n : 0);
	table_int(t, DMET_BASE_COUNT, base ? values_of(base) : 0);
	table_int(t, DMET_NEW_COUNT, now ? values_of(now) : 0);
	table_real(t, DMET_P, c.p);
}

void diff_put_metrics(struct diff *d)
{
	const struct table_doc *doc = &diff_docs[DIFF_METRICS_TABLE];
	struct table *t;
	size_t i;

	if (d->c.pairs.n == 0)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	for (i = 0; i < d->c.pairs.n; i++)
		put_metric(d, t, d->c.pairs.v[i].base, d->c.pairs.v[i].now);
}
