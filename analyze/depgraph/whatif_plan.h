/* A scenario made ready: what of which nodes it may have otherwise.  Private to whatif.c and
 * whatif_plan.c. */
#pragma once

#include "analyze/depgraph/datadeps.h"
#include "analyze/depgraph/scenario.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct plan {
	struct depend *d;
	const struct scenario *s;
	const struct lags *lags;
	nsec *scaled;  /* by node.host, where names or durations change host time */
	double *group; /* factors of host_weights, by group */
	double all;    /* of host time that is recorded, and of calls that wait */
	bool no_sync;
	uint64_t *one;  /* bits by node.host: between two launches that become one; NULL: none is */
	bool has_graph; /* launches become one */
	nsec *front; /* by node, where work is apart: when all of its stream up to it has finished
	              */
	nsec *done;  /* by operator of datadeps: when what it launched so far has finished */
	nsec *ready; /* by node; of collectives, where some are hidden: see ready_at */
	bool on_work[CLASS_COUNT]; /* durations of work of that class may change */
	bool on_delay;             /* so may delays before work */
	bool on_launch;            /* so may what a launch takes */
	bool on_host;              /* so may host time */
	uint32_t asks;             /* LAG_BITs: what has one of them may be timed otherwise */
};

static inline bool is_about(const struct change *c, sym name)
{
	return !c->match || c->match[name];
}

static inline bool is_of_row(const struct change *c, uint32_t row)
{
	return !c->rows || (c->rows[row / 64] >> row % 64 & 1);
}

/* Whether waiting is done away with; a part of it cannot be. */
static inline bool is_without(const struct change *c)
{
	return c->ns == 0 || (c->ns < 0 && c->factor == 0);
}

/* s and l are borrowed.  Released by whatif_plan_clear. */
void whatif_plan_init(
	struct plan *p, struct depend *d, const struct lags *l, const struct scenario *s);
void whatif_plan_clear(struct plan *p);

/* Of a plan that is all 0 but for d and s: what a change has otherwise of work. */
void whatif_plan_work(struct plan *p, const struct change *c);
