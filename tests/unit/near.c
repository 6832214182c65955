/* Real numbers that should be equal. */
#include "tests/unit/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/stat/law.h"
#include "analyze/stat/rng.h"

void near_at(double got, double want, double relative, const char *what, const char *file, int line)
{
	if (isnan(got) && isnan(want))
		return;
	if (got == want || fabs(got - want) <= 1e-12 + relative * fabs(want)) /* infinities */
		return;
	print_error("%s: got %.12g, want %.12g\n", what, got, want);
	_fail(file, line);
}

double near_random(unsigned long *state)
{
	unsigned long x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return (double)(x >> 11) * 0x1p-53;
}

double near_normal(struct rng *r)
{
	return law_normal_quantile(rng_unit(r) * (1 - 0x1p-53) + 0x1p-54);
}
