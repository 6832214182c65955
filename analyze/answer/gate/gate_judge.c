/* `gate`: each rule against both sides. */
#include "analyze/answer/gate/gate.h"
#include "analyze/rule/list.h"
#include "analyze/trace/figure.h"
#include "analyze/job/sides.h"

static const double confidence = 0.95;

/* A time or a peak below it may be 0 by rounding; ns, bytes. */
static const double LEAST_TIMED = 1000, LEAST_PEAK = 1048576;

/* ---- finding the figures ---- */

/* The name of a metric of either side nearest to the word, or NULL. */
static const char *nearest(const struct gate *g, const char *word)
{
	size_t n;
	const struct rule *rule;
	const char **names;

	names = arena_array(&g->out->mem, RULE_COUNT + g->base.n + g->now.n, sizeof(*names));
	for (n = 0; (rule = rules_at(READS_PAIR, n)); n++)
		names[n] = rule->word.id;
	for (size_t i = 0; i < g->base.n; i++)
		names[n++] = g->base.v[i].id;
	for (size_t i = 0; i < g->now.n; i++)
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

/* What is made of the ops of either side; without values it is not there. */
static enum status find_both(
	struct gate *g, struct gate_answer *a, gate_metric_of *of, struct err *e)
{
	struct metric *m = arena_array(&g->out->mem, 2, sizeof(*m));

	if (g->base_side)
		TRY(of(&m[0], a->rule, g->base_side, &g->out->mem, e));
	TRY(of(&m[1], a->rule, g->now_side, &g->out->mem, e));
	a->base = m[0].n ? &m[0] : NULL;
	a->now = m[1].n ? &m[1] : NULL;
	return OK;
}

static enum status find_metrics(struct gate *g, struct gate_answer *a, struct err *e)
{
	const struct gate_rule *rule = a->rule;

	if (rule->def->kind == GATE_OPS)
		return find_both(g, a, gate_ops_metric, e);
	if (rule->def->kind == GATE_WORK)
		return find_both(g, a, gate_work_metric, e);
	if (rule->def->kind == GATE_PARTS) {
		a->base = metricset_find(&g->base_parts, rule->def->id);
		a->now = metricset_find(&g->now_parts, rule->def->id);
		return OK;
	}
	if (rule->def->kind == GATE_NEW) {
		struct metric *m = arena_array(&g->out->mem, 1, sizeof(*m));

		if (g->base_side)
			gate_new_kernels(m, g->base_side, g->now_side, &g->out->mem);
		a->now = m->n ? m : NULL;
		return OK;
	}
	if (!rule->def->metric) /* nobody has it: it would be somebody's pair */
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

static double tolerance_of(const struct gate *g, struct gate_answer *a)
{
	const struct gate_scale s = { a->change.base, a->change.is_difference, a->base->is_points,
		a->base->better == BETTER_HIGHER };

	return gate_store_tolerance(g, a, gate_tolerance(a->rule, &s));
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
		.judges_few = true,
		.on_estimate = r->on_estimate || g->rules.on_estimate,
	};

	a->base = directed(g, a->base, r);
	a->now = directed(g, a->now, r);
	gate_store_noise(g, a);
	if (isfinite(a->noise_df)) {
		o.noise = a->noise;
		o.noise_df = a->noise_df;
	}
	change_of(&a->change, a->base, a->now, &o, &g->mem);
	if (!a->change.is_difference || a->base->is_points || o.noise_df > 0)
		return;
	o.noise *= fabs(a->change.base); /* a share of the base, where there are no ratios */
	change_of(&a->change, a->base, a->now, &o, &g->mem);
}

/* -1 and its like stand for what nobody measured: no time, rate or peak is below zero. */
static bool is_below_zero(const struct metric *m)
{
	bool is_rate = m->kind ? m->kind->is_speed : m->better == BETTER_HIGHER;
	bool is_measured =
		m->unit == UNIT_NS || is_rate || strcmp(metric_quantity(m), "peak_memory") == 0;

	return is_measured && ANY(i, m->n, m->sample[i].centre < 0);
}

/* "12 of 20 steps": a run has fewer than are wanted of it, by gate.min-steps where somebody chose
 * it, else by the tier of logs; NULL: it has not. */
static const char *shortage(
	const struct gate *g, const struct gate_rule *rule, const struct metric *m)
{
	bool chosen = g->rules.min_steps > 0;
	int64_t least = chosen ? g->rules.min_steps : m->is_log ? gate_min_steps[g->rules.tier] : 0;

	for (size_t i = 0; i < m->n && (chosen || !rule->is_figure); i++) {
		const struct metric_sample *x = &m->sample[i];
		int64_t steps = x->steps > 0 ? x->steps : x->count;

		if (steps > 1 && steps < least)
			return arena_printf(&g->out->mem, "%lld of %lld steps", (long long)steps,
				(long long)least);
	}
	return NULL;
}

/* Few values: a failure is one that is far beyond the tolerance. */
static void judge_few(const struct gate *g, struct gate_answer *a, double estimate)
{
	if (a->change.is_exact)
		return;
	a->few = shortage(g, a->rule, a->base);
	if (!a->few)
		a->few = shortage(g, a->rule, a->now);
	if (!a->few && a->change.is_few)
		a->few = arena_printf(&g->out->mem, "fewer than %d values", CHANGE_STEPS_MIN);
	if (a->few && a->answer.decision == DECISION_FAIL && estimate <= GATE_FEW * a->tolerance)
		a->answer.decision = DECISION_NOISY;
}

static void set_aside(struct gate_answer *a, enum verdict_state state, const char *since)
{
	a->state = state;
	a->since = since;
}

static const char NOT_MEASURED[] = "lost: new did not measure it";

/* What base measured is 0 or below it in new: nobody measured it there.  That nothing waits is no
 * such thing, nor that an operation is not there. */
static bool is_unmeasured(const struct gate_answer *a)
{
	const struct metric *m = a->now;
	const char *name = metric_quantity(m);
	bool is_timed = m->is_log && m->unit == UNIT_NS && !(a->base->least > 0) &&
		metric_role(span_of(name)) != ROLE_WAIT &&
		!span_has_in_nocase(span_of(name), "stall|idle");
	bool is_peak = m->unit == UNIT_BYTES && m->is_log &&
		span_has_in_nocase(span_of(name), "peak|max_allocated|max_mem");
	double least = is_timed ? LEAST_TIMED : is_peak ? LEAST_PEAK : INFINITY;

	return is_below_zero(m) ||
		(ALL(i, a->base->n, a->base->sample[i].centre > least) &&
			ALL(i, m->n, m->sample[i].centre == 0));
}

/* Of what nobody measured in new nothing is better, either: of the same file and unit. */
static void doubt_unmeasured(struct gate *g)
{
	for (EACH(const struct gate_answer, lost, g->answer, g->n))
		for (size_t i = 0; i < g->n && lost->since == NOT_MEASURED; i++) {
			struct gate_answer *a = &g->answer[i];

			if (a->state == VERDICT_IS_IMPROVED && a->change.now == 0 &&
				a->now->unit == lost->now->unit && a->now->source &&
				lost->now->source && strcmp(a->now->source, lost->now->source) == 0)
				set_aside(a, VERDICT_IS_NOTE, NOT_MEASURED);
		}
}

static void judge_change(struct gate *g, struct gate_answer *a)
{
	find_change(g, a);
	if (is_below_zero(a->base)) {
		a->why = "below zero: nothing was measured";
	} else if (is_unmeasured(a) && !gate_may_lack(g, a->rule->id)) {
		a->since = NOT_MEASURED;
		a->answer.decision = DECISION_FAIL;
		a->tolerance = tolerance_of(g, a);
		return;
	}
	if (!a->why && strcmp(metric_quantity(a->base), "mfu") == 0 && !a->base->is_log)
		a->why = gate_work_differs(g);
	if (a->why) {
		a->answer = (struct decide_answer){ DECISION_SKIP, false, NAN, NAN, NAN,
			DECIDED_UNKNOWN };
		return;
	}
	a->answer = a->change.answer;
	if (isnan(a->change.change.estimate) || a->answer.decision == DECISION_SKIP) {
		a->why = "no values";
		return;
	}
	a->tolerance = tolerance_of(g, a);
	struct decide_change c = a->change.change;
	c.estimate -= accepted(a);
	a->answer = decide(&c, a->tolerance, confidence,
		a->rule->on_estimate || g->rules.on_estimate || a->change.is_exact);
	gate_store_doubt(g, a);
	judge_few(g, a, c.estimate);
}

/* What has no better side: shown where it changed; a failure where it never did before. */
static void judge_aside(struct gate *g, struct gate_answer *a)
{
	judge_change(g, a);
	a->state = a->why ? VERDICT_IS_SKIP : VERDICT_IS_PASS;
	if (a->answer.decision != DECISION_FAIL && a->answer.decision != DECISION_IMPROVED)
		return;
	bool is_steady = gate_store_is_steady(g, a);
	a->state = gate_is_property(a)              ? VERDICT_IS_NOTE
		: is_steady || g->o->strict_unknown ? VERDICT_IS_FAIL
						    : VERDICT_IS_CHANGED;
	a->since = gate_is_property(a) ? "a property: not judged"
		: is_steady            ? "steady in the store; better which way? (--better)"
				       : "better which way? (--better)";
}

/* New alone: its largest run. */
static void judge_most(struct gate *g, struct gate_answer *a)
{
	double most = 0;

	for (size_t i = 0; i < a->now->n; i++)
		if (a->now->sample[i].centre > most)
			most = a->now->sample[i].centre;
	a->change.base = a->base ? metric_centre(a->base) : NAN;
	a->change.now = most;
	a->change.is_difference = true;
	a->change.lo = a->change.hi = NAN;
	a->tolerance = a->rule->tolerance;
	a->answer.decision = most > a->tolerance ? DECISION_FAIL : DECISION_PASS;
	if (most > a->tolerance && strcmp(a->rule->id, "run_failed") == 0)
		a->since = gate_why_broken(g);
	else if (most > a->tolerance && a->change.base >= most)
		a->since = "base has as many, but the limit is the new run's own";
	else if (most > a->tolerance && strcmp(a->rule->id, "nan_steps") == 0)
		a->since = gate_where_damaged(g, false);
	else if (most > a->tolerance && strcmp(a->rule->id, "inf_steps") == 0)
		a->since = gate_where_damaged(g, true);
}

/* Of what follows from work: what it takes. */
static const char *why_nobody(const struct gate_rule *rule)
{
	if (rule->def->kind == GATE_WORK)
		return "no shapes of such ops";
	if (strcmp(rule->id, "mfu") == 0)
		return "shapes or peaks unknown";
	return "neither side has it";
}

/* Not there on a side: said when base has it, or when it was chosen. */
static bool is_absent(const struct gate *g, struct gate_answer *a)
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
	a->why = !a->base && !a->now ? why_nobody(a->rule)
		: a->base            ? "base has it, new does not"
				     : "new has it, base does not";
	if (a->now)
		a->state = VERDICT_IS_NOTE;
	if (a->base && !a->now && gate_is_lost(g, a->base)) {
		a->answer.decision = DECISION_FAIL;
		a->state = a->rule->level == LEVEL_NOTE ? VERDICT_IS_NOTE : VERDICT_IS_FAIL;
		a->why = "lost: base has it, new does not";
	}
	a->since = a->state == VERDICT_IS_SKIP ? NULL : a->why;
	return true;
}

