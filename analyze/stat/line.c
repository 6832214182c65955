/* Least squares on centred values, so that a large offset costs no digits. */
#include "analyze/stat/line.h"

#include "analyze/stat/kendall.h"
#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"

struct line line_fit(const double *x, const double *y, size_t n)
{
	struct line l = { NAN, NAN, NAN };
	double sxx = 0, sxy = 0, syy = 0, rest = 0;

	if (n < 2)
		return l;
	double mx = SUM(double, i, n, x[i]) / (double)n;
	double my = SUM(double, i, n, y[i]) / (double)n;
	for (size_t i = 0; i < n; i++) {
		sxx += (x[i] - mx) * (x[i] - mx);
		sxy += (x[i] - mx) * (y[i] - my);
		syy += (y[i] - my) * (y[i] - my);
	}
	if (!(sxx > 0))
		return l;
	l.slope = sxy / sxx;
	l.intercept = my - l.slope * mx;
	for (size_t i = 0; i < n; i++) {
		double r = y[i] - l.intercept - l.slope * x[i];

		rest += r * r;
	}
	l.r2 = syy > 0 ? 1 - rest / syy : 1;
	return l;
}

/* Theil's and Sen's slope. */

void theilsen_blocks(const double *v, size_t n, double *out, size_t blocks, struct arena *mem)
{
	for (size_t i = 0; i < blocks; i++) {
		/* i n / blocks without overflow */
		size_t from = i * (n / blocks) + i * (n % blocks) / blocks;
		size_t to = (i + 1) * (n / blocks) + (i + 1) * (n % blocks) / blocks;

		out[i] = quantile_median(v + from, to - from, mem);
	}
}

/* The slopes of all pairs with different x; how many. */
static size_t slopes(const double *x, const double *y, size_t n, double *out)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (x[j] > x[i])
				out[m++] = (y[j] - y[i]) / (x[j] - x[i]);
	return m;
}

static void fit(
	struct theilsen *t, const double *x, const double *y, double confidence, struct arena *mem)
{
	double *slope = arena_array(mem, t->n * (t->n - 1) / 2, sizeof(*slope));
	size_t m = slopes(x, y, t->n, slope);

	if (m == 0)
		return;
	t->slope = quantile_select(slope, m, 0.5);
	t->intercept = quantile_median(y, t->n, mem) - t->slope * quantile_median(x, t->n, mem);
	/* slope: the m slopes, reordered. */
	double n = (double)t->n;
	double ties = kendall_tie_term(x, t->n, mem) + kendall_tie_term(y, t->n, mem);
	double variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
	double reach = law_normal_quantile((1 + confidence) / 2) * sqrt(MAX(variance, 0));
	double lo = round(((double)m - reach) / 2) - 1;
	double hi = round(((double)m + reach) / 2);
	t->lo = lo >= 0 ? quantile_nth(slope, m, saturate_size(lo)) : -INFINITY;
	t->hi = hi < (double)m ? quantile_nth(slope, m, saturate_size(hi)) : INFINITY;
}

/* Through the medians of blocks. */
static struct theilsen fit_blocks(const double *x, const double *y, size_t n, size_t blocks,
	double confidence, struct arena *mem)
{
	struct theilsen t = { NAN, NAN, NAN, NAN, blocks };
	double *bx = arena_array(mem, blocks, sizeof(*bx));
	double *by = arena_array(mem, blocks, sizeof(*by));

	theilsen_blocks(x, n, bx, blocks, mem);
	theilsen_blocks(y, n, by, blocks, mem);
	fit(&t, bx, by, confidence, mem);
	return t;
}

struct theilsen theilsen_fit(
	const double *x, const double *y, size_t n, double confidence, struct arena *mem)
{
	struct theilsen t = { NAN, NAN, NAN, NAN, n };
	struct arena_mark mark = arena_mark(mem);

	if (n < 2)
		return t;
	if (n > THEILSEN_MAX)
		t = fit_blocks(x, y, n, THEILSEN_MAX, confidence, mem);
	else
		fit(&t, x, y, confidence, mem);
	arena_reset(mem, mark);
	return t;
}

/* Theil's and Sen's line of medians of blocks, and how well it is known. */

enum { MANY = 1000 }; /* of which Student's law is the normal one */
enum { FEW = 16 };    /* of which a line leaves too little for the middle one to tell */
/* Asked for, so that 95% are reached although sigma is itself an estimate; of the points. */
static const double confidence = 0.975, two_sided = 0.9875, of_points = 0.975;
static const double mad_to_sigma = 1.4826;       /* of normal values */
static const double median_efficiency = 1.2533;  /* sqrt(pi / 2): its error over the mean's */
static const double theilsen_efficiency = 1.024; /* sqrt(pi / 3): over that of least squares */

/* Sum of squares around the mean. */
static double squares(const double *v, size_t n)
{
	double mean = SUM(double, i, n, v[i] / (double)n);

	return SUM(double, i, n, (v[i] - mean) * (v[i] - mean));
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

struct robustline robustline_fit(
	const double *x, const double *y, size_t n, double resolution, struct arena *mem)
{
	struct robustline l = { NAN, NAN, NAN, NAN, NAN, NAN, n };
	struct arena_mark mark = arena_mark(mem);
	double *rest;

	if (n < ROBUSTLINE_LEAST)
		return l;
	struct theilsen t = n <= ROBUSTLINE_POINTS
		? theilsen_fit(x, y, n, confidence, mem)
		: fit_blocks(x, y, n, ROBUSTLINE_POINTS, confidence, mem);
	if (!isnan(t.slope)) {
		rest = arena_array(mem, n, sizeof(*rest));
		l.x = quantile_sorted(x, n, 0.5);
		l.slope = t.slope;
		for (size_t i = 0; i < n; i++)
			rest[i] = y[i] - t.slope * (x[i] - l.x);
		l.y = quantile_median(rest, n, mem);
		for (size_t i = 0; i < n; i++)
			rest[i] -= l.y;
		double sigma = mad_to_sigma * quantile_mad(rest, l.n, 0, mem);
		double reach = law_t_quantile(two_sided, l.n < MANY ? (double)l.n - 2 : INFINITY);
		double kendall = fmax(t.hi - t.slope, t.slope - t.lo);
		if (l.n < FEW)
			sigma = fmax(sigma, sqrt(squares(rest, l.n) / ((double)l.n - 2)));
		sigma = fmax(sigma, resolution / sqrt(6));
		l.spread = fmax(law_normal_quantile(of_points) * sigma, resolution);
		l.y_error = fmax(reach * median_efficiency * sigma / sqrt((double)l.n),
			median_error(rest, l.n, mem) * sqrt((double)l.n / ((double)l.n - 2)));
		l.slope_error = reach * theilsen_efficiency * sigma / sqrt(squares(x, l.n));
		if (isfinite(kendall))
			l.slope_error = fmax(l.slope_error, kendall);
	}
	arena_reset(mem, mark);
	return l;
}
