/*
 * `timeline`: where a time lies.
 */
#include "analyze/answer/timeline/timeline.h"

size_t timeline_slice(const struct timeline *l, nsec t)
{
	size_t low = 0, high = l->n - 1;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (l->edge[middle] <= t)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}
