/* The hull of a cut. */
#include "edit/keep_ranges.h"

size_t keep_ranges_behind(const struct keep_ranges *h, nsec t)
{
	return PARTITION_POINT(i, 0, h->time.n, h->time.v[i].start <= t);
}

/* The index of the stretch that a moment lies in, or the number of stretches. */
static size_t keep_ranges_at(const struct keep_ranges *h, nsec t)
{
	size_t next = keep_ranges_behind(h, t);

	return next > 0 && t < h->time.v[next - 1].end ? next - 1 : h->time.n;
}

bool keep_ranges_meets(const struct keep_ranges *h, nsec start, nsec end)
{
	if (h->is_all || keep_ranges_at(h, start) < h->time.n)
		return true;
	size_t next = keep_ranges_behind(h, start);
	return next < h->time.n && h->time.v[next].start < end;
}

bool keep_ranges_holds(const struct keep_ranges *h, nsec from, nsec to)
{
	size_t at = keep_ranges_at(h, from);

	return h->is_all || (at < h->time.n && to < h->time.v[at].end);
}
