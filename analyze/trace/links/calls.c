/* The op tree as columns: one pass over each lane, whose open calls are a path already, from the
 * last call of the tree upwards. */
#include "analyze/trace/links/calls.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/base.h"

unsigned calls_kinds(const struct run *r)
{
	const unsigned usual =
		KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_RUNTIME);

	return ANY(i, KIND_COUNT, (KIND_BIT(i) & usual) && r->kind_count[i] > 0)
		? usual
		: KIND_BIT(KIND_OTHER);
}

/* n objects of indeterminate values; NULL when n is 0. */
static void *array(size_t n, size_t size)
{
	return array_grow(NULL, &(size_t){ 0 }, n, size);
}

struct calls *calls_new(const struct run *r)
{
	size_t n = r->order->host_begin[r->lanes.n];
	struct calls *c = zeroed(1, sizeof(*c));

	*c = (struct calls){
		.kinds = calls_kinds(r),
		.parent = array(n, sizeof(*c->parent)),
		.flags = array(n, sizeof(*c->flags)),
	};
	return c;
}

/* A call is met below its parent. */
static void add_child(struct calls *c, uint32_t parent)
{
	uint8_t *flags = &c->flags[parent];

	*flags |= *flags & CALL_HAS_ONE ? CALL_HAS_MORE : CALL_HAS_ONE;
}

/* A parent stands before its children, so its flags begin when it is met. */
static void link_rows(struct calls *c, const struct run *r, size_t from, size_t to)
{
	const struct events *ev = &r->events;
	const uint32_t *row = r->order->host;
	nsec limit = 0; /* the end of `top` */
	uint32_t top = NO_ROW;

	for (size_t i = from; i < to; i++) {
		nsec start = ev->start[row[i]], end = events_end(ev, row[i]);
		bool is_in = (KIND_BIT(ev->kind[row[i]]) & c->kinds) != 0;

		while (top != NO_ROW && (start >= limit || (end > limit && is_in))) {
			top = c->parent[top];
			limit = top == NO_ROW ? 0 : events_end(ev, row[top]);
		}
		c->parent[i] = top;
		c->flags[i] = is_in ? CALL_IN_TREE : 0;
		if (!is_in)
			continue;
		if (top != NO_ROW)
			add_child(c, top);
		top = (uint32_t)i;
		limit = end;
	}
}

/* An only child follows its parent, with nothing of the tree between them. */
static void find_dups(struct calls *c, const struct run *r, size_t from, size_t to)
{
	const sym *name = r->events.name;
	const uint32_t *row = r->order->host;
	uint32_t before = NO_ROW;

	for (size_t i = from; i < to; i++) {
		if (!(c->flags[i] & CALL_IN_TREE))
			continue;
		if (before != NO_ROW && c->parent[i] == before &&
			!(c->flags[before] & CALL_HAS_MORE) && name[row[i]] == name[row[before]])
			c->flags[i] |= CALL_IS_DUP;
		before = (uint32_t)i;
	}
}

void calls_fill(struct calls *c, const struct run *r, size_t lane)
{
	const size_t *begin = r->order->host_begin;

	link_rows(c, r, begin[lane], begin[lane + 1]);
	find_dups(c, r, begin[lane], begin[lane + 1]);
}

size_t calls_from(const struct calls *c, const struct run *r, size_t lane, nsec t)
{
	const struct events *ev = &r->events;
	const uint32_t *row = r->order->host;
	size_t begin = r->order->host_begin[lane], end = r->order->host_begin[lane + 1];
	size_t at = PARTITION_POINT(i, begin, end, ev->start[row[i]] < t);

	if (at == begin)
		return at;
	size_t around = at - 1;
	while (c->parent[around] != NO_ROW)
		around = c->parent[around];
	return events_end(ev, row[around]) > t ? around : at;
}

void calls_free(struct calls *c)
{
	if (!c)
		return;
	FREE_ALL(c->parent, c->flags, c);
}
