/* The interval of a share. */
#include "analyze/stat/wilson.h"

#include <assert.h>

#include "analyze/stat/law.h"

struct interval_real wilson_interval(size_t k, size_t n, double confidence)
{
	double size = (double)n;

	assert(k <= n);
	if (n == 0)
		return (struct interval_real){ NAN, NAN, NAN };
	double z = law_normal_quantile((1 + confidence) / 2);
	double share = (double)k / size;
	double middle = (share + z * z / (2 * size)) / (1 + z * z / size);
	double half = z / (1 + z * z / size) *
		sqrt(share * (1 - share) / size + z * z / (4 * size * size));
	return (struct interval_real){
		k == 0 ? 0 : middle - half,
		k == n ? 1 : middle + half,
		confidence,
	};
}
