/*
 * `diff`: the step's change with its interval and verdict, and all metrics one by one.
 */
#include <math.h>

#include "analyze/answer/diff/diff.h"
#include "analyze/analysis/row_limit.h"
#include "base/minmax.h"
#include "base/saturate.h"

enum { FIGURES_SHOWN = 20 }; /* besides those with ids of their own */

static const char *verdict_of(const struct diff_figure *f)
{
	if (f->sort == FIGURE_ONE_SIDE)
		return f->pair.base ? "base alone" : "new alone";
	if (f->sort == FIGURE_CHANGED || f->sort == FIGURE_PROPERTY)
		return f->change.answer.decision == DECISION_FAIL ? "higher" : "lower";
	return change_verdict(&f->change);
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
		table_real(t, DSTEP_NOISE, d->w.noise_origin ? d->c.o.noise : CONTRAST_NOISE);
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
		saturate_onto(&sum, MAX(m->sample[i].count, 0));
	return sum;
}

static void put_counts(struct table *t, const struct metric_pair *p)
{
	table_int(t, DMET_BASE_RUNS, p->base ? (int64_t)p->base->n : 0);
	table_int(t, DMET_NEW_RUNS, p->now ? (int64_t)p->now->n : 0);
	table_int(t, DMET_BASE_COUNT, p->base ? values_of(p->base) : 0);
	table_int(t, DMET_NEW_COUNT, p->now ? values_of(p->now) : 0);
}

/* The mean over its runs' means; NaN: the side has no such figure. */
static double mean_of(const struct metric *m)
{
	double sum = 0;
	size_t i;

	for (i = 0; m && i < m->n; i++)
		sum += m->sample[i].mean / (double)m->n;
	return m ? sum : NAN;
}

static void put_metric(struct diff *d, struct table *t, const struct diff_figure *f)
{
	const struct metric *m = metric_pair_any(&f->pair);
	const struct change *c = &f->change;

	table_row(t);
	table_unit(t, m->unit);
	table_text(t, DMET_METRIC, diff_kept(d, span_of(m->title)));
	table_real(t, DMET_BASE, c->base);
	table_real(t, DMET_NEW, c->now);
	table_real(t, DMET_DELTA, c->delta);
	table_real(t, DMET_CHANGE, c->is_difference ? NAN : c->ratio);
	if (!c->is_difference) {
		table_real(t, DMET_LO, c->lo);
		table_real(t, DMET_HI, c->hi);
	}
	table_text(t, DMET_VERDICT, span_of(verdict_of(f)));
	if (m->is_log)
		table_text(t, DMET_SOURCE, diff_kept(d, span_of(m->source)));
	if (unit_word(m->unit))
		table_text(t, DMET_UNIT, span_of(unit_word(m->unit)));
	table_text(t, DMET_BETTER, span_of(better_word(m->better)));
	put_counts(t, &f->pair);
	table_real(t, DMET_P, c->p);
	table_text(t, DMET_ID, diff_kept(d, span_of(m->id)));
	table_real(t, DMET_BASE_MEAN, mean_of(f->pair.base));
	table_real(t, DMET_NEW_MEAN, mean_of(f->pair.now));
}

void diff_put_metrics(struct diff *d)
{
	size_t most = rows_limit(d->q, d->o->limit, FIGURES_SHOWN, SIZE_MAX);
	const struct table_doc *doc = &diff_docs[DIFF_METRICS_TABLE];
	size_t i, shown = 0;
	struct table *t;

	if (d->nfigure == 0)
		return;
	t = result_table(d->out, doc->id, doc->title, doc->col, doc->ncol);
	for (i = 0; i < d->nfigure && (d->figure[i].is_named || shown < most); i++) {
		put_metric(d, t, &d->figure[i]);
		shown += !d->figure[i].is_named;
	}
	rows_cut_of(t, DMET_METRIC, d->nfigure - i, "figure");
}
