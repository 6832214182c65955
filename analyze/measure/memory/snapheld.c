/*
 * Bytes by stack at moments of a history.
 */
#include "analyze/measure/memory/snapheld.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare3.h"
#include "base/saturate.h"

/* Running sums; the last slot is of blocks nobody knows the stack of. */
struct holding {
	const struct snapreplay *r;
	const struct snapcurve *c;
	struct snapheld_row *row;
	int64_t *bytes, *blocks, *early;
	size_t nslot, oom; /* oom: its entry, or SIZE_MAX */
	bool is_peak_over, is_oom_over;
};

static size_t slot_of(const struct holding *v, uint32_t stack, bool is_unknown)
{
	return is_unknown ? v->nslot - 1 : stack;
}

static void keep(struct holding *v, enum snapheld_when when)
{
	size_t i;

	for (i = 0; i < v->nslot; i++) {
		v->row[i].bytes[when] = v->bytes[i];
		v->row[i].blocks[when] = v->blocks[i];
		if (when == HELD_PEAK)
			v->row[i].early = v->early[i];
	}
}

static void change(struct holding *v, size_t slot, int64_t bytes, bool is_early)
{
	saturate_onto(&v->bytes[slot], bytes);
	v->blocks[slot] += bytes > 0 ? 1 : -1;
	if (is_early)
		saturate_onto(&v->early[slot], bytes);
}

static bool take_step(void *ctx, const struct snapstep *s)
{
	struct holding *v = ctx;

	if (!v->is_peak_over && s->entry > v->c->peak.entry) {
		v->is_peak_over = true;
		keep(v, HELD_PEAK);
	}
	if (!v->is_oom_over && v->oom != SIZE_MAX && s->entry > v->oom) {
		v->is_oom_over = true;
		keep(v, HELD_OOM);
	}
	if (s->change)
		change(v, slot_of(v, s->stack, s->is_early && v->r->early[s->block].is_freed),
			s->change, s->is_early);
	return true;
}

static int by_held(const void *pa, const void *pb)
{
	const struct snapheld_row *a = pa, *b = pb;
	int w;

	for (w = 0; w < HELD_WHENS; w++)
		if (a->bytes[w] != b->bytes[w])
			return compare3(b->bytes[w], a->bytes[w]);
	return compare3(a->stack, b->stack);
}

static bool holds(const struct snapheld_row *r)
{
	return r->bytes[HELD_PEAK] > 0 || r->bytes[HELD_OOM] > 0 || r->bytes[HELD_END] > 0;
}

/* Those that hold anything, most first; mem's, where slots of all stacks were before. */
static void rank(
	struct snapheld *h, const struct snapheld_row *row, size_t nslot, struct arena *mem)
{
	size_t i;

	for (i = 0, h->n = 0; i < nslot; i++)
		h->n += holds(&row[i]);
	h->row = arena_array(mem, h->n, sizeof(*h->row));
	for (i = 0, h->n = 0; i < nslot; i++)
		if (holds(&row[i]))
			h->row[h->n++] = row[i];
	if (h->n > 1)
		qsort(h->row, h->n, sizeof(*h->row), by_held);
}

static struct snapheld_row *rows(struct arena *mem, size_t n)
{
	struct snapheld_row *row = arena_array(mem, n, sizeof(*row));
	size_t i;

	for (i = 0; i < n; i++)
		row[i].stack = (uint32_t)i;
	row[n - 1].stack = 0;
	row[n - 1].is_unknown = true;
	return row;
}

void snapheld_init(struct snapheld *h, const struct snapreplay *r, const struct snapcurve *c,
	struct arena *mem)
{
	size_t n = r->m->stacks.n + 1, i;
	struct holding v = { .r = r, .c = c, .nslot = n };
	struct arena scratch;

	arena_init(&scratch);
	v.row = rows(&scratch, n);
	v.bytes = arena_array(&scratch, n, sizeof(*v.bytes));
	v.blocks = arena_array(&scratch, n, sizeof(*v.blocks));
	v.early = arena_array(&scratch, n, sizeof(*v.early));
	v.oom = c->noom ? c->oom[c->noom - 1].entry : SIZE_MAX;
	for (i = 0; i < r->nearly; i++)
		change(&v, slot_of(&v, r->early[i].stack, r->early[i].is_freed), r->early[i].size,
			true);
	snapreplay_walk(r, take_step, &v);
	if (!v.is_peak_over)
		keep(&v, HELD_PEAK);
	if (!v.is_oom_over && v.oom != SIZE_MAX)
		keep(&v, HELD_OOM);
	keep(&v, HELD_END);
	*h = (struct snapheld){ .has_oom = v.oom != SIZE_MAX };
	rank(h, v.row, n, mem);
	arena_clear(&scratch);
}

void snapheld_blocks(struct snapheld *h, const struct memsnap *m, int64_t device, struct arena *mem)
{
	size_t n = m->stacks.n + 1, i, k;
	struct snapheld_row *row;
	struct arena scratch;

	*h = (struct snapheld){ 0 };
	arena_init(&scratch);
	row = rows(&scratch, n);
	for (i = 0; i < m->nsegment; i++) {
		const struct memsnap_segment *s = &m->segment[i];

		for (k = s->block; s->device == device && k < s->block + s->nblock; k++) {
			const struct memsnap_block *b = &m->block[k];

			if (b->state != MEMSNAP_ALLOCATED)
				continue;
			saturate_onto(&row[b->stack].bytes[HELD_END],
				b->requested == MEMSNAP_UNKNOWN ? b->size : b->requested);
			row[b->stack].blocks[HELD_END]++;
		}
	}
	rank(h, row, n, mem);
	arena_clear(&scratch);
}
