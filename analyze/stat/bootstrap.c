/* The stationary bootstrap. */
#include "analyze/stat/bootstrap.h"

#include "analyze/stat/rng.h"

double bootstrap_mean(double *v, size_t n)
{
	return SUM(double, i, n, v[i]) / (double)n;
}

static void resample(struct rng *rng, const double *v, size_t n, size_t block, double *out)
{
	double stop = 1 / (double)block;
	size_t at = rng_below(rng, n);

	for (size_t i = 0; i < n; i++) {
		out[i] = v[at];
		if (block <= 1 || rng_unit(rng) < stop)
			at = rng_below(rng, n);
		else
			at = at + 1 < n ? at + 1 : 0;
	}
}

struct interval_real bootstrap_interval(const double *v, size_t n, size_t block, size_t draws,
	double confidence, bootstrap_statistic *of, struct arena *mem)
{
	struct interval_real out = { NAN, NAN, NAN };
	struct arena_mark mark = arena_mark(mem);
	double *sample, *value;
	struct rng rng;

	if (n < BOOTSTRAP_LEAST || draws == 0)
		return out;
	sample = arena_array(mem, n, sizeof(*sample));
	value = arena_array(mem, draws, sizeof(*value));
	rng_init(&rng, RNG_SEED);
	for (size_t i = 0; i < draws; i++) {
		resample(&rng, v, n, block, sample);
		value[i] = of(sample, n);
	}
	quantile_sort(value, draws);
	out.lo = quantile_sorted(value, draws, (1 - confidence) / 2);
	out.hi = quantile_sorted(value, draws, (1 + confidence) / 2);
	out.confidence = confidence;
	arena_reset(mem, mark);
	return out;
}
