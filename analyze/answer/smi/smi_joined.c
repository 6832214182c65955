/*
 * `smi`: what the samples and the log beside a trace say of it.
 */
#include <math.h>

#include "analyze/answer/smi/smi_energy.h"
#include "analyze/measure/metricname.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"

void joined_field(const struct joined *j, struct energy *e, const struct smi_gpu *g,
	enum smi_field field, double factor, struct arena *mem)
{
	const struct curve *c = &g->curve[field];
	nsec *t = arena_array(mem, c->n, sizeof(*t));
	double *v = arena_array(mem, c->n, sizeof(*v));
	size_t i;

	for (i = 0; i < c->n; i++) {
		t[i] = sampleclock_at(&j->clock, c->x[i]);
		v[i] = c->y[i] * factor;
	}
	energy_init(e, t, v, c->n, mem);
}

double smi_tokens_of_step(const struct record *r)
{
	size_t i;

	for (i = 0; r && i < r->nseries; i++) {
		const struct series *s = r->series[i];
		struct point first;
		size_t n = series_first(s, 1, &first);

		if (n == 0 || metric_role(s->name) != ROLE_TOKENS || s->axis != AXIS_STEP)
			continue;
		if (s->last.x > first.x && s->last.y > first.y)
			return (s->last.y - first.y) / (s->last.x - first.x);
	}
	return NAN;
}

double smi_tokens_per_s(const struct record *r)
{
	static const char *const keys[] = { "throughput.tokens_per_sec",
		"perf.approx_tokens_per_sec" };
	size_t i;

	for (i = 0; r && i < COUNT_OF(keys); i++) {
		double v = scalar_number(record_find(&r->scalars, keys[i]));

		if (v > 0)
			return v;
	}
	return NAN;
}
