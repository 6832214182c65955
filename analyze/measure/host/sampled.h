/* Stacks of a sampling profiler: what each function was seen in.
 *
 * A file's weights are samples or, where it says so, ns or bytes; these do not add up, so that one
 * file with several has an answer of each. */
#pragma once

#include "analyze/trace/columns/record.h"
#include "base/base.h"

struct sampled_function {
	struct span name; /* without the line: "forward (model.py)" */
	double total;     /* of stacks it is in, each once */
	double self;      /* of stacks it is the last frame of */
};

struct sampled {
	struct sampled_function *v; /* by self, then total, the largest first, then by name */
	size_t n;
	double all; /* of all stacks */
};

/* A sheet of stacks that has any of that unit: the first, or the one behind `after`; NULL: none. */
const struct sheet *sampled_sheet(
	const struct record *r, const struct sheet *after, enum stack_unit unit);

/* Whether a sheet's row is of that unit, and what it weighs then. */
bool sampled_weight(const struct sheet *s, size_t row, enum stack_unit unit, double *weight);

/* The next frame of a stack, which is moved behind it; false at its end. */
bool sampled_frame(struct span *stack, struct span *frame);

/* Functions of the sheet's stacks of that unit; memory is the arena's. */
void sampled_functions(
	const struct sheet *s, enum stack_unit unit, struct arena *mem, struct sampled *out);
