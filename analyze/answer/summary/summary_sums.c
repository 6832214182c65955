/*
 * `summary`: sums over the devices.
 */
#include "analyze/answer/summary/summary.h"

#include <math.h>

#include "analyze/measure/saturate.h"

double summary_busy(const struct summary *s, double *kernels)
{
	nsec busy = 0, total = 0, kernel = 0;
	size_t d;

	for (d = 0; d < s->ledgers.ndevice; d++) {
		busy = saturate_add(busy, s->device[d].steps.busy);
		kernel = saturate_add(kernel, s->device[d].steps.kernels);
		total = saturate_add(total, s->device[d].steps.total);
	}
	if (total == 0)
		return NAN;
	if (kernels)
		*kernels = (double)kernel / (double)total;
	return (double)busy / (double)total;
}
