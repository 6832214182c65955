/* What a GPU's multiprocessor holds: how many blocks of a kernel can be on it at once.
 *
 * Source: the occupancy rules of the CUDA C++ Programming Guide ("Technical Specifications per
 * Compute Capability") and CUDA's occupancy calculator. */
#pragma once

#include "base/base.h"

struct meta;

/* One of them; all counts are above 0. */
struct multiprocessor {
	int64_t threads, blocks; /* at once, at most */
	int64_t registers;       /* of 32 bits */
	int64_t shared;          /* bytes of shared memory */
	int64_t shared_unit;     /* of which blocks get multiples */
	int64_t shared_reserved; /* bytes that each block costs beside its own */
};

/* Those of the run's devices, by deviceProperties; false where they are not all alike, or it does
 * not say, or they are not NVIDIA's. */
bool multiprocessor_of(const struct meta *m, struct multiprocessor *mp);

/* Blocks of that many threads, registers a thread and bytes of shared memory that are on one at
 * once; 0 where not even one can be, or an argument is negative or threads is 0. */
int64_t multiprocessor_holds(
	const struct multiprocessor *mp, int64_t threads, int64_t registers, int64_t shared);
