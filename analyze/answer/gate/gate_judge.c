/*
 * `gate`: each rule against both sides.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/compare/sides.h"

static const double confidence = 0.95;

/* ---- finding the figures ---- */

static const struct metric *metric_of(const struct metricset *m, const struct gate_rule *rule)
{
	size_t i;

	for (i = 0; i < GATE_NAMES && rule->def->metric[i]; i++) {
		const struct metric *found = metricset_find(m, rule->def->metric[i]);

		if (found)
			return found;
	}
	return rule->def->metric[0] ? NULL : metricset_find(m, rule->id);
}

/* The name of a metric of either side nearest to the word, or NULL. */
static const char *nearest(const struct gate *g, const char *word)
{
	size_t ndef, n = 0, i;
	const struct gate_def *def = gate_defs(&ndef);
	const char **names;

	names = arena_array(&g->out->mem, ndef + g->base.n + g->now.n, sizeof(*names));
	for (i = 0; i < ndef; i++)
		names[n++] = def[i].id;
	for (i = 0; i < g->base.n; i++)
		names[n++] = g->base.v[i].id;
	for (i = 0; i < g->now.n; i++)
		names[n++] = g->now.v[i].id;
	return opt_nearest(word, names, n);
}

/* A chosen check that nobody knows is a mistake of the one who wrote it. */
static enum status unknown(const struct gate *g, const struct gate_rule *rule, struct err *e)
{
	const char *near = nearest(g, rule->id);

	(void)err_set(e, E_USAGE, -1, "%s: no check '%s', and neither side has such a metric%s%s%s",
		rule->origin, rule->id, near ? "; did you mean '" : "", near ? near : "",
		near ? "'?" : "");
	return err_hint(e, "'traceq gate --verbose' lists the checks; ops are op:REGEX");
}

static enum status find_metrics(struct gate *g, struct gate_answer *a, struct err *e)
{
	const struct gate_rule *rule = a->rule;

	if (rule->def->kind == GATE_OPS) {
		struct metric *m = arena_array(&g->out->mem, 2, sizeof(*m));

		if (g->base_side)
			TRY(gate_ops_metric(&m[0], rule, g->base_side, &g->out->mem, e));
		TRY(gate_ops_metric(&m[1], rule, g->now_side, &g->out->mem, e));
		a->base = m[0].n ? &m[0] : NULL;
		a->now = m[1].n ? &m[1] : NULL;
		return OK;
	}
	if (rule->def->kind == GATE_NEW) {
		struct metric *m = arena_array(&g->out->mem, 1, sizeof(*m));

		if (g->base_side)
			gate_new_kernels(m, g->base_side, g->now_side, &g->out->mem);
		a->now = m->n ? m : NULL;
		return OK;
	}
	a->base = metric_of(&g->base, rule);
	a->now = metric_of(&g->now, rule);
	if (!a->base && !a->now && !rule->def->metric[0])
		return unknown(g, rule, e);
	return OK;
}

/* ---- deciding ---- */

/* A copy with the direction somebody chose. */
static const struct metric *directed(
	const struct gate *g, const struct metric *m, const struct gate_rule *rule)
{
	struct metric *copy;

	if (!m || rule->better == BETTER_NONE)
		return m;
	copy = arena_alloc(&g->out->mem, sizeof(*copy));
	*copy = *m;
	copy->better = rule->better;
	return copy;
}

static double sign_of(const struct gate_answer *a)
{
	return a->base->better == BETTER_HIGHER ? -1 : 1;
}

/* What is tolerated, on the scale of the comparison: the larger of share and floor, no more than
 * the limit. */
static double tolerance_of(const struct gate_answer *a)
{
	const struct gate_rule *r = a->rule;
	const struct change *c = &a->change;
	double size = fabs(c->base), share = r->tolerance, floor = r->floor, limit = r->limit;

	if (!c->is_difference) {
		share = log1p(share);
		floor = log1p(floor / size);
		limit = log1p(limit / size);
	} else if (!a->base->is_points) {
		share *= size;
	}
	if (r->limit > 0 && limit < share)
		share = limit;
	return floor > share ? floor : share;
}

