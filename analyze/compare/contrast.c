/*
 * Contrasts: the order of work, and the metrics.
 */
#include "analyze/compare/contrast.h"

#include <math.h>

#include "analyze/compare/sides.h"

const struct contrast_options contrast_usual = {
	.by = OPSUMS_OP, .alpha = 0.05, .noise = NAN, .threshold = 0.01
};

static void judge(const struct contrast *c, const struct metric *base, const struct metric *now,
	double floor, struct change *change)
{
	const struct change_options o = {
		.noise = isnan(c->o.noise) ? contrast_noise_assumed : c->o.noise,
		.tolerance = base && base->is_exact ? 0 : c->o.threshold,
		.confidence = 1 - c->o.alpha / 2,
		.floor = floor,
	};

	change_of(change, base, now, &o, c->mem);
}

void contrast_judge(const struct contrast *c, const struct metric *base, const struct metric *now,
	struct change *change)
{
	const struct metric *m = base ? base : now;

	/* Parts of the step are held to the step, too: a microsecond more is none. */
	judge(c, base, now, c->has_step && m->unit == UNIT_NS ? c->o.threshold * c->step.base : 0,
		change);
}

static bool has_common(const struct contrast *c)
{
	size_t i;

	for (i = 0; i < c->base_metrics.n; i++)
		if (metricset_match(&c->now_metrics, &c->base_metrics.v[i]))
			return true;
	return false;
}

/* The mean step of each run that has traces: what the ledger adds up to. */
static struct metric of_means(const struct metric *m, const struct side *s, struct arena *mem)
{
	struct metric out = *m;
	size_t i, k;

	out.title = "step time";
	out.is_mean = true;
	out.sample = arena_array(mem, m->n, sizeof(*out.sample));
	out.n = 0;
	for (i = 0; i < m->n; i++)
		for (k = 0; k < s->nrun; k++)
			if (s->run[k].name == m->sample[i].run && s->run[k].nrank > 0) {
				out.sample[out.n] = m->sample[i];
				out.sample[out.n++].centre = m->sample[i].mean;
			}
	return out;
}

static void judge_step(struct contrast *c, const struct metric *base, const struct metric *now)
{
	judge(c, base, now, 0, &c->step);
	c->has_step = true;
	if (!base->is_log) {
		struct metric a = of_means(base, c->base, c->mem);
		struct metric b = of_means(now, c->now, c->mem);

		c->median = c->step;
		c->has_median = true;
		judge(c, &a, &b, 0, &c->step);
	}
}

static void find_metrics(struct contrast *c)
{
	const struct metric *base, *now;

	metricset_init(&c->base_metrics, c->base, c->mem);
	metricset_init(&c->now_metrics, c->now, c->mem);
	base = metricset_find(&c->base_metrics, "step_time");
	now = base ? metricset_match(&c->now_metrics, base) : NULL;
	if (!now) {
		now = metricset_find(&c->now_metrics, "step_time");
		base = now ? metricset_match(&c->base_metrics, now) : NULL;
	}
	if (base && now)
		judge_step(c, base, now);
	c->has_common = has_common(c);
}

void contrast_init(struct contrast *c, const struct side *base, const struct side *now,
	const struct contrast_options *o, struct arena *mem)
{
	*c = (struct contrast){ .o = *o, .base = base, .now = now, .mem = mem };
	contrast_find_conditions(c);
	find_metrics(c);
}

/* The step that is judged is the ledger's, to the nanosecond. */
static void align(struct contrast *c)
{
	struct change *s = &c->step;

	if (!c->has_median)
		return;
	s->base = (double)c->ledger.base;
	s->now = (double)c->ledger.now;
	s->delta = s->now - s->base;
	s->ratio = s->base != 0 ? s->delta / s->base : NAN;
}

void contrast_find_work(struct contrast *c)
{
	contrast_find_ledger(c);
	if (c->ledger.n == 0)
		return;
	align(c);
	contrast_find_ranks(c);
	contrast_find_rows(c, &c->device, false, c->o.by);
	contrast_test_rows(c, &c->device);
	contrast_find_rows(c, &c->host, true, c->o.by);
	contrast_test_rows(c, &c->host);
	if (c->o.by == OPSUMS_OP || c->o.by == OPSUMS_SHAPE) {
		contrast_find_rows(c, &c->kernels, false, OPSUMS_CALL);
		contrast_test_rows(c, &c->kernels);
	}
}
