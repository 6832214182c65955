/* `gate --history`: its tables, and the verdict from the same figures. */
#include "analyze/answer/gate/gate_history.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/history.h"
#include "base/base.h"
#include "base/plural.h"

const char *gate_night_change(const struct gate *g, const struct nightly *w)
{
	if (isnan(w->median))
		return "";
	return gate_text_ratio(g, w->median, w->s.v[w->s.n - 1], w->s.unit, w->s.is_points, 1);
}

static const char *commit_of(const struct gate *g, size_t run)
{
	const struct history *h = g->query->history;

	return run < h->nrun && h->run[run].commit[0] ? h->run[run].commit : NULL;
}

static void put_segment(struct gate *g, struct table *t, const struct nightly *w, size_t from,
	size_t to, const struct changepoint *c)
{
	struct moments m = welch_moments(w->s.v + from, to - from);
	double cv = welch_cv(&m);

	table_row(t);
	table_unit(t, w->s.unit);
	table_text(t, SEGMENT_CHECK, span_of(w->s.id));
	table_text(t, SEGMENT_FROM, span_of(gate_night_name(g, w->s.run[from])));
	table_text(t, SEGMENT_TO, span_of(gate_night_name(g, w->s.run[to - 1])));
	table_int(t, SEGMENT_RUNS, (int64_t)(to - from));
	table_int(t, SEGMENT_FROM_NUMBER, (int64_t)w->s.run[from]);
	table_real(t, SEGMENT_MEDIAN, quantile_median(w->s.v + from, to - from, &g->mem));
	table_real(t, SEGMENT_CV_RATIO, cv);
	if (!c)
		return;
	table_text(t, SEGMENT_CHANGE,
		span_of(gate_text_ratio(g, c->before, c->after, w->s.unit, w->s.is_points, 1)));
	if (!w->s.is_points)
		table_real(t, SEGMENT_CHANGE_RATIO, isfinite(c->change) ? c->change : NAN);
	table_real(t, SEGMENT_P, c->p);
	if (commit_of(g, w->s.run[c->at]))
		table_text(t, SEGMENT_COMMIT, span_of(commit_of(g, w->s.run[c->at])));
}

/* Every run of a figure with the level it is in; for machines. */
static void put_runs(struct gate *g, struct table *t, const struct nightly *w)
{
	size_t from = 0, to;

	for (size_t k = 0; k <= w->s.npoint; k++, from = to) {
		to = k < w->s.npoint ? w->s.point[k].at : w->s.n;
		double level = quantile_median(w->s.v + from, to - from, &g->mem);
		for (size_t i = from; i < to; i++) {
			table_row(t);
			table_unit(t, w->s.unit);
			table_text(t, 0, span_of(w->s.id));
			table_text(t, 1, span_of(gate_night_name(g, w->s.run[i])));
			table_int(t, 2, (int64_t)w->s.run[i]);
			table_real(t, 3, w->s.v[i]);
			table_real(t, 4, level);
		}
	}
}

/* The share that is tolerated; a limit as a share of the level. */
static void put_tolerance(struct table *t, const struct nightly *w)
{
	double share = w->rule->tolerance, limit = w->rule->limit, least = w->rule->least;

	if (!w->rule->is_given && least > 0)
		share = fmin(share, least);
	if (limit > 0 && !w->s.is_points)
		share = fmin(share, limit / fabs(w->median));
	else if (limit > 0)
		share = fmin(share, limit);
	if (isfinite(share))
		table_real(t, NEWEST_TOLERANCE_RATIO, share);
}

static void put_text(struct table *t, size_t col, const char *text)
{
	if (text)
		table_text(t, col, span_of(text));
}

/* The number of the first run that has left the level. */
static size_t first_of_drift(const struct nightly *w)
{
	return w->s.run[w->course.begin + w->course.drift.since];
}

