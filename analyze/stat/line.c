/* Least squares on centred values, so that a large offset costs no digits. */
#include "analyze/stat/line.h"

#include <math.h>

static double mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

struct line line_fit(const double *x, const double *y, size_t n)
{
	struct line l = { NAN, NAN, NAN };
	double sxx = 0, sxy = 0, syy = 0, rest = 0;

	if (n < 2)
		return l;
	double mx = mean_of(x, n);
	double my = mean_of(y, n);
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
