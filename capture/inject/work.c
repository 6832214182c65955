/* Device work, waits, CUDA events, CUPTI's overhead and device memory to events, in Kineto's words:
 * its argument names, their order, its spelling. */
#include "capture/inject/work.h"

#include "capture/cupti_abi.h"
#include "capture/inject/record_state.h"
#include "capture/settings.h"

/* The shape of a kernel's launch, and what follows from it on its device.  The same shape is
 * launched again and again: its text is made once. */

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

static void put_occupancy(struct jtext *t, const struct device_limits *d, const struct shape_key *k)
{
	double blocks = product(k->grid), threads = product(k->block);
	struct kernel_shape s = {
		.registers = (int)k->registers,
		.static_smem = k->static_smem,
		.dynamic_smem = k->dynamic_smem,
		.is_optin = k->smem_limit == 1,
	};
	struct residency o;

	if (blocks < 1 || blocks > 1e15 || threads < 1 || threads > 65536)
		return;
	s.blocks = (int64_t)blocks;
	s.threads = (int)threads;
	if (!occupancy_residency(d, &s, &o))
		return;
	jtext_f(t, ", \"est. achieved occupancy %%\": %d", occupancy_percent(d, &s, &o));
	put_residency(t, &o);
}

/* A dimension's three numbers. */
#define READ_DIM(to, FIELD, p)                \
	do {                                  \
		(to)[0] = get_##FIELD##_X(p); \
		(to)[1] = get_##FIELD##_Y(p); \
		(to)[2] = get_##FIELD##_Z(p); \
	} while (0)

static void read_shape(struct shape_key *k, const unsigned char *p, uint32_t version)
{
	memset(k, 0, sizeof(*k)); /* compared by bytes */
	k->device = get_KERNEL_DEVICE(p);
	READ_DIM(k->grid, KERNEL_GRID, p);
	READ_DIM(k->block, KERNEL_BLOCK, p);
	k->static_smem = get_KERNEL_STATIC_SMEM(p);
	k->dynamic_smem = get_KERNEL_DYNAMIC_SMEM(p);
	k->smem_limit = get_KERNEL_SMEM_LIMIT(p);
	k->registers = get_KERNEL_REGISTERS(p);
	if (version >= SINCE_KERNEL_CLUSTER_X)
		READ_DIM(k->cluster, KERNEL_CLUSTER, p);
}

/* Of a kernel's record: registers, shared memory, grid, block, occupancy as arguments. */
static void work_put_shape(struct records *r, const unsigned char *p)
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
	const struct device_limits *d =
		k.device < EMIT_DEVICES_MAX ? &r->emit->device[k.device].limits : NULL;
	double blocks = product(k.grid), threads = product(k.block);
	jtext_f(t, ", \"registers per thread\": %u, \"shared memory\": %ld", k.registers,
		(int64_t)k.static_smem + k.dynamic_smem);
	if (d && d->sms > 0 && d->warp_size > 0)
		jtext_f(t, ", \"blocks per SM\": %g, \"warps per SM\": %g", blocks / d->sms,
			blocks * threads / d->warp_size / d->sms);
	jtext_f(t, ", \"grid\": [%d, %d, %d], \"block\": [%d, %d, %d]", k.grid[0], k.grid[1],
		k.grid[2], k.block[0], k.block[1], k.block[2]);
	if (d)
		put_occupancy(t, d, &k);
	if (k.cluster[0] > 1 || k.cluster[1] > 1 || k.cluster[2] > 1)
		jtext_f(t, ", \"cluster\": [%d, %d, %d]", (int)k.cluster[0], (int)k.cluster[1],
			(int)k.cluster[2]);
	if (t->failed || t->n - from > sizeof(s->text))
		return;
	s->key = k;
	s->n = t->n - from;
	memcpy(s->text, t->p + from, s->n);
}

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

#define NO_STREAM UINT32_MAX

enum { OBJECT_THREAD = 2, MEMORY_IS_DEVICE = 3, MEMORY_IS_MANAGED = 5 };

/* ---- waits ---- */

