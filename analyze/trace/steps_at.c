/* Steps: which of them a time is in. */
#include "analyze/trace/run_steps.h"
#include "base/base.h"

size_t steps_begun(const struct steps *s, nsec t)
{
	return PARTITION_POINT(i, 0, s->n, s->step[i].host_start <= t);
}

uint32_t steps_at(const struct steps *s, nsec t)
{
	size_t n = steps_begun(s, t);

	return n > 0 && t < s->step[n - 1].host_end ? (uint32_t)n - 1 : NO_ROW;
}

uint32_t steps_first_work(const struct steps *s, nsec at)
{
	size_t low = PARTITION_POINT(i, 0, s->on_device ? s->n : 0, s->step[i].start <= at);

	if (low == 0 || s->step[low - 1].start != at || s->step[low - 1].first_plus_1 == 0)
		return NO_ROW;
	return s->step[low - 1].first_plus_1 - 1;
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
	size_t low = PARTITION_POINT(
		i, 0, s && s->source != STEPS_WHOLE ? s->n : 0, s->step[i].start <= t);

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