/* Listed where something is missing, or when it was asked for. */
static void judge_parts(struct gate *g, struct gate_answer *a)
{
	bool is_asked = a->rule->is_chosen || g->o->is_verbose;

	if (gate_judge_parts(g, a)) {
		a->state = gate_state_of(g, a);
		if (a->state == VERDICT_IS_FAIL && gate_may_lack(g, a->rule->id))
			a->state = VERDICT_IS_NOTE;
		g->n += is_asked || a->state != VERDICT_IS_PASS;
	} else if (is_asked) {
		(void)is_absent(g, a);
		g->n++;
	}
}

static struct gate_answer *new_answer(struct gate *g, const struct gate_rule *rule)
{
	struct gate_answer *a = &g->answer[g->n];

	*a = (struct gate_answer){ .rule = rule, .tolerance = NAN, .noise = NAN };
	return a;
}

static void decide_answer(struct gate *g, struct gate_answer *a)
{
	g->n++;
	if (is_absent(g, a))
		return;
	if (!gate_is_judged(a)) {
		judge_aside(g, a);
		return;
	}
	if (gate_is_most(a->rule))
		judge_most(g, a);
	else
		judge_change(g, a);
	a->state = gate_state_of(g, a);
}

/* ---- the step and what it consists of ---- */

/* Half of what a part grew the step must have grown, too, and the part by so much of a step. */
static const double STEP_SHARE = 0.5, PART_LEAST = 0.02;

