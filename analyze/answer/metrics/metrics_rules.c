/*
 * `metrics`: the rules D01 to D22: what they are called and mean, and those that look at one
 * series.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/measure/slowing.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/line.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/minmax.h"
#include "base/plural.h"
#include "base/saturate.h"

static double mean_of(const double *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i] - v[0];
	return n ? v[0] + sum / (double)n : NAN;
}

/* All values in the file's unit, first and last ones; long series know only these. */
static size_t ends_of(const struct series *s, size_t want, double *first, double *last)
{
	struct point p[SERIES_FIRST];
	size_t i, n;

	n = series_first(s, want, p);
	for (i = 0; i < n; i++)
		first[i] = p[i].y;
	n = series_last(s, want, p);
	for (i = 0; i < n; i++)
		last[i] = p[i].y;
	return n;
}

static void rule_rose(struct metrics *m, const struct metrics_key *k)
{
	enum { ENDS = 10, LEAST = 20 };
	double first[ENDS] = { 0 }, last[ENDS] = { 0 }, early, late;
	double growth = metrics_number(m, "D01.growth");

	if (k->role != ROLE_LOSS || k->s->n <= LEAST)
		return;
	(void)ends_of(k->s, ENDS, first, last);
	early = mean_of(first, ENDS);
	late = mean_of(last, ENDS);
	if (early >= 0 ? late > growth * early : late < growth * early)
		metrics_found(m, RULE_D01, k->s->name,
			"the last 10 values have a mean of %.4g, the first 10%.4g", late, early);
}

/* The non-overlapping window of w values with the lowest sign x mean, the last one aside. */
static size_t best_window(const double *y, size_t n, size_t w, int sign)
{
	size_t i, best = 0;

	for (i = w; i + 2 * w <= n; i += w)
		if (sign * mean_of(y + i, w) < sign * mean_of(y + best, w))
			best = i;
	return best;
}

static void rule_diverged(struct metrics *m, const struct metrics_key *k)
{
	enum { LEAST = 10 };
	int sign = k->role == ROLE_LOSS ? 1 : -1;
	const struct curve *c = &k->c;
	size_t w = MIN(c->n / 10, m->limit->window), best;
	struct curve rest;
	struct curve_trend t;
	double low, late;
	struct curve_level level;

	if (k->role != ROLE_LOSS && k->role != ROLE_REWARD)
		return;
	w = MAX(LEAST, w);
	if (c->n < 3 * w)
		return;
	best = best_window(c->y, c->n, w, sign);
	low = mean_of(c->y + best, w);
	late = mean_of(c->y + (c->n - w), w);
	level = curve_level(c->y + best, w, &m->at->mem);
	if (!(sign * (late - low) > metrics_number(m, "D02.spread") * level.spread))
		return;
	rest = (struct curve){ c->x + best, c->y + best, c->n - best, true, 0, 0, NULL, NULL };
	if (!curve_trend(&t, &rest, &m->at->mem) || !(t.p < metrics_number(m, "D02.p")) ||
		!(sign * t.slope > 0))
		return;
	metrics_found(m, RULE_D02, k->s->name,
		"the last %zu values have a mean of %.4g; it was %.4g at %.6g, and %s since (p = %.1e)",
		w, late / k->factor, low / k->factor, c->x[best + w - 1],
		sign > 0 ? "rises" : "falls", t.p);
}

static void rule_plateau(struct metrics *m, const struct metrics_key *k)
{
	const struct metrics_change *c = &k->change;

	if (metric_role_direction(k->role) == 0 || !c->word ||
		!span_is(span_of(c->word), "plateau"))
		return;
	metrics_found(m, RULE_D03, k->s->name,
		"the last %zu values differ from the %zu before by %.2g (95%% interval %.2g .. %.2g)",
		c->n, c->n, c->delta / k->factor, c->lo / k->factor, c->hi / k->factor);
}

