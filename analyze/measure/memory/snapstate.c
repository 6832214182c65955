/* What an allocator holds: sums over segments. */
#include "analyze/measure/memory/snapstate.h"

#include "analyze/measure/device/devices.h"
#include "base/base.h"

enum {
	SMALL_MOST = 1 << 20, /* kSmallSize */
	SMALL_PAGE = 2 << 20, /* kSmallBuffer */
	LARGE_PAGE = 20 << 20 /* kLargeBuffer */
};

int64_t snapsum_allocated(const struct snapsum *s)
{
	return s->bytes[MEMSNAP_ALLOCATED];
}

int64_t snapsum_pending(const struct snapsum *s)
{
	return saturate_add(s->bytes[MEMSNAP_PENDING], s->bytes[MEMSNAP_AWAITING]);
}

int64_t snapsum_inactive(const struct snapsum *s)
{
	return s->bytes[MEMSNAP_INACTIVE];
}

int64_t snapsum_fragmented(const struct snapsum *s)
{
	return saturate_sub(saturate_sub(snapsum_inactive(s), s->releasable), s->pooled);
}

bool snapstate_is_private(const struct memsnap *m, uint32_t pool)
{
	struct memsnap_pair id = memsnap_pool(m, pool);

	return pool != 0 && (id.a != 0 || id.b != 0);
}

/* Bytes of whole pages in a block of an expandable segment. */
static int64_t whole_pages(const struct memsnap_segment *s, const struct memsnap_block *b)
{
	int64_t page = s->is_large ? LARGE_PAGE : SMALL_PAGE;
	int64_t from = saturate_sub(b->address, s->address);
	int64_t to = saturate_add(from, b->size);

	if (s->address == MEMSNAP_UNKNOWN || from < 0)
		return 0;
	int64_t rest = from % page ? page - from % page : 0;
	from = saturate_add(from, rest);
	to -= to % page;
	return to > from ? to - from : 0;
}

static int64_t releasable(const struct memsnap_segment *s, const struct memsnap_block *b)
{
	return s->is_expandable ? whole_pages(s, b) : s->nblock == 1 ? b->size : 0;
}

static void add_inactive(struct snapsum *to, const struct memsnap_segment *s,
	const struct memsnap_block *b, bool is_private)
{
	if (!s->is_expandable && s->nblock > 1)
		saturate_onto(&to->split, b->size);
	if (is_private) {
		saturate_onto(&to->pooled, b->size);
		return;
	}
	saturate_onto(&to->releasable, releasable(s, b));
	to->largest = MAX(b->size, to->largest);
}

static void add_segment(
	struct snapsum *to, const struct memsnap *m, const struct memsnap_segment *s)
{
	bool is_private = snapstate_is_private(m, s->pool);

	to->segments++;
	saturate_onto(&to->reserved, s->total);
	for (size_t i = s->block; i < s->block + s->nblock; i++) {
		const struct memsnap_block *b = &m->block[i];

		to->blocks[b->state]++;
		saturate_onto(&to->bytes[b->state], b->size);
		if (b->state == MEMSNAP_INACTIVE)
			add_inactive(to, s, b, is_private);
		else if (b->state == MEMSNAP_ALLOCATED && b->requested == MEMSNAP_UNKNOWN)
			saturate_onto(&to->unrequested, b->size);
		else if (b->state == MEMSNAP_ALLOCATED)
			saturate_onto(&to->requested, b->requested);
	}
}

static bool is_uneven(const struct memsnap *m, const struct memsnap_segment *s)
{
	int64_t sum = 0;

	for (size_t i = s->block; i < s->block + s->nblock; i++)
		saturate_onto(&sum, m->block[i].size);
	return sum != s->total;
}

/* Two fields of 8 bytes and two of 4: no padding, since it is a key. */
struct group_key {
	int64_t device, stream;
	uint32_t pool, is;
};

ORDER(by_device, struct snapgroup, compare3(a->device, b->device))

ORDER(by_size, struct snapgroup, compare3(a->device, b->device),
	compare3(b->sum.reserved, a->sum.reserved), compare3(a->pool, b->pool),
	compare3(a->stream, b->stream), compare3(a->is_large, b->is_large),
	compare3(a->is_expandable, b->is_expandable))

/* The group of a key in an array that grows with its map. */
static struct snapgroup *group_of(struct keymap *keys, const void *key, struct snapgroup **v,
	size_t *n, size_t *cap, const struct memsnap_segment *s)
{
	size_t i = keymap_add(keys, key);

	if (i < *n)
		return &(*v)[i];
	*v = array_grow(*v, cap, *n + 1, sizeof(**v));
	(*v)[*n] = (struct snapgroup){ .device = s->device };
	return &(*v)[(*n)++];
}

void snapstate_init(struct snapstate *out, const struct memsnap *m)
{
	struct keymap devices, groups;
	size_t device_cap = 0, group_cap = 0;

	*out = (struct snapstate){ 0 };
	keymap_init(&devices, sizeof(int64_t));
	keymap_init(&groups, sizeof(struct group_key));
	for (EACH(const struct memsnap_segment, s, m->segment, m->nsegment)) {
		struct group_key key = { s->device, s->stream, s->pool,
			(uint32_t)(s->is_large * 2 + s->is_expandable) };

		out->uneven += is_uneven(m, s);
		struct snapgroup *g =
			group_of(&devices, &s->device, &out->device, &out->ndevice, &device_cap, s);
		add_segment(&g->sum, m, s);
		g = group_of(&groups, &key, &out->group, &out->ngroup, &group_cap, s);
		g->stream = s->stream;
		g->pool = s->pool;
		g->is_large = s->is_large;
		g->is_expandable = s->is_expandable;
		add_segment(&g->sum, m, s);
	}
	keymap_clear(&devices);
	keymap_clear(&groups);
	sort_rows(out->device, out->ndevice, sizeof(*out->device), by_device);
	sort_rows(out->group, out->ngroup, sizeof(*out->group), by_size);
	if (out->ndevice > DEVICES_MAX) {
		out->ndevice_more = out->ndevice - DEVICES_MAX;
		out->ndevice = DEVICES_MAX;
	}
}

void snapstate_clear(struct snapstate *s)
{
	FREE_ALL(s->device, s->group);
	*s = (struct snapstate){ 0 };
}

const struct snapsum *snapstate_of(const struct snapstate *s, int64_t device)
{
	return FIND_VALUE(i, s->ndevice, s->device[i].device == device, &s->device[i].sum, NULL);
}

int64_t snapstate_fitting(const struct memsnap *m, int64_t device, int64_t stream, int64_t size)
{
	int64_t most = 0;

	for (EACH(const struct memsnap_segment, s, m->segment, m->nsegment)) {
		if (s->device != device || s->is_large != (size > SMALL_MOST) ||
			snapstate_is_private(m, s->pool) ||
			(stream != MEMSNAP_UNKNOWN && s->stream != stream))
			continue;
		for (size_t k = s->block; k < s->block + s->nblock; k++)
			if (m->block[k].state == MEMSNAP_INACTIVE && m->block[k].size > most)
				most = m->block[k].size;
	}
	return most;
}
