/*
 * Classes of device work: computing, communicating, copying, setting.
 *
 * What a device event is called decides, once for each distinct name: categories of copies and sets
 * first, then the names ROCm has for them as kernels, then those of collectives; what is left
 * computes.  Kernels that a collective's own record (record_param_comms, nccl:..., gloo:...)
 * launched communicate, too, whatever they are called.  cuda_sync and annotations on the device's
 * timeline are no device work and have no class.
 */
#ifndef ANALYZE_MEASURE_CLASSES_H
#define ANALYZE_MEASURE_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/trace/events.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "base/str.h"

enum devclass { CLASS_COMPUTE, CLASS_COMM, CLASS_MEMCPY, CLASS_MEMSET, CLASS_COUNT };

struct classes {
	const struct run *run;
	uint8_t *of_kernel; /* by sym: enum devclass of a kernel of that name; host names are there
	                       and mean nothing */
	bool *is_comm_op; /* by sym: a host op that only collectives have; NULL: the run has none */
};

/* Looks at every distinct name once.  Uses r->links where built.  Memory is the arena's. */
void classes_init(struct classes *c, const struct run *r, struct arena *mem);

/* The rest of the one below, where collectives have ops. */
enum devclass classes_by_op(const struct classes *c, uint32_t row);

/* The class of a row of KINDS_DEVICE.  O(1).  Inline: most passes ask it for every row. */
static inline enum devclass classes_of(const struct classes *c, uint32_t row)
{
	const struct events *ev = &c->run->events;
	enum devclass k;

	if (ev->kind[row] == KIND_MEMCPY)
		return CLASS_MEMCPY;
	if (ev->kind[row] == KIND_MEMSET)
		return CLASS_MEMSET;
	k = (enum devclass)c->of_kernel[ev->name[row]];
	return LIKELY(k != CLASS_COMPUTE || !c->is_comm_op) ? k : classes_by_op(c, row);
}

/* A host op or annotation of that name is a collective itself: record_param_comms, nccl:...,
 * gloo:... */
bool classes_is_comm_op(struct span name);

/* "compute", "comm", "memcpy", "memset"; constant. */
const char *classes_word(enum devclass k);

#endif
