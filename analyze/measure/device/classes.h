/* Classes of device work: computing, communicating, copying, setting.
 *
 * What a device event is called decides, once for each distinct name: categories of copies and sets
 * first, then the names ROCm has for them as kernels, then those of collectives (commname.h) and
 * those the person calls so (run.comm_chosen).  Kernels whose name says nothing are the op's that
 * launched them: collectives where that is one (c10d::..., record_param_comms, vllm::all_reduce).
 * What is left computes.  cuda_sync and annotations on the device's timeline are no device work and
 * have no class. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/run.h"
#include "base/base.h"

enum devclass { CLASS_COMPUTE, CLASS_COMM, CLASS_MEMCPY, CLASS_MEMSET, CLASS_COUNT };

/* In of_kernel: the op that launched it says. */
enum { CLASSES_BY_OP = CLASS_COUNT };

struct classes {
	const struct run *run;
	uint8_t *of_kernel; /* by sym: enum devclass of a kernel of that name, or CLASSES_BY_OP;
	                       other names are there and mean nothing */
	bool *is_comm_op; /* by sym: an op that communicates; NULL: the run has none, and no kernel
	                     is CLASSES_BY_OP */
};

/* Looks at every distinct name of a kernel once.  Uses r->links where built.  Memory is the
 * arena's. */
void classes_init(struct classes *c, const struct run *r, struct arena *mem);

/* The rest of the one below, where the op decides. */
enum devclass classes_by_op(const struct classes *c, uint32_t row);

/* The class of a row of KINDS_DEVICE.  O(1).  Inline: most passes ask it for every row. */
static inline enum devclass classes_of(const struct classes *c, uint32_t row)
{
	const struct events *ev = &c->run->events;

	if (ev->kind[row] == KIND_MEMCPY)
		return CLASS_MEMCPY;
	if (ev->kind[row] == KIND_MEMSET)
		return CLASS_MEMSET;
	unsigned k = c->of_kernel[ev->name[row]];
	return LIKELY(k != CLASSES_BY_OP) ? (enum devclass)k : classes_by_op(c, row);
}

/* Whether kernels of that name are collectives, or may be by their op. */
bool classes_may_be_comm(const struct classes *c, sym kernel);

/* "compute", "comm", "memcpy", "memset"; constant. */
const char *classes_word(enum devclass k);
