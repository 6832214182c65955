/* Why an allocation failed. */
#include "analyze/measure/memory/snapoom.h"

#include "base/base.h"
#include "base/words.h"

WORDS(snapoom_word, enum snapoom_why, SNAPOOM_WHYS, 2)

/* Bytes that were free on the device as far as that is known. */
static int64_t free_of(const struct snapoom *o)
{
	return o->device_free == MEMSNAP_UNKNOWN ? 0 : o->device_free;
}

static enum snapoom_why why_now(const struct snapoom *o)
{
	if (o->largest >= o->request)
		return SNAPOOM_ODD;
	if (saturate_add(o->inactive, free_of(o)) >= o->request)
		return SNAPOOM_FRAGMENTED;
	return o->device_free == MEMSNAP_UNKNOWN ? SNAPOOM_UNKNOWN : SNAPOOM_FULL;
}

/* What is reserved and not allocated is no less than what was inactive. */
static enum snapoom_why why_then(const struct snapoom *o)
{
	int64_t most = saturate_add(saturate_sub(o->reserved, o->allocated), free_of(o));

	return o->device_free != MEMSNAP_UNKNOWN && most < o->request ? SNAPOOM_FULL
								      : SNAPOOM_UNKNOWN;
}

void snapoom_of(struct snapoom *o, const struct snapreplay *r, const struct snapcurve *c, size_t i,
	const struct snapsum *sum)
{
	const struct memsnap *m = r->m;
	size_t at = c->oom[i].entry;

	*o = (struct snapoom){ .entry = at,
		.request = m->size[at],
		.device_free = m->addr[at] < 0 ? MEMSNAP_UNKNOWN : m->addr[at],
		.reserved = c->oom[i].reserved,
		.allocated = c->oom[i].allocated,
		.is_now = sum && (c->last_change == SIZE_MAX || c->last_change < at),
		.since = r->first + r->n - 1 - at,
		.inactive = MEMSNAP_UNKNOWN,
		.pooled = MEMSNAP_UNKNOWN,
		.largest = MEMSNAP_UNKNOWN };
	if (o->is_now && sum) {
		o->inactive = saturate_sub(snapsum_inactive(sum), sum->pooled);
		o->pooled = sum->pooled;
		o->largest = snapstate_fitting(m, r->device, memsnap_stream(m, at), o->request);
	}
	if (o->device_free != MEMSNAP_UNKNOWN && o->device_free >= o->request)
		o->why = SNAPOOM_LIMIT;
	else
		o->why = o->is_now ? why_now(o) : why_then(o);
}
