/* `gate` against a store: its runs say how much is noise, so that less need be tolerated. */
#include "analyze/answer/gate/gate.h"
#include "analyze/stat/law.h"
#include "analyze/trace/history.h"

/* Of nights without a change, so many may fail, all checks together; a check takes at most
 * one_check, or of few of them a_few, while all together take no more than of_few. */
static const double false_nights = 0.01, one_check = 0.001, of_few = 0.0075, a_few = 0.0015;
static const double confidence = 0.95;

/* What so many runs say without a better side, and with less noise, may not change. */
enum { STEADY_RUNS = 10 };
static const double steady_noise = 0.02;

/* ---- noise ---- */

const struct segment_series *gate_series(const struct gate *g, const char *id)
{
	const struct history *h = g->query->history;

	return FIND(i, g->series, h->nmetric, strcmp(h->metric[i].id, id) == 0);
}

static bool is_positive(const struct metric *m)
{
	return ALL(i, m->n, m->sample[i].centre > 0);
}

static void measure(const struct gate *g, struct gate_answer *a)
{
	const struct segment_series *s = gate_series(g, a->base->id);
	/* as change_of compares */
	bool is_log = !a->base->is_points && is_positive(a->base) && is_positive(a->now);

	if (s)
		a->noise = segment_noise(s, g->segments.alpha, is_log, &a->noise_df);
	if (isnan(a->noise))
		a->noise_df = NAN;
}

void gate_store_noise(const struct gate *g, struct gate_answer *a)
{
	a->noise = a->noise_df = NAN;
	if (g->base_side || !a->base || !a->now)
		return;
	if (!isnan(a->rule->noise) || g->rules.noise_is_chosen) {
		a->noise = isnan(a->rule->noise) ? g->rules.noise : a->rule->noise;
		a->noise_df = INFINITY;
	} else {
		measure(g, a);
	}
}

/* ---- tolerance ---- */

bool gate_store_is_steady(const struct gate *g, const struct gate_answer *a)
{
	const struct segment_series *s =
		g->query->history && a->base ? gate_series(g, a->base->id) : NULL;

	return s && s->n >= STEADY_RUNS && a->noise < steady_noise;
}

/* Figures that no check names share a false alarm of their own: they blunt no check. */
static double alpha_of(const struct gate *g, const struct gate_answer *a)
{
	return a->rule->is_figure || a->rule->def->is_part ? g->alpha_figures : g->alpha;
}

double gate_store_alpha(size_t checks)
{
	double all = (1 + GATE_DRIFT_SHARE) * (double)checks;

	return MAX(MIN(false_nights / all, one_check), MIN(of_few / all, a_few));
}

double gate_store_tolerance(const struct gate *g, struct gate_answer *a, double most)
{
	const struct decide_change *c = &a->change.change;
	bool on_estimate = a->rule->on_estimate || g->rules.on_estimate;
	const struct gate_scale s = { a->change.base, a->change.is_difference, a->base->is_points,
		a->base->better == BETTER_HIGHER };
	double least = gate_least(a->rule, &s);

	if (isnan(a->noise) || a->rule->is_given || !(a->rule->least > 0) || a->change.is_exact)
		return most;
	double allowed = law_t_quantile(1 - alpha_of(g, a), c->df);
	allowed -= on_estimate ? 0 : law_t_quantile(confidence, c->df);
	allowed *= c->se;
	allowed = MAX(allowed, least);
	a->is_lowered = allowed < most;
	return a->is_lowered ? allowed : most;
}

void gate_store_doubt(const struct gate *g, struct gate_answer *a)
{
	const struct decide_change *c = &a->change.change;
	double over = a->answer.decision == DECISION_FAIL ? c->estimate : NAN;

	if (isnan(a->noise) || a->rule->is_given || a->change.is_exact || a->rule->on_estimate ||
		g->rules.on_estimate || isnan(over) || a->rule->accepted != 1)
		return;
	double reach = law_t_quantile(1 - alpha_of(g, a), c->df) * c->se;
	if (over > reach)
		return;
	a->answer.decision = DECISION_NOISY;
	a->answer.needed = ceil((double)c->n * (reach / over) * (reach / over)) + 1;
}