static void rule_spikes(struct metrics *m, const struct metrics_key *k)
{
	enum { MOST = 20000 };
	size_t before = saturate_size(metrics_number(m, "D04.before"));
	size_t recover = saturate_size(metrics_number(m, "D04.recover"));
	double spread = metrics_number(m, "D04.spread");
	const struct curve *c = &k->c;
	struct arena *mem = &m->at->mem;
	size_t i = c->n > MOST ? c->n - MOST : 0, spikes = 0, lasting = 0, to;
	double largest = NAN, at = NAN;

	if ((k->role != ROLE_LOSS && k->role != ROLE_GRAD_NORM) || !c->is_exact || before < 2)
		return;
	for (i += before; i < c->n; i++) {
		struct curve_level l = curve_level(c->y + (i - before), before, mem);
		double limit = l.median + spread * l.spread;

		if (!(l.spread > 0) || !(c->y[i] > limit))
			continue;
		spikes++;
		if (!(largest >= c->y[i])) {
			largest = c->y[i];
			at = c->x[i];
		}
		for (to = i + 1; to < c->n && to <= i + recover && c->y[to] > limit;)
			to++;
		lasting += to < c->n && to > i + recover;
		i = to;
	}
	if (spikes)
		metrics_found(m, RULE_D04, k->s->name,
			"%zu spike%s, %zu not back within %zu values; the highest is %.4g at %.6g",
			spikes, plural_s(spikes), lasting, recover, largest / k->factor, at);
}

static void rule_finite(struct metrics *m, const struct metrics_key *k)
{
	const struct series *s = k->s;
	static const char *const places[] = { [AXIS_ROW] = "row",
		[AXIS_STEP] = "step",
		[AXIS_TIME] = "time",
		[AXIS_REPEAT] = "repeat" };
	double at = s->first_nan_x;

	if (s->nan + s->inf == 0)
		return;
	if (s->nan == 0 || (s->inf && s->first_inf_x < at))
		at = s->first_inf_x;
	metrics_found(m, RULE_D05, s->name,
		"%" PRId64 " NaN, %" PRId64 " Inf, the first at %s %.6g", s->nan, s->inf,
		places[s->axis], at);
}

static void rule_gradients(struct metrics *m, const struct metrics_key *k)
{
	enum { EXPLODING = 10, UNSTABLE = 20 };
	const struct curve *c = &k->c;
	size_t third = c->n / 3;
	double early, late;

	if (k->role != ROLE_GRAD_NORM || c->n < EXPLODING)
		return;
	early = mean_of(c->y, third);
	late = mean_of(c->y + (c->n - third), third);
	if (early > 0 && late > metrics_number(m, "D06.growth") * early)
		metrics_found(m, RULE_D06, k->s->name,
			"exploding: the last third has a mean of %.4g, the first %.4g", late,
			early);
	if (c->n > UNSTABLE && k->mean > 0 && k->std > metrics_number(m, "D06.spread") * k->mean)
		metrics_found(m, RULE_D06, k->s->name,
			"unstable: standard deviation %.4g is %.2f of the mean %.4g", k->std,
			k->std / k->mean, k->mean);
}

static void rule_kl(struct metrics *m, const struct metrics_key *k)
{
	enum { LAST = 200, LEAST = 10 };
	const struct curve *c = &k->c;
	size_t third = c->n / 3, n = MIN(c->n, LAST), i;
	double middle, index[LAST];
	struct line line;

	if (k->role != ROLE_KL || c->n < LEAST)
		return;
	middle = mean_of(c->y + third, third);
	if (middle > 0 && k->window <= third &&
		k->window_mean > metrics_number(m, "D10.growth") * middle)
		metrics_found(m, RULE_D10, k->s->name,
			"the last %zu values have a mean of %.4g, the middle of the run %.4g",
			k->window, k->window_mean, middle);
	for (i = 0; i < n; i++)
		index[i] = (double)i;
	line = line_fit(index, c->y + (c->n - n), n);
	if (fabs(line.slope) > metrics_number(m, "D10.slope"))
		metrics_found(m, RULE_D10, k->s->name,
			"a line through the last %zu values changes by %.3g a value", n,
			line.slope);
}

static void rule_spread(struct metrics *m, const struct metrics_key *k)
{
	enum { LAST = 100 };
	double first[LAST] = { 0 }, last[LAST] = { 0 }, mean;
	size_t n;

	if (k->role == ROLE_ZERO_STD && k->window_mean > metrics_number(m, "D11.share"))
		metrics_found(m, RULE_D11, k->s->name,
			"%.0f%% of groups have equal rewards (last %zu values)",
			100 * k->window_mean, k->window);
	if (k->role != ROLE_REWARD_STD || !span_has_nocase(k->s->name, "var"))
		return;
	n = ends_of(k->s, LAST, first, last);
	mean = mean_of(last, n);
	if (n && mean > metrics_number(m, "D18.mean"))
		metrics_found(m, RULE_D18, k->s->name, "the last %zu values have a mean of %.4g", n,
			mean);
}

