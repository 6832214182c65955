/* `metrics`: everything about one series: window, quantiles, trend, change; values over tokens or
 * seconds instead of steps. */
#include "analyze/answer/metrics/metrics.h"

#include "analyze/stat/autocorr.h"
#include "analyze/stat/bootstrap.h"
#include "analyze/stat/line.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/regex.h"

/* ---- values over tokens or seconds instead of steps ---- */

/* The first series of that role that has values. */
static const struct series *series_of(const struct record *r, enum metric_role role)
{
	return FIND_VALUE(i, r->nseries, r->series[i]->n && metric_role(r->series[i]->name) == role,
		r->series[i], NULL);
}

/* Seconds since the begin, by the sum of step times. */
static void add_up(struct curve *c, double factor)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		sum += c->y[i] * factor / 1e9;
		c->y[i] = sum;
	}
}

enum status metrics_axis_init(struct metrics *m)
{
	const struct record *r = m->at->record;
	const char *x = m->o->x;
	const struct series *s = NULL;
	bool is_sum = false;

	if (!x || strcmp(x, "step") == 0)
		return OK;
	if (strcmp(x, "tokens") == 0) {
		s = series_of(r, ROLE_TOKENS);
	} else {
		s = series_of(r, ROLE_CLOCK);
		is_sum = !s;
		if (!s)
			s = series_of(r, ROLE_STEP_TIME);
	}
	if (!s) {
		err_set(m->at->e, E_NODATA, -1, "no series says %s, which --x %s needs",
			strcmp(x, "tokens") == 0 ? "how many tokens were seen"
						 : "the time or how long steps took",
			x);
		return err_hint(m->at->e, "such as num_tokens, timestamp or step_time");
	}
	m->axis = arena_alloc(&m->at->mem, sizeof(*m->axis));
	curve_of(m->axis, s, NULL, 0, &m->at->mem);
	if (is_sum)
		add_up(m->axis,
			measure_infos[s->measure == MEASURE_NONE ? MEASURE_S : s->measure].factor);
	return OK;
}

/* The axis' value at step x, between its neighbours by a straight line; its ends beyond them. */
static double place_of(const struct curve *axis, double x, size_t *at)
{
	while (*at < axis->n && axis->x[*at] < x)
		++*at;
	if (*at == axis->n)
		return axis->y[axis->n - 1];
	if (*at == 0 || axis->x[*at] == x)
		return axis->y[*at];
	double share = (x - axis->x[*at - 1]) / (axis->x[*at] - axis->x[*at - 1]);
	return axis->y[*at - 1] + share * (axis->y[*at] - axis->y[*at - 1]);
}

/* ---- everything about one series: window, quantiles, trend, change ---- */

/* Source: Kingma and Ba 2015, section 3, for the correction of the bias towards 0. */
double metrics_ema(struct metrics_ema *e, double y)
{
	e->sum = (1 - e->alpha) * e->sum + e->alpha * y;
	e->weight = (1 - e->alpha) * e->weight + e->alpha;
	return e->sum / e->weight;
}

struct metrics_ema metrics_ema_of(size_t window)
{
	return (struct metrics_ema){ 2 / ((double)window + 1), 0, 0 };
}

enum { WARMUP_SHARE = 5, DRAWS = 2000, DRAWS_MANY = 500, MANY_KEYS = 100, LAW_LEAST = 10 };

static double deviation(const double *v, size_t n, double mean, int ddof)
{
	if (n <= (size_t)ddof)
		return NAN;
	double sum = SUM(double, i, n, (v[i] - mean) * (v[i] - mean));
	return sqrt(sum / (double)(n - (size_t)ddof));
}

/* Around the first value, so that equal values have no deviation. */
static double mean_of(const double *v, size_t n)
{
	double sum = SUM(double, i, n, v[i] - v[0]);

	return n ? v[0] + sum / (double)n : NAN;
}

/* Quantiles of values in any order, which are sorted; p99 takes 100 of them. */
static void quantiles(struct metrics_key *k, double *v, size_t n)
{
	quantile_sort(v, n);
	k->p25 = quantile_sorted(v, n, 0.25);
	k->p50 = quantile_sorted(v, n, 0.5);
	k->p75 = quantile_sorted(v, n, 0.75);
	k->p95 = quantile_sorted(v, n, 0.95);
	k->p99 = n >= 100 ? quantile_sorted(v, n, 0.99) : NAN;
}

