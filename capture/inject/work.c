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

static void put_where(struct jtext *t, const struct work *w)
{
	JTEXT_LIT(t, "\"device\": ");
	jtext_u64(t, w->device);
	JTEXT_ARG(t, "context", w->context);
	JTEXT_ARG(t, "stream", w->stream);
	JTEXT_ARG(t, "correlation", w->correlation);
}

static void put_bandwidth(struct jtext *t, const struct work *w, uint64_t bytes)
{
	JTEXT_LIT(t, ", \"bytes\": ");
	jtext_u64(t, bytes);
	if (w->end <= w->start)
		return;
	JTEXT_LIT(t, ", \"memory bandwidth (GB/s)\": ");
	jtext_real(t, (double)bytes / (double)(w->end - w->start));
}

static void put_graph(struct jtext *t, const struct work *w)
{
	JTEXT_ARG(t, "graph id", w->graph);
	JTEXT_LIT(t, ", \"graph node id\": ");
	jtext_u64(t, w->graph_node);
	JTEXT_ARG(t, "channel", w->channel);
	JTEXT_ARG(t, "channel_type", w->channel_type);
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
	JTEXT_ARG(t, "inDevice", w->device);
	JTEXT_ARG(t, "toDevice", get_PEER_TO(p));
	JTEXT_ARG(t, "fromContext", get_PEER_FROM_CONTEXT(p));
	JTEXT_ARG(t, "inContext", w->context);
	JTEXT_ARG(t, "toContext", get_PEER_TO_CONTEXT(p));
	JTEXT_ARG(t, "stream", w->stream);
	JTEXT_ARG(t, "correlation", w->correlation);
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
		work_put_shape(r, p);
		put_graph(t, w);
		break;
	case ACT_MEMCPY2: put_peer_args(t, w, p); break;
	case ACT_GRAPH:
		put_where(t, w);
		JTEXT_ARG(t, "graph id", w->graph);
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
	emit_open(e);
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
	emit_close(e);
	e->kernels += w->kind == ACT_KERNEL || w->kind == ACT_GRAPH;
	emit_flow(e, 'f', w->correlation, w->device, w->stream, w->start);
}
