/*
 * How many blocks of a kernel fit on a multiprocessor, from what CUPTI's records say.
 */
#ifndef CAPTURE_INJECT_OCCUPANCY_H
#define CAPTURE_INJECT_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

/* One device, as its DEVICE record and two attributes of the driver say; 0: not known. */
struct device_limits {
	int major, minor;
	int warp_size, sms;
	int warps_per_sm, blocks_per_sm, threads_per_block;
	int64_t regs_per_sm, regs_per_block;
	int64_t smem_per_sm, smem_per_block, smem_per_block_optin;
};

struct kernel_shape {
	int64_t blocks; /* of the grid */
	int threads;    /* of a block */
	int registers;  /* of a thread */
	int64_t static_smem, dynamic_smem;
	bool is_optin; /* may use more than smem_per_block: shmemLimitConfig of its record */
};

/*
 * Blocks that are resident on one multiprocessor at a time, 0 when the kernel does not fit at all,
 * -1 when the device is not known well enough.  Compute capability 7 and later; -1 before.
 * Source: CUDA's cuda_occupancy.h (the limits by warps, blocks, registers and shared memory), which
 * tests/capture/occupancy_check.c compares it with.
 */
int occupancy_blocks(const struct device_limits *d, const struct kernel_shape *k);

/*
 * Per cent of the device's warps a launch can keep resident, rounded; -1 when not known.  A grid
 * smaller than the device counts as what it fills.  Source: Kineto's "est. achieved occupancy %".
 */
int occupancy_percent(const struct device_limits *d, const struct kernel_shape *k);

#endif
