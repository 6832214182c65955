/* Walking CUPTI's buffers; what its records say of devices. */
#include "capture/inject/records.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/cupti_abi.h"
#include "capture/inject/ranges.h"
#include "capture/inject/work.h"
#include "capture/settings.h"
#include "capture/system.h"

/* --- devices --- */

/* X(limit, field of a DEVICE record, number of CUdevice_attribute in cuda.h): limits that both say
 * alike. */
#define LIMITS(X)                                  \
	X(major, MAJOR, 75)                        \
	X(minor, MINOR, 76)                        \
	X(warp_size, WARP, 10)                     \
	X(sms, SMS, 16)                            \
	X(blocks_per_sm, BLOCKS_PER_SM, 106)       \
	X(threads_per_block, THREADS_PER_BLOCK, 1) \
	X(regs_per_sm, REGS_PER_SM, 82)            \
	X(regs_per_block, REGS_PER_BLOCK, 12)      \
	X(smem_per_sm, SMEM_PER_SM, 81)            \
	X(smem_per_block, SMEM_PER_BLOCK, 8)

/* 16 bytes as NVML writes them. */
static void put_uuid(char *to, size_t size, const unsigned char *u)
{
	size_t n = (size_t)snprintf(to, size, "GPU-");

	for (size_t i = 0; i < 16; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%02x",
			i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
}

/* Keeps what a DEVICE record says.  owns: the name in it is ours to free where the library's
 * version says so; the record forgets it then. */
static void device_records_see(struct records *r, unsigned char *p, bool owns)
{
	uint32_t id = get_DEVICE_ID(p);
	uint64_t name = get_DEVICE_NAME(p), none = 0;

	if (id >= EMIT_DEVICES_MAX)
		return;
	struct emit_device *d = &r->emit->device[id];
	d->is_known = true;
	put_uuid(d->uuid, sizeof(d->uuid), p + AT_DEVICE_UUID);
	d->memory_bytes = (int64_t)get_DEVICE_MEMORY(p);
	d->limits.warps_per_sm = (int)get_DEVICE_WARPS_PER_SM(p);
#define X(member, field, attribute) \
	d->limits.member = (__typeof__(d->limits.member))get_DEVICE_##field(p);
	LIMITS(X)
#undef X
	if (!name)
		return;
	(void)strncpy(d->name, (const char *)(uintptr_t)name, sizeof(d->name) - 1);
	d->name[sizeof(d->name) - 1] = 0;
	/* The headers after 13.0's give it to the client to free; once, so the record forgets it.
	 * Of 13.0 itself that is not known: a few bytes are left rather than a heap broken. */
	if (owns && r->version > CUPTI_V13_0)
		free((void *)(uintptr_t)name);
	memcpy(p + AT_DEVICE_NAME, &none, sizeof(none));
}

void device_records_find(
	struct records *r, records_next_fn next, uint8_t *buffer, size_t valid, bool owns)
{
	uint8_t *p = NULL;

	while (next(buffer, valid, &p) == CUPTI_OK && p) {
		size_t at = (size_t)(p - buffer);

		if (p < buffer || at + sizeof(uint32_t) > valid ||
			cupti_size_min(get_KIND(p), r->version) > valid - at)
			return;
		if (get_KIND(p) == ACT_DEVICE)
			device_records_see(r, p, owns);
	}
}

/* Functions of the driver that need no context; NULL: it has none of that name. */
struct driver {
	int (*count)(int *);
	int (*name)(char *, int, int);
	int (*uuid)(unsigned char *, int);
	int (*memory)(size_t *, int);
	int (*attribute)(int *, int, int);
};

/* CUdevice_attribute of cuda.h, beside those of LIMITS. */
enum { THREADS_PER_SM = 39, SMEM_OPTIN = 97 };

static int ask(const struct driver *f, int attribute, int device)
{
	int value = 0;

	return f->attribute(&value, attribute, device) == 0 ? value : 0;
}

/* What a DEVICE record says, where none has come. */
static void ask_all(const struct driver *f, struct emit_device *d, int id)
{
	struct device_limits *l = &d->limits;
	unsigned char uuid[16];
	size_t bytes = 0;

	if (f->name(d->name, (int)sizeof(d->name), id) != 0)
		return;
	d->name[sizeof(d->name) - 1] = 0;
	d->is_known = true;
	if (f->uuid && f->uuid(uuid, id) == 0)
		put_uuid(d->uuid, sizeof(d->uuid), uuid);
	if (f->memory && f->memory(&bytes, id) == 0)
		d->memory_bytes = (int64_t)bytes;
#define X(member, field, attribute) l->member = ask(f, attribute, id);
	LIMITS(X)
#undef X
	l->warps_per_sm = l->warp_size ? ask(f, THREADS_PER_SM, id) / l->warp_size : 0;
}

void device_records_ask_driver(struct emit *e)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	struct driver f;
	int i, n = 0;

	system_symbol(driver, "cuDeviceGetCount", &f.count);
	system_symbol(driver, "cuDeviceGetName", &f.name);
	system_symbol(driver, "cuDeviceGetUuid", &f.uuid);
	system_symbol(driver, "cuDeviceTotalMem_v2", &f.memory);
	system_symbol(driver, "cuDeviceGetAttribute", &f.attribute);
	if (!f.count || f.count(&n) != 0)
		n = 0;
	for (i = 0; f.attribute && i < EMIT_DEVICES_MAX; i++) {
		if (i < n && !e->device[i].is_known && f.name)
			ask_all(&f, &e->device[i], i);
		if (e->device[i].is_known)
			e->device[i].limits.smem_per_block_optin = ask(&f, SMEM_OPTIN, i);
	}
	if (driver)
		(void)dlclose(driver);
}

