/* The rule that says whether a change may pass. */
#include "analyze/stat/decide.h"

#include "analyze/stat/law.h"
#include "analyze/stat/welch.h"
#include "base/words.h"

WORDS(decision_word, enum decision, DECISIONS, 2)

WORDS(decide_verdict_word, enum decide_verdict, DECIDE_VERDICTS, 2)

struct decide_side decide_side_of(const double *value, const double *within, size_t n)
{
	struct moments m = welch_moments(value, n);
	struct decide_side s = { n, m.mean, m.variance, 0 };
	size_t known = 0;
	double sum = 0;

	for (size_t i = 0; within && i < n; i++)
		if (!isnan(within[i])) {
			sum += within[i];
			known++;
		}
	if (known)
		s.within = sum / (double)known;
	return s;
}

static struct decide_change measured(const struct decide_side *base, const struct decide_side *now)
{
	struct moments a = { base->runs, base->centre, base->between };
	struct moments b = { now->runs, now->centre, now->between };
	struct welch w = welch_test(&a, &b, 0.95);

	return (struct decide_change){
		.estimate = w.difference, .se = w.se, .df = w.df, .is_measured = true
	};
}

struct decide_change decide_change_of(const struct decide_side *base, const struct decide_side *now,
	double noise, double noise_df)
{
	struct decide_change c = { NAN, NAN, noise_df, false, 0 };
	double kb = (double)base->runs, kn = (double)now->runs;

	if (base->runs == 0 || now->runs == 0)
		return c;
	if (base->runs >= DECIDE_MEASURED && now->runs >= DECIDE_MEASURED)
		c = measured(base, now);
	else {
		c.estimate = now->centre - base->centre;
		c.se = sqrt(base->within / kb + now->within / kn + noise * noise / kb +
			noise * noise / kn);
	}
	c.n = MIN(base->runs, now->runs);
	return c;
}

struct decide_change decide_change_known(const struct decide_side *base,
	const struct decide_side *now, double noise, double noise_df, double more)
{
	struct decide_change c = { NAN, NAN, noise_df, true, 0 };

	if (base->runs == 0 || now->runs == 0)
		return c;
	c.estimate = now->centre - base->centre;
	c.se = noise * sqrt(1 / (double)base->runs + more / (double)now->runs);
	c.n = MIN(base->runs, now->runs);
	return c;
}

/* n (t se / (|e| - T))^2, and one more run than there are at least. */
static double needed_runs(const struct decide_change *c, double reach, double tolerance)
{
	double over = fabs(c->estimate) - tolerance;

	if (!(over > 0) || c->n == 0)
		return NAN;
	double n = ceil((double)c->n * (reach / over) * (reach / over));
	return n > (double)c->n ? n : (double)c->n + 1;
}

static enum decide_verdict verdict_of(double estimate, double reach, double tolerance)
{
	double size = fabs(estimate);

	if (size - reach > tolerance)
		return estimate > 0 ? DECIDED_REGRESSION : DECIDED_IMPROVEMENT;
	if (size > tolerance)
		return DECIDED_UNKNOWN;
	return size > reach ? DECIDED_BELOW : DECIDED_NO_CHANGE;
}

struct decide_answer decide(
	const struct decide_change *c, double tolerance, double confidence, bool on_estimate)
{
	struct decide_answer a = { DECISION_PASS, false, c->estimate, c->estimate, NAN,
		DECIDED_UNKNOWN };
	double reach = 0;

	if (isnan(c->estimate)) {
		a.decision = DECISION_SKIP;
		return a;
	}
	if (c->se > 0)
		reach = law_t_quantile(confidence, c->df) * c->se;
	a.lo -= reach;
	a.hi += reach;
	if (on_estimate)
		reach = 0;
	if (c->estimate - reach > tolerance)
		a.decision = DECISION_FAIL;
	else if (c->estimate > tolerance)
		a.decision = DECISION_NOISY;
	else if (c->estimate + reach < -tolerance)
		a.decision = DECISION_IMPROVED;
	a.is_weak = a.decision == DECISION_PASS && c->estimate + reach > tolerance;
	a.verdict = verdict_of(c->estimate, reach, tolerance);
	if (a.verdict == DECIDED_UNKNOWN)
		a.needed = needed_runs(c, reach, tolerance);
	return a;
}

double decide_detectable(double noise, double noise_df, size_t runs, double confidence)
{
	double df = noise_df, k = (double)runs;

	if (runs == 0)
		return NAN;
	if (runs >= DECIDE_MEASURED)
		df = 2 * (k - 1);
	return (law_t_quantile(confidence, df) + law_normal_quantile(0.8)) * noise * sqrt(2 / k);
}
