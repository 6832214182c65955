/*
 * Device time by CPU op: a bitmap with ranks, filled in two passes over the device rows.
 */
#include "analyze/devtime.h"

#include <stdlib.h>

#include "analyze/filter.h"
#include "analyze/saturate.h"
#include "analyze/store/links.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"
#include "base/die.h"

/* The op of device row `row`, or NO_ROW when it has none or v leaves the row out. */
static uint32_t op_of(
	const struct run *r, const struct filter_view *v, unsigned kinds, uint32_t row)
{
	const struct events *ev = &r->events;

	if (!(KIND_BIT(ev->kind[row]) & kinds) || ev->args[row] == NO_ARGS)
		return NO_ROW;
	if (v->lane && !v->lane[ev->lane[row]])
		return NO_ROW;
	return r->links->op[ev->args[row] - 1];
}

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		die_oom(n * size);
	return p;
}

void devtime_init(struct devtime *d, const struct run *r, const struct filter_view *v)
{
	const uint32_t *device = r->order->device;
	size_t n = r->order->device_begin[r->lanes.n], words = r->events.n / 64 + 1, i;
	unsigned kinds = v->kinds & KINDS_DEVICE ? v->kinds & KINDS_DEVICE : KINDS_DEVICE;
	uint32_t op;

	d->bit = zeroed(words, sizeof(*d->bit));
	d->rank = zeroed(words, sizeof(*d->rank));
	d->n = 0;
	for (i = 0; i < n; i++) {
		op = op_of(r, v, kinds, device[i]);
		if (op != NO_ROW)
			d->bit[op / 64] |= UINT64_C(1) << op % 64;
	}
	for (i = 0; i < words; i++) {
		d->rank[i] = (uint32_t)d->n;
		d->n += (size_t)__builtin_popcountll(d->bit[i]);
	}
	d->ns = zeroed(d->n, sizeof(*d->ns));
	for (i = 0; i < n; i++) {
		op = op_of(r, v, kinds, device[i]);
		if (op != NO_ROW) {
			uint64_t below = d->bit[op / 64] & ((UINT64_C(1) << op % 64) - 1);
			nsec *sum =
				&d->ns[d->rank[op / 64] + (uint32_t)__builtin_popcountll(below)];

			*sum = saturate_add(*sum, r->events.dur[device[i]]);
		}
	}
}

void devtime_clear(struct devtime *d)
{
	free(d->bit);
	free(d->rank);
	free(d->ns);
	*d = (struct devtime){ 0 };
}

nsec devtime_of_bit(const struct devtime *d, uint32_t row)
{
	uint64_t word = d->bit[row / 64], bit = UINT64_C(1) << row % 64;

	return d->ns[d->rank[row / 64] + (uint32_t)__builtin_popcountll(word & (bit - 1))];
}
