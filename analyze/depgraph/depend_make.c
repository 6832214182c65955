/* A node is added, and what it waits for chosen. */
#include "analyze/depgraph/depend_make.h"

#include "analyze/trace/run.h"

/* A call that begins when the work is done does not wait for it. */
static bool is_idle_wait(const struct depend *d, const struct depend_node *n, int e)
{
	return n->point == POINT_RETURN && e != EDGE_PREV &&
		depend_fin(d, n->from[e]) <= d->run->events.start[n->row] &&
		n->from[EDGE_PREV] != NO_NODE;
}

void depend_bind(struct depend *d, uint32_t node)
{
	struct depend_node *n = &d->node[node];
	nsec latest = INT64_MIN;

	n->binding = EDGE_COUNT;
	for (int e = 0; e < EDGE_COUNT; e++) {
		if (n->from[e] == NO_NODE || is_idle_wait(d, n, e))
			continue;
		nsec until = depend_until(d, node, (enum edge)e);
		if (n->binding != EDGE_COUNT && until <= latest)
			continue;
		latest = until;
		n->binding = (uint8_t)e;
	}
}

static uint32_t length_of(const struct depend *d, uint32_t row)
{
	nsec ns = d->run->events.dur[row];

	return ns >= 0 && ns < DEPEND_LONG ? (uint32_t)ns : DEPEND_LONG;
}

uint32_t depend_add(struct making *m, const struct moment *at, uint32_t lane)
{
	struct depend *d = m->d;

	if (d->n == m->cap)
		d->node = array_grow(d->node, &m->cap, d->n + 1, sizeof(*d->node));
	struct depend_node *n = &d->node[d->n];
	*n = (struct depend_node){ .at = at->at, .row = at->row, .lane = lane, .point = at->point };
	n->host = depend_is_work(n) ? length_of(d, n->row) : (uint32_t)d->nhost++;
	n->from[EDGE_PREV] = d->last[lane];
	n->from[EDGE_CAUSE] = n->from[EDGE_WAIT] = n->from[EDGE_ENGINE] = NO_NODE;
	d->last[lane] = (uint32_t)d->n;
	return (uint32_t)d->n++;
}
