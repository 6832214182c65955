/* What a cost is held against. */
#include "analyze/costmodel/cost.h"

#include "analyze/costmodel/ops.h"
#include "analyze/trace/run.h"

static double roof_peak_of(const struct roof_peaks *p, const struct roof_cost *c)
{
	enum roof_dtype d = c->work.dtype;

	if (!c->op || d == ROOF_DTYPE_COUNT)
		return NAN;
	return c->op->unit == ROOF_VECTOR ? p->vector[d] : roof_matrix_peak(p, (int)d);
}

/* Both times have to be known, but that the vector units' peak may not be: an op of theirs does too
 * little with each byte to be bound by them. */
struct roof_limit roof_limit_of(const struct roof_peaks *p, const struct roof_cost *c)
{
	const struct roof_work *w = &c->work;
	struct roof_limit l = { NAN, NAN, NAN, NAN };

	if (c->is_comm && c->bus != COMM_BUS_UNKNOWN)
		l.ns = l.link_ns = 1e9 * commclass_bus_bytes(c->bus) / p->link_Bps;
	if (w->why == ROOF_WHY_HOST_COPY || c->is_comm)
		return l;
	if (w->flop >= 0)
		l.compute_ns = w->flop == 0 ? 0 : 1e9 * (double)w->done / roof_peak_of(p, c);
	if (w->bytes >= 0)
		l.memory_ns = 1e9 * (double)w->bytes / p->memory_Bps;
	if (isnan(l.memory_ns))
		return l;
	if (!isnan(l.compute_ns))
		l.ns = MAX(l.compute_ns, l.memory_ns);
	else if (w->flop >= 0 && c->op && c->op->unit == ROOF_VECTOR)
		l.ns = l.memory_ns;
	return l;
}

const char *roof_class_of(const struct roof_cost *c)
{
	if (c->is_comm)
		return "collective";
	return c->op ? roof_class_words[c->op->class] : roof_class_words[ROOF_CLASS_OTHER];
}

/* ---- what calls that communicate send ---- */

_Static_assert(sizeof(struct roof_message) == 3 * sizeof(int64_t), "no padding");

uint32_t roof_message_at(
	struct keymap *messages, const struct run *r, uint32_t before, uint32_t row)
{
	const struct comm_call call = commclass_call(r, row);
	struct roof_message m = { call.bytes, call.ranks, call.op };

	if (before) {
		const struct roof_message *b = keymap_key(messages, before - 1);

		if (b->op != m.op || b->ranks != m.ranks || b->bytes == ARG_UNKNOWN ||
			m.bytes == ARG_UNKNOWN)
			m = (struct roof_message){ ARG_UNKNOWN, ARG_UNKNOWN, COMM_UNKNOWN };
		else
			m.bytes = saturate_add(b->bytes, m.bytes);
	}
	return 1 + keymap_add(messages, &m);
}

void roof_communicate(struct roof_cost *c, const struct keymap *messages, uint32_t message)
{
	const struct roof_message *m = message ? keymap_key(messages, message - 1) : NULL;

	c->is_comm = true;
	c->bus = m ? commclass_bus((enum comm_op)m->op, m->ranks, m->bytes) : COMM_BUS_UNKNOWN;
	c->work.why = c->bus == COMM_BUS_UNKNOWN ? ROOF_WHY_COLLECTIVE : ROOF_WHY_KNOWN;
}

/* ---- work that traces say ---- */

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
