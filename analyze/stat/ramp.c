/* Ramps: all pairs of places, each in constant time by sums up to a place. */
#include "analyze/stat/ramp.h"

#include "analyze/stat/law.h"

/* The chance that noise has one; what varies less than this part of the mean does so as time is
 * measured; sides of a level. */
static const double CHANCE = 0.0015, FLOOR = 0.005;
enum { SIDE = 3 };

struct sums {
	size_t n;
	double mean, total;    /* total: sum of squares around the mean */
	double *upto, *placed; /* [i]: of v[0..i) less the mean; of k times that */
};

struct fit {
	size_t from, to;
	double explained, before, after;
};

static void sums_init(struct sums *s, const double *v, size_t n, struct arena *mem)
{
	*s = (struct sums){ .n = n, .mean = SUM(double, i, n, v[i]) / (double)n };
	s->upto = arena_array(mem, n + 1, sizeof(*s->upto));
	s->placed = arena_array(mem, n + 1, sizeof(*s->placed));
	for (size_t i = 0; i < n; i++) {
		double d = v[i] - s->mean;

		s->total += d * d;
		s->upto[i + 1] = s->upto[i] + d;
		s->placed[i + 1] = s->placed[i] + (double)i * d;
	}
}

/* 0 up to `from`, 1 from `to` on, a line between them: how much of the squares that explains. */
static struct fit fit_of(const struct sums *s, size_t from, size_t to)
{
	double n = (double)s->n, w = (double)(to - from), tail = n - (double)to;
	double g = (w - 1) / 2 + tail, g2 = (w - 1) * (2 * w - 1) / (6 * w) + tail;
	double line = s->placed[to] - s->placed[from + 1] -
		(double)from * (s->upto[to] - s->upto[from + 1]);
	double gy = line / w + s->upto[s->n] - s->upto[to], spread = g2 - g * g / n;
	double rise = gy / spread, before = s->mean - rise * g / n;

	return (struct fit){ from, to, rise * gy, before, before + rise };
}

static void take(struct fit *best, const struct sums *s, size_t from, size_t to)
{
	struct fit f = fit_of(s, from, to);

	if (f.explained > best->explained)
		*best = f;
}

static bool is_ramp(const struct sums *s, const struct fit *ramp, const struct fit *level)
{
	double n = (double)s->n, floor = n * FLOOR * FLOOR * s->mean * s->mean;
	double left = fmax(s->total - ramp->explained, 0) + floor;
	double beside = fmax(s->total - level->explained, 0) + floor;
	double t = sqrt(ramp->explained / left * (n - 4));

	return fabs(ramp->after - ramp->before) >= RAMP_LEAST * s->mean &&
		2 * law_t_above(t, n - 4) * n < CHANCE && n * log(beside / left) > 2 * log(n) + 4;
}

static bool find(struct ramp *r, const double *v, size_t n, struct arena *mem)
{
	struct fit ramp = { 0 }, level = { 0 };
	struct sums s;

	sums_init(&s, v, n, mem);
	for (size_t from = SIDE - 1; from + 1 + SIDE <= n; from++)
		take(&level, &s, from, from + 1);
	for (size_t from = 0; from < n; from++)
		for (size_t to = from + MAX(RAMP_STEPS, n / 4); to < n; to++)
			take(&ramp, &s, from, to);
	*r = (struct ramp){ ramp.from, ramp.to, ramp.before, ramp.after };
	return ramp.to > 0 && is_ramp(&s, &ramp, &level);
}

bool ramp_find(struct ramp *r, const double *v, size_t n, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	size_t blocks = MIN(n, RAMP_BLOCKS);

	*r = (struct ramp){ 0 };
	if (n < RAMP_VALUES)
		return false;
	double *mean = arena_array(mem, blocks, sizeof(*mean));
	for (size_t i = 0; i < blocks; i++) {
		size_t from = i * n / blocks, to = (i + 1) * n / blocks;

		mean[i] = SUM(double, k, to - from, v[from + k]) / (double)(to - from);
	}
	bool is_found = find(r, mean, blocks, mem);
	arena_reset(mem, mark);
	if (r->to > 0) {
		r->from = r->from * n / blocks;
		r->to = (r->to + 1) * n / blocks - 1;
	}
	return is_found;
}
