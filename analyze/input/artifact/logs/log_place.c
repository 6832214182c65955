/* Steps through epochs. */
#include "analyze/input/artifact/logs/log_place.h"

static bool is_next_epoch(const struct log_place *p, double step)
{
	bool is_full = p->total > 1 && p->step + p->stride >= p->total;

	bool is_risen = floor(p->epoch) > floor(p->step_epoch);

	if (!p->has_step || step > p->step)
		return false;
	return step == p->step ? is_full && is_risen : is_risen || (is_full && step <= p->stride);
}

double log_place_step(struct log_place *p, double step, double total)
{
	double base = p->x - p->step;

	if (p->epoch < p->step_epoch) /* some epochs back */
		base = fmax(0, base - floor(p->step_epoch - p->epoch) * p->total);
	if (is_next_epoch(p, step))
		base = p->total >= p->step ? base + p->total : p->x + p->stride - step;
	else if (step > p->step || !p->has_step)
		p->stride = p->has_step ? step - p->step : step;
	p->step = step;
	p->total = total > 0 ? total : p->total;
	p->step_epoch = p->epoch;
	p->has_step = true;
	p->x = base + step;
	return p->x;
}