/* How long a request waits is no part of a step, though it is as short. */
static const char LATENCIES[] = "latency|ttft|tpot|itl|e2el";

/* A step time that both sides say. */
static bool is_step(const struct gate_answer *a)
{
	return a->base && a->now && a->now->unit == UNIT_NS &&
		metric_role(span_of(metric_quantity(a->now))) == ROLE_STEP_TIME;
}

/* The step of those who say m: of the same file, else of the traces; NULL: nobody says it. */
static const struct gate_answer *step_of(
	const struct gate_answer *const *step, size_t n, const struct metric *m)
{
	const struct gate_answer *traced = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct metric *of = step[i]->now;

		if (of->is_log == m->is_log &&
			(!m->is_log || !m->source || !of->source ||
				strcmp(of->source, m->source) == 0))
			return step[i];
		if (!of->is_log)
			traced = step[i];
	}
	return traced;
}

/* It takes less time, whatever noise there is, or by more than what is worth a failure. */
static bool is_faster(const struct gate_answer *step)
{
	return step->answer.hi < 0 || step->change.change.estimate < -step->rule->least;
}

/* A time that can be a part of that step: of what a log or summary calls forward, data ... */
static bool is_timed_part(const struct gate_answer *a, const struct gate_answer *step)
{
	const struct metric *m = a->now;
	const char *name = metric_quantity(m);
	enum metric_role role = metric_role(span_of(name));

	return m->is_log && m->unit == UNIT_NS && m->better == BETTER_LOWER &&
		(role == ROLE_WAIT || role == ROLE_OTHER) &&
		!span_has_in_nocase(span_of(name), LATENCIES) && a->change.now < step->change.now;
}

