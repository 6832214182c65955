/* Busy times: one sweep that says how long the device was busy before each edge of a window. */
#include "analyze/measure/gaps/busy.h"

#include "analyze/measure/device/sweep.h"
#include "analyze/trace/run.h"

/* An end of a window: 2 * its index, and 1 more for where it ends. */
struct edge {
	nsec at;
	size_t id;
};

/* The stretch of work at the moment of the sweep, and what was before. */
struct stretch {
	nsec start, end;
	uint64_t before; /* ns of all earlier ones; no sum of disjoint times is beyond 2^64 */
	const struct edge *edge, *behind; /* those that no earlier stretch reached */
	uint64_t *busy;                   /* by edge.id: ns before it */
};

ORDER(by_time, struct edge, compare3(a->at, b->at))

/* No more work touches the stretch. */
static void close_stretch(struct stretch *s)
{
	for (; s->edge < s->behind && s->edge->at <= s->end; s->edge++)
		s->busy[s->edge->id] = s->before +
			(s->edge->at > s->start ? (uint64_t)s->edge->at - (uint64_t)s->start : 0);
	s->before += (uint64_t)s->end - (uint64_t)s->start;
}

static void sweep_stretches(
	struct stretch *s, const struct run *r, int64_t device, struct arena *mem)
{
	const struct events *ev = &r->events;
	struct sweep sweep;
	uint32_t row;

	sweep_device(&sweep, r, device, mem);
	while (sweep_next(&sweep, &row)) {
		nsec start = ev->start[row], end = events_end(ev, row);

		if (end <= s->end || end <= start)
			continue;
		if (start > s->end) {
			close_stretch(s);
			s->start = start;
		}
		s->end = end;
	}
	close_stretch(s);
}

static struct edge *make_edges(const struct interval *window, size_t n, struct arena *mem)
{
	struct edge *v = arena_array(mem, 2 * n, sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		v[2 * i] = (struct edge){ window[i].start, 2 * i };
		v[2 * i + 1] = (struct edge){ window[i].end, 2 * i + 1 };
	}
	if (n > 1)
		qsort(v, 2 * n, sizeof(*v), by_time);
	return v;
}

static nsec saturate(uint64_t ns)
{
	return ns > INT64_MAX ? INT64_MAX : (nsec)ns;
}

nsec busy_of_device(
	const struct run *r, int64_t device, const struct interval *window, size_t n, nsec *ns)
{
	SCOPED_ARENA mem = { 0 };
	struct stretch s = { .start = INT64_MIN, .end = INT64_MIN };

	s.edge = make_edges(window, n, &mem);
	s.behind = s.edge + 2 * n;
	s.busy = arena_array(&mem, 2 * n, sizeof(*s.busy));
	sweep_stretches(&s, r, device, &mem);
	for (; s.edge < s.behind; s.edge++)
		s.busy[s.edge->id] = s.before;
	for (size_t i = 0; i < n; i++)
		ns[i] = saturate(s.busy[2 * i + 1] - s.busy[2 * i]);
	return saturate(s.before);
}
