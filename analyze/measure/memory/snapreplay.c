/* Replaying a history: blocks by address. */
#include "analyze/measure/memory/snapreplay.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/base.h"

enum { FIRST_SLOTS = 1024, NO_BLOCK = UINT32_MAX };

static const uint64_t SEED = 0x736e61707265706cu; /* addresses come from files */

enum live_state { LIVE_NOT, LIVE_ALLOCATED, LIVE_PENDING };

/* A block that is alive: open addressing, and who leaves closes the gap. */
struct live {
	int64_t addr, size;
	uint32_t stack, early; /* early: index, or NO_BLOCK */
	enum live_state state;
	size_t since; /* the entry that allocated it */
};

struct lives {
	struct live *v;
	size_t n, size; /* size: a power of two, at most half full */
};

static size_t home_of(const struct lives *l, int64_t addr)
{
	return (size_t)XXH3_64bits_withSeed(&addr, sizeof(addr), SEED) & (l->size - 1);
}

/* The slot of an address, or the free one where it would be. */
static struct live *find(const struct lives *l, int64_t addr)
{
	size_t i = home_of(l, addr);

	while (l->v[i].state && l->v[i].addr != addr)
		i = (i + 1) & (l->size - 1);
	return &l->v[i];
}

static void grow(struct lives *l)
{
	struct lives old = *l;

	l->size = old.size ? 2 * old.size : FIRST_SLOTS;
	l->v = zeroed(l->size, sizeof(*l->v));
	for (size_t i = 0; i < old.size; i++)
		if (old.v[i].state)
			*find(l, old.v[i].addr) = old.v[i];
	free(old.v);
}

static void set(struct lives *l, const struct live *block)
{
	struct live *slot = find(l, block->addr);

	if (!slot->state && 2 * (l->n + 1) > l->size) {
		grow(l);
		slot = find(l, block->addr);
	}
	l->n += !slot->state;
	*slot = *block;
}

static void take_out(struct lives *l, struct live *slot)
{
	size_t hole = (size_t)(slot - l->v), i = hole;

	for (;;) {
		i = (i + 1) & (l->size - 1);
		if (!l->v[i].state)
			break;
		size_t home = home_of(l, l->v[i].addr);
		if (((i - home) & (l->size - 1)) < ((i - hole) & (l->size - 1)))
			continue;
		l->v[hole] = l->v[i];
		hole = i;
	}
	l->v[hole].state = LIVE_NOT;
	l->n--;
}

/* One replaying. */
struct replaying {
	const struct snapreplay *r;
	struct lives live;
	struct snapstep s;
	bool (*step)(void *ctx, const struct snapstep *s);
	void *ctx;
	size_t odd;
	/* What is freed and was never allocated; of the first replaying only. */
	void (*unknown)(void *ctx, int64_t addr, int64_t size);
};

static bool tell(struct replaying *p, const struct live *b, int64_t change)
{
	p->s.change = change;
	p->s.stack = b ? b->stack : 0;
	p->s.is_early = b && b->early != NO_BLOCK;
	p->s.block = b ? b->early : NO_BLOCK;
	p->s.since = b ? b->since : 0;
	saturate_onto(&p->s.allocated, change);
	return !p->step || p->step(p->ctx, &p->s);
}

static bool allocate(struct replaying *p, int64_t addr, int64_t size, uint32_t stack)
{
	struct live block = { addr, size, stack, NO_BLOCK, LIVE_ALLOCATED, p->s.entry };
	const struct live *old = find(&p->live, addr);
	bool goes_on = true;

	p->odd += old->state != LIVE_NOT;
	if (old->state == LIVE_ALLOCATED)
		goes_on = tell(p, old, saturate_sub(0, old->size));
	set(&p->live, &block);
	return goes_on && tell(p, &block, size);
}

static bool release(struct replaying *p, int64_t addr, int64_t size, bool is_complete)
{
	struct live *b = find(&p->live, addr), was = *b;

	if (was.state == LIVE_NOT && (is_complete || !p->unknown))
		return tell(p, NULL, 0); /* pending since before the history */
	if (was.state == LIVE_NOT) {
		p->unknown(p->ctx, addr, size);
		set(&p->live, &(struct live){ addr, size, 0, NO_BLOCK, LIVE_PENDING, 0 });
		return true;
	}
	p->odd += was.state == LIVE_PENDING && !is_complete;
	if (is_complete)
		take_out(&p->live, b);
	else
		b->state = LIVE_PENDING;
	return tell(p, &was, was.state == LIVE_ALLOCATED ? saturate_sub(0, was.size) : 0);
}

