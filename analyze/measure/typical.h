/* Typical steps: some of a large run, one behind the other, that stand for all that count.
 *
 * On each device each part of their time, what is computed and what is waited for, is on average
 * what it is of all of them, within TYPICAL_PART of a step.  What is to be asked of every moment is
 * asked of these alone: it takes as long however long the run is. */
#pragma once

#include "analyze/measure/gaps/ledger.h"
#include "analyze/measure/gaps/step_gap_causes.h"
#include "analyze/measure/interval.h"
#include "base/base.h"

struct account;
struct run;

#define TYPICAL_PART 0.01

struct typical {
	size_t first, n; /* of those to choose from; all of a run that is not large, or has none */
	nsec ns;         /* the sum of their durations */
	struct interval when; /* with a few steps before them, for what comes from there */
};

/* Steps to choose from, ascending: those of a window, and where their time goes. */
struct typical_of {
	const struct interval *time;
	const uint32_t *step; /* in run->steps */
	size_t nstep;
	nsec ns; /* the sum of their durations */
	const struct account *device;
	size_t ndevice;
};

/* Whether a run is so large that they are looked for. */
bool typical_is_asked(const struct run *r);

/* O(steps x devices x log steps). */
void typical_init(struct typical *t, const struct typical_of *w, const struct run *r,
	const struct ledgers *l, const struct step_gap_causes *waiting);