/* The curve is without warm-up and in base units. */
static void rule_slowing(struct metrics *m, const struct metrics_key *k)
{
	struct slowing slow;

	if (k->role != ROLE_STEP_TIME)
		return;
	slowing_of(&slow, &k->c, metrics_number(m, "D20.growth"), &m->at->mem);
	if (slow.is_found)
		metrics_found(m, RULE_D20, k->s->name,
			"slower after %.6g: from %.4g to %.4g, %.1f%% more%s (p %s %.0e)", slow.x,
			slow.from / k->factor, slow.to / k->factor, 100 * (slow.to / slow.from - 1),
			slow.is_jump ? "" : ", creeping", slow.p < SLOWING_P_SHOWN ? "<" : "=",
			fmax(slow.p, SLOWING_P_SHOWN));
}

/* The program looked itself, as the documents' does, and wrote what it saw. */
static void rule_told(struct metrics *m, const struct metrics_key *k)
{
	struct point first;

	if (!span_is(k->s->name, "leak_detected") || series_first(k->s, 1, &first) == 0)
		return;
	if (k->s->axis == AXIS_STEP)
		metrics_found(m, RULE_D19, k->s->name,
			"the log says so %" PRId64 " time%s, first at step %.0f", k->s->n,
			plural_s(k->s->n), first.x);
	else
		metrics_found(m, RULE_D19, k->s->name, "the log says so %" PRId64 " time%s",
			k->s->n, plural_s(k->s->n));
}

/* Pairs of the newest values at the same place. */
static void rule_length(struct metrics *m)
{
	enum { MOST = 512 };
	const struct metrics_key *r = metrics_find(m, ROLE_REWARD);
	const struct metrics_key *l = metrics_find(m, ROLE_LENGTH);
	size_t i, j, n = 0;
	double *x, *y;
	struct kendall k;

	if (!r || !l || !(r->trend.slope > 0 && l->trend.slope > 0))
		return;
	x = arena_array(&m->at->mem, MOST, sizeof(*x));
	y = arena_array(&m->at->mem, MOST, sizeof(*y));
	for (i = r->c.n, j = l->c.n; i > 0 && j > 0 && n < MOST;) {
		if (r->c.x[i - 1] > l->c.x[j - 1]) {
			i--;
		} else if (r->c.x[i - 1] < l->c.x[j - 1]) {
			j--;
		} else {
			x[n] = l->c.y[--j];
			y[n++] = r->c.y[--i];
		}
	}
	k = kendall_test(x, y, n, &m->at->mem);
	if (k.tau > metrics_number(m, "D12.tau") && k.p < 0.01)
		metrics_found(m, RULE_D12, r->s->name,
			"rises with %.*s: Kendall's tau %.2f over %zu pairs (p = %.1e)",
			(int)l->s->name.n, l->s->name.p, k.tau, n, k.p);
}

static void rule_waiting(struct metrics *m)
{
	const struct metrics_key *wait = metrics_find(m, ROLE_WAIT);
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	double pct =
		scalar_number(record_find(&m->at->record->scalars, "perf.dataloader_wait_pct"));

	if (wait && step && wait->unit == step->unit && wait->window_mean > 0) {
		double share = wait->window_mean / (wait->window_mean + step->window_mean);

		if (share > metrics_number(m, "D13.share"))
			metrics_found(m, RULE_D13, wait->s->name,
				"%.1f%% of wait + step over the last %zu steps; %.1f%% of the step "
				"without the wait",
				100 * share, wait->window,
				100 * wait->window_mean / step->window_mean);
	}
	if (pct > 100 * metrics_number(m, "D13.share"))
		metrics_found(m, RULE_D13, SPAN("perf.dataloader_wait_pct"),
			"%.1f%% as written, over the step without the wait; %.1f%% of wait + step",
			pct, 100 * pct / (100 + pct));
}

static void rule_utilization(struct metrics *m)
{
	double pct =
		scalar_number(record_find(&m->at->record->scalars, "perf.gpu_utilization_avg"));

	if (pct < 100 * metrics_number(m, "D14.share"))
		metrics_found(m, RULE_D14, SPAN("perf.gpu_utilization_avg"), "%.1f%%", pct);
}

void metrics_apply_rules(struct metrics *m)
{
	static void (*const of_key[])(struct metrics *, const struct metrics_key *) = { rule_finite,
		rule_rose, rule_diverged, rule_plateau, rule_spikes, rule_gradients, rule_kl,
		rule_spread, rule_slowing, rule_told };
	size_t i, k;

	for (i = 0; i < m->nkey; i++)
		for (k = 0; k < COUNT_OF(of_key); k++)
			of_key[k](m, &m->key[i]);
	rule_length(m);
	rule_waiting(m);
	rule_utilization(m);
}
