/* A run in 24 lines: what `traceq FILE` shows of the tables that diagnose answers with. */
#pragma once

#include "base/base.h"
#include "base/table.h"

/* Whether there is one run to be brief about: neither several nor the ranks of a job. */
bool brief_is(const struct result *diagnose);

/* The table that stands for t, one of diagnose's tables, owned by r, or t itself; NULL: it is left
 * out.  diagnose: the answer it is of. */
struct table *brief_of(struct result *r, struct table *t, const struct result *diagnose);
