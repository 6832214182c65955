/*
 * `gate` against a store: what passed every night may have left the level that the store began on.
 */
#include "analyze/answer/gate/gate_history.h"

#include "analyze/trace/history.h"

double course_plain(const struct course *c, double v)
{
	return c->is_log ? exp(c->sign * v) : c->sign * v;
}

void course_append(struct segment_series *s, struct gate *g, const struct metric *now)
{
	size_t all = s->n + now->n;
	double *v = arena_array(&g->out->mem, all, sizeof(*v));
	size_t *run = arena_array(&g->out->mem, all, sizeof(*run));

	if (s->n > 0) {
		memcpy(v, s->v, s->n * sizeof(*v));
		memcpy(run, s->run, s->n * sizeof(*run));
	}
	for (size_t i = 0; i < now->n; i++) {
		v[s->n + i] = now->sample[i].centre;
		run[s->n + i] = g->query->history->nrun + i;
	}
	s->v = v;
	s->run = run;
	s->n = all;
}

static void scale(struct course *c, struct gate *g)
{
	c->sign = c->s.better == BETTER_HIGHER ? -1 : 1;
	c->is_log = !c->s.is_points;
	for (size_t i = 0; i < c->s.n; i++)
		c->is_log = c->is_log && c->s.v[i] > 0;
	c->v = arena_array(&g->out->mem, c->s.n, sizeof(*c->v));
	for (size_t i = 0; i < c->s.n; i++)
		c->v[i] = c->sign * (c->is_log ? log(c->s.v[i]) : c->s.v[i]);
}

/* As given, else the least that counts; on top of what was acknowledged. */
static double tolerance_of(const struct course *c, const struct gate_rule *r)
{
	const struct gate_scale s = { course_plain(c, c->v[c->begin]), !c->is_log, c->s.is_points,
		c->sign < 0 };
	double most = gate_tolerance(r, &s), least = gate_least(r, &s);

	least = r->is_given || most < least ? most : least;
	if (r->accepted != 1)
		least +=
			c->sign * (c->is_log ? log(r->accepted) : (r->accepted - 1) * fabs(s.base));
	return MAX(least, 0);
}

void course_init(struct course *c, struct gate *g, const struct segment_series *s,
	const struct gate_rule *rule, size_t from)
{
	struct drift_options o = { .alpha = GATE_DRIFT_SHARE * g->alpha };

	*c = (struct course){ .s = *s };
	if (s->n < DRIFT_LEAST || s->is_exact || !(rule->is_given || rule->least > 0))
		return;
	scale(c, g);
	c->begin = segment_reference(s, from, g->segments.alpha, &c->reference);
	c->tolerance = tolerance_of(c, rule);
	o.least = c->tolerance;
	o.reference = c->reference;
	c->drift = drift_find(c->v + c->begin, s->n - c->begin, &o);
}

const char *course_since(const struct course *c, const struct gate *g)
{
	const struct drift *d = &c->drift;
	size_t first = c->begin + d->since, n = c->s.n - first;
	const char *name = gate_night_name(g, c->s.run[first]);

	if (!d->is_creep)
		return arena_printf(&g->out->mem, "since %s (%zu run%s)", name, n, plural_s(n));
	return arena_printf(&g->out->mem, "creeping since %s, %s a run", name,
		gate_text_ratio(g, course_plain(c, d->from), course_plain(c, d->from + d->slope),
			c->s.unit, c->s.is_points, 2));
}

/* ---- beside the checks ---- */

/* The same metric with so many runs, for what is said about it. */
static const struct metric *part_of(struct gate *g, const struct metric *m, size_t n)
{
	struct metric *part = arena_alloc(&g->out->mem, sizeof(*part));

	*part = *m;
	part->n = n;
	return part;
}

static void put_drift(struct gate *g, const struct gate_answer *of, const struct course *c)
{
	const struct drift *d = &c->drift;
	struct gate_answer *a = &g->answer[g->n++];
	struct gate_rule *rule = arena_alloc(&g->out->mem, sizeof(*rule));

	*rule = *of->rule;
	rule->id = arena_printf(&g->out->mem, "drift:%s", of->rule->id);
	if (rule->def->is_part && !rule->is_given)
		rule->level = LEVEL_WARN; /* where the step crept with it, that fails itself */
	*a = (struct gate_answer){ .rule = rule, .tolerance = c->tolerance };
	a->base = part_of(g, of->base, d->since);
	a->now = part_of(g, of->now, c->s.n - c->begin - d->since);
	a->noise = a->noise_df = NAN;
	a->is_lowered = !rule->is_given;
	a->change.is_difference = !c->is_log;
	a->change.base = course_plain(c, d->from);
	a->change.now = course_plain(c, d->to);
	a->change.delta = a->change.now - a->change.base;
	a->change.ratio = a->change.base != 0 ? a->change.delta / fabs(a->change.base) : NAN;
	a->change.lo = a->change.hi = NAN;
	a->change.p = 2 * d->p;
	a->change.change = (struct decide_change){ d->amount, 0, INFINITY, true, d->since };
	a->answer =
		(struct decide_answer){ DECISION_FAIL, false, NAN, NAN, NAN, DECIDED_REGRESSION };
	a->since = course_since(c, g);
	a->state = gate_state_of(g, a);
}

static void judge_drift(struct gate *g, const struct gate_answer *of)
{
	struct course c;

	if (!of->base || !of->now || of->rule->def->kind != GATE_CHANGE ||
		of->state == VERDICT_IS_SKIP ||
		(of->state == VERDICT_IS_NOTE && of->rule->level != LEVEL_NOTE))
		return;
	const struct segment_series *along = gate_series(g, of->base->id);
	if (!along)
		return;
	struct segment_series s = *along;
	s.better = of->base->better;
	course_append(&s, g, of->now);
	course_init(&c, g, &s, of->rule, 0);
	if (c.drift.is_found)
		put_drift(g, of, &c);
}

void gate_store_drift(struct gate *g)
{
	size_t n = g->n;

	for (size_t i = 0; i < n; i++)
		judge_drift(g, &g->answer[i]);
}
