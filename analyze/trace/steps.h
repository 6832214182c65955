/*
 * Steps: the training or inference iterations of a run.
 *
 * ProfilerStep#N on the CPU; else a user annotation that repeats at the top of its thread; else the
 * whole trace as one step (source says which).
 */
#ifndef ANALYZE_TRACE_STEPS_H
#define ANALYZE_TRACE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/events.h"

struct run;

enum step_source { STEPS_PROFILER, STEPS_ANNOTATION, STEPS_WHOLE };

struct step {
	int64_t number;  /* N of ProfilerStep#N, else 0, 1, 2 ... */
	uint32_t row;    /* its event, or NO_ROW */
	uint32_t lane;   /* of that event, or NO_ROW */
	nsec start, end; /* of the CPU range */
	/*
	 * Unfinished; or the last one with device work, when it has fewer than 0.8 of the device
	 * events of the step before (the TensorBoard plugin's rule), and those behind it.
	 */
	bool incomplete;
	int64_t ndevice; /* device events launched inside; -1 when links are not there */
};

struct steps {
	enum step_source source;
	sym name;          /* of the first step's event, or 0 */
	struct step *step; /* by start */
	size_t n;
	/*
	 * By device side row: index of the step the launch starts in (where there is no launch, the
	 * event itself), or NO_ROW when outside.
	 */
	uint32_t *of_device;
};

/* Needs order and, when there are launches, links.  Freed by steps_free. */
struct steps *steps_build(const struct run *r);
void steps_free(struct steps *s);

/* How many steps have begun at time t: the first so many, since steps ascend.  O(log n). */
size_t steps_begun(const struct steps *s, nsec t);

/* The step begun last, if it contains time t (start <= t < end), or NO_ROW.  O(log n). */
uint32_t steps_at(const struct steps *s, nsec t);

/* The same as the step's number; false when in none, or when the run has no steps.  s: or NULL. */
bool steps_number_at(const struct steps *s, nsec t, int64_t *number);

/*
 * The same, where most times are in the step of the one before (`last`, or NO_ROW).  No answer
 * depends on what was asked before, also where steps overlap.
 */
uint32_t steps_near(const struct steps *s, nsec t, uint32_t last);

#endif
