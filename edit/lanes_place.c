/* Slices onto lanes, in the order of their begins. */
#include "edit/lanes_place.h"

#define NOWHERE UINT32_MAX

/* A slice that is not over yet. */
struct open_slice {
	nsec start, end;
	struct spanned span;
};

struct place_lane {
	struct open_slice *open; /* outermost first */
	size_t nopen, cap;
	struct open_slice last; /* the one that began last, over or not */
	bool any;
};

static nsec end_of(const struct spanned *v)
{
	return saturate_add(v->start, v->dur);
}

static uint32_t add_lane(struct placing *p)
{
	PUSH(p->lane, p->nlane, p->lane_cap, (struct place_lane){ 0 });
	return (uint32_t)p->nlane - 1;
}

static void add_move(struct placing *p, int64_t offset, uint32_t to)
{
	PUSH(p->move, p->nmove, p->move_cap, (struct place_move){ offset, to });
}

static void close_ended(struct place_lane *l, nsec now)
{
	while (l->nopen && l->open[l->nopen - 1].end <= now)
		l->nopen--;
}

/* How many of the open slices stay when v lies on the lane; SIZE_MAX: it does not fit.  Regions
 * that end while the work still runs do not stay. */
static size_t room_for(struct place_lane *l, const struct spanned *v)
{
	close_ended(l, v->start);
	size_t n = l->nopen;
	while (v->what == SPAN_WORK && n && l->open[n - 1].span.what == SPAN_REGION &&
		l->open[n - 1].end < end_of(v))
		n--;
	if (n && v->what == SPAN_WORK && l->open[n - 1].span.what == SPAN_WORK)
		return SIZE_MAX;
	return n == 0 || l->open[n - 1].end >= end_of(v) ? n : SIZE_MAX;
}

/* Onto the first of the lanes from there on that takes it, `first` before them. */
static uint32_t place(struct placing *p, const struct spanned *v, uint32_t first, uint32_t from)
{
	size_t room = first < p->nlane ? room_for(&p->lane[first], v) : SIZE_MAX;
	uint32_t to = first;

	for (; room == SIZE_MAX && from < p->nlane; from++) {
		room = room_for(&p->lane[from], v);
		to = from;
	}
	if (room == SIZE_MAX) {
		to = add_lane(p);
		room = 0;
	}
	struct place_lane *l = &p->lane[to];
	struct open_slice s = { v->start, end_of(v), *v };
	while (l->nopen > room)
		PUSH(p->region, p->nregion, p->region_cap, l->open[--l->nopen].span);
	PUSH(l->open, l->nopen, l->cap, s);
	l->last = s;
	l->any = true;
	if (to != v->lane)
		add_move(p, v->offset, to);
	return to;
}

static void place_slice(struct placing *p, const struct spanned *v)
{
	uint32_t to = place(p, v, p->last[v->lane], 0);

	if (p->nown > 1)
		p->last[v->lane] = to;
}

/* The slice an arrow's end lies in: the one of its call, else the innermost of its lane. */
static void place_point(struct placing *p, const struct spanned *v)
{
	const struct open_slice *best = NULL;
	uint32_t to = NOWHERE;

	for (uint32_t i = 0; i < p->nlane; i++) {
		struct place_lane *l = &p->lane[i];
		const struct open_slice *s = &l->last;

		close_ended(l, v->start);
		if (!l->any || s->start > v->start || (s->end <= v->start && s->start != v->start))
			s = l->nopen ? &l->open[l->nopen - 1] : NULL;
		if (!s || s->span.lane != v->lane)
			continue;
		if (v->call && s->span.call == v->call) {
			to = i;
			break;
		}
		if (!best || s->start > best->start) {
			best = s;
			to = i;
		}
	}
	if (to != NOWHERE && to != v->lane)
		add_move(p, v->offset, to);
}

ORDER(by_offset, struct place_move, compare3(a->offset, b->offset), compare3(a->to, b->to))

/* By place in the file; of a region that moved twice the second. */
static void sort_moves(struct placing *p)
{
	size_t n = 0;

	if (p->nmove)
		qsort(p->move, p->nmove, sizeof(*p->move), by_offset);
	for (size_t i = 0; i < p->nmove; i++)
		if (i + 1 == p->nmove || p->move[i + 1].offset != p->move[i].offset)
			p->move[n++] = p->move[i];
	p->nmove = n;
}

void place_all(struct placing *p, const struct spans *const *of, size_t n)
{
	struct spans_reader r;
	struct spanned v;

	*p = (struct placing){ .nown = n };
	p->last = xcalloc(n, sizeof(*p->last));
	for (size_t i = 0; i < n; i++)
		p->last[add_lane(p)] = 0;
	spans_read(&r, of, n);
	while (spans_next(&r, &v)) {
		if (v.what == SPAN_POINT)
			place_point(p, &v);
		else
			place_slice(p, &v);
	}
	spans_read_end(&r);
	/* Lanes of their own for regions that work runs out of. */
	uint32_t first = (uint32_t)p->nlane;
	if (p->nregion)
		qsort(p->region, p->nregion, sizeof(*p->region), spans_by_time);
	for (size_t i = 0; i < p->nregion; i++)
		(void)place(p, &p->region[i], NOWHERE, first);
	sort_moves(p);
}

void place_clear(struct placing *p)
{
	for (size_t i = 0; i < p->nlane; i++)
		free(p->lane[i].open);
	FREE_ALL(p->lane, p->last, p->region, p->move);
	*p = (struct placing){ 0 };
}
