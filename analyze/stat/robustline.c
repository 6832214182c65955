/* Theil's and Sen's line of medians of blocks, and how well it is known. */
#include "analyze/stat/robustline.h"

#include <math.h>
#include <string.h>

#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/theilsen.h"
#include "base/arena.h"
#include "base/saturate.h"

enum { MANY = 1000 }; /* of which Student's law is the normal one */
enum { FEW = 16 };    /* of which a line leaves too little for the middle one to tell */
/* Asked for, so that 95% are reached although sigma is itself an estimate; of the points. */
static const double confidence = 0.975, two_sided = 0.9875, of_points = 0.975;
static const double mad_to_sigma = 1.4826;       /* of normal values */
static const double median_efficiency = 1.2533;  /* sqrt(pi / 2): its error over the mean's */
static const double theilsen_efficiency = 1.024; /* sqrt(pi / 3): over that of least squares */

static struct theilsen slope_of(const double *x, const double *y, size_t n, struct arena *mem)
{
	double *bx, *by;

	if (n <= ROBUSTLINE_POINTS)
		return theilsen_fit(x, y, n, confidence, mem);
	bx = arena_array(mem, ROBUSTLINE_POINTS, sizeof(*bx));
	by = arena_array(mem, ROBUSTLINE_POINTS, sizeof(*by));
	theilsen_blocks(x, n, bx, ROBUSTLINE_POINTS, mem);
	theilsen_blocks(y, n, by, ROBUSTLINE_POINTS, mem);
	return theilsen_fit(bx, by, ROBUSTLINE_POINTS, confidence, mem);
}

/* Sum of squares around the mean. */
static double squares(const double *v, size_t n)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

/* Half width of the interval of the median of n values around it, by the sign test. */
static double median_error(const double *v, size_t n, struct arena *mem)
{
	double *copy = arena_array(mem, n, sizeof(*copy));
	double below = floor((double)n / 2 - law_normal_quantile(two_sided) * sqrt((double)n) / 2);
	size_t k = below >= 1 ? saturate_size(below) - 1 : 0;

	memcpy(copy, v, n * sizeof(*copy));
	return fmax(-quantile_nth(copy, n, k), quantile_nth(copy, n, n - 1 - k));
}

static void find_errors(struct robustline *l, const struct theilsen *t, const double *x,
	double *rest, double resolution, struct arena *mem)
{
	double sigma = mad_to_sigma * quantile_mad(rest, l->n, 0, mem);
	double reach = law_t_quantile(two_sided, l->n < MANY ? (double)l->n - 2 : INFINITY);
	double kendall = fmax(t->hi - t->slope, t->slope - t->lo);

	if (l->n < FEW)
		sigma = fmax(sigma, sqrt(squares(rest, l->n) / ((double)l->n - 2)));
	sigma = fmax(sigma, resolution / sqrt(6));
	l->spread = fmax(law_normal_quantile(of_points) * sigma, resolution);
	l->y_error = fmax(reach * median_efficiency * sigma / sqrt((double)l->n),
		median_error(rest, l->n, mem) * sqrt((double)l->n / ((double)l->n - 2)));
	l->slope_error = reach * theilsen_efficiency * sigma / sqrt(squares(x, l->n));
	if (isfinite(kendall))
		l->slope_error = fmax(l->slope_error, kendall);
}

struct robustline robustline_fit(
	const double *x, const double *y, size_t n, double resolution, struct arena *mem)
{
	struct robustline l = { NAN, NAN, NAN, NAN, NAN, NAN, n };
	struct arena_mark mark = arena_mark(mem);
	double *rest;

	if (n < ROBUSTLINE_LEAST)
		return l;
	struct theilsen t = slope_of(x, y, n, mem);
	if (!isnan(t.slope)) {
		rest = arena_array(mem, n, sizeof(*rest));
		l.x = quantile_sorted(x, n, 0.5);
		l.slope = t.slope;
		for (size_t i = 0; i < n; i++)
			rest[i] = y[i] - t.slope * (x[i] - l.x);
		l.y = quantile_median(rest, n, mem);
		for (size_t i = 0; i < n; i++)
			rest[i] -= l.y;
		find_errors(&l, &t, x, rest, resolution, mem);
	}
	arena_reset(mem, mark);
	return l;
}
