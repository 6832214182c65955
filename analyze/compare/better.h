/* Which way is better of figures, where somebody says it: --better lower:NAME, gate.NAME.better. */
#pragma once

#include "analyze/compare/metricset.h"

struct better {
	const char *name; /* as metric_is_called has it */
	enum metric_better better;
};

/* "lower:grad_norm", "grad_norm=lower"; the name is the arena's.  E_USAGE. */
enum status better_parse(
	struct better *b, const char *text, struct arena *mem, struct err *e) MUST_CHECK;

/* Tells the metrics of both sides that are called so; false: there are none. */
bool better_apply(const struct better *b, struct metricset *base, struct metricset *now);
