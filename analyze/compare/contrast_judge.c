/*
 * Contrasts: the change of a metric, by what is said of noise.
 */
#include <math.h>

#include "analyze/compare/contrast.h"
#include "analyze/compare/figurekind.h"

void contrast_judge_by(const struct contrast *c, const struct metric *base,
	const struct metric *now, double floor, struct change *change)
{
	double noise = base && base->kind ? base->kind->noise : NAN;
	const struct change_options o = {
		.noise = !isnan(c->o.noise) ? c->o.noise
			: isnan(noise)      ? CONTRAST_NOISE
					    : noise,
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
	double floor = 0;

	/* Parts of the step are held to the step, too: a microsecond more is none. */
	if (m->kind)
		floor = fmax(figure_kind_floor(m->kind, m->unit), m->least);
	else if (c->has_step && m->unit == UNIT_NS)
		floor = c->o.threshold * c->step.base;
	contrast_judge_by(c, base, now, floor, change);
}
