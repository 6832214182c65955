/* The curve of a history, thinned as it is replayed. */
#include "analyze/measure/memory/snapcurve.h"

#include "base/base.h"

enum { THIN_EACH = 4, THIN_LEAST = 8 };

struct curving {
	struct snapcurve *c;
	const struct snapreplay *r;
	int64_t width; /* of a stretch: time, or entries where there are no times */
	int64_t which; /* the stretch that is open */
	struct snappoint first, low, high, last;
	bool is_open;
	int64_t reserved; /* after the entry before */
};

static void add_point(struct snapcurve *c, const struct snappoint *p)
{
	if (c->npoint && c->point[c->npoint - 1].entry >= p->entry)
		return;
	PUSH(c->point, c->npoint, c->point_cap, *p);
}

static void close_stretch(struct curving *v)
{
	bool is_low_first = v->low.entry < v->high.entry;

	if (!v->is_open)
		return;
	add_point(v->c, &v->first);
	add_point(v->c, is_low_first ? &v->low : &v->high);
	add_point(v->c, is_low_first ? &v->high : &v->low);
	add_point(v->c, &v->last);
}

static int64_t place_of(const struct snapreplay *r, size_t entry)
{
	int64_t at = snapreplay_at(r, entry);

	return at == MEMSNAP_UNKNOWN ? (int64_t)(entry - r->first) : at;
}

static void add_to_stretch(struct curving *v, const struct snappoint *p)
{
	int64_t place = place_of(v->r, p->entry), which = MAX(place, 0) / v->width;

	if (!v->is_open || which > v->which) {
		close_stretch(v);
		v->is_open = true;
		v->which = which;
		v->first = v->low = v->high = *p;
	}
	v->last = *p;
	v->low = p->allocated < v->low.allocated ? *p : v->low;
	v->high = p->allocated > v->high.allocated ? *p : v->high;
}

static void count(struct snapcurve *c, int64_t change)
{
	if (change > 0) {
		c->allocs++;
		saturate_onto(&c->alloc_bytes, change);
	} else if (change < 0) {
		c->frees++;
		c->free_bytes = saturate_sub(c->free_bytes, change);
	}
}

static void add_oom(struct snapcurve *c, const struct snappoint *p)
{
	c->ooms++;
	if (c->noom == SNAPCURVE_OOMS)
		memmove(c->oom, c->oom + 1, --c->noom * sizeof(*c->oom));
	c->oom[c->noom++] = *p;
}

/* Blocks that become free for others move memory, too. */
static bool moves(const struct curving *v, const struct snapstep *s)
{
	return s->change || s->reserved != v->reserved;
}

static bool take_step(void *ctx, const struct snapstep *s)
{
	struct curving *v = ctx;
	struct snapcurve *c = v->c;
	struct snappoint p = { s->entry, s->allocated, s->reserved, s->change };

	count(c, s->change);
	if (v->r->m->action[s->entry] == MEMSNAP_OOM)
		add_oom(c, &p);
	if (moves(v, s) || v->r->m->action[s->entry] == MEMSNAP_FREE_COMPLETED)
		c->last_change = s->entry;
	if (moves(v, s) || !v->is_open) {
		c->nchange++;
		add_to_stretch(v, &p);
	}
	if (s->allocated > c->peak.allocated || c->peak.entry == SIZE_MAX) {
		c->peak = p;
		c->peaks_at_start = false;
	}
	if (s->reserved > c->peak_reserved.reserved || c->peak_reserved.entry == SIZE_MAX)
		c->peak_reserved = p;
	v->reserved = s->reserved;
	return true;
}

/* One more among the points, which are by entry. */
static void insert(struct snapcurve *c, const struct snappoint *p)
{
	size_t i = c->npoint;

	while (i > 0 && c->point[i - 1].entry > p->entry)
		i--;
	if (i > 0 && c->point[i - 1].entry == p->entry)
		return;
	c->point = array_grow(c->point, &c->point_cap, c->npoint + 1, sizeof(*c->point));
	memmove(c->point + i + 1, c->point + i, (c->npoint - i) * sizeof(*c->point));
	c->point[i] = *p;
	c->npoint++;
}

void snapcurve_init(struct snapcurve *c, const struct snapreplay *r, size_t most)
{
	struct curving v = { .c = c, .r = r, .reserved = r->reserved_before };
	int64_t stretches = (int64_t)(MAX(THIN_LEAST, most) / THIN_EACH);

	*c = (struct snapcurve){
		.peak.entry = SIZE_MAX, .peak_reserved.entry = SIZE_MAX, .last_change = SIZE_MAX
	};
	if (r->n == 0)
		return;
	if (r->before > 0) { /* it may never be as much again */
		c->peak = (struct snappoint){ r->first, r->before, r->reserved_before, 0 };
		c->peaks_at_start = true;
	}
	int64_t span = place_of(r, r->first + r->n - 1);
	v.width = r->n <= most || span <= 0 ? 1 : span / stretches + 1;
	snapreplay_walk(r, take_step, &v);
	close_stretch(&v);
	insert(c, &c->peak_reserved);
}

void snapcurve_clear(struct snapcurve *c)
{
	free(c->point);
	*c = (struct snapcurve){ 0 };
}
