/* Waits, CUDA events, CUPTI's overhead and device memory to events. */
#include "capture/inject/work.h"

#include "capture/cupti_abi.h"
#include "capture/inject/record_state.h"
#include "capture/settings.h"

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

/* What the wait waits for: an event's last recording before it. */
static void put_awaited(struct records *r, const unsigned char *p)
{
	struct jtext *t = r->emit->t;
	uint64_t sync_id =
		r->version >= SINCE_SYNC_SYNC_ID ? known_sync_id(get_SYNC_SYNC_ID(p)) : 0;
	struct event_mark mark;

	if (joins_get_event(r->joins, get_SYNC_CONTEXT_ID(p), get_SYNC_EVENT_ID(p), sync_id,
		    get_SYNC_CORRELATION(p), &mark))
		jtext_f(t, ", \"wait_on_stream\": %u, \"wait_on_cuda_event_record_corr_id\": %u",
			mark.stream, mark.correlation);
	jtext_f(t, ", \"wait_on_cuda_event_id\": %u", get_SYNC_EVENT_ID(p));
}

static void put_sync_args(
	struct records *r, const unsigned char *p, const char *name, uint32_t device)
{
	uint32_t type = get_SYNC_TYPE(p), stream = get_SYNC_STREAM_ID(p);
	const struct correlation_slot *c = joins_get_correlation(r->joins, get_SYNC_CORRELATION(p));
	struct jtext *t = r->emit->t;

	emit_args(r->emit, c ? c->range : 0);
	jtext_f(t, "\"cuda_sync_kind\": \"%s\"", name);
	if (type == SYNC_EVENT || type == SYNC_WAIT)
		put_awaited(r, p);
	jtext_f(t, ", \"stream\": %ld, \"correlation\": %u, \"device\": %u, \"context\": %u",
		stream == NO_STREAM ? -1 : (int64_t)stream, get_SYNC_CORRELATION(p), device,
		get_SYNC_CONTEXT_ID(p));
}

/*
 * cudaEventQuery and cudaStreamQuery make such records, too, also where the answer is "not ready"
 * (cupti_activity.h at CUPTI_ACTIVITY_KIND_SYNCHRONIZATION): they wait for nothing.
 */
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
