/* What traceq needs of <math.h>, which declares all it has for each of nine types of real numbers:
 * that was half of what the compiler read, 20 ms a file.  No file that works with base/ includes
 * <math.h>. */
#pragma once

#define M_PI        3.14159265358979323846
#define M_SQRT2     1.41421356237309504880
#define NAN         (__builtin_nanf(""))
#define INFINITY    (__builtin_inff())

#define isnan(x)    __builtin_isnan(x)
#define isinf(x)    __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x)  __builtin_signbit(x)

double cbrt(double v);
double ceil(double v);
double cos(double v);
double erfc(double v);
double exp(double v);
double exp2(double v);
double expm1(double v);
double fabs(double v);
double floor(double v);
double fmax(double a, double b);
double fmin(double a, double b);
double hypot(double a, double b);
double lgamma_r(double v, int *sign);
double log(double v);
double log10(double v);
double log1p(double v);
double log2(double v);
double nearbyint(double v);
double pow(double v, double to);
double round(double v);
double sin(double v);
double sqrt(double v);
double trunc(double v);
long long llround(double v);
