/* `metrics`: rules that look at one series, or at two of a record.  Those about what a table is
 * made of are beside it. */
#include <stdio.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/line.h"
#include "analyze/trace/columns/record.h"

/* `metrics`: what rules find, and the rows of it. */

void metrics_ask(struct metrics *m, enum metrics_about about, const void *what)
{
	ARENA_PUSH(&m->at->mem, m->asked, m->nasked, m->asked_cap,
		(struct metrics_asked){ about, what });
}

void metrics_found(struct look *look, struct span key, const char *fmt, ...)
{
	char text[512];

	PRINTF_TO(text, fmt);
	look_found(look, look->rule->severity, -1, "%s", text)->key = key;
}

void metrics_put_findings(const struct look *look, struct table *t)
{
	static const struct finding_columns columns = { MFIND_SEVERITY, MFIND_RULE, MFIND_NAME,
		MFIND_TEXT, MFIND_ACTION };

	for (EACH(const struct finding, finding, look->v, look->n)) {
		finding_put(t, &columns, finding);
		if (finding->key.n)
			table_text(t, MFIND_KEY, finding->key);
	}
	t->ncut = look->left_out;
}

static double mean_of(const double *v, size_t n)
{
	double sum = SUM(double, i, n, v[i] - v[0]);

	return n ? v[0] + sum / (double)n : NAN;
}

/* All values in the file's unit, first and last ones; long series know only these. */
static size_t ends_of(const struct series *s, size_t want, double *first, double *last)
{
	struct point p[SERIES_FIRST];
	size_t n = series_first(s, want, p);

	for (size_t i = 0; i < n; i++)
		first[i] = p[i].y;
	n = series_last(s, want, p);
	for (size_t i = 0; i < n; i++)
		last[i] = p[i].y;
	return n;
}

/* Losses of a policy and of adversaries do not say how good the run is. */
static bool is_policy(const struct look *look, const struct metrics_key *k)
{
	return k->role == ROLE_LOSS &&
		(metrics_find(look->metrics, ROLE_REWARD) ||
			figure_kind(k->s->name, UNIT_NONE)->better == BETTER_NONE);
}

static void check_rose(struct look *look)
{
	const struct metrics_key *k = look->what;
	enum { ENDS = 10, LEAST = 20 };
	double first[ENDS] = { 0 }, last[ENDS] = { 0 }, early, late;
	double growth = look_limit(look, "D01.growth");

	if (k->role != ROLE_LOSS || k->s->n <= LEAST || is_policy(look, k))
		return;
	(void)ends_of(k->s, ENDS, first, last);
	early = mean_of(first, ENDS);
	late = mean_of(last, ENDS);
	if (early >= 0 ? late > growth * early : late < growth * early)
		metrics_found(look, k->s->name,
			"the last 10 values have a mean of %.4g, the first 10 of %.4g", late,
			early);
}

RULE(D01, "loss rose, its two ends",
	"More than 20 values, and the mean of the last 10 is above 1.5 times the mean of the first "
	"10 (for negative losses: below). It sees only the two ends; D02 looks at all of it.",
	METRICS_CANARY, .severity = SEVERITY_WARN,
	.advice = "lower the learning rate, clip gradients; look at the batch where it begins",
	.limits = LIMITS(LIMIT("metrics.D01.growth", NUMBER, "1.5",
		"the last 10 losses over the first 10: from this on")),
	.about = ABOUT_KEY, .series = check_rose)

/* The non-overlapping window of w values with the lowest sign x mean, the last one aside. */
static size_t best_window(const double *y, size_t n, size_t w, int sign)
{
	size_t best = 0;

	for (size_t i = w; i + 2 * w <= n; i += w)
		if (sign * mean_of(y + i, w) < sign * mean_of(y + best, w))
			best = i;
	return best;
}

