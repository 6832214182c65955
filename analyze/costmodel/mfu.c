/*
 * How much of what devices can do is used.
 */
#include <math.h>

#include "analyze/costmodel/roof.h"

size_t roof_alike(const struct roof *o, const struct roof_peaks **peaks)
{
	size_t i, n = 0;

	*peaks = NULL;
	for (i = 0; i < o->devices.n; i++) {
		if (o->busy[i] == 0)
			continue;
		n++;
		if (!*peaks)
			*peaks = &o->peaks[i];
		if (o->peaks[i].device != (*peaks)->device || o->peaks[i].share != (*peaks)->share)
			return 0;
	}
	return n;
}

double roof_utilisation(const struct roof *o, const int64_t *flop, const int64_t *more, nsec open)
{
	const struct roof_peaks *peaks;
	double s = 0;
	int i;

	if (open <= 0 || roof_alike(o, &peaks) == 0)
		return NAN;
	for (i = 0; i < ROOF_DTYPE_COUNT; i++) {
		double n = (double)flop[i] + (more ? (double)more[i] : 0);

		if (n > 0)
			s += n / roof_matrix_peak(peaks, i);
	}
	return s * 1e9 / (double)open;
}
