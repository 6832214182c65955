/*
 * Contrasts: the order of work, and the metrics.
 */
#include "analyze/compare/contrast.h"

static const double CONFIDENCE = 0.95;

const struct contrast_options contrast_usual = {
	.by = OPSUMS_CALL, .alpha = 0.05, .noise = 0.02, .threshold = 0.01
};

void contrast_judge(const struct contrast *c, const struct metric *base, const struct metric *now,
	struct change *change)
{
	const struct metric *m = base ? base : now;
	/* Parts of the step are held to the step, too: a microsecond more is none. */
	const struct change_options o = {
		.noise = c->o.noise,
		.tolerance = base && base->is_exact ? 0 : c->o.threshold,
		.confidence = CONFIDENCE,
		.floor = c->has_step && m->unit == UNIT_NS ? c->o.threshold * c->step.base : 0,
	};

	change_of(change, base, now, &o, c->mem);
}

static bool has_common(const struct contrast *c)
{
	size_t i;

	for (i = 0; i < c->base_metrics.n; i++)
		if (metricset_match(&c->now_metrics, &c->base_metrics.v[i]))
			return true;
	return false;
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
		contrast_judge(c, base, now, &c->step);
	c->has_step = base && now;
	c->has_common = has_common(c);
}

void contrast_init(struct contrast *c, const struct side *base, const struct side *now,
	const struct contrast_options *o, struct arena *mem)
{
	*c = (struct contrast){ .o = *o, .base = base, .now = now, .mem = mem };
	contrast_find_conditions(c);
	find_metrics(c);
}

void contrast_find_work(struct contrast *c)
{
	contrast_find_ledger(c);
	if (c->ledger.n == 0)
		return;
	contrast_find_rows(c, &c->device, false);
	contrast_find_rows(c, &c->host, true);
}