static void check_diverged(struct look *look)
{
	const struct metrics_key *k = look->what;
	enum { LEAST = 10 };
	int sign = k->role == ROLE_LOSS ? 1 : -1;
	const struct curve *c = &k->c;
	size_t w = MIN(c->n / 10, look->metrics->limit->window), best;
	struct curve_trend t;

	if (k->role != ROLE_LOSS && k->role != ROLE_REWARD)
		return;
	if (is_policy(look, k))
		return;
	w = MAX(LEAST, w);
	if (c->n < 3 * w)
		return;
	best = best_window(c->y, c->n, w, sign);
	double low = mean_of(c->y + best, w);
	double late = mean_of(c->y + (c->n - w), w);
	struct curve_level level = curve_level(c->y + best, w, look->mem);
	if (!(sign * (late - low) > look_limit(look, "D02.spread") * level.spread))
		return;
	struct curve rest =
		(struct curve){ c->x + best, c->y + best, c->n - best, true, 0, 0, NULL, NULL };
	if (!curve_trend(&t, &rest, look->mem) || !(t.p < look_limit(look, "D02.p")) ||
		!(sign * t.slope > 0))
		return;
	metrics_found(look, k->s->name,
		"the last %zu values have a mean of %.4g; it was %.4g at %.6g, and %s since (p = %.1e)",
		w, late / k->factor, low / k->factor, c->x[best + w - 1],
		sign > 0 ? "rises" : "falls", t.p);
}

RULE(D02, "diverged",
	"The mean of the last window is above the lowest mean of an earlier window by more than "
	"3 x 1.4826 x MAD of that window, and values rise since then (Mann-Kendall, p below "
	"0.01). For rewards, below the highest. Works for losses of any sign.",
	NULL, .severity = SEVERITY_CRIT,
	.advice = "go back to the checkpoint at the best window; lower the learning rate",
	.limits = LIMITS(LIMIT("metrics.D02.spread", NUMBER, "3",
				 "spreads (1.4826 x MAD) of the best window: beyond, it diverged"),
		LIMIT("metrics.D02.p", NUMBER, "0.01",
			"p of the trend since the best window: below")),
	.about = ABOUT_KEY, .series = check_diverged)

static void check_plateau(struct look *look)
{
	const struct metrics_key *k = look->what;
	const struct metrics_change *c = &k->change;

	if (metric_role_direction(k->role) == 0 || !c->word ||
		!span_is(span_of(c->word), "plateau"))
		return;
	metrics_found(look, k->s->name,
		"the last %zu values differ from the %zu before by %.2g (95%% interval %.2g .. %.2g)",
		c->n, c->n, c->delta / k->factor, c->lo / k->factor, c->hi / k->factor);
}

RULE(D03, "plateau",
	"The mean of the last window differs from that of the window before by less than 1%, and "
	"the 95% interval of the difference holds 0: no more progress shows.",
	NULL, .severity = SEVERITY_NOTE, .advice = "stop, or change the learning rate",
	.limits = LIMITS(LIMIT("metrics.D03.change", RATIO, "1%",
		"change between two windows that is a plateau: below")),
	.about = ABOUT_KEY, .series = check_plateau)

static void check_spikes(struct look *look)
{
	const struct metrics_key *k = look->what;
	enum { MOST = 20000 };
	size_t before = saturate_size(look_limit(look, "D04.before"));
	size_t recover = saturate_size(look_limit(look, "D04.recover"));
	double spread = look_limit(look, "D04.spread");
	const struct curve *c = &k->c;
	struct arena *mem = look->mem;
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
		metrics_found(look, k->s->name,
			"%zu spike%s, %zu not back within %zu values; the highest is %.4g at %.6g",
			spikes, plural_s(spikes), lasting, recover, largest / k->factor, at);
}

RULE(D04, "spikes",
	"Values above the median of the 50 before them by more than 6 x 1.4826 x MAD; neighbours are one "
	"spike. It has recovered when a value within the next 20 is below that limit again.",
	NULL, .severity = SEVERITY_NOTE,
	.advice = "look at the data of those steps; clip gradients",
	.limits = LIMITS(LIMIT("metrics.D04.spread", NUMBER, "6",
				 "spreads above the median before: from this on a spike"),
		LIMIT("metrics.D04.before", COUNT, "50",
			"values before that a spike is compared with"),
		LIMIT("metrics.D04.recover", COUNT, "20",
			"values within which a spike should be over")),
	.about = ABOUT_KEY, .series = check_spikes)

static void check_finite(struct look *look)
{
	const struct series *s = look->what;
	static const char *const places[] = { [AXIS_ROW] = "row",
		[AXIS_STEP] = "step",
		[AXIS_TIME] = "time",
		[AXIS_REPEAT] = "repeat" };
	double at = s->first_nan_x;

	if (metric_counts_nan(s->name) && s->sum > 0) {
		metrics_found(look, s->name, "%.0f NaN, as the log itself counts", s->sum);
		return;
	}
	if (s->nan + s->inf == 0 || (s->nan + s->n == 0 && metric_role(s->name) == ROLE_OTHER))
		return; /* "request rate: inf" is a setting */
	if (s->inf == 0 && s->n > 0 && s->point && s->first_nan_x < s->point[0].x &&
		figure_kind(s->name, measure_infos[s->measure].base)->is_speed)
		return; /* the mean of no step yet, in warm-up */
	if (s->nan == 0 || (s->inf && s->first_inf_x < at))
		at = s->first_inf_x;
	metrics_found(look, s->name, "%" PRId64 " NaN, %" PRId64 " Inf, the first at %s %.6g",
		s->nan, s->inf, places[s->axis], at);
}

