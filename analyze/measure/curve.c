/* Curves: extraction from series, trends, jumps, sparklines. */
#include "analyze/measure/curve.h"

#include "analyze/stat/autocorr.h"
#include "analyze/stat/drift.h"
#include "analyze/stat/kendall.h"
#include "analyze/stat/law.h"
#include "analyze/stat/line.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/ramp.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/columns/series.h"

/* Adds (x, y); where steps fell back, what stands at or above x is dropped first. */
static void add_point(struct curve *c, double x, double y)
{
	if (c->n && x < c->x[c->n - 1]) {
		c->restarts++;
		while (c->n && c->x[c->n - 1] >= x) {
			c->n--;
			c->dropped++;
		}
	}
	c->x[c->n] = x;
	c->y[c->n++] = y;
}

/* Adds (x, y); where a clock was set back (summer time, another recorder), it goes on as it was. */
static void add_timed(struct curve *c, double x, double y, double *ahead)
{
	if (c->n && x + *ahead < c->x[c->n - 1]) {
		c->restarts++;
		*ahead = c->x[c->n - 1] - x;
	}
	c->x[c->n] = x + *ahead;
	c->y[c->n++] = y;
}

static bool is_wanted(const struct filter_ranges *steps, double x)
{
	if (!steps || steps->n == 0)
		return true;
	return x > -9e15 && x < 9e15 && filter_in(steps, saturate_whole(floor(x)));
}

static void from_blocks(struct curve *c, const struct series *s, const struct filter_ranges *steps)
{
	struct series_block block[SERIES_BLOCKS];
	size_t n = series_blocks(s, block);
	double ahead = 0;

	for (EACH(const struct series_block, b, block, n)) {
		if (!is_wanted(steps, b->mean_x))
			continue;
		if (s->axis == AXIS_TIME)
			add_timed(c, b->mean_x, b->mean, &ahead);
		else
			add_point(c, b->mean_x, b->mean);
		c->lo[c->n - 1] = b->min;
		c->hi[c->n - 1] = b->max;
	}
}

static void from_points(struct curve *c, const struct series *s, const struct filter_ranges *steps)
{
	double ahead = 0;

	for (int64_t i = 0; i < s->n; i++) {
		const struct point *p = &s->point[i];

		if (!is_wanted(steps, p->x))
			continue;
		if (s->axis == AXIS_TIME)
			add_timed(c, p->x, p->y, &ahead);
		else
			add_point(c, p->x, p->y);
	}
}

static void skip_first(struct curve *c, size_t skip)
{
	size_t n = MIN(skip, c->n);

	c->x += n;
	c->y += n;
	c->lo = c->lo ? c->lo + n : NULL;
	c->hi = c->hi ? c->hi + n : NULL;
	c->n -= n;
}

void curve_of(struct curve *c, const struct series *s, const struct filter_ranges *steps,
	size_t skip, struct arena *mem)
{
	bool is_exact = series_is_exact(s);
	size_t room = is_exact ? (size_t)s->n : SERIES_BLOCKS;

	*c = (struct curve){
		.is_exact = is_exact,
		.x = arena_array(mem, room, sizeof(*c->x)),
		.y = arena_array(mem, room, sizeof(*c->y)),
	};
	if (is_exact) {
		from_points(c, s, steps);
		skip_first(c, skip);
		return;
	}
	c->lo = arena_array(mem, room, sizeof(*c->lo));
	c->hi = arena_array(mem, room, sizeof(*c->hi));
	from_blocks(c, s, steps);
	if (skip && c->n && (double)s->n / (double)c->n <= (double)skip)
		skip_first(c, 1);
}

/* Means of n / blocks neighbours each, for the autocorrelation of long curves. */
static size_t thin(const double *v, size_t n, double *out, size_t blocks)
{
	if (n <= blocks) {
		memcpy(out, v, n * sizeof(*v));
		return n;
	}
	for (size_t i = 0; i < blocks; i++) {
		size_t from = i * n / blocks, to = (i + 1) * n / blocks;

		out[i] = 0;
		for (size_t k = from; k < to; k++)
			out[i] += v[k] / (double)(to - from);
	}
	return blocks;
}

/* Medians of blocks of neighbours, in mem. */
static void block_medians(
	struct curve *out, const struct curve *c, size_t blocks, struct arena *mem)
{
	*out = (struct curve){
		.n = blocks,
		.x = arena_array(mem, blocks, sizeof(*out->x)),
		.y = arena_array(mem, blocks, sizeof(*out->y)),
	};
	theilsen_blocks(c->x, c->n, out->x, blocks, mem);
	theilsen_blocks(c->y, c->n, out->y, blocks, mem);
}

/* Geyer's tau of what a first line leaves, in values. */
static double tau_around_line(const struct curve *c, struct arena *mem)
{
	size_t n = MIN(c->n, CURVE_BLOCKS_MOST);
	double *left = arena_array(mem, c->n, sizeof(*left));
	double *few = arena_array(mem, CURVE_THIN, sizeof(*few));
	struct curve blocks;

	block_medians(&blocks, c, n, mem);
	double slope = theilsen_fit(blocks.x, blocks.y, n, 0.95, mem).slope;
	for (size_t i = 0; i < c->n; i++)
		left[i] = c->y[i] - (isnan(slope) ? 0 : slope * c->x[i]);
	n = thin(left, c->n, few, CURVE_THIN);
	return autocorr_of(few, n).tau * (double)c->n / (double)n;
}

