/* Sweep: a merge of sorted lanes by a binary heap. */
#include "analyze/measure/device/sweep.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"

static bool before(const struct sweep_cursor *a, const struct sweep_cursor *b)
{
	return a->start != b->start ? a->start < b->start : *a->at < *b->at;
}

/* Moves heap[i] down to where it belongs. */
static void sift(struct sweep *s, size_t i)
{
	struct sweep_cursor x = s->heap[i];
	size_t c;

	for (; (c = 2 * i + 1) < s->n; i = c) {
		if (c + 1 < s->n && before(&s->heap[c + 1], &s->heap[c]))
			c++;
		if (!before(&s->heap[c], &x))
			break;
		s->heap[i] = s->heap[c];
	}
	s->heap[i] = x;
}

void sweep_device(struct sweep *s, const struct run *r, int64_t device, struct arena *mem)
{
	const struct order *o = r->order;
	size_t begin, end;

	order_device_lanes(o, r, device, &begin, &end);
	*s = (struct sweep){ .run = r, .heap = arena_array(mem, end - begin, sizeof(*s->heap)) };
	for (size_t i = begin; i < end; i++) {
		const uint32_t *first = o->device + o->device_begin[o->device_lane[i]];

		s->heap[s->n++] = (struct sweep_cursor){ first,
			o->device + o->device_begin[o->device_lane[i] + 1],
			r->events.start[*first] };
	}
	for (size_t i = s->n / 2; i-- > 0;)
		sift(s, i);
}

void sweep_leave(struct sweep *s)
{
	s->heap[0] = s->heap[--s->n];
	if (s->n > 1)
		sift(s, 0);
}

void sweep_sift(struct sweep *s)
{
	s->heap[0].start = s->run->events.start[*s->heap[0].at];
	sift(s, 0);
}

void sweep_cover(struct sweep_union *u, nsec start, nsec end)
{
	if (end <= u->end)
		return;
	if (start < u->end)
		start = u->end;
	saturate_onto(&u->busy, saturate_sub(end, start));
	u->end = end;
}
