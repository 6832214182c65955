/* `gate --history`: its tables, and the verdict from the same figures. */
#include "analyze/answer/gate/gate_history.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/history.h"

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

	TABLE_ROW(t, [SEGMENT_CHECK] = cell_word(w->s.id),
		[SEGMENT_FROM] = cell_word(gate_night_name(g, w->s.run[from])),
		[SEGMENT_TO] = cell_word(gate_night_name(g, w->s.run[to - 1])),
		[SEGMENT_RUNS] = cell_size(to - from),
		[SEGMENT_FROM_NUMBER] = cell_size(w->s.run[from]),
		[SEGMENT_MEDIAN] = cell_real(quantile_median(w->s.v + from, to - from, &g->mem)),
		[SEGMENT_CV_RATIO] = cell_real(welch_cv(&m)));
	table_unit(t, w->s.unit);
	if (!c)
		return;
	TABLE_CELLS(t,
		[SEGMENT_CHANGE] = cell_word(
			gate_text_ratio(g, c->before, c->after, w->s.unit, w->s.is_points, 1)),
		[SEGMENT_CHANGE_RATIO] =
			CELL_IF(!w->s.is_points && isfinite(c->change), cell_real(c->change)),
		[SEGMENT_P] = cell_real(c->p),
		[SEGMENT_COMMIT] = cell_word(commit_of(g, w->s.run[c->at])));
}

/* Every run of a figure with the level it is in; for machines. */
static void put_runs(struct gate *g, struct table *t, const struct nightly *w)
{
	size_t from = 0, to;

	for (size_t k = 0; k <= w->s.npoint; k++, from = to) {
		to = k < w->s.npoint ? w->s.point[k].at : w->s.n;
		double level = quantile_median(w->s.v + from, to - from, &g->mem);
		for (size_t i = from; i < to; i++) {
			TABLE_ROW(t, cell_word(w->s.id), cell_word(gate_night_name(g, w->s.run[i])),
				cell_size(w->s.run[i]), cell_real(w->s.v[i]), cell_real(level));
			table_unit(t, w->s.unit);
		}
	}
}

/* The share that is tolerated; a limit as a share of the level. */
static struct row_cell tolerance_of(const struct nightly *w)
{
	double share = w->rule->tolerance, limit = w->rule->limit, least = w->rule->least;

	if (!w->rule->is_given && least > 0)
		share = fmin(share, least);
	if (limit > 0 && !w->s.is_points)
		share = fmin(share, limit / fabs(w->median));
	else if (limit > 0)
		share = fmin(share, limit);
	return CELL_IF(isfinite(share), cell_real(share));
}

/* The number of the first run that has left the level. */
static size_t first_of_drift(const struct nightly *w)
{
	return w->s.run[w->course.begin + w->course.drift.since];
}

static void put_tables(struct gate *g, const struct nightly *w, size_t n)
{
	struct table *t = result_table_of(g->out, &gate_docs[GATE_TABLE_NEWEST]);

	for (EACH(const struct nightly, one, w, n)) {
		size_t last = one->s.n - 1;

		TABLE_ROW(t, [NEWEST_STATE] = cell_word(gate_text_state(g, one->state)),
			[NEWEST_CHECK] = cell_word(one->s.id),
			[NEWEST_RUN] = cell_word(gate_night_name(g, one->s.run[last])),
			[NEWEST_VALUE] = cell_real(one->s.v[last]),
			[NEWEST_MEDIAN] = cell_real(one->median),
			[NEWEST_CHANGE] = cell_word(gate_night_change(g, one)),
			[NEWEST_Z] = CELL_IF(isfinite(one->z), cell_real(one->z)),
			[NEWEST_TOLERANCE_RATIO] = tolerance_of(one),
			[NEWEST_SINCE] = cell_word(one->since),
			[NEWEST_CREEPS_FROM] =
				CELL_IF(one->has_drifted && one->course.drift.is_creep,
					cell_size(first_of_drift(one))),
			[NEWEST_MESSAGE] = cell_word(one->message));
		table_unit(t, one->s.unit);
	}
	t = result_table_of(g->out, &gate_docs[GATE_TABLE_SEGMENTS]);
	for (EACH(const struct nightly, one, w, n))
		for (size_t k = 0; k <= one->s.npoint; k++)
			put_segment(g, t, one, k ? one->s.point[k - 1].at : 0,
				k < one->s.npoint ? one->s.point[k].at : one->s.n,
				k ? &one->s.point[k - 1] : NULL);
	if (g->query->for_people)
		return;
	t = result_table_of(g->out, &gate_docs[GATE_TABLE_HISTORY]);
	for (size_t i = 0; i < n; i++)
		put_runs(g, t, &w[i]);
}

static void put_verdict(struct gate *g, const struct nightly *w, size_t n)
{
	struct verdict *v = arena_alloc(&g->out->mem, sizeof(*v));
	size_t fails = SUM(size_t, i, n, gate_fails(g, w[i].state));

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
					.runs = gate_fails(g, w[i].state)
						? gate_runs(g, &w[i].s, w[i].median)
						: NULL,
				};
	v->summary = arena_printf(&g->out->mem, "%zu of %zu check%s failed", fails, n, plural_s(n));
	v->now_days = gate_days(g, NULL);
	v->about = arena_printf(&g->out->mem, "%zu runs", g->query->history->nrun);
	g->verdict = v;
	g->out->verdict = v;
}

static void put_line(struct gate *g)
{
	struct table *t = result_lines_of(g->out, &gate_docs[GATE_TABLE_VERDICT]);
	size_t count[VERDICT_STATE_COUNT] = { 0 };

	for (size_t i = 0; i < g->verdict->n; i++)
		count[g->verdict->check[i].state]++;
	TABLE_ROW(t, [VER_STATE] = cell_textf(t, "gate %s", gate_text_state(g, g->state)),
		[VER_SUMMARY] = cell_word(g->verdict->summary),
		[VER_RUNS] = cell_word(g->verdict->about),
		[VER_CHECKS] = cell_size(g->verdict->n - count[VERDICT_IS_SKIP]),
		[VER_FAILED] = cell_size(count[VERDICT_IS_FAIL]),
		[VER_WARNED] = cell_size(count[VERDICT_IS_WARN]),
		[VER_SKIPPED] = cell_size(count[VERDICT_IS_SKIP]),
		[VER_IMPROVED] = cell_size(count[VERDICT_IS_IMPROVED]));
}

void gate_put_nights(struct gate *g, const struct nightly *w, size_t n)
{
	put_verdict(g, w, n);
	put_line(g);
	put_tables(g, w, n);
}
