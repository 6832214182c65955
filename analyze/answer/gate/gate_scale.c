/*
 * `gate`: what a check tolerates on the scale it is compared on, and what a decision means for it.
 */
#include "analyze/answer/gate/gate.h"

/* Worse is larger: of what should be small new / base, of a rate base / new. */
static double ratio(double share, const struct gate_scale *s)
{
	if (!s->is_rate)
		return log1p(share);
	return share < 1 ? -log1p(-share) : INFINITY;
}

static double scaled(double share, const struct gate_scale *s)
{
	if (!s->is_difference)
		return ratio(share, s);
	return s->is_points ? share : share * fabs(s->base);
}

static double scaled_amount(double amount, const struct gate_scale *s)
{
	return s->is_difference ? amount : ratio(amount / fabs(s->base), s);
}

double gate_tolerance(const struct gate_rule *r, const struct gate_scale *s)
{
	double share = scaled(r->tolerance, s), limit = scaled_amount(r->limit, s);
	double floor = scaled_amount(r->floor, s);

	if (r->limit > 0 && limit < share)
		share = limit;
	return MAX(floor, share);
}

double gate_least(const struct gate_rule *r, const struct gate_scale *s)
{
	double least = scaled(r->least, s), floor = scaled_amount(r->floor, s);

	return MAX(floor, least);
}

enum verdict_state gate_state_of(const struct gate *g, const struct gate_answer *a)
{
	static const enum verdict_state states[DECISION_COUNT] = {
		[DECISION_IMPROVED] = VERDICT_IS_IMPROVED,
		[DECISION_PASS] = VERDICT_IS_PASS,
		[DECISION_SKIP] = VERDICT_IS_SKIP,
		[DECISION_NOISY] = VERDICT_IS_NOISY,
		[DECISION_FAIL] = VERDICT_IS_FAIL,
	};
	enum verdict_state s = states[a->answer.decision];

	if (s == VERDICT_IS_IMPROVED && g->is_partial && a->rule->def->is_speed)
		return VERDICT_IS_NOTE; /* less was done */
	if (s != VERDICT_IS_FAIL && s != VERDICT_IS_NOISY)
		return s;
	if (a->rule->level == LEVEL_NOTE)
		return VERDICT_IS_NOTE;
	if (s == VERDICT_IS_FAIL &&
		(a->rule->level == LEVEL_WARN || (g->is_foreign && a->rule->def->is_speed)))
		return VERDICT_IS_WARN;
	return s;
}
