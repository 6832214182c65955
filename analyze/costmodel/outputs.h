/* Sizes of what convolutions wrote, where their calls do not say them.
 *
 * Until 2021 the profiler wrote shapes and no values, so that stride and padding of a convolution
 * are not known.  But its backward gets a gradient of the shape of what it wrote, beside the same
 * input and filter.  Where all backward calls of that input and filter agree on it, that was its
 * size; where they do not, or there are none, it stays unknown. */
#pragma once

#include "analyze/costmodel/cost.h"
#include "analyze/trace/columns/keymap.h"

/* Completes costs, which are by index in keys (struct roof_key): what is done of their work, too,
 * where kernels multiply less (fastconv.h).  O(costs). */
void roof_outputs(struct roof_cost *cost, const struct keymap *keys, const struct strings *texts);
