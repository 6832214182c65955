/* Lives of blocks, as a history is replayed. */
#include "analyze/measure/memory/snaplives.h"

struct living {
	const struct snapreplay *r;
	struct snaplife *v; /* early ones first */
	size_t n, cap;
	uint32_t *life; /* by entry of the history: the life that it begins */
};

static bool take_step(void *ctx, const struct snapstep *s)
{
	struct living *l = ctx;

	if (s->change > 0) {
		l->life[s->entry - l->r->first] = (uint32_t)l->n;
		PUSH(l->v, l->n, l->cap,
			((struct snaplife){ .from = s->entry,
				.to = SNAPLIFE_NONE,
				.size = s->change,
				.stack = s->stack }));
	} else if (s->change < 0) {
		l->v[s->is_early ? s->block : l->life[s->since - l->r->first]].to = s->entry;
	}
	return true;
}

/* Of one size anywhere in the history, not the first of it: a multiple that scatters. */
static uint32_t place(const struct snaplife *l)
{
	return (uint32_t)l->from * 2654435761u;
}

ORDER(by_size, struct snaplife, compare3_down(a->size, b->size), compare3(place(a), place(b)),
	compare3(a->from + 1, b->from + 1), compare3(a->to, b->to), compare3(a->stack, b->stack))
/* Those that were alive before first. */
ORDER(by_begin, struct snaplife, compare3(a->from + 1, b->from + 1),
	compare3_down(a->size, b->size), compare3(a->to, b->to), compare3(a->stack, b->stack))

void snaplives_init(struct snaplives *l, const struct snapreplay *r, size_t most, struct arena *mem)
{
	struct living v = { .r = r };

	v.life = zeroed(r->n, sizeof(*v.life));
	for (EACH(const struct snapearly, early, r->early, r->nearly))
		PUSH(v.v, v.n, v.cap,
			((struct snaplife){ .from = SNAPLIFE_NONE,
				.to = SNAPLIFE_NONE,
				.size = early->size,
				.stack = early->stack,
				.is_unknown = early->is_freed }));
	snapreplay_walk(r, take_step, &v);
	*l = (struct snaplives){ .n = MIN(most, v.n), .more = v.n - MIN(most, v.n) };
	if (l->more)
		sort_rows(v.v, v.n, sizeof(*v.v), by_size);
	l->v = arena_array(mem, l->n, sizeof(*l->v));
	if (l->n)
		memcpy(l->v, v.v, l->n * sizeof(*l->v));
	sort_rows(l->v, l->n, sizeof(*l->v), by_begin);
	FREE_ALL(v.v, v.life);
}
