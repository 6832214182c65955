/*
 * Casts: kernels that only change the type of a tensor.
 *
 * Known by the kernel's name; where that says only that it copies, by the op that launched it:
 * aten::_to_copy, aten::to, aten::type_as.
 */
#ifndef ANALYZE_MEASURE_DEVICE_CASTS_H
#define ANALYZE_MEASURE_DEVICE_CASTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct run;

struct casts {
	const struct run *run;
	uint8_t *of_name; /* by sym: 1 + enum copy_kernel; 0 not asked */
};

/* Needs links.  Memory is the arena's. */
void casts_init(struct casts *c, const struct run *r, struct arena *mem);

/* Whether that row of a kernel is one. */
bool casts_is(struct casts *c, uint32_t row);

#endif