enum { PARENTS_MAX = 16 };

bool records_init(struct records *r)
{
	*r = (struct records){ 0 };
	r->held = calloc(RECORDS_HELD, sizeof(*r->held));
	r->shape = calloc(RECORDS_SHAPES, sizeof(*r->shape));
	if (r->held && r->shape)
		return true;
	records_free(r);
	return false;
}

void records_free(struct records *r)
{
	free(r->held);
	free(r->shape);
	r->held = NULL;
	r->shape = NULL;
}

/* ---- what other records need ---- */

static void see_event(struct records *r, const unsigned char *p)
{
	struct event_mark mark = { get_EVENT_STREAM(p), get_EVENT_CORRELATION(p), 0 };

	if (r->version >= SINCE_EVENT_SYNC_ID)
		mark.sync_id = get_EVENT_SYNC_ID(p);
	joins_put_event(r->joins, get_EVENT_CONTEXT(p), get_EVENT_ID(p), &mark);
}

static void see_overhead(const struct records *r, unsigned char *p, bool owns)
{
	uint64_t none = 0;

	if (!owns || r->version < SINCE_OVERHEAD_DATA)
		return;
	uint64_t data = get_OVERHEAD_DATA(p);
	free((void *)(uintptr_t)data);
	memcpy(p + AT_OVERHEAD_DATA, &none, sizeof(none));
}

static void see_call(struct records *r, const unsigned char *p)
{
	const struct api_name *a =
		symbols_api(r->names, get_KIND(p) == ACT_RUNTIME, get_API_CBID(p));
	uint32_t id = get_API_CORRELATION(p);

	joins_put_correlation(r->joins, id, get_API_THREAD(p), 0);
	joins_put_call(r->joins, id, a->is_kernel && get_API_RETURN(p) == 0, a->is_query);
	if (windows_hold(&r->emit->view, (int64_t)get_API_START(p), (int64_t)get_API_END(p)))
		joins_put_in_window(r->joins, id);
}

static void first_look(struct records *r, unsigned char *p, bool owns)
{
	switch (get_KIND(p)) {
	case ACT_DEVICE: device_records_see(r, p, owns); break;
	case ACT_CONTEXT:
		joins_put_context(r->joins, get_CONTEXT_ID(p), get_CONTEXT_DEVICE(p));
		break;
	case ACT_OVERHEAD: see_overhead(r, p, owns); break;
	case ACT_RUNTIME:
	case ACT_DRIVER: see_call(r, p); break;
	case ACT_KERNEL:
	case ACT_GRAPH: joins_put_work(r->joins, work_correlation(p)); break;
	case ACT_EXTERNAL:
		if (get_EXTERNAL_KIND(p) != EXTERNAL_RANGES)
			break;
		r->has_external = true;
		joins_put_correlation(r->joins, get_EXTERNAL_CORRELATION(p), 0, get_EXTERNAL_ID(p));
		break;
	default: break;
	}
}

/* ---- ranges as the device sees them ---- */

