/*
 * Messages: what calls that communicate send, and what that costs of a link.
 */
#ifndef ANALYZE_COSTMODEL_MESSAGES_H
#define ANALYZE_COSTMODEL_MESSAGES_H

#include "analyze/costmodel/cost.h"
#include "analyze/trace/columns/keymap.h"

struct run;

/* What one call sends.  No padding: a key of a keymap. */
struct roof_message {
	int64_t bytes, ranks; /* ARG_UNKNOWN */
	int64_t op;           /* enum comm_op */
};

/*
 * 1 + the index of what a collective sends (a device row), together with `before`, what others of
 * its call do: the sum, where they are of one kind and as many ranks.  before: 0: there are none.
 */
uint32_t roof_message_at(
	struct keymap *messages, const struct run *r, uint32_t before, uint32_t row);

/* The cost of a call that communicates and does nothing else.  message: 0: what is not known. */
void roof_communicate(struct roof_cost *c, const struct keymap *messages, uint32_t message);

#endif
