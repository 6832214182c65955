/*
 * Steps: which of them a time is in.
 */
#include "analyze/trace/steps.h"

size_t steps_begun(const struct steps *s, nsec t)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->step[middle].host_start <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t steps_at(const struct steps *s, nsec t)
{
	size_t n = steps_begun(s, t);

	return n > 0 && t < s->step[n - 1].host_end ? (uint32_t)n - 1 : NO_ROW;
}

bool steps_number_at(const struct steps *s, nsec t, int64_t *number)
{
	uint32_t at = s && s->source != STEPS_WHOLE ? steps_at(s, t) : NO_ROW;

	if (at == NO_ROW)
		return false;
	*number = s->step[at].number;
	return true;
}

bool steps_number_around(const struct steps *s, nsec t, int64_t *number)
{
	size_t low = 0, high = s && s->source != STEPS_WHOLE ? s->n : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->step[middle].start <= t)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || t >= s->step[low - 1].end)
		return false;
	*number = s->step[low - 1].number;
	return true;
}

uint32_t steps_near(const struct steps *s, nsec t, uint32_t last)
{
	if (last < s->n && t >= s->step[last].host_start && t < s->step[last].host_end &&
		(last + 1 == s->n || t < s->step[last + 1].host_start))
		return last;
	return steps_at(s, t);
}
