/* `diff`: the step with its interval, verdict and ledger, all metrics one by one, and the ranks. */
#include "analyze/answer/diff/diff.h"

#include "analyze/analysis/row_limit.h"

/* the step's change with its interval and verdict, and all metrics one by one. */

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
	const struct change *c = &d->c.step;
	bool is_mean = d->c.has_median;

	if (!d->c.has_step)
		return;
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_STEP_TABLE]);
	put_change(t, is_mean ? "mean" : "median", c);
	TABLE_CELLS(t, [DSTEP_VERDICT] = cell_word(change_verdict(c)),
		[DSTEP_NOISE] = CELL_IF(!c->change.is_measured,
			cell_real(d->w.noise_origin ? d->c.o.noise : CONTRAST_NOISE)),
		[DSTEP_NOISE_FROM] = cell_word(diff_noise_word(d)),
		[DSTEP_MEASURED] = cell_bool(c->change.is_measured),
		[DSTEP_NEEDED] = cell_real(c->answer.needed));
	if (is_mean)
		put_change(t, "median", &d->c.median);
	/* what ranks' steps are rounded by is no odd step */
	if (is_mean && fabs(d->c.all.base - c->base) + fabs(d->c.all.now - c->now) > 2)
		put_change(t, "all", &d->c.all);
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

	for (size_t i = 0; i < m->n; i++)
		saturate_onto(&sum, MAX(m->sample[i].count, 0));
	return sum;
}

/* The mean over its runs' means; NaN: the side has no such figure. */
static double mean_of(const struct metric *m)
{
	double sum = 0;

	for (size_t i = 0; m && i < m->n; i++)
		sum += m->sample[i].mean / (double)m->n;
	return m ? sum : NAN;
}

static void put_metric(struct diff *d, struct table *t, const struct diff_figure *f)
{
	const struct metric *m = metric_pair_any(&f->pair);
	const struct metric *base = f->pair.base, *now = f->pair.now;
	const struct change *c = &f->change;

	table_row(t);
	table_unit(t, m->unit);
	TABLE_CELLS(t, [DMET_METRIC] = cell_text(diff_kept(d, span_of(m->title))),
		[DMET_BASE] = cell_real(c->base), [DMET_NEW] = cell_real(c->now),
		[DMET_DELTA] = cell_real(c->delta),
		[DMET_CHANGE] = cell_real(c->is_difference ? NAN : c->ratio),
		[DMET_LO] = cell_real(c->is_difference ? NAN : c->lo),
		[DMET_HI] = cell_real(c->is_difference ? NAN : c->hi),
		[DMET_VERDICT] = cell_word(verdict_of(f)),
		[DMET_SOURCE] = CELL_IF(m->is_log, cell_text(diff_kept(d, span_of(m->source)))),
		[DMET_UNIT] = cell_word(unit_word(m->unit)),
		[DMET_BETTER] = cell_word(better_word(m->better)),
		[DMET_BASE_RUNS] = cell_size(base ? base->n : 0),
		[DMET_NEW_RUNS] = cell_size(now ? now->n : 0),
		[DMET_BASE_COUNT] = cell_int(base ? values_of(base) : 0),
		[DMET_NEW_COUNT] = cell_int(now ? values_of(now) : 0), [DMET_P] = cell_real(c->p),
		[DMET_ID] = cell_text(diff_kept(d, span_of(m->id))),
		[DMET_BASE_MEAN] = cell_real(mean_of(base)),
		[DMET_NEW_MEAN] = cell_real(mean_of(now)));
}

void diff_put_metrics(struct diff *d)
{
	size_t most = rows_limit(d->q, d->o->limit, FIGURES_SHOWN, SIZE_MAX);
	size_t i, shown = 0;

	if (d->nfigure == 0)
		return;
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_METRICS_TABLE]);
	for (i = 0; i < d->nfigure && (d->figure[i].is_named || shown < most); i++) {
		put_metric(d, t, &d->figure[i]);
		shown += !d->figure[i].is_named;
	}
	rows_cut_of(t, DMET_METRIC, d->nfigure - i, "figure");
}

