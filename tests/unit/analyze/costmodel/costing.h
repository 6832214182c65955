/* Costs of calls, asked as the profiler writes them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/costmodel/ops.h"

struct costing {
	const char *name, *dims, *types, *strides, *values; /* NULL: absent */
	const char *about, *kernel;
	bool is_replayed;
};

/* The work of one such call; it has to have a row in the table of ops. */
struct roof_work cost_of(const struct costing *c);

/* Fails unless it is this, and says which call was wrong. */
void assert_cost(const struct costing *c, int64_t flop, int64_t bytes);
/* The same of one whose figures are not known. */
void assert_no_cost(const struct costing *c, enum roof_reason why);
