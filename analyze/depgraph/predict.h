/* By how much the steps that count are shorter under a scenario.
 *
 * A step lasts until all that had finished by its end has, and what ends it has come, from when
 * that was so of its begin (whatif.h).  So a host that no longer waits for its work does not make
 * steps shorter than that work.  Of work that runs over the border what was done by then has been.
 *
 *	  border    0             1              2        begins and ends of steps, in their order
 *	  nodes     |  a ]   b ]  |   c ]        |
 *	  was       -             b              c        the latest of those before the border
 *	  now       -             a'             c'       and in the times of the scenario
 *
 * A step that is cut on the device begins with its first work; its border waits for the work of
 * steps before it alone, for no thread. */
#pragma once

#include "analyze/depgraph/lags.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct window;

/* Where a step begins or ends. */
struct predict_border {
	nsec at;
	nsec was;      /* the latest end of a node by then; INT64_MIN: none has ended */
	uint32_t last; /* the node that begins or ends the step there; NO_NODE: none does */
};

/* A node and a border: one that it runs over, or has to have finished by. */
struct predict_over {
	uint32_t node, border;
};

/* What all scenarios need. */
struct predict {
	struct depend *depend;
	const struct window *window;
	const struct interval *step; /* those that are timed again, which stand for all of them */
	size_t nstep;
	double stand; /* for so many times their own time */
	struct lags lags;
	struct predict_border *border; /* by time, each once */
	size_t nborder;
	bool *counts;        /* by lane: a step waits for what it does */
	uint32_t *border_of; /* by node: the first border that waits for it, or nborder */
	struct predict_over *over;
	size_t nover, cap;
	/* Of those with a border: nodes that no node of their lane has behind them that has the
	 * same border and finishes no earlier, whatever the scenario (scenario_in_order). */
	struct predict_over *last;
	size_t nlast, last_cap;
};

/* d and w are borrowed; memory is the arena's, 4 bytes a node, and that of lags_init.  Released by
 * predict_clear, also where it is all 0. */
void predict_init(struct predict *p, struct depend *d, const struct window *w, struct arena *mem);
void predict_clear(struct predict *p);

/* The sum over the steps that count; below 0: they are longer, which only a scenario can bring
 * about that makes something longer.  t gets the times of nodes (whatif.h).  Several threads may
 * ask at once, each with a t of its own. */
nsec predict_saves(const struct predict *p, const struct scenario *s, struct whatif_times *t);
