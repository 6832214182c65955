/* E-divisive in windows, and Hunter's merge. */
#include "analyze/stat/changepoint.h"

#include <assert.h>

#include "analyze/stat/welch.h"

/* ---- one split ---- */

/* Sums over pairs: of both sides, inside the left, inside the right; a side of one value has no
 * inner part. */
static double q_of(double between, double inner_x, double inner_y, size_t n, size_t m)
{
	double a = (double)n, b = (double)m, q = 2 / (a + b) * between;

	if (n > 1)
		q -= 2 * b / ((a + b) * (a - 1)) * inner_x;
	if (m > 1)
		q -= 2 * a / ((a + b) * (b - 1)) * inner_y;
	return q;
}

/* The best end of the right side for one place `at`.  left[p], all[p]: sums of |v_i - v_p| over i <
 * at and i < p. */
static void best_end(struct changepoint_split *best, const double *left, const double *all,
	size_t n, size_t at, double inner_x)
{
	double between = 0, inner_y = 0;

	for (size_t to = at + 1; to <= n; to++) {
		between += left[to - 1];
		inner_y += all[to - 1] - left[to - 1];
		double q = q_of(between, inner_x, inner_y, at, to - at);
		if (best->at == 0 || q > best->q)
			*best = (struct changepoint_split){ at, to, q };
	}
}

struct changepoint_split changepoint_best(const double *v, size_t n, struct arena *mem)
{
	struct changepoint_split best = { 0, 0, -INFINITY };
	struct arena_mark mark = arena_mark(mem);
	double *left = arena_array(mem, n, sizeof(*left));
	double *all = arena_array(mem, n, sizeof(*all));
	double inner_x = 0;

	for (size_t p = 0; p < n; p++)
		for (size_t i = 0; i < p; i++)
			all[p] += fabs(v[i] - v[p]);
	for (size_t at = 1; at < n; at++) {
		inner_x += all[at - 1];
		for (size_t p = at; p < n; p++)
			left[p] += fabs(v[at - 1] - v[p]);
		best_end(&best, left, all, n, at, inner_x);
	}
	arena_reset(mem, mark);
	return best;
}

/* ---- points in order ---- */

struct points {
	struct changepoint *v;
	size_t n;
};

/* Judges the point against the segments around it: from the point before to the point behind. */
static void judge_point(struct points *p, size_t i, const double *v, size_t from, size_t to)
{
	struct changepoint *c = &p->v[i];
	size_t lo = i > 0 ? p->v[i - 1].at : from, hi = i + 1 < p->n ? p->v[i + 1].at : to;
	struct moments a = welch_moments(v + lo, c->at - lo),
		       b = welch_moments(v + c->at, hi - c->at);
	struct welch w = welch_pooled(&a, &b, 0.95);

	c->p = isnan(w.p) ? 1 : w.p;
	c->before = a.mean;
	c->after = b.mean;
	c->change = a.mean != 0 ? b.mean / a.mean - 1 : b.mean != 0 ? INFINITY : 0;
}

/* In order; where it already is, nothing happens.  Returns its index. */
static size_t insert(struct points *p, size_t at)
{
	size_t i = p->n;

	while (i > 0 && p->v[i - 1].at >= at)
		i--;
	if (i < p->n && p->v[i].at == at)
		return i;
	memmove(p->v + i + 1, p->v + i, (p->n - i) * sizeof(*p->v));
	p->v[i] = (struct changepoint){ .at = at };
	p->n++;
	return i;
}

static void drop(struct points *p, size_t i)
{
	p->n--;
	memmove(p->v + i, p->v + i + 1, (p->n - i) * sizeof(*p->v));
}

/* ---- windows ---- */

/* The most valuable split of all segments of v[from..to) so far; at 0: there is none. */
static size_t best_of_segments(
	const struct points *p, const double *v, size_t from, size_t to, struct arena *mem)
{
	size_t at = 0, lo = from;
	double q = 0;

	for (size_t i = 0; i <= p->n; i++) {
		size_t hi = i < p->n ? p->v[i].at : to;
		struct changepoint_split s = changepoint_best(v + lo, hi - lo, mem);

		if (s.at > 0 && (at == 0 || s.q > q)) {
			at = lo + s.at;
			q = s.q;
		}
		lo = hi;
	}
	return at;
}

/* Splits one window until the best split is not significant.  The points are added to all. */
static size_t split_window(struct points *all, struct points *own, const double *v, size_t from,
	size_t to, double alpha, struct arena *mem)
{
	size_t i, at;

	own->n = 0;
	while ((at = best_of_segments(own, v, from, to, mem)) > 0) {
		i = insert(own, at);
		judge_point(own, i, v, from, to);
		if (!(own->v[i].p <= alpha)) {
			drop(own, i);
			break;
		}
	}
	for (i = 0; i < own->n; i++)
		(void)insert(all, own->v[i].at);
	return own->n ? own->v[own->n - 1].at : 0;
}

/* ---- merge ---- */

/* The larger of the changes forward and backward: a fall to a half is a rise to the double. */
static double magnitude(const struct changepoint *c)
{
	double back = c->after != 0 ? fabs(c->before / c->after - 1) : INFINITY;

	return MAX(fabs(c->change), back);
}

/* The point to drop next, or n when all may stay. */
static size_t weakest(const struct points *p, const struct changepoint_options *o)
{
	size_t worst = 0, least = 0;

	for (size_t i = 1; i < p->n; i++) {
		worst = p->v[i].p > p->v[worst].p ? i : worst;
		least = magnitude(&p->v[i]) < magnitude(&p->v[least]) ? i : least;
	}
	if (p->n == 0 || p->v[worst].p >= o->alpha)
		return worst;
	return magnitude(&p->v[least]) > o->min_change ? p->n : least;
}

struct changepoint *changepoint_find(const double *v, size_t n, const struct changepoint_options *o,
	size_t *n_out, struct arena *mem)
{
	struct points p = { arena_array(mem, n + 1, sizeof(*p.v)), 0 };
	double first = o->alpha < 0.05 ? 10 * o->alpha : o->alpha < 0.5 ? 2 * o->alpha : o->alpha;
	struct arena_mark mark = arena_mark(mem);

	assert(o->window >= 4);
	struct points own = { arena_array(mem, o->window + 1, sizeof(*own.v)), 0 };
	size_t start = 0;
	while (start < n) {
		size_t end = n - start > o->window ? start + o->window : n;
		size_t last = split_window(&p, &own, v, start, end, first, mem);

		start += o->window / 2;
		start = MAX(last, start);
	}
	for (size_t i = 0; i < p.n; i++)
		judge_point(&p, i, v, 0, n);
	size_t i;
	while (p.n > 0 && (i = weakest(&p, o)) < p.n) {
		drop(&p, i);
		if (i > 0)
			judge_point(&p, i - 1, v, 0, n);
		if (i < p.n)
			judge_point(&p, i, v, 0, n);
	}
	arena_reset(mem, mark);
	*n_out = p.n;
	return p.v;
}