static void write_span(struct records *r, struct span_slot *s)
{
	struct emit *e = r->emit;
	uint64_t parent;
	struct name name;
	bool is_over;

	if (r->ranges && ranges_find(r->ranges, s->range, &name, &parent, &is_over)) {
		emit_slice(e, "gpu_user_annotation", s->device, s->stream, s->start_ns - 1,
			s->end_ns + 2);
		jtext_put(e->t, name.json, name.n);
		jtext_f(e->t, ", \"args\": {\"External id\": %lu", s->range);
		emit_done(e);
	}
	s->range = 0;
}

/* Adds device work to its range and to those around it. */
static void annotate(struct records *r, uint64_t range, const struct work *w)
{
	struct span_slot *taken;
	struct name name;
	bool is_over;

	for (int i = 0; i < PARENTS_MAX && range; i++) {
		uint64_t parent;

		if (!r->ranges || !ranges_find(r->ranges, range, &name, &parent, &is_over))
			return;
		while (!joins_add_span(r->joins, range, w->device, w->stream, w->start, w->end,
			r->last_ns, &taken)) {
			r->joins->evicted++;
			write_span(r, taken);
		}
		range = parent;
	}
}

/* ---- events ---- */

/* Keeps a copy for later; false when there is no room, or the record is too long. */
static bool hold(struct records *r, const unsigned char *p, bool for_stream)
{
	struct held *h = &r->held[r->nheld];
	uint32_t kind = get_KIND(p);
	const char *name = NULL;

	if (r->nheld == RECORDS_HELD)
		return false;
	if (kind == ACT_KERNEL && get_KERNEL_NAME(p)) {
		/* CUPTI's copy may go with the module. */
		name = symbols_stable(r->names, (const char *)(uintptr_t)get_KERNEL_NAME(p));
		if (!name)
			return false;
	}
	h->since_ns = r->last_ns;
	h->for_stream = for_stream;
	h->n = cupti_size_min(kind, r->version);
	memcpy(h->record, p, h->n);
	uint64_t at = (uint64_t)(uintptr_t)name;
	if (name)
		memcpy(h->record + AT_KERNEL_NAME, &at, sizeof(at));
	r->nheld++;
	return true;
}

/* Whether the API record of device work may still come and tell its range. */
static bool is_waiting(const struct records *r, uint32_t correlation)
{
	if (!r->has_external || !(r->kinds & CAPTURE_KIND(RUNTIME)))
		return false;
	const struct correlation_slot *c = joins_get_correlation(r->joins, correlation);
	return !c || !c->thread;
}

/* True when it was written or is not wanted; false: hold it. */
static bool device_work(struct records *r, const unsigned char *p, bool is_late)
{
	struct work w;

	if (!work_read(&w, p))
		return true;
	if (!is_late)
		r->work++;
	const struct correlation_slot *c = joins_get_correlation(r->joins, w.correlation);
	if (w.start <= 0 || w.end <= 0) {
		r->incomplete++;
		if (c && c->thread)
			losses_add(&r->lost, c->thread);
		return true;
	}
	if (w.end > r->last_ns)
		r->last_ns = w.end;
	/* What a recorded call started is recorded, though it may end after the window. */
	if (!windows_hold(&r->emit->view, w.start, w.end) && !(c && c->in_window))
		return true;
	if (!is_late && is_waiting(r, w.correlation))
		return false;
	w.range = c ? c->range : 0;
	work_write(r, &w, p);
	if (w.end > r->device_ns)
		r->device_ns = w.end;
	if (w.range)
		annotate(r, w.range, &w);
	return true;
}

static void api_call(struct records *r, const unsigned char *p, bool is_runtime)
{
	const struct api_name *a = symbols_api(r->names, is_runtime, get_API_CBID(p));
	int64_t start = (int64_t)get_API_START(p), end = (int64_t)get_API_END(p);
	uint32_t tid = get_API_THREAD(p), id = get_API_CORRELATION(p);
	struct emit *e = r->emit;

	if (is_runtime ? a->is_noise : !a->is_wanted && !(r->kinds & CAPTURE_KIND(ALL_DRIVER)))
		return;
	r->launches += a->is_kernel;
	if (!windows_hold(&e->view, start, end))
		return;
	emit_see_thread(e, tid);
	const struct correlation_slot *c = joins_get_correlation(r->joins, id);
	emit_slice(e, is_runtime ? "cuda_runtime" : "cuda_driver", e->pid, tid, start, end);
	jtext_put(e->t, a->json, a->n);
	emit_args(e, c ? c->range : 0);
	jtext_f(e->t, "\"cbid\": %u, \"correlation\": %u", get_API_CBID(p), id);
	if (get_API_RETURN(p))
		jtext_f(e->t, ", \"returnValue\": %u", get_API_RETURN(p));
	emit_done(e);
	if (a->is_launch)
		emit_flow(e, 's', id, e->pid, tid, start);
}

