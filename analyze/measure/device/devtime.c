/* Device time by CPU op: a bitmap with ranks, filled in two passes over the device rows. */
#include "analyze/measure/device/devtime.h"

#include "analyze/trace/filter.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/run.h"

/* What device work counts for. */
enum owner { OWNER_OP, OWNER_LAUNCH };

/* The host row of device row `row`, or NO_ROW when it has none or v leaves the row out. */
static uint32_t owner_of(const struct run *r, const struct filter_view *v, unsigned kinds,
	enum owner owner, uint32_t row)
{
	const struct events *ev = &r->events;

	if (!(KIND_BIT(ev->kind[row]) & kinds) || ev->args[row] == NO_ARGS)
		return NO_ROW;
	if (v->lane && !v->lane[ev->lane[row]])
		return NO_ROW;
	if (owner == OWNER_LAUNCH && r->links->launch[ev->args[row] - 1] != NO_ROW)
		return r->links->launch[ev->args[row] - 1];
	return (r->replay ? r->replay->op : r->links->op)[ev->args[row] - 1];
}

/* How many bits of x are set; the compiler's own is a call where the processor is not known. */
static uint64_t bits_set(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return x * UINT64_C(0x0101010101010101) >> 56;
}

/* The place of a row that has its bit. */
static nsec *place(const struct devtime *d, uint32_t row)
{
	const struct devtime_word *w = &d->word[row / 64];
	uint64_t bit = UINT64_C(1) << row % 64;

	return &d->ns[w->rank + bits_set(w->bits & (bit - 1))];
}

static void fill(
	struct devtime *d, const struct run *r, const struct filter_view *v, enum owner owner)
{
	const uint32_t *device = r->order->device;
	size_t n = r->order->device_begin[r->lanes.n], words = r->events.n / 64 + 1;
	unsigned kinds = v->kinds & KINDS_DEVICE ? v->kinds & KINDS_DEVICE : KINDS_DEVICE;
	uint32_t op;

	d->is_borrowed = false;
	d->word = zeroed(words, sizeof(*d->word));
	d->n = 0;
	for (size_t i = 0; i < n; i++) {
		op = owner_of(r, v, kinds, owner, device[i]);
		if (op != NO_ROW)
			d->word[op / 64].bits |= UINT64_C(1) << op % 64;
	}
	for (size_t i = 0; i < words; i++) {
		d->word[i].rank = d->n;
		d->n += bits_set(d->word[i].bits);
	}
	d->ns = zeroed(d->n, sizeof(*d->ns));
	for (size_t i = 0; i < n; i++) {
		op = owner_of(r, v, kinds, owner, device[i]);
		if (op != NO_ROW) {
			nsec *sum = place(d, op);

			saturate_onto(sum, r->events.dur[device[i]]);
		}
	}
}

void devtime_init(struct devtime *d, const struct run *r, const struct filter_view *v)
{
	fill(d, r, v, OWNER_OP);
}

void devtime_launches_init(struct devtime *d, const struct run *r, const struct filter_view *v)
{
	fill(d, r, v, OWNER_LAUNCH);
}

void devtime_clear(struct devtime *d)
{
	if (!d->is_borrowed)
		FREE_ALL(d->word, d->ns);
	*d = (struct devtime){ 0 };
}

nsec devtime_of_bit(const struct devtime *d, uint32_t row)
{
	return *place(d, row);
}