/* The change that was acknowledged, in the direction "worse is larger". */
static double accepted(const struct gate_answer *a)
{
	double ratio = a->rule->accepted;

	if (ratio == 1)
		return 0;
	return sign_of(a) * (a->change.is_difference ? (ratio - 1) * a->change.base : log(ratio));
}

static void find_change(struct gate *g, struct gate_answer *a)
{
	const struct gate_rule *r = a->rule;
	struct change_options o = {
		.noise = isnan(r->noise) ? g->rules.noise : r->noise,
		.tolerance = r->tolerance,
		.confidence = confidence,
		.on_estimate = r->on_estimate || g->rules.on_estimate,
	};

	if (isnan(r->noise) && !g->rules.noise_is_chosen && !g->base_side &&
		!isnan(gate_history_noise(a->base)))
		o.noise = gate_history_noise(a->base);
	a->base = directed(g, a->base, r);
	a->now = directed(g, a->now, r);
	change_of(&a->change, a->base, a->now, &o, &g->mem);
	if (!a->change.is_difference || a->base->is_points)
		return;
	o.noise *= fabs(a->change.base); /* a share of the base, where there are no ratios */
	change_of(&a->change, a->base, a->now, &o, &g->mem);
}

/*
 * Why a run has fewer steps than are wanted of it, or NULL: gate.min-steps where somebody chose it,
 * else the tier's of logs.
 */
static const char *shortage(const struct gate *g, const struct metric *m)
{
	bool chosen = g->rules.min_steps > 0;
	int64_t least = chosen ? g->rules.min_steps : m->is_log ? gate_min_steps[g->rules.tier] : 0;
	size_t i;

	for (i = 0; i < m->n; i++) {
		const struct metric_sample *x = &m->sample[i];
		int64_t steps = x->steps > 0 ? x->steps : x->count;

		if (steps > 1 && steps < least)
			return arena_printf(&g->out->mem, "%lld steps; %s wants %lld%s",
				(long long)steps, chosen ? "gate.min-steps" : "the tier",
				(long long)least, chosen ? "" : " of a log (gate.min-steps)");
	}
	return NULL;
}

static void judge_change(struct gate *g, struct gate_answer *a)
{
	struct decide_change c;

	find_change(g, a);
	a->why = shortage(g, a->base);
	if (!a->why)
		a->why = shortage(g, a->now);
	if (a->why) {
		a->answer = (struct decide_answer){ DECISION_SKIP, false, NAN, NAN, NAN };
		return;
	}
	a->answer = a->change.answer;
	if (isnan(a->change.change.estimate) || a->answer.decision == DECISION_SKIP) {
		a->why = "too few steps; --gate-on estimate compares them";
		return;
	}
	a->tolerance = tolerance_of(a);
	c = a->change.change;
	c.estimate -= accepted(a);
	a->answer = decide(&c, a->tolerance, confidence,
		a->rule->on_estimate || g->rules.on_estimate || a->change.is_exact);
}

/* New alone: its largest run. */
static void judge_most(struct gate_answer *a)
{
	double most = 0;
	size_t i;

	for (i = 0; i < a->now->n; i++)
		if (a->now->sample[i].centre > most)
			most = a->now->sample[i].centre;
	a->change.base = a->base ? metric_centre(a->base) : NAN;
	a->change.now = most;
	a->change.is_difference = true;
	a->change.lo = a->change.hi = NAN;
	a->tolerance = a->rule->tolerance;
	a->answer.decision = most > a->tolerance ? DECISION_FAIL : DECISION_PASS;
}