static void window_of(struct metrics_key *k, const double *last, size_t n, int ddof)
{
	k->window = n;
	k->window_mean = mean_of(last, n);
	k->window_std = deviation(last, n, k->window_mean, ddof);
}

/* The moving average, and the exponent of a law through the values. */
static void law_of(struct metrics_key *k, size_t window, struct arena *mem)
{
	struct metrics_ema ema = metrics_ema_of(window);
	double *x = arena_array(mem, k->c.n, sizeof(*x)), *y = arena_array(mem, k->c.n, sizeof(*y));
	size_t n = 0;

	for (size_t i = 0; i < k->c.n; i++) {
		k->ema = metrics_ema(&ema, k->c.y[i]);
		if (!(k->c.x[i] > 0) || !(k->c.y[i] > 0))
			continue;
		x[n] = log(k->c.x[i]);
		y[n++] = log(k->c.y[i]);
	}
	if (n >= LAW_LEAST)
		k->power = line_fit(x, y, n).slope;
}

/* All values are there. */
static void exact(struct metrics_key *k, const struct metrics_limits *l, struct arena *mem)
{
	const struct curve *c = &k->c;
	size_t n = MIN(c->n, l->window);
	double *v = arena_array(mem, c->n, sizeof(*v));

	k->n = (int64_t)c->n;
	if (c->n == 0)
		return;
	k->last = c->y[c->n - 1];
	k->mean = mean_of(c->y, c->n);
	k->std = deviation(c->y, c->n, k->mean, l->ddof);
	window_of(k, c->y + (c->n - n), n, l->ddof);
	k->min = k->max = c->y[0];
	for (size_t i = 0; i < c->n; i++) {
		v[i] = c->y[i];
		k->min = MIN(v[i], k->min);
		k->max = MAX(v[i], k->max);
	}
	quantiles(k, v, c->n);
	law_of(k, l->window, mem);
}

/* Moments and extremes are of all values, warm-up included; quantiles of the sample. */
static void sampled(struct metrics_key *k, const struct metrics_limits *l, struct arena *mem)
{
	const struct series *s = k->s;
	size_t n, want = MIN(l->window, SERIES_LAST);
	struct point *last = arena_array(mem, want, sizeof(*last));
	const struct point *sample = series_sample(s, &n);
	double *v = arena_array(mem, MAX(n, want), sizeof(*v));

	k->n = s->n;
	k->last = s->last.y * k->factor;
	k->mean = s->mean * k->factor;
	k->std = series_std(s, l->ddof) * k->factor;
	k->min = s->min * k->factor;
	k->max = s->max * k->factor;
	for (size_t i = 0; i < n; i++)
		v[i] = sample[i].y * k->factor;
	quantiles(k, v, n);
	n = series_last(s, want, last);
	for (size_t i = 0; i < n; i++)
		v[i] = last[i].y * k->factor;
	window_of(k, v, n, l->ddof);
}

static const char *change_word(
	const struct metrics_change *c, double base, double small, enum metric_role role)
{
	int direction = metric_role_direction(role);
	bool is_small = fabs(c->delta) < small * fabs(base);

	if (c->lo > 0 || c->hi < 0) {
		if (direction == 0)
			return c->delta > 0 ? "rising" : "falling";
		return (c->delta > 0) == (direction > 0) ? "improving" : "worsening";
	}
	if (!is_small && c->delta != 0)
		return "unclear";
	return direction ? "plateau" : "stable";
}

static struct interval_real mean_interval(
	const double *v, size_t n, size_t draws, struct arena *mem)
{
	size_t block = autocorr_block(autocorr_of(v, n).rho, n);

	return bootstrap_interval(v, n, block, draws, 0.95, bootstrap_mean, mem);
}

