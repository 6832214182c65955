/*
 * Changes that need nothing but the event.
 */
#include "edit/event_change.h"

static bool drop_args(void *ctx, struct changing *c)
{
	struct part_of *args = parts_find(c->parts, "args");
	const struct part_of *ph = parts_find(c->parts, "ph");

	(void)ctx;
	/* Names, numbers of counters and who launched what are no decoration. */
	if (!args || (ph && (span_is(ph->value, "\"M\"") || span_is(ph->value, "\"C\""))))
		return true;
	args->is_gone = true;
	return true;
}

const struct change change_no_args = { .apply = drop_args };
