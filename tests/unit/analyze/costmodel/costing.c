/* Costs of calls, asked as the profiler writes them. */
#include "tests/unit/analyze/costmodel/costing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct span text(const char *s)
{
	return span_of(s ? s : "");
}

struct roof_work cost_of(const struct costing *c)
{
	const struct roof_op *op = roof_op_of(text(c->name));
	struct roof_work w;
	struct roof_call call;
	SCOPED_ARENA mem = { 0 };

	if (!op)
		fail_msg("%s: no formula", c->name);
	assert_true(roof_call_read(
		&call, text(c->dims), text(c->types), text(c->strides), text(c->values), &mem));
	call.name = text(c->name);
	call.about = text(c->about);
	call.is_replayed = c->is_replayed;
	call.hint = roof_element_in(text(c->kernel));
	w = op->formula(op, &call);
	return w;
}

void assert_cost(const struct costing *c, int64_t flop, int64_t bytes)
{
	struct roof_work w = cost_of(c);

	if (w.flop != flop || w.bytes != bytes)
		fail_msg("%s %s %s: %" PRId64 " FLOP %" PRId64 " bytes (%s), not %" PRId64
			 " %" PRId64,
			c->name, c->dims, c->types, w.flop, w.bytes, roof_reason_words[w.why], flop,
			bytes);
	if (flop >= 0 && bytes >= 0)
		assert_int_equal(w.why, ROOF_WHY_KNOWN);
}

void assert_no_cost(const struct costing *c, enum roof_reason why)
{
	struct roof_work w = cost_of(c);

	if (w.why != why || (w.flop >= 0 && w.bytes >= 0))
		fail_msg("%s %s: %s, %" PRId64 " FLOP %" PRId64 " bytes", c->name, c->dims,
			roof_reason_words[w.why], w.flop, w.bytes);
}
