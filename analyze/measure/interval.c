/* Sets of time as sorted disjoint intervals. */
#include "analyze/measure/interval.h"

#include "analyze/measure/device/sweep.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/run.h"
#include "base/base.h"

void intervals_clear(struct intervals *s)
{
	free(s->v);
	*s = (struct intervals){ 0 };
}

void intervals_add(struct intervals *s, nsec start, nsec end)
{
	if (end <= start)
		return;
	PUSH(s->v, s->n, s->cap, (struct interval){ start, end });
}

/* The same, joined with the last one when it begins inside or at the end of that. */
static void add_in_order(struct intervals *s, nsec start, nsec end)
{
	struct interval *last = s->n > 0 ? &s->v[s->n - 1] : NULL;

	if (!last || start > last->end)
		intervals_add(s, start, end);
	else if (end > last->end)
		last->end = end;
}

ORDER(by_start, struct interval, compare3(a->start, b->start), compare3(a->end, b->end))

void intervals_unite(struct intervals *s)
{
	size_t n = s->n, i;

	for (i = 1; i < n && s->v[i - 1].start <= s->v[i].start; i++)
		;
	if (i < n)
		qsort(s->v, n, sizeof(*s->v), by_start);
	s->n = 0;
	for (i = 0; i < n; i++)
		add_in_order(s, s->v[i].start, s->v[i].end);
}

nsec intervals_length(const struct intervals *s)
{
	nsec sum = 0;

	for (EACH(const struct interval, interval, s->v, s->n))
		saturate_onto(&sum, saturate_sub(interval->end, interval->start));
	return sum;
}

nsec intervals_within(const struct intervals *s, nsec start, nsec end)
{
	nsec sum = 0;

	for (size_t i = PARTITION_POINT(k, 0, s->n, s->v[k].end <= start);
		i < s->n && s->v[i].start < end; i++)
		saturate_onto(&sum, saturate_sub(MIN(s->v[i].end, end), MAX(s->v[i].start, start)));
	return sum;
}

void intervals_of_device(struct intervals *out, const struct run *r, int64_t device, unsigned kinds)
{
	const struct events *ev = &r->events;
	SCOPED_ARENA mem = { 0 };
	struct sweep sweep;
	uint32_t row;

	sweep_device(&sweep, r, device, &mem);
	while (sweep_next(&sweep, &row))
		if (KIND_BIT(ev->kind[row]) & kinds)
			add_in_order(out, ev->start[row], events_end(ev, row));
}
