/*
 * `diff`: the step's change with its interval and verdict, and all metrics one by one.
 */
#include <math.h>

#include "analyze/answer/diff/diff.h"

static const double CONFIDENCE = 0.95;

const char *diff_verdict(const struct change *c)
{
	switch (c->answer.decision) {
	case DECISION_FAIL: return "regression";
	case DECISION_IMPROVED: return "improvement";
	case DECISION_SKIP: return "cannot tell";
	default: return c->delta == 0 ? "no change" : "within noise";
	}
}

/* The same for metrics that have no better side. */
static const char *verdict_of(const struct metric *m, const struct change *c)
{
	if (m->better != BETTER_NONE)
		return diff_verdict(c);
	switch (c->answer.decision) {
	case DECISION_FAIL: return "higher";
	case DECISION_IMPROVED: return "lower";
	default: return diff_verdict(c);
	}
}

static void judge(
	struct diff *d, const struct metric *base, const struct metric *now, struct change *c)
{
	const struct metric *m = base ? base : now;
	/* Parts of the step are held to the step, too: a microsecond more is none. */
	const struct change_options o = {
		.noise = d->w.noise,
		.tolerance = base && base->is_exact ? 0 : d->w.threshold,
		.confidence = CONFIDENCE,
		.floor = d->has_step && m->unit == UNIT_NS ? d->w.threshold * d->step.base : 0,
	};

	change_of(c, base, now, &o, &d->mem);
}

void diff_metrics(struct diff *d)
{
	const struct metric *base, *now;

	/* In the memory of the result: titles are names of series, which its tables show. */
	metricset_init(&d->base_metrics, d->base, &d->out->mem);
	metricset_init(&d->now_metrics, d->now, &d->out->mem);
	base = metricset_find(&d->base_metrics, "step_time");
	now = base ? metricset_match(&d->now_metrics, base) : NULL;
	if (!now) {
		now = metricset_find(&d->now_metrics, "step_time");
		base = now ? metricset_match(&d->base_metrics, now) : NULL;
	}
	if (base && now)
		judge(d, base, now, &d->step);
	d->has_step = base && now;
}

void diff_put_step(struct diff *d)
{
	const struct table_doc *doc = &diff_docs[DIFF_STEP_TABLE];
	const struct change *c = &d->step;
	struct table *t;

	if (!d->has_step)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	table_row(t);
	table_real(t, DSTEP_BASE, c->base);
	table_real(t, DSTEP_NEW, c->now);
	table_real(t, DSTEP_DELTA, c->delta);
	table_real(t, DSTEP_CHANGE, c->ratio);
	table_real(t, DSTEP_LO, c->lo);
	table_real(t, DSTEP_HI, c->hi);
	table_text(t, DSTEP_VERDICT, span_of(diff_verdict(c)));
	table_real(t, DSTEP_P, c->p);
	table_bool(t, DSTEP_MEASURED, c->change.is_measured);
	if (!c->change.is_measured)
		table_real(t, DSTEP_NOISE, d->w.noise);
	table_real(t, DSTEP_NEEDED, c->answer.needed);
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

	judge(d, base, now, &c);
	table_row(t);
	table_unit(t, m->unit);
	table_text(t, DMET_METRIC, span_of(m->title));
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

	if (d->base_metrics.n == 0 && d->now_metrics.n == 0)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	for (i = 0; i < d->base_metrics.n; i++) {
		const struct metric *base = &d->base_metrics.v[i];

		put_metric(d, t, base, metricset_match(&d->now_metrics, base));
	}
	for (i = 0; i < d->now_metrics.n; i++)
		if (!metricset_match(&d->base_metrics, &d->now_metrics.v[i]))
			put_metric(d, t, NULL, &d->now_metrics.v[i]);
}