static size_t blocks_for(size_t n, double tau)
{
	size_t blocks = saturate_size((double)n / ceil(tau));

	if (blocks < CURVE_BLOCKS_LEAST)
		blocks = CURVE_BLOCKS_LEAST;
	if (blocks > CURVE_BLOCKS_MOST)
		blocks = CURVE_BLOCKS_MOST;
	return MIN(blocks, n);
}

static void find_trend(struct curve_trend *t, const struct curve *c, struct arena *mem)
{
	struct curve blocks;

	t->n = c->n;
	t->tau = tau_around_line(c, mem);
	t->blocks = blocks_for(c->n, t->tau);
	block_medians(&blocks, c, t->blocks, mem);
	struct theilsen line = theilsen_fit(blocks.x, blocks.y, blocks.n, 0.95, mem);
	t->slope = line.slope;
	t->intercept = line.intercept;
	t->lo = line.lo;
	t->hi = line.hi;
	t->p = kendall_trend(blocks.y, blocks.n, mem).p;
}

bool curve_trend(struct curve_trend *t, const struct curve *c, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);

	*t = (struct curve_trend){ 0, 0, NAN, NAN, NAN, NAN, NAN, NAN };
	if (c->n < CURVE_LEAST || !(c->x[c->n - 1] > c->x[0]))
		return false;
	find_trend(t, c, mem);
	arena_reset(mem, mark);
	return true;
}

struct curve_level curve_level(const double *y, size_t n, struct arena *mem)
{
	struct curve_level l;

	l.median = quantile_median(y, n, mem);
	l.spread = 1.4826 * quantile_mad(y, n, l.median, mem);
	return l;
}

double curve_moves(const struct curve *c, struct arena *mem)
{
	enum { BLOCKS = 10 };
	size_t blocks = MIN(c->n / CURVE_LEAST, BLOCKS);
	double least = INFINITY, most = -INFINITY, low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < c->n; i++) {
		least = fmin(least, c->lo ? c->lo[i] : c->y[i]);
		most = fmax(most, c->lo ? c->hi[i] : c->y[i]);
	}
	if (c->n && least == most)
		return 0;
	for (size_t i = 0; i < blocks; i++) {
		size_t from = i * c->n / blocks, to = (i + 1) * c->n / blocks;
		double median = quantile_median(c->y + from, to - from, mem);

		low = fmin(low, median);
		high = fmax(high, median);
	}
	return blocks < 2 ? NAN : (high - low) / (most - least);
}

/* The split with the least sum of squares around two means. */
static size_t best_split(const double *y, size_t n)
{
	enum { SIDE = 3 };
	double left = 0, most = -1, first = y[0];
	size_t at = 0;
	double total = SUM(double, i, n, y[i] - first);

	for (size_t i = 1; i + SIDE <= n; i++) {
		left += y[i - 1] - first;
		double right = total - left;
		double gain = left * left / (double)i + right * right / (double)(n - i);
		if (i >= SIDE && gain > most) {
			most = gain;
			at = i;
		}
	}
	return at;
}

/* p of a trend in y[from..to); 1 when there are too few values. */
static double trend_p(const struct curve *c, size_t from, size_t to, struct arena *mem)
{
	const struct curve part = { c->x + from, c->y + from, to - from, true, 0, 0, NULL, NULL };
	struct curve_trend t;

	return curve_trend(&t, &part, mem) ? t.p : 1;
}

/* Whether two levels leave a smaller sum of squares than a line. */
static bool beats_line(const struct curve *c, const struct moments *m0, const struct moments *m1)
{
	struct line l = line_fit(c->x, c->y, c->n);
	struct moments all = welch_moments(c->y, c->n);
	double total = all.variance * (double)(c->n - 1);
	double levels = m0->variance * (double)(m0->n - 1) + m1->variance * (double)(m1->n - 1);

	return levels < (1 - l.r2) * total;
}

static void judge_jump(struct curve_jump *j, const struct curve *c, struct arena *mem)
{
	struct moments m0 = welch_moments(c->y, j->at);
	struct moments m1 = welch_moments(c->y + j->at, c->n - j->at);
	double before = trend_p(c, 0, j->at, mem), after = trend_p(c, j->at, c->n, mem);

	j->x = c->x[j->at];
	j->size = quantile_median(c->y + j->at, c->n - j->at, mem) -
		quantile_median(c->y, j->at, mem);
	j->p = welch_test(&m0, &m1, 0.95).p;
	j->rest_p = 2 * MIN(before, after);
	j->rest_p = MIN(j->rest_p, 1);
	j->explains = j->p < 0.01 && j->rest_p > 0.05 && beats_line(c, &m0, &m1);
}