/* True when it was written or is not wanted; false: hold it. */
static bool one_event(struct records *r, const unsigned char *p, bool is_late)
{
	switch (get_KIND(p)) {
	case ACT_KERNEL:
	case ACT_MEMCPY:
	case ACT_MEMCPY2:
	case ACT_MEMSET:
	case ACT_GRAPH: return device_work(r, p, is_late);
	case ACT_RUNTIME: api_call(r, p, true); return true;
	case ACT_DRIVER: api_call(r, p, false); return true;
	case ACT_SYNC: return work_is_query(r, p) || work_sync(r, p);
	case ACT_CUDA_EVENT:
		/* In order: a wait of the same thread means the recording before it. */
		see_event(r, p);
		work_event(r, p);
		return true;
	case ACT_OVERHEAD: work_overhead(r, p); return true;
	case ACT_MEMORY2: work_memory(r, p); return true;
	default: return true;
	}
}

static void emit_record(struct records *r, const unsigned char *p)
{
	bool is_sync = get_KIND(p) == ACT_SYNC;

	if (!record_clock_holds(&r->clock, p))
		return;
	if (!one_event(r, p, false) && !hold(r, p, is_sync)) {
		if (is_sync)
			r->left_out++;
		else
			(void)one_event(r, p, true);
	}
	if (r->pump)
		r->pump(r->pump_user);
}

/* Calls look() for each record that lies within the buffer as far as we read it. */
static void walk(struct records *r, records_next_fn next, uint8_t *buffer, size_t valid,
	bool is_first, bool owns)
{
	uint8_t *p = NULL;
	size_t behind = 0; /* of what was walked */
	int code;

	while ((code = next(buffer, valid, &p)) == CUPTI_OK && p) {
		size_t at = (size_t)(p - buffer);

		if (p < buffer || at + sizeof(uint32_t) > valid)
			break;
		size_t least = cupti_size_min(get_KIND(p), r->version);
		if (least > valid - at) {
			r->malformed += is_first;
			break;
		}
		behind = at + (least ? least : sizeof(uint32_t));
		if (!least)
			continue;
		if (is_first)
			first_look(r, p, owns);
		else
			emit_record(r, p);
	}
	/* The regular end is MAX_LIMIT; what is behind any other is not read by anybody. */
	if (is_first && code != CUPTI_OK && code != CUPTI_MAX_LIMIT && behind < valid) {
		r->unread++;
		r->unread_bytes += valid - behind;
	}
}

/* Tries again what is held; with `before` also what has been since then. */
static void retry(struct records *r, int64_t before)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->nheld; i++) {
		struct held *h = &r->held[i];
		bool is_late = h->since_ns < before;
		uint32_t kind = get_KIND(h->record);
		bool done;

		if (h->for_stream)
			done = one_event(r, h->record, is_late);
		else
			done = is_late || !is_waiting(r, work_correlation(h->record))
				? one_event(r, h->record, true)
				: false;
		if (!done && is_late && kind == ACT_SYNC) {
			r->left_out++;
			done = true;
		}
		if (!done)
			r->held[kept++] = *h;
	}
	r->nheld = kept;
}

void records_buffer(
	struct records *r, records_next_fn next, uint8_t *buffer, size_t valid, bool owns)
{
	walk(r, next, buffer, valid, true, owns);
	walk(r, next, buffer, valid, false, owns);
	if (r->nheld)
		retry(r, INT64_MIN);
}

void records_settle(struct records *r, int64_t now_ns, bool is_last)
{
	int64_t before = is_last ? INT64_MAX : now_ns - r->patience_ns;
	uint64_t parent;
	struct name name;
	bool is_over;

	retry(r, before);
	for (size_t i = 0; i < JOINS_SPANS; i++) {
		struct span_slot *s = &r->joins->span[i];

		if (!s->range || (!is_last && s->touched_ns >= before))
			continue;
		is_over = true;
		if (!is_last && r->ranges)
			(void)ranges_find(r->ranges, s->range, &name, &parent, &is_over);
		if (is_over)
			write_span(r, s);
	}
}
