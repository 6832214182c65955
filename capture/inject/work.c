/*
 * Device work to events, in Kineto's words: its argument names, their order, its spelling.
 */
#include "capture/inject/work.h"

#include <stdio.h>
#include <string.h>

#include "capture/cupti_abi.h"
#include "capture/inject/record_state.h"
#include "capture/settings.h"

static const char *const copy_kinds[] = { "<unknown>", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
	"AtoD", "DtoA", "DtoD", "HtoH", "PtoP" };
static const char *const memory_kinds[] = { "Unknown", "Pageable", "Pinned", "Device", "Array",
	"Managed", "Device Static", "Managed Static" };

#define WORD(list, i) ((i) < sizeof(list) / sizeof((list)[0]) ? (list)[i] : (list)[0])

/* ---- reading ---- */

static void read_kernel(struct work *w, const unsigned char *p)
{
	w->device = get_KERNEL_DEVICE(p);
	w->context = get_KERNEL_CONTEXT(p);
	w->stream = get_KERNEL_STREAM(p);
	w->correlation = get_KERNEL_CORRELATION(p);
	w->start = (int64_t)get_KERNEL_START(p);
	w->end = (int64_t)get_KERNEL_END(p);
	w->graph = get_KERNEL_GRAPH(p);
	w->graph_node = get_KERNEL_GRAPH_NODE(p);
	w->channel = get_KERNEL_CHANNEL(p);
	w->channel_type = get_KERNEL_CHANNEL_TYPE(p);
}

static void read_copy(struct work *w, const unsigned char *p)
{
	w->device = get_COPY_DEVICE(p);
	w->context = get_COPY_CONTEXT(p);
	w->stream = get_COPY_STREAM(p);
	w->correlation = get_COPY_CORRELATION(p);
	w->start = (int64_t)get_COPY_START(p);
	w->end = (int64_t)get_COPY_END(p);
	w->graph = get_COPY_GRAPH(p);
	w->graph_node = get_COPY_GRAPH_NODE(p);
	w->channel = get_COPY_CHANNEL(p);
	w->channel_type = get_COPY_CHANNEL_TYPE(p);
}

/* A copy between two devices begins like any copy; from the stream on it differs. */
static void read_peer(struct work *w, const unsigned char *p)
{
	w->device = get_COPY_DEVICE(p);
	w->context = get_COPY_CONTEXT(p);
	w->start = (int64_t)get_COPY_START(p);
	w->end = (int64_t)get_COPY_END(p);
	w->stream = get_PEER_STREAM(p);
	w->correlation = get_PEER_CORRELATION(p);
	w->graph = get_PEER_GRAPH(p);
	w->graph_node = get_PEER_GRAPH_NODE(p);
	w->channel = get_PEER_CHANNEL(p);
	w->channel_type = get_PEER_CHANNEL_TYPE(p);
}

static void read_set(struct work *w, const unsigned char *p)
{
	w->device = get_SET_DEVICE(p);
	w->context = get_SET_CONTEXT(p);
	w->stream = get_SET_STREAM(p);
	w->correlation = get_SET_CORRELATION(p);
	w->start = (int64_t)get_SET_START(p);
	w->end = (int64_t)get_SET_END(p);
	w->graph = get_SET_GRAPH(p);
	w->graph_node = get_SET_GRAPH_NODE(p);
	w->channel = get_SET_CHANNEL(p);
	w->channel_type = get_SET_CHANNEL_TYPE(p);
}

static void read_graph(struct work *w, const unsigned char *p)
{
	w->device = get_GRAPH_DEVICE(p);
	w->context = get_GRAPH_CONTEXT(p);
	w->stream = get_GRAPH_STREAM(p);
	w->correlation = get_GRAPH_CORRELATION(p);
	w->start = (int64_t)get_GRAPH_START(p);
	w->end = (int64_t)get_GRAPH_END(p);
	w->graph = get_GRAPH_ID(p);
}

bool work_read(struct work *w, const unsigned char *record, uint32_t version)
{
	(void)version;
	*w = (struct work){ .kind = get_KIND(record) };
	switch (w->kind) {
	case ACT_KERNEL: read_kernel(w, record); return true;
	case ACT_MEMCPY: read_copy(w, record); return true;
	case ACT_MEMCPY2: read_peer(w, record); return true;
	case ACT_MEMSET: read_set(w, record); return true;
	case ACT_GRAPH: read_graph(w, record); return true;
	default: return false;
	}
}

uint32_t work_correlation(const unsigned char *record)
{
	struct work w;

	return work_read(&w, record, 0) ? w.correlation : 0;
}

/* ---- arguments ---- */

#define ARG_U64(t, key, v)                       \
	do {                                     \
		JTEXT_LIT(t, ", \"" key "\": "); \
		jtext_u64(t, v);                 \
	} while (0)

static void put_where(struct jtext *t, const struct work *w)
{
	JTEXT_LIT(t, "\"device\": ");
	jtext_u64(t, w->device);
	ARG_U64(t, "context", w->context);
	ARG_U64(t, "stream", w->stream);
	ARG_U64(t, "correlation", w->correlation);
}

static void put_bandwidth(struct jtext *t, const struct work *w, uint64_t bytes)
{
	ARG_U64(t, "bytes", bytes);
	if (w->end <= w->start)
		return;
	JTEXT_LIT(t, ", \"memory bandwidth (GB/s)\": ");
	jtext_real(t, (double)bytes / (double)(w->end - w->start));
}

