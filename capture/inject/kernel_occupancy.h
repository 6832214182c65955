/* How many blocks of a kernel fit on a multiprocessor, from what CUPTI's records say. */
#pragma once

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

/* What a kernel may use at most limits how many of its blocks fit. */
enum occupancy_limit {
	OCCUPANCY_WARPS = 1,
	OCCUPANCY_REGISTERS = 2,
	OCCUPANCY_SHARED_MEMORY = 4,
	OCCUPANCY_BLOCKS = 8
};

/* A limit of OCCUPANCY_UNLIMITED: the kernel uses none of that. */
enum { OCCUPANCY_UNLIMITED = INT32_MAX };

struct residency {
	int blocks;          /* resident on one multiprocessor at a time; 0: it does not fit */
	unsigned limited_by; /* enum occupancy_limit: those that are as low as that */
	int by_warps, by_registers, by_shared_memory, by_blocks;
	int64_t registers_per_block, smem_per_block; /* as they are given out, in units */
};

/*
 * Blocks of a kernel on one multiprocessor and what limits them.  False when the device is not
 * known well enough, or is older than compute capability 7.  Block barriers are no limit: CUPTI
 * does not tell how many a kernel uses.
 * Source: CUDA's cuda_occupancy.h, which tests/capture/toolkit/occupancy_check.c compares it with.
 */
bool occupancy_residency(
	const struct device_limits *d, const struct kernel_shape *k, struct residency *o);

/* Per cent of the device's warps a launch can keep resident, rounded; o: of occupancy_residency.  A
 * grid smaller than the device counts as what it fills.  Source: Kineto's "est. achieved occupancy
 * %". */
int occupancy_percent(
	const struct device_limits *d, const struct kernel_shape *k, const struct residency *o);