RULE(D05, "not finite", "A value is NaN or infinite. Such values are counted and are in no figure.",
	METRICS_CANARY, .severity = SEVERITY_CRIT,
	.advice =
		"look at the step before the first; lower the learning rate, check mixed precision",
	.about = ABOUT_SERIES, .series = check_finite)

static void check_gradients(struct look *look)
{
	const struct metrics_key *k = look->what;
	enum { EXPLODING = 10, UNSTABLE = 20 };
	const struct curve *c = &k->c;
	size_t third = c->n / 3;

	if (k->role != ROLE_GRAD_NORM || c->n < EXPLODING)
		return;
	double early = mean_of(c->y, third);
	double late = mean_of(c->y + (c->n - third), third);
	if (early > 0 && late > look_limit(look, "D06.growth") * early)
		metrics_found(look, k->s->name,
			"exploding: the last third has a mean of %.4g, the first %.4g", late,
			early);
	if (c->n > UNSTABLE && k->mean > 0 && k->std > look_limit(look, "D06.spread") * k->mean)
		metrics_found(look, k->s->name,
			"unstable: standard deviation %.4g is %.2f of the mean %.4g", k->std,
			k->std / k->mean, k->mean);
}

RULE(D06, "gradient norm",
	"exploding: at least 10 values, and the mean of the last third is above twice the mean of "
	"the first third; unstable: more than 20 values, and standard deviation over mean is "
	"above 0.5.",
	METRICS_CANARY, .severity = SEVERITY_WARN,
	.advice = "clip gradients, lower the learning rate, lengthen the warm-up",
	.limits = LIMITS(LIMIT("metrics.D06.growth", NUMBER, "2",
				 "last third of gradient norms over the first: exploding"),
		LIMIT("metrics.D06.spread", NUMBER, "0.5",
			"deviation over mean of gradient norms: unstable")),
	.about = ABOUT_KEY, .series = check_gradients)

static void check_kl(struct look *look)
{
	const struct metrics_key *k = look->what;
	enum { LAST = 200, LEAST = 10 };
	const struct curve *c = &k->c;
	size_t third = c->n / 3, n = MIN(c->n, LAST), i;
	double middle, index[LAST];

	if (k->role != ROLE_KL || c->n < LEAST)
		return;
	middle = mean_of(c->y + third, third);
	if (middle > 0 && k->window <= third &&
		k->window_mean > look_limit(look, "D10.growth") * middle)
		metrics_found(look, k->s->name,
			"the last %zu values have a mean of %.4g, the middle of the run %.4g",
			k->window, k->window_mean, middle);
	for (i = 0; i < n; i++)
		index[i] = (double)i;
	struct line line = line_fit(index, c->y + (c->n - n), n);
	if (fabs(line.slope) > look_limit(look, "D10.slope"))
		metrics_found(look, k->s->name,
			"a line through the last %zu values changes by %.3g a value", n,
			line.slope);
}

RULE(D10, "KL grows",
	"The mean of the last window is above twice the mean of the middle third; or, as the "
	"guides' monitor has it, a least-squares line through the last 200 values (at least "
	"10) changes by more than 0.01 a value.",
	"the guides' monitor; docs/definitions.md", .severity = SEVERITY_WARN,
	.advice = "raise beta (the weight of the KL term)",
	.limits = LIMITS(LIMIT("metrics.D10.growth", NUMBER, "2",
				 "KL of the last window over that of the middle: from this on"),
		LIMIT("metrics.D10.slope", NUMBER, "0.01",
			"KL's change a value over the last 200: from this on")),
	.about = ABOUT_KEY, .series = check_kl)

