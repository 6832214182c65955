/*
 * The shape of a kernel's launch, and what follows from it on its device, in Kineto's words.  The
 * same shape is launched again and again: its text is made once.
 */
#include <string.h>

#include "capture/cupti_abi.h"
#include "capture/inject/record_state.h"
#include "capture/inject/work.h"

static void put_triple(struct jtext *t, const int32_t v[3])
{
	JTEXT_LIT(t, "[");
	jtext_i64(t, v[0]);
	JTEXT_LIT(t, ", ");
	jtext_i64(t, v[1]);
	JTEXT_LIT(t, ", ");
	jtext_i64(t, v[2]);
	JTEXT_LIT(t, "]");
}

static double product(const int32_t v[3])
{
	return (double)v[0] * (double)v[1] * (double)v[2];
}

/* "WARPS|REGS": as Kineto calls them, in its order. */
static void put_limits(struct jtext *t, unsigned limited_by)
{
	static const struct {
		unsigned bit;
		const char *word;
	} names[] = { { OCCUPANCY_WARPS, "WARPS" }, { OCCUPANCY_REGISTERS, "REGS" },
		{ OCCUPANCY_SHARED_MEMORY, "SMEM" }, { OCCUPANCY_BLOCKS, "BLOCKS" } };
	const char *between = "";
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!(limited_by & names[i].bit))
			continue;
		jtext_puts(t, between);
		jtext_puts(t, names[i].word);
		between = "|";
	}
}

static void put_residency(struct jtext *t, const struct residency *o)
{
	JTEXT_LIT(t, ", \"occupancy\": {\"activeBlocksPerMultiprocessor\": ");
	jtext_i64(t, o->blocks);
	JTEXT_LIT(t, ", \"limitingFactors\": \"");
	put_limits(t, o->limited_by);
	JTEXT_LIT(t, "\"");
	JTEXT_ARG(t, "blockLimitRegs", o->by_registers);
	JTEXT_ARG(t, "blockLimitSharedMem", o->by_shared_memory);
	JTEXT_ARG(t, "blockLimitWarps", o->by_warps);
	JTEXT_ARG(t, "blockLimitBlocks", o->by_blocks);
	JTEXT_ARG(t, "allocatedRegistersPerBlock", o->registers_per_block);
	JTEXT_ARG(t, "allocatedSharedMemPerBlock", o->smem_per_block);
	JTEXT_LIT(t, "}");
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

	JTEXT_LIT(t, ", \"grid\": ");
	put_triple(t, k->grid);
	JTEXT_LIT(t, ", \"block\": ");
	put_triple(t, k->block);
	if (!d || blocks < 1 || blocks > 1e15 || threads < 1 || threads > 65536)
		return;
	s.blocks = (int64_t)blocks;
	s.threads = (int)threads;
	if (!occupancy_residency(d, &s, &o))
		return;
	JTEXT_ARG(t, "est. achieved occupancy %", occupancy_percent(d, &s, &o));
	put_residency(t, &o);
}

static void put_shape_text(struct jtext *t, const struct emit *e, const struct shape_key *k)
{
	const struct device_limits *d =
		k->device < EMIT_DEVICES_MAX ? &e->device[k->device].limits : NULL;
	double blocks = product(k->grid), threads = product(k->block);

	JTEXT_ARG(t, "registers per thread", k->registers);
	JTEXT_ARG(t, "shared memory", (int64_t)k->static_smem + k->dynamic_smem);
	if (d && d->sms > 0 && d->warp_size > 0) {
		JTEXT_LIT(t, ", \"blocks per SM\": ");
		jtext_real(t, blocks / d->sms);
		JTEXT_LIT(t, ", \"warps per SM\": ");
		jtext_real(t, blocks * threads / d->warp_size / d->sms);
	}
	put_occupancy(t, e, k);
	if (k->cluster[0] > 1 || k->cluster[1] > 1 || k->cluster[2] > 1) {
		int32_t cluster[3] = { (int32_t)k->cluster[0], (int32_t)k->cluster[1],
			(int32_t)k->cluster[2] };

		JTEXT_LIT(t, ", \"cluster\": ");
		put_triple(t, cluster);
	}
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
	struct shape *s;
	uint32_t word, h = 0;
	size_t i, from;

	read_shape(&k, p, r->version);
	for (i = 0; i < sizeof(k); i += sizeof(word)) {
		memcpy(&word, (const char *)&k + i, sizeof(word));
		h = (h ^ word) * 0x9e3779b1u;
		h ^= h >> 15;
	}
	s = &r->shape[h % RECORDS_SHAPES];
	if (s->n && memcmp(&s->key, &k, sizeof(k)) == 0) {
		jtext_put(t, s->text, s->n);
		return;
	}
	from = t->n;
	put_shape_text(t, r->emit, &k);
	if (t->failed || t->n - from > sizeof(s->text))
		return;
	s->key = k;
	s->n = t->n - from;
	memcpy(s->text, t->p + from, s->n);
}