/* The interval of the change from before to after: MOVER of two block bootstraps. */
static void change_with(struct metrics_change *c, const double *before, const double *after,
	size_t n, size_t draws, struct arena *mem)
{
	double m0 = mean_of(before, n), m1 = mean_of(after, n);
	struct interval_real i0 = mean_interval(before, n, draws, mem);
	struct interval_real i1 = mean_interval(after, n, draws, mem);

	c->n = n;
	c->delta = m1 - m0;
	c->lo = c->delta - hypot(m1 - i1.lo, i0.hi - m0);
	c->hi = c->delta + hypot(i1.hi - m1, m0 - i0.lo);
}

/* The last window against the one before; of long series, of the values at their end. */
static void change_of(struct metrics *m, struct metrics_key *k)
{
	const struct series *s = k->s;
	struct arena *mem = &m->at->mem;
	size_t w = m->limit->window, have = k->c.n;
	size_t draws = m->nkey > MANY_KEYS ? DRAWS_MANY : DRAWS;
	struct metrics_change *c = &k->change;
	const double *y = k->c.y;

	*c = (struct metrics_change){ .delta = NAN, .lo = NAN, .hi = NAN };
	if (!k->c.is_exact) {
		struct point *last = arena_array(mem, SERIES_LAST, sizeof(*last));
		double *v = arena_array(mem, SERIES_LAST, sizeof(*v));

		have = series_last(s, SERIES_LAST, last);
		for (size_t i = 0; i < have; i++)
			v[i] = last[i].y * k->factor;
		y = v;
	}
	if (w > have / 2)
		w = have / 2;
	if (w < BOOTSTRAP_LEAST)
		return;
	change_with(c, y + (have - 2 * w), y + (have - w), w, draws, mem);
	c->word = change_word(c, mean_of(y + (have - 2 * w), w),
		settings_get(m->limit->settings, "metrics.D03.change")->r, k->role);
}

/* Warm-up is cut where enough is left for it not to matter much, and --steps does not say more; of
 * series that are not kept value by value it is in all figures, and repeats have none. */
static size_t warmup_of(const struct metrics *m, const struct series *s)
{
	size_t n = m->limit->warmup;

	if (m->at->set->steps.n || !series_is_exact(s) || s->axis == AXIS_REPEAT)
		return 0;
	return (double)s->n >= (double)WARMUP_SHARE * (double)n ? n : 0;
}

const struct filter_ranges *metrics_steps(const struct metrics *m, const struct series *s)
{
	return s->axis == AXIS_TIME ? NULL : &m->at->set->steps;
}

void metrics_unit(struct span name, enum measure m, enum unit *unit, double *factor)
{
	m = measure_or_usual(m, name);
	*unit = measure_infos[m].base;
	*factor = measure_infos[m].factor;
}

static void scale(struct curve *c, size_t i, double factor)
{
	c->y[i] *= factor;
	if (!c->lo)
		return;
	c->lo[i] *= factor;
	c->hi[i] *= factor;
}

static void describe_series(struct metrics *m, struct metrics_key *k)
{
	struct arena *mem = &m->at->mem;
	const struct series *s = k->s;

	k->role = metric_role(s->name);
	metrics_unit(s->name, s->measure, &k->unit, &k->factor);
	k->warmup = warmup_of(m, s);
	k->last = k->mean = k->std = k->min = k->max = NAN;
	k->p25 = k->p50 = k->p75 = k->p95 = k->p99 = NAN;
	k->window_mean = k->window_std = k->ema = k->power = NAN;
	curve_of(&k->c, s, metrics_steps(m, s), k->warmup, mem);
	size_t at = 0;
	for (size_t i = 0; m->axis && m->axis->n && i < k->c.n; i++)
		k->c.x[i] = place_of(m->axis, k->c.x[i], &at);
	for (size_t i = 0; i < k->c.n; i++)
		scale(&k->c, i, k->factor);
	if (k->c.is_exact)
		exact(k, m->limit, mem);
	else
		sampled(k, m->limit, mem);
	(void)curve_trend(&k->trend, &k->c, mem);
	k->moves = curve_moves(&k->c, mem);
	change_of(m, k);
}

/* Steps, times and epochs say where a value is, and are no metric themselves. */
static bool is_place(const struct series *s)
{
	return (metric_role(s->name) == ROLE_CLOCK && !series_is_duration(s)) ||
		(s->measure == MEASURE_NONE &&
			span_in_nocase(s->name,
				"step|global_step|_step|micro_step|epoch|iteration|iter|row"));
}

