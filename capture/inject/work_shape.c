/*
 * The shape of a kernel's launch, and what follows from it on its device, in Kineto's words.  The
 * same shape is launched again and again: its text is made once.
 */

#include "capture/cupti_abi.h"
#include "capture/inject/record_state.h"
#include "capture/inject/work.h"

static double product(const int32_t v[3])
{
	return (double)v[0] * (double)v[1] * (double)v[2];
}

static void put_residency(struct jtext *t, const struct residency *o)
{
	static const struct {
		unsigned bit;
		const char *word; /* as Kineto calls them, in its order */
	} limits[] = { { OCCUPANCY_WARPS, "WARPS" }, { OCCUPANCY_REGISTERS, "REGS" },
		{ OCCUPANCY_SHARED_MEMORY, "SMEM" }, { OCCUPANCY_BLOCKS, "BLOCKS" } };
	const char *between = "";

	jtext_f(t,
		", \"occupancy\": {\"activeBlocksPerMultiprocessor\": %d, \"limitingFactors\": \"",
		o->blocks);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (o->limited_by & limits[i].bit) {
			jtext_f(t, "%s%s", between, limits[i].word);
			between = "|";
		}
	jtext_f(t,
		"\", \"blockLimitRegs\": %d, \"blockLimitSharedMem\": %d, \"blockLimitWarps\": %d, "
		"\"blockLimitBlocks\": %d, \"allocatedRegistersPerBlock\": %ld, "
		"\"allocatedSharedMemPerBlock\": %ld}",
		o->by_registers, o->by_shared_memory, o->by_warps, o->by_blocks,
		o->registers_per_block, o->smem_per_block);
}

static void put_occupancy(struct jtext *t, const struct emit *e, const struct shape_key *k)
{
	const struct device_limits *d =
		k->device < EMIT_DEVICES_MAX ? &e->device[k->device].limits : NULL;
	double blocks = product(k->grid), threads = product(k->block);
	struct kernel_shape s = {
		.registers = (int)k->registers,
		.static_smem = k->static_smem,
		.dynamic_smem = k->dynamic_smem,
		.is_optin = k->smem_limit == 1,
	};
	struct residency o;

	jtext_f(t, ", \"grid\": [%d, %d, %d], \"block\": [%d, %d, %d]", k->grid[0], k->grid[1],
		k->grid[2], k->block[0], k->block[1], k->block[2]);
	if (!d || blocks < 1 || blocks > 1e15 || threads < 1 || threads > 65536)
		return;
	s.blocks = (int64_t)blocks;
	s.threads = (int)threads;
	if (!occupancy_residency(d, &s, &o))
		return;
	jtext_f(t, ", \"est. achieved occupancy %%\": %d", occupancy_percent(d, &s, &o));
	put_residency(t, &o);
}

static void put_shape_text(struct jtext *t, const struct emit *e, const struct shape_key *k)
{
	const struct device_limits *d =
		k->device < EMIT_DEVICES_MAX ? &e->device[k->device].limits : NULL;
	double blocks = product(k->grid), threads = product(k->block);

	jtext_f(t, ", \"registers per thread\": %u, \"shared memory\": %ld", k->registers,
		(int64_t)k->static_smem + k->dynamic_smem);
	if (d && d->sms > 0 && d->warp_size > 0)
		jtext_f(t, ", \"blocks per SM\": %g, \"warps per SM\": %g", blocks / d->sms,
			blocks * threads / d->warp_size / d->sms);
	put_occupancy(t, e, k);
	if (k->cluster[0] > 1 || k->cluster[1] > 1 || k->cluster[2] > 1)
		jtext_f(t, ", \"cluster\": [%d, %d, %d]", (int)k->cluster[0], (int)k->cluster[1],
			(int)k->cluster[2]);
}

static void read_shape(struct shape_key *k, const unsigned char *p, uint32_t version)
{
	memset(k, 0, sizeof(*k)); /* compared by bytes */
	k->device = get_KERNEL_DEVICE(p);
	k->grid[0] = get_KERNEL_GRID_X(p);
	k->grid[1] = get_KERNEL_GRID_Y(p);
	k->grid[2] = get_KERNEL_GRID_Z(p);
	k->block[0] = get_KERNEL_BLOCK_X(p);
	k->block[1] = get_KERNEL_BLOCK_Y(p);
	k->block[2] = get_KERNEL_BLOCK_Z(p);
	k->static_smem = get_KERNEL_STATIC_SMEM(p);
	k->dynamic_smem = get_KERNEL_DYNAMIC_SMEM(p);
	k->smem_limit = get_KERNEL_SMEM_LIMIT(p);
	k->registers = get_KERNEL_REGISTERS(p);
	if (version >= SINCE_KERNEL_CLUSTER_X) {
		k->cluster[0] = get_KERNEL_CLUSTER_X(p);
		k->cluster[1] = get_KERNEL_CLUSTER_Y(p);
		k->cluster[2] = get_KERNEL_CLUSTER_Z(p);
	}
}

void work_put_shape(struct records *r, const unsigned char *p)
{
	struct jtext *t = r->emit->t;
	struct shape_key k;
	uint32_t word, h = 0;

	read_shape(&k, p, r->version);
	for (size_t i = 0; i < sizeof(k); i += sizeof(word)) {
		memcpy(&word, (const char *)&k + i, sizeof(word));
		h = (h ^ word) * 0x9e3779b1u;
		h ^= h >> 15;
	}
	struct shape *s = &r->shape[h % RECORDS_SHAPES];
	if (s->n && memcmp(&s->key, &k, sizeof(k)) == 0) {
		jtext_put(t, s->text, s->n);
		return;
	}
	size_t from = t->n;
	put_shape_text(t, r->emit, &k);
	if (t->failed || t->n - from > sizeof(s->text))
		return;
	s->key = k;
	s->n = t->n - from;
	memcpy(s->text, t->p + from, s->n);
}
