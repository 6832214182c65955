/* Autocorrelation time. */
#include "analyze/stat/autocorr.h"

#include "analyze/stat/welch.h"

/* Sum of products of deviations at a lag, over n. */
static double covariance(const double *v, size_t n, double mean, size_t lag)
{
	double sum = 0;

	for (size_t i = lag; i < n; i++)
		sum += (v[i] - mean) * (v[i - lag] - mean);
	return sum / (double)n;
}

struct autocorr autocorr_of(const double *v, size_t n)
{
	struct autocorr a = { NAN, 1, (double)n };
	struct moments m = welch_moments(v, n);
	double last = INFINITY, sum = 0;

	if (n < 3)
		return a;
	double c0 = covariance(v, n, m.mean, 0);
	if (!(c0 > 0) || c0 < 1e-28 * m.mean * m.mean)
		return a;
	a.rho = covariance(v, n, m.mean, 1) / c0;
	if (n < 4)
		return a;
	for (size_t k = 0; 2 * k + 1 < n / 2 + 1 && k < AUTOCORR_LAGS_MAX / 2; k++) {
		double gamma = covariance(v, n, m.mean, 2 * k) / c0 +
			covariance(v, n, m.mean, 2 * k + 1) / c0;

		if (!(gamma > 0))
			break;
		last = MIN(gamma, last);
		sum += last;
	}
	a.tau = -1 + 2 * sum;
	if (a.tau < 1)
		a.tau = 1;
	a.n_eff = (double)n / a.tau;
	return a;
}

size_t autocorr_block(double rho, size_t n)
{
	double most = floor((double)n / 4), length = 1;

	if (rho > 0 && rho < 1)
		length = ceil(1.1447 * pow(2 * rho / (1 - rho * rho), 2.0 / 3) * cbrt((double)n));
	else if (rho >= 1)
		length = most;
	length = MIN(length, most);
	return length > 1 ? saturate_size(length) : 1;
}
