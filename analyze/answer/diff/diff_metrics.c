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
	TABLE_ROW(t, [DSTEP_OF] = cell_word(of), [DSTEP_BASE] = cell_real(c->base),
		[DSTEP_NEW] = cell_real(c->now), [DSTEP_DELTA] = cell_real(c->delta),
		[DSTEP_CHANGE] = cell_real(c->ratio), [DSTEP_LO] = cell_real(c->lo),
		[DSTEP_HI] = cell_real(c->hi), [DSTEP_P] = cell_real(c->p));
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
	TABLE_CELLS(t, [DSTEP_VERDICT] = cell_word(change_verdict(c)),
		[DSTEP_NOISE] = CELL_IF(!c->change.is_measured,
			cell_real(d->w.noise_origin ? d->c.o.noise : CONTRAST_NOISE)),
		[DSTEP_NOISE_FROM] = cell_word(diff_noise_word(d)),
		[DSTEP_MEASURED] = cell_bool(c->change.is_measured),
		[DSTEP_NEEDED] = cell_real(c->answer.needed));
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
	TABLE_CELLS(t, [DMET_BASE_RUNS] = cell_int(p->base ? (int64_t)p->base->n : 0),
		[DMET_NEW_RUNS] = cell_int(p->now ? (int64_t)p->now->n : 0),
		[DMET_BASE_COUNT] = cell_int(p->base ? values_of(p->base) : 0),
		[DMET_NEW_COUNT] = cell_int(p->now ? values_of(p->now) : 0));
}

static void put_metric(struct diff *d, struct table *t, const struct diff_figure *f)
{
	const struct metric *m = metric_pair_any(&f->pair);
	const struct change *c = &f->change;

	table_row(t);
	table_unit(t, m->unit);
	TABLE_CELLS(t, [DMET_METRIC] = cell_text(diff_kept(d, span_of(m->title))),
		[DMET_BASE] = cell_real(c->base), [DMET_NEW] = cell_real(c->now),
		[DMET_DELTA] = cell_real(c->delta),
		[DMET_CHANGE] = cell_real(c->is_difference ? NAN : c->ratio));
	if (!c->is_difference)
		TABLE_CELLS(t, [DMET_LO] = cell_real(c->lo), [DMET_HI] = cell_real(c->hi));
	TABLE_CELLS(t, [DMET_VERDICT] = cell_word(verdict_of(f)),
		[DMET_SOURCE] = CELL_IF(m->is_log, cell_text(diff_kept(d, span_of(m->source)))),
		[DMET_UNIT] = cell_word(unit_word(m->unit)),
		[DMET_BETTER] = cell_word(better_word(m->better)));
	put_counts(t, &f->pair);
	TABLE_CELLS(
		t, [DMET_P] = cell_real(c->p), [DMET_ID] = cell_text(diff_kept(d, span_of(m->id))));
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
