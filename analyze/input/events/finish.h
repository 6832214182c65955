/* Finishing: what can only be known when the whole file was read. */
#pragma once

#include "analyze/input/events/merge_batches.h"
#include "analyze/trace/run.h"

/* Gives lanes their names, joins B and E, recognises device lanes by process name (JAX, TensorFlow,
 * Ascend), and settles the span for traces without categories.  g's name table is used up. */
void finish_run(struct run *run, struct gathered *g);
