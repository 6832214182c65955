/* Laws of probability: normal, Student's t, and the incomplete beta function under it. */
#pragma once

/* P(Z > z) of the standard normal law. */
double law_normal_above(double z);

/* The z with P(Z <= z) = p, 0 < p < 1; -inf and +inf at 0 and 1.  Newton's method on erfc. */
double law_normal_quantile(double p);

/* The regularized incomplete beta function I_x(a, b), 0 <= x <= 1, a, b > 0.  Continued fraction by
 * Lentz's method.  Source: NIST DLMF 8.17.22. */
double law_beta(double x, double a, double b);

/* P(T > t) of Student's law; df > 0, may be fractional or INFINITY (the normal law). */
double law_t_above(double t, double df);

/* The t with P(T <= t) = p, 0 < p < 1, by bisection. */
double law_t_quantile(double p, double df);
