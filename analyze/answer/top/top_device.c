/* Device rows of `top`: kernels, copies and sets, from one pass over the device order. */
#include "analyze/trace/columns/order.h"
#include "analyze/answer/top/top.h"
#include "base/minmax.h"
#include "base/saturate.h"

static struct top_id id_of(const struct top *t, uint32_t row)
{
	const struct events *ev = &t->at->run->events;

	switch (t->by) {
	case TOP_BY_CATEGORY: return top_id(0, 0, ev->kind[row]);
	case TOP_BY_STREAM: return top_id(0, ev->lane[row], 0);
	default: return top_id(ev->name[row], 0, ev->kind[row]);
	}
}

static void count_total(struct top_totals *all, enum kind kind, nsec dur)
{
	nsec *of = kind == KIND_KERNEL ? &all->kernel
		: kind == KIND_MEMCPY  ? &all->memcpy
				       : &all->memset;

	saturate_onto(&all->device, dur);
	saturate_onto(of, dur);
	all->ndevice++;
}

static void count(struct top *t, uint32_t row)
{
	const struct run *r = t->at->run;
	const int64_t *bytes = r->args.col[ARG_DEVICE_BYTES].i64;
	uint32_t args = r->events.args[row];
	nsec dur = r->events.dur[row];
	uint32_t at = top_groups_add(&t->device, id_of(t, row), row);
	struct top_group *g = top_group(&t->device, at);

	g->calls++;
	saturate_onto(&g->total, dur);
	g->min = MIN(dur, g->min);
	g->max = MAX(dur, g->max);
	/* Kernels that say a size are asked for it only where other arguments of theirs are. */
	if (bytes && args != NO_ARGS && bytes[args - 1] != ARG_UNKNOWN &&
		arg_is_of(ARG_DEVICE_BYTES, (enum kind)r->events.kind[row]))
		g->bytes = saturate_add(g->bytes == ARG_UNKNOWN ? 0 : g->bytes, bytes[args - 1]);
}

void top_device_collect(struct top *t)
{
	const struct run *r = t->at->run;
	const struct events *ev = &r->events;
	size_t n = r->order->device_begin[r->lanes.n];

	top_groups_init(&t->device, r->strings.n);
	for (size_t i = 0; i < n; i++) {
		uint32_t row = r->order->device[i];

		if (!filter_device(&t->at->view, row))
			continue;
		count_total(&t->totals, (enum kind)ev->kind[row], ev->dur[row]);
		if (filter_name(&t->at->view, ev->name[row]))
			count(t, row);
	}
}

uint32_t top_device_find(struct top *t, uint32_t row)
{
	return top_groups_find(&t->device, id_of(t, row));
}
