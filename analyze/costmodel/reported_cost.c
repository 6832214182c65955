/*
 * Work that traces say.
 */
#include "analyze/costmodel/reported_cost.h"

#include "analyze/trace/run.h"

static int64_t figure(const struct run *r, enum arg arg, uint32_t side)
{
	int64_t v = args_i64(&r->args, arg, side - 1);

	return v < 0 ? -1 : v;
}

uint32_t reported_cost_at(struct keymap *said, const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];
	struct reported_cost s;

	if (r->events.kind[row] != KIND_KERNEL || side == NO_ARGS ||
		!args_keeps(&r->args, ARG_DEVICE_FLOPS))
		return 0;
	s.flop = figure(r, ARG_DEVICE_FLOPS, side);
	s.bytes = figure(r, ARG_DEVICE_ACCESSED, side);
	return s.flop < 0 && s.bytes < 0 ? 0 : 1 + keymap_add(said, &s);
}

void reported_cost_take(struct roof_work *w, const struct keymap *said, uint32_t which)
{
	const struct reported_cost *s = keymap_key(said, which - 1);

	roof_set_flop(w, s->flop);
	roof_set_bytes(w, s->bytes);
	w->why = w->flop >= 0 && w->bytes >= 0 ? ROOF_WHY_KNOWN : ROOF_WHY_NO_OP;
}
