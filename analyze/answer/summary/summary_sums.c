/*
 * `summary`: sums over the devices.
 */
#include "analyze/answer/summary/summary.h"

#include <math.h>

#include "base/saturate.h"

double summary_busy(const struct summary *s, double *kernels)
{
	nsec busy = 0, total = 0, kernel = 0;
	size_t d;

	for (d = 0; d < s->ledgers.ndevice; d++) {
		saturate_onto(&busy, s->device[d].steps.busy);
		saturate_onto(&kernel, s->device[d].steps.kernels);
		saturate_onto(&total, s->device[d].steps.total);
	}
	if (total == 0)
		return NAN;
	if (kernels)
		*kernels = (double)kernel / (double)total;
	return (double)busy / (double)total;
}