static void check_variance(struct look *look)
{
	enum { LAST = 100 };
	const struct metrics_key *k = look->what;
	double first[LAST] = { 0 }, last[LAST] = { 0 }, mean;

	if (k->role != ROLE_REWARD_STD || !span_has_nocase(k->s->name, "var"))
		return;
	size_t n = ends_of(k->s, LAST, first, last);
	mean = mean_of(last, n);
	if (n && mean > look_limit(look, "D18.mean"))
		metrics_found(look, k->s->name, "the last %zu values have a mean of %.4g", n, mean);
}

RULE(D18, "reward variance",
	"The mean of the last 100 values of a reward variance is above 2, the guides' limit.",
	"the guides' monitor", .severity = SEVERITY_WARN, .advice = "scale or clip rewards",
	.limits = LIMITS(LIMIT("metrics.D18.mean", NUMBER, "2",
		"variance of rewards over the last 100: from this on")),
	.about = ABOUT_KEY, .series = check_variance)

/* The curve is without warm-up and in base units. */
static void check_slowing(struct look *look)
{
	const struct metrics_key *k = look->what;
	struct slowing slow;

	if (k->role != ROLE_STEP_TIME)
		return;
	slowing_of(&slow, &k->c, look_limit(look, "D20.growth"), look->mem);
	if (slow.is_found)
		metrics_found(look, k->s->name,
			"slower after %.6g: from %.4g to %.4g, %.1f%% more%s (p %s %.0e)", slow.x,
			slow.from / k->factor, slow.to / k->factor, 100 * (slow.to / slow.from - 1),
			slow.is_jump ? ""
				     : arena_printf(look->mem, ", growing by %.4g each",
					       slow.slope / k->factor),
			slow.p < SLOWING_P_SHOWN ? "<" : "=", fmax(slow.p, SLOWING_P_SHOWN));
}

RULE(D20, "steps get slower",
	"Step times rise: one jump that explains it all, or a slope that neighbours and outliers do "
	"not fake (p below 0.001), and the level at the end is above that of the beginning by more "
	"than 5%.",
	"Profiler Deep Dive: my run got slower after N steps", .severity = SEVERITY_WARN,
	.advice = "profile before and after that step: 'traceq diff EARLY LATE'",
	.limits = LIMITS(LIMIT("metrics.D20.growth", RATIO, "5%",
		"growth of step times that is slower: from this on")),
	.about = ABOUT_KEY, .series = check_slowing)

/* Pairs of the newest values at the same place. */
static void check_length(struct look *look)
{
	const struct metrics *m = look->what;
	enum { MOST = 512 };
	const struct metrics_key *r = metrics_find(m, ROLE_REWARD);
	const struct metrics_key *l = metrics_find(m, ROLE_LENGTH);
	size_t i, j, n = 0;
	double *x, *y;

	if (!r || !l || !(r->trend.slope > 0 && l->trend.slope > 0))
		return;
	x = arena_array(look->mem, MOST, sizeof(*x));
	y = arena_array(look->mem, MOST, sizeof(*y));
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
	struct kendall k = kendall_test(x, y, n, look->mem);
	if (k.tau > look_limit(look, "D12.tau") && k.p < 0.01)
		metrics_found(look, r->s->name,
			"rises with %.*s: Kendall's tau %.2f over %zu pairs (p = %.1e)",
			(int)l->s->name.n, l->s->name.p, k.tau, n, k.p);
}

RULE(D12, "reward grows with length",
	"Rewards and lengths of completions rise together: Kendall's tau above 1/3 (a correlation "
	"of 0.5) with p below 0.01, and both trends rise.",
	"Kendall 1938", .severity = SEVERITY_WARN,
	.advice = "look whether long answers are rewarded for being long",
	.limits = LIMITS(LIMIT("metrics.D12.tau", NUMBER, "0.3333",
		"Kendall's tau of reward and length: from this on")),
	.about = ABOUT_RECORD, .series = check_length)

static void check_utilization(struct look *look)
{
	const struct metrics *m = look->what;
	double pct =
		scalar_number(record_find(&m->at->record->scalars, "perf.gpu_utilization_avg"));

	if (pct < 100 * look_limit(look, "D14.share"))
		metrics_found(look, SPAN("perf.gpu_utilization_avg"), "%.1f%%", pct);
}

RULE(D14, "GPU under-used", "The mean GPU utilization the file says is below 50%.", METRICS_CANARY,
	.severity = SEVERITY_WARN, .advice = "traceq diagnose on a trace says why",
	.limits = LIMITS(
		LIMIT("metrics.D14.share", RATIO, "50%", "GPU utilization as written: below")),
	.about = ABOUT_RECORD, .series = check_utilization)
