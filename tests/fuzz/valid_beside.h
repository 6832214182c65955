/* What lies beside traces, from a part of the input: logs, summaries, sweeps, samples of GPUs,
 * memory snapshots, flight recorder dumps, stores of baselines, tables of profilers. */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "tests/fuzz/draw.h"

enum valid_kind {
	KIND_OF_TRACE,
	KIND_OF_LOG,
	KIND_OF_SAMPLES, /* nvidia-smi and its like */
	KIND_OF_SWEEP,
	KIND_OF_SNAPSHOT,
	KIND_OF_DUMP,
	KIND_OF_OPS,     /* tables of operators and kernels */
	KIND_OF_KERNELS, /* those of kernels alone */
	KIND_OF_STACKS,
	KIND_OF_HARDWARE, /* gpu_profile.json and its like */
	KIND_OF_STORE,    /* of baselines: before runs */
	KIND_OF_OTHER,
	VALID_KINDS
};

/* Writes a file of that kind (no trace) and its name.  rank: of several alike.  Returns whether
 * something in it is odd: no number, none at all, far off. */
bool valid_beside_write(
	enum valid_kind kind, struct draw *d, unsigned rank, struct str *name, struct str *out);
