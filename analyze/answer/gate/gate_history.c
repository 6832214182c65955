/* `gate --history`: did the level of any figure change, and is its newest run off? */
#include "analyze/answer/gate/gate_history.h"
#include "analyze/trace/history.h"

/* What got worse by less is not moved to the front. */
static const double LEAST_SHOWN = 0.005;

/* The rule for a figure: the built-in check it belongs to, one that was chosen, or any. */
static const struct gate_rule *rule_of(const struct gate *g, const char *id)
{
	static const struct pair_limits any = { .id = "metric", .suite = "metrics" };
	struct gate_rule *own;

	for (EACH(const struct gate_rule, r, g->rules.v, g->rules.n)) {
		if (r->def->kind == GATE_PARTS && !gate_is_store(g))
			continue; /* a column of that name is any figure */
		if (strcmp(r->id, id) == 0 || gate_is_of(r->def, id))
			return r;
	}
	own = arena_alloc(&g->out->mem, sizeof(*own));
	*own = (struct gate_rule){ .def = &any, .id = id, .tolerance = 0.05, .accepted = 1 };
	own->least = isnan(g->rules.min_change) ? 0.01 : g->rules.min_change;
	/* columns of a CSV were chosen by somebody; a store has everything that runs say */
	if (gate_is_store(g))
		own->level = LEVEL_NOTE;
	return own;
}

/* How its changes of level are found: what was given for it goes before --min-change. */
static struct segment_options segments_of(const struct gate *g, const struct gate_rule *r)
{
	struct segment_options o = g->segments;

	if (!r->is_given)
		return o;
	if (r->limit > 0) /* in the figure's unit: counts() looks at it */
		o.min_change = 0;
	o.min_change = MIN(r->tolerance, o.min_change);
	return o;
}

static void find_series(struct gate *g, struct nightly *w, size_t metric)
{
	const struct segment_options o = segments_of(g, w->rule);
	const struct changepoint_options how = { o.window, o.alpha, o.min_change };

	segment_series(&w->s, g->query->history, metric, &o, &g->out->mem);
	const struct metric *m =
		metricset_find(w->rule->def->kind == GATE_PARTS ? &g->now_parts : &g->now, w->s.id);
	if (m && m->n > 0) {
		course_append(&w->s, g, m);
		if (w->s.n >= SEGMENT_LEAST)
			w->s.point =
				changepoint_find(w->s.v, w->s.n, &how, &w->s.npoint, &g->out->mem);
	}
	if (w->rule->better != BETTER_NONE)
		w->s.better = w->rule->better;
}

/* Its place among the checks; a column step_time_ms of a table stands where step_time would. */
static size_t place_of(const struct gate *g, const struct nightly *w)
{
	size_t i = 0;

	while (i < g->rules.n && &g->rules.v[i] != w->rule &&
		strncmp(w->s.id, g->rules.v[i].id, strlen(g->rules.v[i].id)) != 0)
		i++;
	return w->state == VERDICT_IS_NOTE ? g->rules.n : i;
}

/* By how much it got worse, in the newest run or where its level changed, to a thousandth. */
static double worsening(const struct nightly *w)
{
	double sign = w->s.better == BETTER_HIGHER ? -1 : 1, most = sign * w->change;

	for (size_t i = 0; i < w->s.npoint; i++)
		most = fmax(most, sign * w->s.point[i].change);
	if (w->s.better == BETTER_NONE || !(most > LEAST_SHOWN))
		return 0;
	return most < 1e9 ? round(1e3 * most) : 1e3; /* from 0: as twice */
}

/* Bad news first, what says nothing last: too few runs, or nothing but 0. */
static int class_of(const struct nightly *w)
{
	if (w->state >= VERDICT_IS_CHANGED)
		return -(int)w->state;
	return w->state == VERDICT_IS_SKIP || ALL(i, w->s.n, w->s.v[i] == 0) ? 1 : 0;
}

static bool is_before(const struct gate *g, const struct nightly *a, const struct nightly *b)
{
	return COMPARE_BY(compare3(class_of(a), class_of(b)),
		       compare3_down(worsening(a), worsening(b)),
		       compare3(place_of(g, a), place_of(g, b))) < 0;
}

static void sort_by_weight(const struct gate *g, struct nightly *w, size_t n)
{
	size_t k;

	for (size_t i = 1; i < n; i++) {
		const struct nightly one = w[i];

		for (k = i; k > 0 && is_before(g, &one, &w[k - 1]); k--)
			w[k] = w[k - 1];
		w[k] = one;
	}
}

static enum status conclude(struct gate *g, const struct nightly *w, size_t n, struct err *e)
{
	size_t known = 0;

	for (EACH(const struct nightly, nightly, w, n)) {
		known += nightly->state != VERDICT_IS_SKIP;
		gate_take_state(g, nightly->state);
	}
	gate_settle_state(g);
	if (known > 0)
		return OK;
	if (n == 0)
		return err_hinted(e, E_NODATA,
			"columns called date, time, timestamp, night, run, label and name only name "
			"the runs",
			"nothing was compared: the history has no figures");
	(void)err_set(
		e, E_NODATA, -1, "nothing was compared: no figure has %d runs", SEGMENT_LEAST);
	return err_hint(e, "the history has %zu; until then compare sides: gate BASE NEW",
		g->query->history->nrun);
}

/* What runs consist of is said where something is missing. */
static size_t without_parts(struct nightly *w, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (w[i].rule->def->kind != GATE_PARTS || w[i].state == VERDICT_IS_FAIL)
			w[kept++] = w[i];
	return kept;
}

enum status gate_history(struct gate *g, struct err *e)
{
	const struct history *h = g->query->history;
	struct nightly *w = arena_array(&g->mem, h->nmetric, sizeof(*w));
	size_t n = 0, checks = 0; /* what is for information blunts no check */

	for (size_t i = 0; i < h->nmetric; i++) {
		struct nightly *one = &w[n];

		if (strcmp(h->metric[i].id, METRIC_OUTSIDE) == 0)
			continue;
		*one = (struct nightly){ .rule = rule_of(g, h->metric[i].id) };
		find_series(g, one, i);
		n += one->s.n > 0 && one->rule->level != LEVEL_OFF;
		checks += one->s.n > 0 && one->rule->level < LEVEL_NOTE;
	}
	g->alpha = gate_store_alpha(checks);
	for (size_t i = 0; i < n; i++)
		gate_judge_night(g, &w[i]);
	n = without_parts(w, n);
	sort_by_weight(g, w, n);
	TRY(conclude(g, w, n, e));
	gate_put_nights(g, w, n);
	return OK;
}
