/* Copies by what their names say: from where to where, and what kind of memory.
 *
 *	Memcpy HtoD (Pageable -> Device)      CUDA and ROCm, as Kineto writes them
 *	MemcpyD2H                             JAX/XLA
 *	CopyDeviceToHost, MEMORY_COPY_HOST_TO_DEVICE, __amd_rocclr_copyBuffer    ROCm's own
 *	[CUDA memcpy Host-to-Device]          Nsight Systems
 *	Memcpy M2D(...)                       oneAPI; M is the host's memory */
#pragma once

#include "base/base.h"

/* X(NAME, word) */
#define COPY_DIRECTIONS(X)    \
	X(UNKNOWN, "unknown") \
	X(HTOD, "HtoD")       \
	X(DTOH, "DtoH")       \
	X(DTOD, "DtoD")       \
	X(PTOP, "PtoP")       \
	X(HTOH, "HtoH")

enum copy_direction {
#define X(name, word) COPY_##name,
	COPY_DIRECTIONS(X)
#undef X
		COPY_DIRECTION_COUNT
};

/* Kinds of memory at one end.  HOST: the host's, pageable or pinned, unsaid which. */
#define COPY_MEMORIES(X)        \
	X(UNKNOWN, "unknown")   \
	X(PAGEABLE, "pageable") \
	X(PINNED, "pinned")     \
	X(HOST, "host")         \
	X(DEVICE, "device")     \
	X(ARRAY, "array")       \
	X(MANAGED, "managed")

enum copy_memory {
#define X(name, word) COPY_MEMORY_##name,
	COPY_MEMORIES(X)
#undef X
		COPY_MEMORY_COUNT
};

struct copy_class {
	enum copy_direction direction;
	enum copy_memory from, to;
};

/* The class of a copy, or of a kernel that is one, by its name; ignores case.  Arrays count as the
 * device's memory for the direction.  Where a name gives the memory only, the direction follows
 * from it; where it gives the direction only, the device's end is DEVICE and the host's HOST. */
struct copy_class copyclass_of(struct span name);

/* The same, where the profiler of XLA also wrote memcpy_details, "kind_src:pageable
 * kind_dst:device size:4096 dest:0 async:1": the kinds it knows are those of the memories; the
 * direction follows from them where the name gives none. */
struct copy_class copyclass_of_details(struct span name, struct span details);

/* "HtoD", "pageable", ...; constant. */
const char *copyclass_direction_word(enum copy_direction d);
const char *copyclass_memory_word(enum copy_memory m);

/* What a kernel does that only moves a tensor's elements on the device. */
enum copy_kernel {
	COPY_KERNEL_NONE,   /* something else, or also something else */
	COPY_KERNEL_CAST,   /* elements change their type */
	COPY_KERNEL_LAYOUT, /* the same type elsewhere or in another order: cat(), clone() */
	COPY_KERNEL_UNCLEAR /* a copying kernel whose name does not say whether the type changes */
};

/* By the kernel's name; torch's own kernels only. */
enum copy_kernel copyclass_of_kernel(struct span kernel_name);

/* By two types of tensors as "Input type" spells them: CAST when they differ, LAYOUT when they do
 * not, UNCLEAR when one is empty. */
enum copy_kernel copyclass_of_types(struct span to, struct span from);

/* aten::to, aten::_to_copy, aten::copy_ and their like: ops that exist to move or convert. */
bool copyclass_is_copy_op(struct span op_name);

/* Casts: kernels that only change the type of a tensor.
 *
 * Known by the kernel's name; where that says only that it copies, by the op that launched it:
 * aten::_to_copy, aten::to, aten::type_as. */

struct run;

struct casts {
	const struct run *run;
	uint8_t *of_name; /* by sym: 1 + enum copy_kernel; 0 not asked */
};

/* Needs links.  Memory is the arena's. */
void casts_init(struct casts *c, const struct run *r, struct arena *mem);

/* Whether that row of a kernel is one. */
bool casts_is(struct casts *c, uint32_t row);
