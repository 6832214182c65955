/*
 * What calls that communicate send.
 */
#include "analyze/costmodel/messages.h"

#include "analyze/trace/run.h"
#include "base/saturate.h"

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
