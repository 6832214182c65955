/*
 * `critical`: how much there is in the window of what is on the path.
 */
#include "analyze/answer/critical/critical.h"
#include "analyze/depgraph/hosttime.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

struct totals {
	struct critical *c;
	size_t near; /* stepcut_each */
};

/* stepcut_fn */
static void add_length(void *ctx, uint32_t step, nsec start, nsec end)
{
	nsec *sum = ctx;

	(void)step;
	saturate_onto(sum, saturate_sub(end, start));
}

static void add(struct totals *t, enum owner o, uint32_t row, nsec start, nsec end)
{
	struct critical_owner *owner = critical_find_owner(t->c, o, critical_name(t->c, row));

	if (owner)
		stepcut_each(&t->c->cut, &t->near, start, end, add_length, &owner->total);
}

/* host_piece_fn */
static void add_host(void *ctx, const struct host_piece *p)
{
	if (p->row != NO_ROW)
		add(ctx, owner_of_host(p->cls), p->row, p->start, p->end);
}

static bool has_total(enum owner o)
{
	switch (o) {
	case OWNER_LAUNCH_DELAY:
	case OWNER_GAP:
	case OWNER_RETURN:
	case OWNER_HANDOVER:
	case OWNER_NOTHING:
	case OWNER_UNRECORDED: return false;
	default: return true;
	}
}

void critical_add_totals(struct critical *c)
{
	const struct run *r = c->at->run;
	size_t i, n = r->order->device_begin[r->lanes.n];
	struct totals t = { c, 0 };

	for (i = 0; i < c->nowner; i++)
		c->owner[i].total = has_total(c->owner[i].owner) ? 0 : -1;
	for (i = 0; i < n; i++) {
		uint32_t row = r->order->device[i];

		add(&t, owner_of_work(classes_of(&c->classes, row)), row, r->events.start[row],
			events_end(&r->events, row));
	}
	for (i = 0; i < r->lanes.n; i++) {
		struct hosttime h;

		if (r->order->host_begin[i] == r->order->host_begin[i + 1])
			continue;
		hosttime_init(&h, &c->depend, (uint32_t)i, c->cut.start);
		hosttime_go(&h, c->cut.end, add_host, &t);
		hosttime_clear(&h);
	}
}
