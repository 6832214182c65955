/* Occupancy: the least of four limits. */
#include "capture/inject/kernel_occupancy.h"

enum { SUB_PARTITIONS = 4, REGISTER_UNIT = 256, REGISTERS_MAX = 255 };

static int64_t round_up(int64_t v, int64_t unit)
{
	return (v + unit - 1) / unit * unit;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int small(int64_t v)
{
	return v < OCCUPANCY_UNLIMITED ? (int)v : OCCUPANCY_UNLIMITED;
}

/* Registers are given out by the warp, and each quarter of a multiprocessor has its own. */
static int by_registers(const struct device_limits *d, const struct kernel_shape *k, int64_t warps,
	int64_t per_warp)
{
	if (k->registers > REGISTERS_MAX ||
		d->regs_per_block < per_warp * round_up(warps, SUB_PARTITIONS))
		return 0;
	if (per_warp == 0)
		return OCCUPANCY_UNLIMITED;
	return small(d->regs_per_sm / SUB_PARTITIONS / per_warp * SUB_PARTITIONS / warps);
}

static int64_t reserved_smem(const struct device_limits *d)
{
	return d->major >= 8 ? 1024 : 0;
}

static int64_t used_smem(const struct device_limits *d, const struct kernel_shape *k)
{
	return round_up(
		k->static_smem + k->dynamic_smem + reserved_smem(d), d->major >= 8 ? 128 : 256);
}

static int by_shared_memory(const struct device_limits *d, const struct kernel_shape *k)
{
	int64_t reserved = reserved_smem(d), used = used_smem(d, k);
	int64_t limit = d->smem_per_block;

	if (k->is_optin && k->static_smem + k->dynamic_smem > limit)
		limit = d->smem_per_block_optin ? d->smem_per_block_optin
						: d->smem_per_sm - reserved;
	if (used > limit + reserved)
		return 0;
	return used ? small(d->smem_per_sm / used) : OCCUPANCY_UNLIMITED;
}

static bool is_known(const struct device_limits *d, const struct kernel_shape *k)
{
	return d->major >= 7 && d->warp_size > 0 && d->sms > 0 && d->warps_per_sm > 0 &&
		d->blocks_per_sm > 0 && d->regs_per_sm > 0 && d->smem_per_sm > 0 &&
		k->threads > 0 && k->registers >= 0 && k->static_smem >= 0 && k->dynamic_smem >= 0;
}

bool occupancy_residency(
	const struct device_limits *d, const struct kernel_shape *k, struct residency *o)
{
	if (!is_known(d, k))
		return false;
	int64_t warps = (k->threads + d->warp_size - 1) / d->warp_size;
	int64_t per_warp = round_up((int64_t)k->registers * d->warp_size, REGISTER_UNIT);
	o->registers_per_block = per_warp * warps;
	o->smem_per_block = used_smem(d, k);
	o->by_warps = k->threads > d->threads_per_block ? 0 : small(d->warps_per_sm / warps);
	o->by_registers = by_registers(d, k, warps, per_warp);
	o->by_shared_memory = by_shared_memory(d, k);
	o->by_blocks = d->blocks_per_sm;
	o->blocks = (int)least(
		least(o->by_warps, o->by_registers), least(o->by_shared_memory, o->by_blocks));
	o->limited_by = (o->blocks == o->by_warps ? OCCUPANCY_WARPS : 0u) |
		(o->blocks == o->by_registers ? OCCUPANCY_REGISTERS : 0u) |
		(o->blocks == o->by_shared_memory ? OCCUPANCY_SHARED_MEMORY : 0u) |
		(o->blocks == o->by_blocks ? OCCUPANCY_BLOCKS : 0u);
	return true;
}

int occupancy_percent(
	const struct device_limits *d, const struct kernel_shape *k, const struct residency *o)
{
	double per_sm = (double)k->blocks / d->sms;

	if (per_sm > o->blocks)
		per_sm = o->blocks;
	return (int)(0.5 + 100.0 * per_sm * k->threads / ((double)d->warps_per_sm * d->warp_size));
}