static void put_tables(struct gate *g, const struct nightly *w, size_t n)
{
	const struct table_doc *sd = &gate_docs[GATE_TABLE_SEGMENTS];
	const struct table_doc *nd = &gate_docs[GATE_TABLE_NEWEST];
	const struct table_doc *hd = &gate_docs[GATE_TABLE_HISTORY];
	struct table *t = result_table(g->out, nd->id, nd->title, nd->col, nd->ncol);

	for (EACH(const struct nightly, nightly, w, n)) {
		table_row(t);
		table_unit(t, nightly->s.unit);
		table_text(t, NEWEST_STATE, span_of(gate_text_state(g, nightly->state)));
		table_text(t, NEWEST_CHECK, span_of(nightly->s.id));
		table_text(t, NEWEST_RUN,
			span_of(gate_night_name(g, nightly->s.run[nightly->s.n - 1])));
		table_real(t, NEWEST_VALUE, nightly->s.v[nightly->s.n - 1]);
		table_real(t, NEWEST_MEDIAN, nightly->median);
		table_text(t, NEWEST_CHANGE, span_of(gate_night_change(g, nightly)));
		table_real(t, NEWEST_Z, isfinite(nightly->z) ? nightly->z : NAN);
		put_tolerance(t, nightly);
		put_text(t, NEWEST_SINCE, nightly->since);
		if (nightly->has_drifted && nightly->course.drift.is_creep)
			table_int(t, NEWEST_CREEPS_FROM, (int64_t)first_of_drift(nightly));
		table_text(t, NEWEST_MESSAGE, span_of(nightly->message));
	}
	t = result_table(g->out, sd->id, sd->title, sd->col, sd->ncol);
	for (EACH(const struct nightly, one, w, n))
		for (size_t k = 0; k <= one->s.npoint; k++)
			put_segment(g, t, one, k ? one->s.point[k - 1].at : 0,
				k < one->s.npoint ? one->s.point[k].at : one->s.n,
				k ? &one->s.point[k - 1] : NULL);
	if (g->query->for_people)
		return;
	t = result_table(g->out, hd->id, hd->title, hd->col, hd->ncol);
	for (size_t i = 0; i < n; i++)
		put_runs(g, t, &w[i]);
}

static void put_verdict(struct gate *g, const struct nightly *w, size_t n)
{
	struct verdict *v = arena_alloc(&g->out->mem, sizeof(*v));
	size_t fails = 0;

	*v = (struct verdict){ .name = "gate",
		.suite = "history",
		.state = g->state,
		.exit_code = g->exit_code,
		.now = g->base_label };
	v->check = arena_array(&g->out->mem, n, sizeof(*v->check));
	for (int s = VERDICT_STATE_COUNT; s-- > 0;)
		for (size_t i = 0; i < n; i++)
			if ((int)w[i].state == s)
				v->check[v->n++] = (struct verdict_check){
					.state = w[i].state,
					.suite = "level",
					.id = w[i].s.id,
					.base = gate_text_value(g, w[i].median, w[i].s.unit),
					.now = gate_text_value(
						g, w[i].s.v[w[i].s.n - 1], w[i].s.unit),
					.change = isnan(w[i].change) ? NULL
								     : gate_night_change(g, &w[i]),
					.message = w[i].message,
					.fails = gate_fails(g, w[i].state),
					.metric = "metric",
					.label = w[i].s.id,
					.value = w[i].s.v[w[i].s.n - 1],
					.unit = UNIT_NONE,
				};
	for (size_t i = 0; i < n; i++)
		fails += gate_fails(g, w[i].state);
	v->summary = arena_printf(&g->out->mem, "%zu of %zu check%s failed", fails, n, plural_s(n));
	v->about = arena_printf(&g->out->mem, "%zu runs", g->query->history->nrun);
	g->verdict = v;
	g->out->verdict = v;
}

static void put_line(struct gate *g)
{
	const struct table_doc *d = &gate_docs[GATE_TABLE_VERDICT];
	struct table *t = result_table(g->out, d->id, NULL, d->col, d->ncol);
	size_t i, count[VERDICT_STATE_COUNT] = { 0 };

	for (i = 0; i < g->verdict->n; i++)
		count[g->verdict->check[i].state]++;
	t->layout = TABLE_LINE;
	table_row(t);
	table_textf(t, VER_STATE, "gate %s", gate_text_state(g, g->state));
	table_text(t, VER_SUMMARY, span_of(g->verdict->summary));
	table_text(t, VER_RUNS, span_of(g->verdict->about));
	table_int(t, VER_CHECKS, (int64_t)(g->verdict->n - count[VERDICT_IS_SKIP]));
	table_int(t, VER_FAILED, (int64_t)count[VERDICT_IS_FAIL]);
	table_int(t, VER_WARNED, (int64_t)count[VERDICT_IS_WARN]);
	table_int(t, VER_SKIPPED, (int64_t)count[VERDICT_IS_SKIP]);
	table_int(t, VER_IMPROVED, (int64_t)count[VERDICT_IS_IMPROVED]);
}

void gate_put_nights(struct gate *g, const struct nightly *w, size_t n)
{
	put_verdict(g, w, n);
	put_line(g);
	put_tables(g, w, n);
}