static const char *sync_name(uint32_t type)
{
	switch (type) {
	case SYNC_EVENT: return "Event Sync";
	case SYNC_WAIT: return "Stream Wait Event";
	case SYNC_STREAM: return "Stream Sync";
	case SYNC_CONTEXT: return "Context Sync";
	default: return "Unknown Sync";
	}
}

/* CUPTI_SYNCHRONIZATION_INVALID_VALUE is no id. */
static uint64_t known_sync_id(uint64_t id)
{
	return id == UINT32_MAX || id == UINT64_MAX ? 0 : id;
}

static void put_sync_args(
	struct records *r, const unsigned char *p, const char *name, uint32_t device)
{
	uint32_t type = get_SYNC_TYPE(p), stream = get_SYNC_STREAM_ID(p);
	const struct correlation_slot *c = joins_get_correlation(r->joins, get_SYNC_CORRELATION(p));
	struct jtext *t = r->emit->t;

	emit_args(r->emit, c ? c->range : 0);
	jtext_f(t, "\"cuda_sync_kind\": \"%s\"", name);
	/* What the wait waits for: an event's last recording before it. */
	if (type == SYNC_EVENT || type == SYNC_WAIT) {
		uint64_t sync_id =
			r->version >= SINCE_SYNC_SYNC_ID ? known_sync_id(get_SYNC_SYNC_ID(p)) : 0;
		struct event_mark mark;
		if (joins_get_event(r->joins, get_SYNC_CONTEXT_ID(p), get_SYNC_EVENT_ID(p), sync_id,
			    get_SYNC_CORRELATION(p), &mark))
			jtext_f(t,
				", \"wait_on_stream\": %u, \"wait_on_cuda_event_record_corr_id\": %u",
				mark.stream, mark.correlation);
		jtext_f(t, ", \"wait_on_cuda_event_id\": %u", get_SYNC_EVENT_ID(p));
	}
	jtext_f(t, ", \"stream\": %ld, \"correlation\": %u, \"device\": %u, \"context\": %u",
		stream == NO_STREAM ? -1 : (int64_t)stream, get_SYNC_CORRELATION(p), device,
		get_SYNC_CONTEXT_ID(p));
}

/* cudaEventQuery and cudaStreamQuery make such records, too, also where the answer is "not ready"
 * (cupti_activity.h at CUPTI_ACTIVITY_KIND_SYNCHRONIZATION): they wait for nothing. */
bool work_is_query(const struct records *r, const unsigned char *record)
{
	const struct correlation_slot *c =
		joins_get_correlation(r->joins, get_SYNC_CORRELATION(record));

	return (c && c->is_query) || (r->version >= SINCE_SYNC_RETURN && get_SYNC_RETURN(record));
}

bool work_sync(struct records *r, const unsigned char *record)
{
	uint32_t type = get_SYNC_TYPE(record), stream = get_SYNC_STREAM_ID(record), device = 0;
	int64_t start = (int64_t)get_SYNC_START(record), end = (int64_t)get_SYNC_END(record);
	const char *name = sync_name(type);
	struct emit *e = r->emit;

	if (start <= 0 || end <= 0 || !windows_hold(&e->view, start, end))
		return true;
	if (!joins_get_context(r->joins, get_SYNC_CONTEXT_ID(record), &device))
		device = 0; /* the only device there is, where contexts are not told */
	/* A stream that never did anything would be a row with nothing but waits. */
	if (type == SYNC_WAIT && !emit_has_stream(e, device, stream))
		return false;
	int64_t tid = stream == NO_STREAM ? 1 : stream;
	if (type == SYNC_STREAM && stream != NO_STREAM) {
		emit_see_sync_stream(e, device, stream);
		tid += EMIT_SYNC_LANE;
	} else {
		emit_see_device(e, device);
	}
	emit_slice(e, "cuda_sync", device, tid, start, end);
	jtext_f(e->t, "\"%s\"", name);
	put_sync_args(r, record, name, device);
	emit_done(e);
	emit_flow(e, 'f', get_SYNC_CORRELATION(record), device, tid, start);
	return true;
}

/* ---- CUDA events ---- */