/* Shares and parts of a step mean what the step says: of a faster one nothing is worse, of a slower
 * one no share is better, and a part that grew at the cost of others is a warning. */
static void follow(struct gate_answer *a, const struct gate_answer *step)
{
	bool is_bad = a->state == VERDICT_IS_FAIL || a->state == VERDICT_IS_NOISY;
	bool is_share = a->now->is_points && a->now->unit == UNIT_RATIO && !a->now->is_log &&
		strcmp(a->rule->def->id, METRIC_UNEVEN) != 0;

	if (is_share && is_bad && is_faster(step))
		set_aside(a, VERDICT_IS_NOTE, "a share of a faster step");
	else if (is_share && a->state == VERDICT_IS_IMPROVED &&
		step->change.change.estimate > step->tolerance)
		set_aside(a, VERDICT_IS_NOTE, "a share of a slower step");
	else if (a->rule->def->is_part && a->state == VERDICT_IS_FAIL &&
		(is_faster(step) || (step->rule->is_chosen && step->state != VERDICT_IS_FAIL) ||
			step->change.delta < STEP_SHARE * a->change.delta ||
			a->change.delta < PART_LEAST * step->change.base))
		set_aside(a, VERDICT_IS_WARN, "the step did not grow with it");
	else if (a->state == VERDICT_IS_FAIL && is_faster(step) && is_timed_part(a, step))
		set_aside(a, VERDICT_IS_WARN, "a part of a faster step");
}

static void follow_steps(struct gate *g)
{
	const struct gate_answer **step = arena_array(&g->mem, g->n + 1, sizeof(*step)), *of;
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (is_step(&g->answer[i]))
			step[n++] = &g->answer[i];
	for (size_t i = 0; i < g->n; i++) {
		struct gate_answer *a = &g->answer[i];

		if (a->base && a->now && !a->rule->is_given && (of = step_of(step, n, a->now)))
			follow(a, of);
	}
}

