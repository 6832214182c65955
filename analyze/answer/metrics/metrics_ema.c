/*
 * `metrics`: the moving average, for curves and for targets.
 */
#include "analyze/answer/metrics/metrics.h"

/* Source: Kingma and Ba 2015, section 3, for the correction of the bias towards 0. */
double metrics_ema(struct metrics_ema *e, double y)
{
	e->sum = (1 - e->alpha) * e->sum + e->alpha * y;
	e->weight = (1 - e->alpha) * e->weight + e->alpha;
	return e->sum / e->weight;
}

struct metrics_ema metrics_ema_of(size_t window)
{
	return (struct metrics_ema){ 2 / ((double)window + 1), 0, 0 };
}