/* ---- the ledger of both sides as a table ---- */

static void put_part(struct diff *d, struct table *t, const struct contrast_part *p)
{
	int64_t whole = d->c.ledger.now - d->c.ledger.base, delta = p->now - p->base;

	TABLE_ROW(t, [DLED_PART] = cell_textf(t, "%s%s", p->is_detail ? "  " : "", p->word),
		[DLED_BASE] = cell_int(p->base), [DLED_NEW] = cell_int(p->now),
		[DLED_DELTA] = cell_int(delta),
		[DLED_SHARE] = CELL_IF(whole != 0, cell_real((double)delta / (double)whole)),
		[DLED_KEY] = cell_word(p->key), [DLED_DETAIL] = cell_bool(p->is_detail));
}

#define PARTS "step = compute + exposed communication + exposed copies + GPU idle"
#define IDLE  "; indented: what the host does while the GPU is idle"
#define RANKS "imbalance is what the slowest rank's step takes more than the mean one's"
static const char device[] = "means over usual steps and GPUs; " PARTS ", exactly" IDLE;
static const char host[] =
	"means over usual steps; the phases of the main thread add up to the step";
static const char ranks[] =
	"means over usual steps, ranks and GPUs; " PARTS " + imbalance, exactly; " RANKS IDLE;
static const char ranks_host[] =
	"means over usual steps and ranks; the phases of the main thread and imbalance add up; " RANKS;

void diff_put_ledger(struct diff *d)
{
	const struct contrast_ledger *l = &d->c.ledger;
	const struct contrast_part step = { "step", "step", false, l->base, l->now };

	if (l->n == 0)
		return;
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_LEDGER_TABLE]);
	for (EACH(const struct contrast_part, part, l->part, l->n))
		if (!d->q->for_people || part->base || part->now)
			put_part(d, t, part);
	put_part(d, t, &step);
	t->nfoot = 1;
	t->footnote = contrast_imbalance(l) ? (l->is_device ? ranks : ranks_host)
		: l->is_device              ? device
					    : host;
}

/* ---- the ranks, those whose step changed most first ---- */

enum { PEOPLE_RANKS = 8 };

static double size(const struct contrast_rank *r)
{
	double delta = r->now.ns - r->base.ns;

	return isnan(delta) ? INFINITY : delta;
}

ORDER(by_delta, struct contrast_rank *const, compare3_down(size(*a), size(*b)),
	compare3((*a)->rank, (*b)->rank))

static void put_slowest(struct table *t, size_t col, const struct contrast_rank_side *s)
{
	if (s->steps > 0)
		table_real(t, col, (double)s->slowest / (double)s->steps);
}

void diff_put_ranks(struct diff *d)
{
	const struct contrast_ranks *r = &d->c.ranks;
	const struct contrast_rank **order = arena_array(&d->mem, r->n, sizeof(*order));
	size_t i, most = rows_limit(d->q, d->o->limit, PEOPLE_RANKS, SIZE_MAX);

	if (r->n == 0)
		return;
	for (i = 0; i < r->n; i++)
		order[i] = &r->v[i];
	qsort(order, r->n, sizeof(*order), by_delta);
	struct table *t = result_table_of(d->out, &diff_docs[DIFF_RANKS_TABLE]);
	for (i = 0; i < r->n && i < most; i++) {
		TABLE_ROW(t, [DRANK_RANK] = cell_int(order[i]->rank),
			[DRANK_BASE] = cell_real(order[i]->base.ns),
			[DRANK_NEW] = cell_real(order[i]->now.ns),
			[DRANK_DELTA] = cell_real(order[i]->now.ns - order[i]->base.ns));
		put_slowest(t, DRANK_BASE_SLOWEST, &order[i]->base);
		put_slowest(t, DRANK_NEW_SLOWEST, &order[i]->now);
	}
	t->ncut = r->n - i;
}
