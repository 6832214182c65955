/* Shapley's split of a product's change, in integers that add up. */
#include "analyze/compare/attribution.h"

struct attribution attribution_split(
	int64_t base_ns, double base_calls, int64_t now_ns, double now_calls)
{
	struct attribution a = { .delta = now_ns - base_ns };
	double m0 = ratio_of((double)base_ns, base_calls), m1 = ratio_of((double)now_ns, now_calls);

	if (isnan(m0) || isnan(m1))
		a.by_calls = a.delta;
	else
		a.by_calls = saturate_round((now_calls - base_calls) * (m0 + m1) / 2);
	a.by_duration = a.delta - a.by_calls;
	return a;
}

int64_t attribution_same_shape(const struct attribution_shape *shape, size_t n)
{
	double sum = 0;

	for (EACH(const struct attribution_shape, s, shape, n)) {
		double m0 = ratio_of(s->base_ns, s->base_calls);
		double m1 = ratio_of(s->now_ns, s->now_calls);

		if (!isnan(m0) && !isnan(m1))
			sum += (m1 - m0) * (s->base_calls + s->now_calls) / 2;
	}
	return saturate_round(sum);
}

void attribution_round(const double *value, size_t n, int64_t total, int64_t *part)
{
	int64_t left = total;
	size_t best;

	for (size_t i = 0; i < n; i++) {
		part[i] = saturate_whole(floor(value[i]));
		left -= part[i];
	}
	for (; left > 0 && left <= (int64_t)n; left--) {
		best = 0;
		for (size_t i = 1; i < n; i++)
			if (value[i] - (double)part[i] > value[best] - (double)part[best])
				best = i;
		part[best]++;
	}
	if (n > 0)
		part[n - 1] += left;
}