static bool replay_entry(struct replaying *p, size_t i)
{
	const struct memsnap *m = p->r->m;
	int64_t size = m->size[i];

	p->s.entry = i;
	switch ((enum memsnap_action)m->action[i]) {
	case MEMSNAP_ALLOC: return allocate(p, m->addr[i], size, m->stack[i]);
	case MEMSNAP_FREE_REQUESTED: return release(p, m->addr[i], size, false);
	case MEMSNAP_FREE_COMPLETED: return release(p, m->addr[i], size, true);
	case MEMSNAP_SEGMENT_ALLOC:
	case MEMSNAP_SEGMENT_MAP: saturate_onto(&p->s.reserved, size); break;
	case MEMSNAP_SEGMENT_FREE:
	case MEMSNAP_SEGMENT_UNMAP: p->s.reserved = saturate_sub(p->s.reserved, size); break;
	default: break;
	}
	return tell(p, NULL, 0);
}

static void replay(struct replaying *p)
{
	for (size_t i = p->r->first; i < p->r->first + p->r->n; i++)
		if (!replay_entry(p, i))
			break;
}

void snapreplay_walk(
	const struct snapreplay *r, bool (*step)(void *ctx, const struct snapstep *s), void *ctx)
{
	struct replaying p = { .r = r, .step = step, .ctx = ctx };

	grow(&p.live);
	for (size_t i = 0; i < r->nearly; i++)
		set(&p.live,
			&(struct live){ r->early[i].addr, r->early[i].size, r->early[i].stack,
				(uint32_t)i, LIVE_ALLOCATED, 0 });
	p.s.allocated = r->before;
	p.s.reserved = r->reserved_before;
	replay(&p);
	free(p.live.v);
}

static void add_early(struct snapreplay *r, const struct snapearly *early)
{
	PUSH(r->early, r->nearly, r->early_cap, *early);
	saturate_onto(&r->before, early->size);
}

static void add_freed(void *ctx, int64_t addr, int64_t size)
{
	struct snapreplay *r = ctx;

	add_early(r, &(struct snapearly){ addr, size, 0, true });
	r->nfreed++;
	saturate_onto(&r->freed, size);
}

/* Blocks that are there in the end and were not allocated in the history. */
static void add_left(struct snapreplay *r, const struct lives *live)
{
	const struct memsnap *m = r->m;
	int64_t end = 0;

	for (EACH(const struct memsnap_segment, s, m->segment, m->nsegment)) {
		for (size_t k = s->block; s->device == r->device && k < s->block + s->nblock; k++) {
			const struct memsnap_block *b = &m->block[k];
			int64_t size = b->requested == MEMSNAP_UNKNOWN ? b->size : b->requested;

			if (b->state != MEMSNAP_ALLOCATED)
				continue;
			saturate_onto(&end, size);
			if (find(live, b->address)->state != LIVE_ALLOCATED)
				add_early(r,
					&(struct snapearly){ b->address, size, b->stack, false });
		}
	}
	r->drift = end;
}

static int64_t reserved_of(const struct snapreplay *r)
{
	int64_t sum = 0;

	for (EACH(const struct memsnap_segment, segment, r->m->segment, r->m->nsegment))
		if (segment->device == r->device)
			saturate_onto(&sum, segment->total);
	return sum;
}

void snapreplay_init(struct snapreplay *r, const struct memsnap *m, const struct memsnap_trace *t)
{
	struct replaying p = { .r = r, .unknown = add_freed, .ctx = r };

	*r = (struct snapreplay){ .m = m, .device = t->device, .first = t->first, .n = t->n };
	grow(&p.live);
	replay(&p);
	/* What was allocated by the history less what it freed of that. */
	int64_t changed = p.s.allocated;
	add_left(r, &p.live);
	r->drift = saturate_sub(saturate_sub(saturate_add(r->before, changed), r->freed), r->drift);
	r->odd = p.odd;
	r->reserved_before = saturate_sub(reserved_of(r), p.s.reserved);
	free(p.live.v);
}

void snapreplay_clear(struct snapreplay *r)
{
	free(r->early);
	*r = (struct snapreplay){ 0 };
}

int64_t snapreplay_at(const struct snapreplay *r, size_t entry)
{
	int64_t t = r->m->time_us[entry], from = r->n ? r->m->time_us[r->first] : MEMSNAP_UNKNOWN;

	return t == MEMSNAP_UNKNOWN || from == MEMSNAP_UNKNOWN ? MEMSNAP_UNKNOWN
							       : saturate_sub(t, from);
}