static enum verdict_state state_of(const struct gate *g, const struct gate_answer *a)
{
	static const enum verdict_state states[DECISION_COUNT] = {
		[DECISION_IMPROVED] = VERDICT_IS_IMPROVED,
		[DECISION_PASS] = VERDICT_IS_PASS,
		[DECISION_SKIP] = VERDICT_IS_SKIP,
		[DECISION_NOISY] = VERDICT_IS_NOISY,
		[DECISION_FAIL] = VERDICT_IS_FAIL,
	};
	enum verdict_state s = states[a->answer.decision];

	if (s != VERDICT_IS_FAIL && s != VERDICT_IS_NOISY)
		return s;
	if (a->rule->level == LEVEL_NOTE)
		return VERDICT_IS_NOTE;
	if (s == VERDICT_IS_FAIL &&
		(a->rule->level == LEVEL_WARN || (g->is_foreign && a->rule->def->is_speed)))
		return VERDICT_IS_WARN;
	return s;
}

/* Not there on a side: said when base has it, or when it was chosen. */
static bool is_absent(struct gate_answer *a)
{
	bool most = gate_is_most(a->rule);

	if (a->now && (a->base || most))
		return false;
	a->answer.decision = DECISION_SKIP;
	a->state = VERDICT_IS_SKIP;
	a->change = (struct change){ .base = a->base ? metric_centre(a->base) : NAN,
		.now = a->now ? metric_centre(a->now) : NAN,
		.delta = NAN,
		.ratio = NAN,
		.lo = NAN,
		.hi = NAN };
	a->why = !a->base && !a->now ? "neither side has it"
		: a->base            ? "base has it, new does not"
				     : "new has it, base does not";
	return true;
}

static enum status judge_rule(struct gate *g, const struct gate_rule *rule, struct err *e)
{
	struct gate_answer *a;

	if (rule->level == LEVEL_OFF)
		return OK;
	a = &g->answer[g->n];
	*a = (struct gate_answer){ .rule = rule, .tolerance = NAN };
	TRY(find_metrics(g, a, e));
	if (!a->base && !a->now && !rule->is_chosen && !g->o->is_verbose)
		return OK;
	g->n++;
	if (is_absent(a))
		return OK;
	if (gate_is_most(rule))
		judge_most(a);
	else
		judge_change(g, a);
	a->state = state_of(g, a);
	return OK;
}

/* ---- the verdict ---- */

/* For information alone, and nobody asked for it: no reason to say that something was compared. */
static bool is_aside(const struct gate_answer *a)
{
	return a->rule->level == LEVEL_NOTE && !a->rule->is_chosen;
}

static enum status conclude(struct gate *g, struct err *e)
{
	size_t i, compared = 0;

	g->state = VERDICT_IS_IMPROVED;
	for (i = 0; i < g->n; i++) {
		enum verdict_state s = g->answer[i].state;

		compared += s != VERDICT_IS_SKIP && !is_aside(&g->answer[i]);
		if (gate_fails(g, s))
			g->exit_code = 1;
		g->state = s > g->state ? s : g->state;
	}
	if (g->exit_code)
		g->state = VERDICT_IS_FAIL;
	else if (g->state == VERDICT_IS_SKIP || g->state == VERDICT_IS_NOTE)
		g->state = VERDICT_IS_PASS;
	if (compared > 0)
		return OK;
	(void)err_set(e, E_NODATA, -1, "nothing was compared: %zu check%s, all without data", g->n,
		g->n == 1 ? "" : "s");
	return err_hint(e, "%s",
		g->n ? g->answer[0].why : "neither side has a step, a metric or a peak of memory");
}

enum status gate_judge(struct gate *g, struct err *e)
{
	size_t i;

	g->answer = arena_array(&g->mem, g->rules.n, sizeof(*g->answer));
	for (i = 0; i < g->rules.n; i++)
		TRY(judge_rule(g, &g->rules.v[i], e));
	return conclude(g, e);
}
