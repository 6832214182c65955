/* Our occupancy, its limits and what it gives out against the toolkit's own formula
 * (cuda_occupancy.h), for many shapes of kernels on devices of compute capability 7.0 to 9.0. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_occupancy.h>

#include "capture/inject/kernel_occupancy.h"

static const struct {
	int major, minor, sms, warps, blocks;
	long smem_sm, smem_block, optin;
} devices[] = {
	{ 7, 0, 80, 64, 32, 98304, 49152, 98304 },
	{ 7, 5, 40, 32, 16, 65536, 49152, 65536 },
	{ 8, 0, 108, 64, 32, 167936, 49152, 166912 },
	{ 8, 6, 84, 48, 16, 102400, 49152, 101376 },
	{ 8, 9, 128, 48, 24, 102400, 49152, 101376 },
	{ 9, 0, 132, 64, 32, 233472, 49152, 232448 },
};

static bool theirs(size_t i, const struct kernel_shape *k, struct residency *o)
{
	cudaOccDeviceState state;
	cudaOccFuncAttributes a;
	cudaOccDeviceProp p;
	cudaOccResult r;

	memset(&p, 0, sizeof(p));
	memset(&a, 0, sizeof(a));
	memset(&state, 0, sizeof(state));
	p.computeMajor = devices[i].major;
	p.computeMinor = devices[i].minor;
	p.maxThreadsPerBlock = 1024;
	p.maxThreadsPerMultiprocessor = devices[i].warps * 32;
	p.regsPerBlock = p.regsPerMultiprocessor = 65536;
	p.warpSize = 32;
	p.sharedMemPerBlock = (size_t)devices[i].smem_block;
	p.sharedMemPerMultiprocessor = (size_t)devices[i].smem_sm;
	p.sharedMemPerBlockOptin = (size_t)devices[i].optin;
	p.reservedSharedMemPerBlock = devices[i].major >= 8 ? 1024 : 0;
	p.numSms = devices[i].sms;
	state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
	a.maxThreadsPerBlock = INT_MAX;
	a.numRegs = k->registers;
	a.sharedSizeBytes = (size_t)k->static_smem;
	a.partitionedGCConfig = PARTITIONED_GC_OFF;
	a.shmemLimitConfig = k->is_optin ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
	a.maxDynamicSharedSizeBytes = k->is_optin ? (size_t)k->dynamic_smem : 0;
	if (cudaOccMaxActiveBlocksPerMultiprocessor(
		    &r, &p, &a, &state, k->threads, (size_t)k->dynamic_smem) != CUDA_OCC_SUCCESS)
		return false;
	*o = (struct residency){ .blocks = r.activeBlocksPerMultiprocessor,
		.by_warps = r.blockLimitWarps,
		.by_registers = r.blockLimitRegs,
		.by_shared_memory = r.blockLimitSharedMem,
		.by_blocks = r.blockLimitBlocks,
		.registers_per_block = r.allocatedRegistersPerBlock,
		.smem_per_block = (int64_t)r.allocatedSharedMemPerBlock };
	/* The bits are the toolkit's; block barriers and virtual resources are not looked at. */
	o->limited_by = r.limitingFactors &
		(OCCUPANCY_WARPS | OCCUPANCY_REGISTERS | OCCUPANCY_SHARED_MEMORY |
			OCCUPANCY_BLOCKS);
	return true;
}

int main(void)
{
	unsigned long seed = 12345, bad = 0, n;

	for (n = 0; n < 200000; n++) {
		size_t i = n % (sizeof(devices) / sizeof(devices[0]));
		struct device_limits d = { devices[i].major, devices[i].minor, 32, devices[i].sms,
			devices[i].warps, devices[i].blocks, 1024, 65536, 65536, devices[i].smem_sm,
			devices[i].smem_block, devices[i].optin };
		struct kernel_shape k = { .blocks = 1 };
		struct residency ours, want;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		k.threads = (int)((seed >> 33) % 1024) + 1;
		k.registers = (int)((seed >> 20) % 256);
		k.static_smem = (long)((seed >> 40) % 49152);
		k.dynamic_smem = (long)((seed >> 25) % (n % 3 ? 50000 : 240000));
		k.is_optin = n % 2;
		memset(&ours, 0, sizeof(ours));
		memset(&want, 0, sizeof(want));
		if (!theirs(i, &k, &want) || !occupancy_residency(&d, &k, &ours))
			return 2;
		if (memcmp(&want, &ours, sizeof(want)) == 0)
			continue;
		if (bad++ < 5)
			fprintf(stderr,
				"%d.%d threads %d registers %d static %ld dynamic %ld optin %d: "
				"%d blocks by %x, the toolkit %d by %x\n",
				d.major, d.minor, k.threads, k.registers, (long)k.static_smem,
				(long)k.dynamic_smem, k.is_optin, ours.blocks, ours.limited_by,
				want.blocks, want.limited_by);
	}
	printf("%lu shapes, %lu differ\n", n, bad);
	return bad != 0;
}
