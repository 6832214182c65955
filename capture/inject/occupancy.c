/*
 * Occupancy: the least of four limits.
 */
#include "capture/inject/occupancy.h"

enum { SUB_PARTITIONS = 4, REGISTER_UNIT = 256, REGISTERS_MAX = 255 };

static int64_t round_up(int64_t v, int64_t unit)
{
	return (v + unit - 1) / unit * unit;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Registers are given out by the warp, and each quarter of a multiprocessor has its own. */
static int64_t by_registers(
	const struct device_limits *d, const struct kernel_shape *k, int64_t warps)
{
	int64_t per_warp = round_up((int64_t)k->registers * d->warp_size, REGISTER_UNIT);

	if (k->registers > REGISTERS_MAX ||
		d->regs_per_block < per_warp * round_up(warps, SUB_PARTITIONS))
		return 0;
	if (per_warp == 0)
		return d->blocks_per_sm;
	return d->regs_per_sm / SUB_PARTITIONS / per_warp * SUB_PARTITIONS / warps;
}

static int64_t by_shared_memory(const struct device_limits *d, const struct kernel_shape *k)
{
	int64_t reserved = d->major >= 8 ? 1024 : 0, unit = d->major >= 8 ? 128 : 256;
	int64_t asked = k->static_smem + k->dynamic_smem;
	int64_t used = round_up(asked + reserved, unit);
	int64_t limit = d->smem_per_block;

	if (k->is_optin && asked > limit)
		limit = d->smem_per_block_optin ? d->smem_per_block_optin
						: d->smem_per_sm - reserved;
	if (used > limit + reserved)
		return 0;
	return used ? d->smem_per_sm / used : d->blocks_per_sm;
}

int occupancy_blocks(const struct device_limits *d, const struct kernel_shape *k)
{
	int64_t warps, n;

	if (d->major < 7 || d->warp_size <= 0 || d->sms <= 0 || d->warps_per_sm <= 0 ||
		d->blocks_per_sm <= 0 || d->regs_per_sm <= 0 || d->smem_per_sm <= 0 ||
		k->threads <= 0 || k->registers < 0 || k->static_smem < 0 || k->dynamic_smem < 0)
		return -1;
	if (k->threads > d->threads_per_block)
		return 0;
	warps = (k->threads + d->warp_size - 1) / d->warp_size;
	n = least(d->blocks_per_sm, d->warps_per_sm / warps);
	n = least(n, by_registers(d, k, warps));
	n = least(n, by_shared_memory(d, k));
	return (int)n;
}

int occupancy_percent(const struct device_limits *d, const struct kernel_shape *k)
{
	int blocks = occupancy_blocks(d, k);
	double per_sm;

	if (blocks < 0)
		return -1;
	per_sm = (double)k->blocks / d->sms;
	if (per_sm > blocks)
		per_sm = blocks;
	return (int)(0.5 + 100.0 * per_sm * k->threads / ((double)d->warps_per_sm * d->warp_size));
}