void curve_jump(struct curve_jump *j, const struct curve *c, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);

	*j = (struct curve_jump){ .x = NAN, .size = NAN, .rest_p = NAN, .p = NAN };
	if (c->n < 6)
		return;
	j->at = best_split(c->y, c->n);
	if (j->at)
		judge_jump(j, c, mem);
	arena_reset(mem, mark);
}

struct span curve_spark(const struct curve *c, size_t width, struct arena *mem)
{
	enum { LEVELS = 8, BYTES = 3 };
	double *v, lo = INFINITY, hi = -INFINITY, height;

	if (c->n == 0 || width == 0)
		return SPAN("");
	v = arena_array(mem, width, sizeof(*v));
	size_t n = thin(c->y, c->n, v, width);
	for (size_t i = 0; i < n; i++) {
		lo = MIN(v[i], lo);
		hi = MAX(v[i], hi);
	}
	height = hi / 2 - lo / 2; /* by halves: the distance of two numbers may be none */
	if (height < 1e-12 * fmax(fabs(lo), fabs(hi)))
		height = 0; /* means of equal values differ by rounding */
	char *out = arena_alloc(mem, n * BYTES + 1);
	for (size_t i = 0; i < n; i++) {
		double share = height > 0 ? (v[i] / 2 - lo / 2) / height : 0;
		/* share is no number where one of the values is infinite */
		int level = share >= 1 ? LEVELS - 1
			: share > 0    ? (int)saturate_size(share * LEVELS)
				       : 0;

		memcpy(out + i * BYTES, "\xe2\x96", 2);
		out[i * BYTES + 2] = (char)(0x81 + level);
	}
	return (struct span){ out, n * BYTES };
}

/* ---- steps that get slower: by a jump, or by creeping ---- */

static const double P_FOUND = 0.001;

/* Where a slope begins: the first value that is off the old level. */
static double begin_of(const struct curve *c, double least)
{
	const struct drift_options o = { .alpha = P_FOUND, .least = least };
	size_t n = MIN(c->n, DRIFT_MOST);
	struct drift d = drift_find(c->y, n, &o);

	return d.is_found && d.since < c->n ? c->x[d.since] : c->x[0];
}

/* Of no jump at `at`: Welch's test with as many values as are independent of their neighbours,
 * times the places it was chosen among. */
static double jump_p(const struct curve *c, size_t at, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *rest = arena_array(mem, c->n, sizeof(*rest));
	struct moments m0 = welch_moments(c->y, at), m1 = welch_moments(c->y + at, c->n - at);
	struct welch w = welch_test(&m0, &m1, 0.95);

	for (size_t i = 0; i < c->n; i++)
		rest[i] = c->y[i] - (i < at ? m0.mean : m1.mean);
	double tau = autocorr_of(rest, c->n).tau;
	arena_reset(mem, mark);
	return fmin(1, 2 * (double)c->n * law_t_above(fabs(w.t) / sqrt(tau), fmax(1, w.df / tau)));
}

/* What is flat before and behind a slope does not make it less steep. */
static void look_at_ramp(struct slowing *s, const struct curve *c, struct arena *mem)
{
	struct ramp r;

	if (!ramp_find(&r, c->y, c->n, mem) || !(c->x[r.to] > c->x[r.from]))
		return;
	s->x = c->x[r.from];
	s->slope = (r.after - r.before) / (c->x[r.to] - c->x[r.from]);
}

void slowing_of(struct slowing *s, const struct curve *c, double least, struct arena *mem)
{
	struct curve_trend t;
	struct curve_jump j;
	size_t fifth = c->n / 5;

	*s = (struct slowing){ .from = NAN, .to = NAN, .x = NAN, .p = NAN, .slope = NAN };
	if (c->n < SLOWING_LEAST || !curve_trend(&t, c, mem))
		return;
	s->is_known = true;
	curve_jump(&j, c, mem);
	if (j.explains && j.size > 0)
		s->p = jump_p(c, j.at, mem);
	s->is_jump = s->p < P_FOUND;
	fifth = s->is_jump ? j.at : fifth;
	s->from = curve_level(c->y, fifth, mem).median;
	s->to = s->is_jump ? curve_level(c->y + j.at, c->n - j.at, mem).median
			   : curve_level(c->y + (c->n - fifth), fifth, mem).median;
	s->p = s->is_jump ? s->p : t.p;
	s->slope = t.slope;
	s->is_found = s->p < P_FOUND && s->from > 0 && s->to - s->from > least * s->from &&
		(s->is_jump || t.lo > 0);
	if (s->is_found)
		s->x = s->is_jump ? j.x : begin_of(c, least * s->from);
	if (s->is_found && !s->is_jump)
		look_at_ramp(s, c, mem);
}

double slowing_spread(const struct curve *c)
{
	double mean = 0, m2 = 0;

	for (size_t i = 0; i < c->n; i++) {
		double d = c->y[i] - mean;

		mean += d / (double)(i + 1);
		m2 += d * (c->y[i] - mean);
	}
	return c->n > 1 && mean > 0 ? sqrt(m2 / (double)(c->n - 1)) / mean : NAN;
}
