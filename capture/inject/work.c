/* Device work to events, in Kineto's words: its argument names, their order, its spelling. */
#include "capture/inject/work.h"

#include "capture/cupti_abi.h"
#include "capture/inject/record_state.h"

static const char *const copy_kinds[] = { "<unknown>", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
	"AtoD", "DtoA", "DtoD", "HtoH", "PtoP" };
static const char *const memory_kinds[] = { "Unknown", "Pageable", "Pinned", "Device", "Array",
	"Managed", "Device Static", "Managed Static" };

#define WORD(list, i) ((i) < sizeof(list) / sizeof((list)[0]) ? (list)[i] : (list)[0])

/* ---- reading ---- */

/* A copy between two devices begins like any copy; from the stream on it differs. */
#define READ(w, p, BEGIN, REST)                                   \
	do {                                                      \
		(w)->device = get_##BEGIN##_DEVICE(p);            \
		(w)->context = get_##BEGIN##_CONTEXT(p);          \
		(w)->start = (int64_t)get_##BEGIN##_START(p);     \
		(w)->end = (int64_t)get_##BEGIN##_END(p);         \
		(w)->stream = get_##REST##_STREAM(p);             \
		(w)->correlation = get_##REST##_CORRELATION(p);   \
		(w)->graph = get_##REST##_GRAPH(p);               \
		(w)->graph_node = get_##REST##_GRAPH_NODE(p);     \
		(w)->channel = get_##REST##_CHANNEL(p);           \
		(w)->channel_type = get_##REST##_CHANNEL_TYPE(p); \
	} while (0)

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

bool work_read(struct work *w, const unsigned char *record)
{
	*w = (struct work){ .kind = get_KIND(record) };
	switch (w->kind) {
	case ACT_KERNEL: READ(w, record, KERNEL, KERNEL); return true;
	case ACT_MEMCPY: READ(w, record, COPY, COPY); return true;
	case ACT_MEMCPY2: READ(w, record, COPY, PEER); return true;
	case ACT_MEMSET: READ(w, record, SET, SET); return true;
	case ACT_GRAPH: read_graph(w, record); return true;
	default: return false;
	}
}

uint32_t work_correlation(const unsigned char *record)
{
	struct work w;

	return work_read(&w, record) ? w.correlation : 0;
}

/* ---- arguments ---- */

static void put_where(struct jtext *t, const struct work *w)
{
	jtext_f(t, "\"device\": %u, \"context\": %u, \"stream\": %u, \"correlation\": %u",
		w->device, w->context, w->stream, w->correlation);
}

static void put_bandwidth(struct jtext *t, const struct work *w, uint64_t bytes)
{
	jtext_f(t, ", \"bytes\": %lu", bytes);
	if (w->end > w->start)
		jtext_f(t, ", \"memory bandwidth (GB/s)\": %g",
			(double)bytes / (double)(w->end - w->start));
}

static void put_graph(struct jtext *t, const struct work *w)
{
	jtext_f(t,
		", \"graph id\": %u, \"graph node id\": %lu, \"channel\": %u, \"channel_type\": %d",
		w->graph, w->graph_node, w->channel, w->channel_type);
}

/* ---- events ---- */

static void put_name(struct records *r, const struct work *w, const unsigned char *p)
{
	struct jtext *t = r->emit->t;
	const char *mangled;
	struct name name;
	bool keeps;

	switch (w->kind) {
	case ACT_KERNEL:
		mangled = (const char *)(uintptr_t)get_KERNEL_NAME(p);
		name = symbols_kernel(r->names, mangled ? mangled : "unknown kernel", &keeps);
		jtext_put(t, name.json, name.n);
		break;
	case ACT_MEMSET:
		jtext_f(t, "\"Memset (%s)\"", WORD(memory_kinds, get_SET_MEMORY(p)));
		break;
	case ACT_GRAPH: jtext_f(t, "\"CUDA Graph %u\"", w->graph); break;
	default:
		jtext_f(t, "\"Memcpy %s (%s -> %s)\"", WORD(copy_kinds, get_COPY_KIND(p)),
			WORD(memory_kinds, get_COPY_SOURCE(p)),
			WORD(memory_kinds, get_COPY_TARGET(p)));
		break;
	}
}

static void put_args(struct records *r, const struct work *w, const unsigned char *p)
{
	struct jtext *t = r->emit->t;

	switch (w->kind) {
	case ACT_KERNEL:
		jtext_f(t, "\"queued\": %lu, ", get_KERNEL_QUEUED(p));
		put_where(t, w);
		work_put_shape(r, p);
		put_graph(t, w);
		break;
	case ACT_MEMCPY2:
		jtext_f(t,
			"\"fromDevice\": %u, \"inDevice\": %u, \"toDevice\": %u, \"fromContext\": %u, "
			"\"inContext\": %u, \"toContext\": %u, \"stream\": %u, \"correlation\": %u",
			get_PEER_FROM(p), w->device, get_PEER_TO(p), get_PEER_FROM_CONTEXT(p),
			w->context, get_PEER_TO_CONTEXT(p), w->stream, w->correlation);
		put_bandwidth(t, w, get_COPY_BYTES(p));
		put_graph(t, w);
		break;
	case ACT_GRAPH:
		put_where(t, w);
		jtext_f(t, ", \"graph id\": %u", w->graph);
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
	emit_slice(e, cat, w->device, w->stream, w->start, w->end);
	put_name(r, w, record);
	emit_args(e, w->range);
	put_args(r, w, record);
	emit_done(e);
	e->kernels += w->kind == ACT_KERNEL || w->kind == ACT_GRAPH;
	emit_flow(e, 'f', w->correlation, w->device, w->stream, w->start);
}
