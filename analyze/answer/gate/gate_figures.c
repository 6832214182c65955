/* `gate`: figures of logs and summaries.  What a check names is its own, from each source that says
 * it; every other one is a check by itself, as its kind says (analyze/trace/figure.h). */
#include "analyze/answer/gate/gate.h"
#include "analyze/trace/figure.h"
#include "analyze/compare/better.h"

static const struct pair_limits figure_def = { .id = "figure", .suite = "figures" };
static const struct pair_limits speed_def = {
	.id = "figure", .suite = "figures", .is_speed = true
};

/* ---- directions ---- */

enum status gate_direct(struct gate *g, struct err *e)
{
	for (size_t i = 0; i < g->o->better.n; i++) {
		struct better b;

		TRY(better_parse(&b, g->o->better.v[i], &g->out->mem, e));
		if (!better_apply(&b, &g->base, &g->now))
			return err_set(
				e, E_USAGE, -1, "--better: neither side has a figure '%s'", b.name);
	}
	return OK;
}

/* ---- whose check it is ---- */

/* The metric of a pair that knows what it is: a history has ids alone. */
static const struct metric *known(const struct metric_pair *p)
{
	if (p->now && p->now->source)
		return p->now;
	return metric_pair_any(p);
}

static bool is_by_name(const struct gate_rule *rule)
{
	return rule->def == &gate_named_def;
}

/* "summary.average_step_time" is of step_time. */
static bool is_average_of(const struct metric *m, const char *name)
{
	static const char *const averages[] = { "average_", "avg_", "mean_" };
	const char *quantity = metric_quantity(m), *slash = strrchr(quantity, '/');
	const char *dot = strrchr(slash ? slash : quantity, '.');
	const char *last = dot ? dot + 1 : slash ? slash + 1 : quantity;

	for (size_t i = 0; i < COUNT_OF(averages); i++) {
		size_t n = strlen(averages[i]);

		if (strncmp(last, averages[i], n) == 0 && strcmp(last + n, name) == 0)
			return true;
	}
	return false;
}

/* What somebody tolerates of a quantity, whoever says it. */
static bool names_given(const struct gate_rule *rule, const struct metric *m)
{
	return rule->is_given && m->is_log && rule->def->kind == GATE_CHANGE &&
		(metric_is_called(m, rule->id) || is_average_of(m, rule->id));
}

static bool names(const struct gate_rule *rule, const struct metric *m)
{
	if (is_by_name(rule))
		return metric_is_called(m, rule->id);
	if (rule->def->kind != GATE_CHANGE && rule->def->kind != GATE_MOST)
		return strcmp(m->id, rule->id) == 0; /* of a store: ranks, devices, steps */
	return gate_is_of(rule->def, metric_quantity(m)) || names_given(rule, m);
}

/* A metric's own id goes before what the built-in checks name, that before any other name. */
static const struct gate_rule *owner_of(const struct gate *g, const struct metric *m)
{
	const struct gate_rule *found = NULL;

	for (EACH(const struct gate_rule, rule, g->rules.v, g->rules.n)) {
		if (is_by_name(rule) && strcmp(rule->id, m->id) == 0)
			return rule;
		if (!found && names(rule, m))
			found = rule;
	}
	return found;
}

void gate_find_pairs(struct gate *g)
{
	metric_pairs_init(&g->pairs, &g->base, &g->now, &g->mem);
	g->owner = arena_array(&g->mem, g->pairs.n, sizeof(*g->owner));
	for (size_t i = 0; i < g->pairs.n; i++)
		g->owner[i] = owner_of(g, known(&g->pairs.v[i]));
}

/* A trace's parts of the step have the step's check.  A store does not say what was a trace's. */
bool gate_is_figure(const struct gate *g, size_t pair)
{
	const struct metric *m = known(&g->pairs.v[pair]);

	return !g->owner[pair] && (m->is_log || !m->source) && !metric_is_part(m->id);
}

bool gate_is_judged(const struct gate_answer *a)
{
	return !a->rule->is_figure || a->rule->better != BETTER_NONE;
}

bool gate_is_only_new(const struct gate_answer *a)
{
	return a->state == VERDICT_IS_NOTE && !a->base && !gate_is_most(a->rule);
}

static const struct figure_kind *kind_of(const struct metric *m)
{
	return m->kind ? m->kind : figure_kind(span_of(metric_quantity(m)), m->unit);
}

bool gate_is_property(const struct gate_answer *a)
{
	const struct metric_pair p = { a->base, a->now };

	if (gate_is_judged(a) || (!a->base && !a->now))
		return false;
	return figure_kind_is_property(kind_of(known(&p)));
}

/* ---- rules ---- */

/* What its kind tolerates; of no kind, as of a metric that is chosen by name. */
static void fill(struct gate_rule *rule, const struct gate *g, const struct metric *m,
	const struct figure_kind *kind)
{
	rule->tolerance = kind->tolerance[g->rules.tier];
	rule->floor = fmax(figure_kind_floor(kind, m->unit), m->least);
	rule->noise = g->rules.noise_is_chosen ? NAN : kind->noise;
	rule->level = kind->is_warning ? LEVEL_WARN : LEVEL_FAIL;
}

const struct gate_rule *gate_rule_for(
	struct gate *g, const struct gate_rule *rule, const struct metric_pair *pair, size_t nth)
{
	const struct metric *m = known(pair);
	const struct figure_kind *kind = kind_of(m);
	struct gate_rule *own = arena_alloc(&g->out->mem, sizeof(*own));

	if (!rule) {
		*own = (struct gate_rule){ .def = kind->is_speed ? &speed_def : &figure_def,
			.id = arena_copy(&g->out->mem, m->id, strlen(m->id)),
			.is_figure = true,
			.better = m->kind || !m->source ? m->better : kind->better,
			.accepted = 1 };
		fill(own, g, m, kind);
		return own;
	}
	*own = *rule;
	if (m->is_log && rule->def->fails_if_chosen && !rule->is_chosen)
		own->level = LEVEL_FAIL; /* what a log measures is nobody's double */
	if (nth > 0)
		own->id = strcmp(rule->id, m->id) == 0
			? arena_printf(&g->out->mem, "%s@%s", m->id, m->source ? m->source : "")
			: arena_copy(&g->out->mem, m->id, strlen(m->id));
	if (is_by_name(rule) && !rule->is_given && m->kind && kind->better != BETTER_NONE) {
		own->tolerance = kind->tolerance[g->rules.tier];
		own->floor = rule->floor > 0 ? rule->floor : figure_kind_floor(kind, m->unit);
		own->noise = isnan(rule->noise) ? kind->noise : rule->noise;
	}
	return own;
}