static bool is_of_smi(const struct record *r, const struct series *s)
{
	return span_starts(span_of(r->artifact[s->artifact].kind), "smi_");
}

/* Samples of nvidia-smi are left to `smi` where there is something else, and nobody asked. */
static size_t leave_smi(const struct metrics *m)
{
	const struct record *r = m->at->record;
	size_t n = SUM(size_t, i, r->nseries, is_of_smi(r, r->series[i]));

	return n < r->nseries && !m->key_regex && !m->at->set->match ? n : 0;
}

/* A report's copy of what another file of the run has. */
static bool is_copied(const struct record *r, const struct series *s)
{
	if (!r->nartifact || !r->artifact[s->artifact].is_copy)
		return false;
	return ANY(i, r->nseries,
		!r->artifact[r->series[i]->artifact].is_copy &&
			span_eq(r->series[i]->name, s->name) &&
			span_eq(r->series[i]->group, s->group));
}

enum { TURN_RATES = 3, TURN_LEARNING = 5, TURN_OTHERS = 8, TURN_SETTINGS = 9 };

/* How soon people look for it: losses, times of steps, rates, memory, learning rates, how good it
 * is, the rest.  What is set and never changes comes last. */
static int turn_of(const struct metrics_key *k)
{
	static const int turns[ROLE_COUNT] = { [ROLE_LOSS] = 1,
		[ROLE_STEP_TIME] = 2,
		[ROLE_TOKENS_PER_S] = TURN_RATES,
		[ROLE_SAMPLES_PER_S] = TURN_RATES,
		[ROLE_THROUGHPUT] = TURN_RATES,
		[ROLE_ALLOCATED] = 4,
		[ROLE_RESERVED] = 4,
		[ROLE_RATE] = TURN_LEARNING,
		[ROLE_REWARD] = 6,
		[ROLE_ACCURACY] = 6,
		[ROLE_SCORE] = 6,
		[ROLE_GRAD_NORM] = 7,
		[ROLE_KL] = 7 };
	int turn = turns[k->role] ? turns[k->role] : TURN_OTHERS;
	bool is_one = k->n > 0 && !(k->min < k->max) && k->unit == UNIT_NONE;

	const struct figure_kind *kind = figure_kind(k->s->name, k->unit);

	if (k->s->axis == AXIS_REPEAT) /* each group's are together */
		return 0;
	if (turn == TURN_OTHERS && kind->is_speed && k->unit != UNIT_NS)
		return TURN_RATES;
	if (turn == TURN_LEARNING ? k->n == 1 : turn == TURN_OTHERS && is_one)
		return kind->better == BETTER_NONE ? TURN_SETTINGS : turn;
	return turn;
}

ORDER(by_turn, struct metrics_key, compare3(a->turn, b->turn), compare3(a->nth, b->nth))

enum status metrics_collect(struct metrics *m)
{
	const struct record *r = m->at->record;

	m->smi = leave_smi(m);
	m->key = arena_array(&m->at->mem, r->nseries, sizeof(*m->key));
	for (size_t i = 0; i < r->nseries; i++) {
		bool is_wanted = !m->smi || !is_of_smi(r, r->series[i]);

		if (!is_wanted || is_copied(r, r->series[i]))
			continue;
		if (m->key_regex)
			TRY(regex_match(m->key_regex, r->series[i]->name, &is_wanted, m->at->e));
		if (is_wanted)
			TRY(filter_text(m->at->set, r->series[i]->name, &is_wanted, m->at->e));
		if (is_wanted && !is_place(r->series[i]))
			m->key[m->nkey++].s = r->series[i];
	}
	for (size_t i = 0; i < m->nkey; i++) {
		describe_series(m, &m->key[i]);
		m->key[i].turn = turn_of(&m->key[i]);
		m->key[i].is_set = m->key[i].turn == TURN_SETTINGS;
		m->key[i].nth = i;
	}
	sort_rows(m->key, m->nkey, sizeof(*m->key), by_turn);
	return OK;
}

const struct metrics_key *metrics_find(const struct metrics *m, enum metric_role role)
{
	return FIND(i, m->key, m->nkey, m->key[i].role == role && m->key[i].n);
}