/* What is no metric of the sets, and what neither side has. */
static enum status judge_other(struct gate *g, const struct gate_rule *rule, struct err *e)
{
	struct gate_answer *a = new_answer(g, rule);

	TRY(find_metrics(g, a, e));
	if (rule->def->kind == GATE_PARTS)
		judge_parts(g, a);
	else if (a->base || a->now || rule->is_chosen || g->o->is_verbose)
		decide_answer(g, a);
	return OK;
}

static void judge_pair(struct gate *g, const struct gate_rule *rule, size_t pair, size_t nth)
{
	const struct metric_pair *p = &g->pairs.v[pair];
	struct gate_answer *a = new_answer(g, gate_rule_for(g, rule, p, nth));

	a->base = p->base;
	a->now = p->now;
	decide_answer(g, a);
}

static enum status judge_rule(struct gate *g, const struct gate_rule *rule, struct err *e)
{
	bool has_pairs = rule->def->kind == GATE_CHANGE || rule->def->kind == GATE_MOST;
	size_t n = 0;

	if (rule->level == LEVEL_OFF)
		return OK;
	for (size_t i = 0; has_pairs && i < g->pairs.n; i++)
		if (g->owner[i] == rule)
			judge_pair(g, rule, i, n++);
	return n > 0 ? OK : judge_other(g, rule, e);
}

/* ---- the verdict ---- */

/* For information alone, and nobody asked for it: no reason to say that something was compared. */
static bool is_aside(const struct gate_answer *a)
{
	return (a->rule->level == LEVEL_NOTE && !a->rule->is_chosen) ||
		a->rule->def->kind == GATE_PARTS;
}

/* Why nothing was compared: the first check that says why. */
static const char *why_none(const struct gate *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->answer[i].why)
			return g->answer[i].why;
	return "neither side has a step, a metric or a peak of memory";
}

static enum status conclude(struct gate *g, struct err *e)
{
	size_t compared = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct gate_answer *a = &g->answer[i];

		compared += a->state != VERDICT_IS_SKIP && !is_aside(a) && !gate_is_property(a) &&
			!gate_is_only_new(a);
		gate_take_state(g, a->state);
	}
	gate_settle_state(g);
	/* what base had and new has not is an answer, too */
	if (compared > 0 || ANY(i, g->n, g->answer[i].state == VERDICT_IS_FAIL))
		return OK;
	(void)err_set(e, E_NODATA, -1, "nothing was compared: %zu check%s, all without data", g->n,
		plural_s(g->n));
	return err_hint(e, "%s", why_none(g));
}

/* Checks that may raise a false alarm; of figures: those of no check. */
static size_t comparable(const struct gate *g, bool of_figures)
{
	size_t n = 0;

	for (size_t i = 0; i < g->pairs.n; i++) {
		const struct metric_pair *p = &g->pairs.v[i];
		const struct gate_rule *rule = g->owner[i];

		if (!p->base || p->base->is_exact)
			continue;
		bool is_part = rule && rule->def->is_part;

		n += of_figures ? is_part || gate_is_figure(g, i)
				: rule && rule->def->kind == GATE_CHANGE && !is_part;
	}
	return n;
}

enum status gate_judge(struct gate *g, struct err *e)
{
	gate_find_pairs(g);
	g->alpha = gate_store_alpha(comparable(g, false));
	g->alpha_figures = gate_store_alpha(comparable(g, true));
	/* of each rule and pair its answer, and the drift of its figure */
	g->answer = arena_array(
		&g->mem, 2 * (g->rules.n + g->pairs.n) + g->base_parts.n, sizeof(*g->answer));
	for (size_t i = 0; i < g->rules.n; i++)
		TRY(judge_rule(g, &g->rules.v[i], e));
	for (size_t i = 0; i < g->pairs.n; i++)
		if (gate_is_figure(g, i))
			judge_pair(g, NULL, i, 0);
	gate_judge_made(g);
	follow_steps(g);
	doubt_unmeasured(g);
	if (g->query->history)
		gate_store_drift(g);
	return conclude(g, e);
}