static void put_graph(struct jtext *t, const struct work *w)
{
	ARG_U64(t, "graph id", w->graph);
	ARG_U64(t, "graph node id", w->graph_node);
	ARG_U64(t, "channel", w->channel);
	JTEXT_LIT(t, ", \"channel_type\": ");
	jtext_i64(t, w->channel_type);
}

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
	int percent;

	JTEXT_LIT(t, ", \"grid\": ");
	put_triple(t, k->grid);
	JTEXT_LIT(t, ", \"block\": ");
	put_triple(t, k->block);
	if (!d || blocks < 1 || blocks > 1e15 || threads < 1 || threads > 65536)
		return;
	s.blocks = (int64_t)blocks;
	s.threads = (int)threads;
	percent = occupancy_percent(d, &s);
	if (percent >= 0) {
		JTEXT_LIT(t, ", \"est. achieved occupancy %\": ");
		jtext_i64(t, percent);
	}
}

static void put_shape_text(struct jtext *t, const struct emit *e, const struct shape_key *k)
{
	const struct device_limits *d =
		k->device < EMIT_DEVICES_MAX ? &e->device[k->device].limits : NULL;
	double blocks = product(k->grid), threads = product(k->block);

	ARG_U64(t, "registers per thread", k->registers);
	JTEXT_LIT(t, ", \"shared memory\": ");
	jtext_i64(t, (int64_t)k->static_smem + k->dynamic_smem);
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

/* The same shape is launched again and again: its text is made once. */
static void put_shape(struct records *r, const unsigned char *p)
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

/* ---- events ---- */

static void put_copy_name(struct jtext *t, const unsigned char *p)
{
	JTEXT_LIT(t, "\"Memcpy ");
	jtext_puts(t, WORD(copy_kinds, get_COPY_KIND(p)));
	JTEXT_LIT(t, " (");
	jtext_puts(t, WORD(memory_kinds, get_COPY_SOURCE(p)));
	JTEXT_LIT(t, " -> ");
	jtext_puts(t, WORD(memory_kinds, get_COPY_TARGET(p)));
	JTEXT_LIT(t, ")\"");
}

static void put_name(struct records *r, const struct work *w, const unsigned char *p)
{
	struct jtext *t = r->emit->t;
	const char *mangled;
	struct name name;
	bool keeps;

	JTEXT_LIT(t, ", \"name\": ");
	switch (w->kind) {
	case ACT_KERNEL:
		mangled = (const char *)(uintptr_t)get_KERNEL_NAME(p);
		name = symbols_kernel(r->names, mangled ? mangled : "unknown kernel", &keeps);
		jtext_put(t, name.json, name.n);
		break;
	case ACT_MEMSET:
		JTEXT_LIT(t, "\"Memset (");
		jtext_puts(t, WORD(memory_kinds, get_SET_MEMORY(p)));
		JTEXT_LIT(t, ")\"");
		break;
	case ACT_GRAPH:
		JTEXT_LIT(t, "\"CUDA Graph ");
		jtext_u64(t, w->graph);
		JTEXT_LIT(t, "\"");
		break;
	default: put_copy_name(t, p); break;
	}
}

static void put_peer_args(struct jtext *t, const struct work *w, const unsigned char *p)
{
	JTEXT_LIT(t, "\"fromDevice\": ");
	jtext_u64(t, get_PEER_FROM(p));
	ARG_U64(t, "inDevice", w->device);
	ARG_U64(t, "toDevice", get_PEER_TO(p));
	ARG_U64(t, "fromContext", get_PEER_FROM_CONTEXT(p));
	ARG_U64(t, "inContext", w->context);
	ARG_U64(t, "toContext", get_PEER_TO_CONTEXT(p));
	ARG_U64(t, "stream", w->stream);
	ARG_U64(t, "correlation", w->correlation);
	put_bandwidth(t, w, get_COPY_BYTES(p));
	put_graph(t, w);
}

static void put_args(struct records *r, const struct work *w, const unsigned char *p)
{
	struct jtext *t = r->emit->t;

	switch (w->kind) {
	case ACT_KERNEL:
		JTEXT_LIT(t, "\"queued\": ");
		jtext_u64(t, get_KERNEL_QUEUED(p));
		JTEXT_LIT(t, ", ");
		put_where(t, w);
		put_shape(r, p);
		put_graph(t, w);
		break;
	case ACT_MEMCPY2: put_peer_args(t, w, p); break;
	case ACT_GRAPH:
		put_where(t, w);
		ARG_U64(t, "graph id", w->graph);
		break;
	default:
		put_where(t, w);
		put_bandwidth(t, w, w->kind == ACT_MEMSET ? get_SET_BYTES(p) : get_COPY_BYTES(p));
		put_graph(t, w);
		break;
	}
}

void work_write(struct records *r, const struct work *w, const unsigned char *record)
{
	const char *cat = w->kind == ACT_MEMSET                   ? "gpu_memset"
		: w->kind == ACT_MEMCPY || w->kind == ACT_MEMCPY2 ? "gpu_memcpy"
								  : "kernel";
	struct emit *e = r->emit;

	emit_see_stream(e, w->device, w->stream);
	emit_begin(e);
	emit_slice(e, cat, w->device, w->stream, w->start, w->end);
	put_name(r, w, record);
	JTEXT_LIT(e->t, ", \"args\": {");
	if (w->range) {
		JTEXT_LIT(e->t, "\"External id\": ");
		jtext_u64(e->t, w->range);
		JTEXT_LIT(e->t, ", ");
	}
	put_args(r, w, record);
	JTEXT_LIT(e->t, "}}");
	emit_end(e);
	e->kernels += w->kind == ACT_KERNEL || w->kind == ACT_GRAPH;
	emit_flow(e, 'f', w->correlation, w->device, w->stream, w->start);
}
