/*
 * `memory`: the names of devices.
 */
#include "analyze/answer/memory/memory.h"

#include <inttypes.h>

/* Source: c10/core/DeviceType.h. */
struct span memory_device(const struct memcurve *c, struct arena *mem)
{
	static const char *const words[] = { "CPU", "CUDA", "MKLDNN", "OpenGL", "OpenCL", "IDEEP",
		"HIP", "FPGA", "MAIA", "XLA", "Vulkan", "Metal", "XPU", "MPS", "Meta", "HPU", "VE",
		"Lazy", "IPU", "MTIA", "PrivateUse1" };
	const char *word =
		c->type >= 0 && c->type < (int64_t)COUNT_OF(words) ? words[c->type] : "device";

	if (c->device < 0)
		return span_of(word);
	return span_of(arena_printf(mem, "%s %" PRId64, word, c->device));
}