void work_event(struct records *r, const unsigned char *record)
{
	struct emit *e = r->emit;
	uint32_t stream = get_EVENT_STREAM(record);

	if (!(r->kinds & CAPTURE_KIND(EVENTS)) || r->version < SINCE_EVENT_TIME)
		return;
	uint32_t device = get_EVENT_DEVICE(record);
	int64_t time = (int64_t)get_EVENT_TIME(record);
	if (time <= 0 || !windows_hold(&e->view, time, time))
		return;
	emit_see_stream(e, device, stream);
	emit_slice(e, "cuda_event", device, stream, time, time + 1);
	jtext_f(e->t,
		"\"cudaEvent\", \"args\": {\"event_id\": %u, \"stream\": %u, \"correlation\": %u, "
		"\"device\": %u, \"context\": %u",
		get_EVENT_ID(record), stream, get_EVENT_CORRELATION(record), device,
		get_EVENT_CONTEXT(record));
	emit_done(e);
}

/* ---- overhead ---- */

static const char *overhead_name(uint32_t kind)
{
	static const char *const names[] = { "Unknown", "Buffer Flush", "Instrumentation",
		"Resource", "Runtime Triggered Module Loading", "Lazy Function Loading",
		"Command Buffer Full", "Activity Buffer Request", "Uvm Activity Init" };

	if (kind == 1)
		return "Driver Compiler";
	if ((kind & 0xffff) || kind >> 16 >= sizeof(names) / sizeof(names[0]))
		return names[0];
	return names[kind >> 16];
}

void work_overhead(struct records *r, const unsigned char *record)
{
	int64_t start = (int64_t)get_OVERHEAD_START(record),
		end = (int64_t)get_OVERHEAD_END(record);
	struct emit *e = r->emit;
	uint32_t thread = 0;

	if (start <= 0 || end <= 0 || !windows_hold(&e->view, start, end))
		return;
	/* objectId is a union; of a thread: process, thread. */
	if (get_OVERHEAD_OBJECT(record) == OBJECT_THREAD)
		thread = (uint32_t)(get_OVERHEAD_OBJECT_ID(record) >> 32);
	emit_see_overhead(e);
	emit_slice(e, "overhead", -1, thread, start, end);
	jtext_f(e->t, "\"%s\", \"args\": {", overhead_name(get_OVERHEAD_KIND(record)));
	emit_done(e);
}

/* ---- memory ---- */

void work_memory(struct records *r, const unsigned char *record)
{
	uint32_t operation = get_MEMORY_OPERATION(record), kind = get_MEMORY_KIND(record);
	uint32_t device = get_MEMORY_DEVICE(record);
	int64_t time = (int64_t)get_MEMORY_TIME(record);
	struct emit *e = r->emit;

	if (!(r->kinds & CAPTURE_KIND(MEMORY)) || device >= EMIT_DEVICES_MAX ||
		(kind != MEMORY_IS_DEVICE && kind != MEMORY_IS_MANAGED) ||
		(operation != MEMORY_ALLOCATED && operation != MEMORY_RELEASED))
		return;
	int64_t bytes = (int64_t)(get_MEMORY_BYTES(record) & INT64_MAX);
	if (operation == MEMORY_RELEASED)
		bytes = -bytes;
	if (__builtin_add_overflow(r->allocated[device], bytes, &r->allocated[device]))
		r->allocated[device] = 0;
	if (!windows_hold(&e->view, time, time))
		return;
	const struct correlation_slot *c =
		joins_get_correlation(r->joins, get_MEMORY_CORRELATION(record));
	uint32_t tid = c && c->thread ? c->thread : (uint32_t)e->pid;
	emit_see_thread(e, tid);
	emit_open(e);
	jtext_f(e->t,
		"{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": "
		"\"[memory]\", \"pid\": %d, \"tid\": %u, ",
		e->pid, tid);
	emit_ts(e, time);
	jtext_f(e->t,
		", \"args\": {\"Device Type\": 1, \"Device Id\": %u, \"Addr\": %lu, \"Bytes\": %ld, "
		"\"Total Allocated\": %ld",
		device, get_MEMORY_ADDRESS(record), bytes, r->allocated[device]);
	emit_done(e);
}
