/* How much a series in time says: values that follow each other are not independent. */
#pragma once

#include "base/base.h"

enum { AUTOCORR_LAGS_MAX = 2000 };

struct autocorr {
	double rho;   /* correlation of neighbours; NaN when n < 3 or nothing varies */
	double tau;   /* integrated autocorrelation time in values, at least 1 */
	double n_eff; /* n / tau: as many independent values say as much about the mean */
};

/* tau = -1 + 2 sum of Gamma_k, Gamma_k = rho_2k + rho_2k+1, while these are positive, and made not
 * to increase.  1 where nothing varies or n < 4.  O(n K), K the lags it takes, at most n / 2 and
 * AUTOCORR_LAGS_MAX. Source: Geyer 1992, initial monotone sequence estimator. */
struct autocorr autocorr_of(const double *v, size_t n);

/* Mean block length for a stationary bootstrap of n values: ceil(1.1447 (2 rho / (1 - rho^2))^(2/3)
 * n^(1/3)), within 1 .. n / 4.  1 where rho <= 0 or is NaN.  Source: Andrews 1991, AR(1) plug-in;
 * Politis and Romano 1994. */
size_t autocorr_block(double rho, size_t n);
