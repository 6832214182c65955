/* Lines of the event list. */
#include "capture/inject/emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/system.h"

enum { SLOTS = EMIT_SEEN_MAX * 2, DEVICE_SORT = 5000000, OVERHEAD_SORT = 0x1000000 };

/* What a key of the seen table is about; stands in its upper bits. */
enum seen_class {
	SEEN_PROCESS = 1,
	SEEN_THREAD,
	SEEN_DEVICE,
	SEEN_STREAM,
	SEEN_SYNC,
	SEEN_LANE,
	SEEN_OVERHEAD
};

int64_t emit_base(int64_t now_ns)
{
	int64_t unit = (int64_t)EMIT_BASE_S * 1000000000;

	return now_ns / unit * unit;
}

bool emit_init(struct emit *e, struct jtext *text, int pid, int64_t now_ns)
{
	*e = (struct emit){ .t = text, .pid = pid, .base_ns = emit_base(now_ns), .flow = true };
	e->first_ns = now_ns;
	e->seen = calloc(SLOTS, sizeof(*e->seen));
	return e->seen;
}

void emit_free(struct emit *e)
{
	free(e->seen);
	e->seen = NULL;
}

/* ---- lines ---- */

void emit_open(struct emit *e)
{
	e->mark = e->t->n;
	if (e->events)
		JTEXT_LIT(e->t, ",\n");
}

static void emit_close(struct emit *e)
{
	if (e->t->failed) {
		e->t->failed = false;
		e->t->n = e->mark;
		e->lost++;
		return;
	}
	e->events++;
}

void emit_ts(struct emit *e, int64_t ns)
{
	JTEXT_LIT(e->t, "\"ts\": ");
	jtext_us(e->t, ns > e->base_ns ? ns - e->base_ns : 0);
}

void emit_slice(
	struct emit *e, const char *cat, int64_t pid, int64_t tid, int64_t start_ns, int64_t end_ns)
{
	emit_open(e);
	jtext_f(e->t, "{\"ph\": \"X\", \"cat\": \"%s\", \"pid\": %ld, \"tid\": %ld, ", cat, pid,
		tid);
	emit_ts(e, start_ns);
	JTEXT_LIT(e->t, ", \"dur\": ");
	jtext_us(e->t, end_ns > start_ns && start_ns >= 0 ? end_ns - start_ns : 0);
	JTEXT_LIT(e->t, ", \"name\": ");
}

void emit_args(struct emit *e, uint64_t range)
{
	JTEXT_LIT(e->t, ", \"args\": {");
	if (range)
		jtext_f(e->t, "\"External id\": %lu, ", range);
}

void emit_done(struct emit *e)
{
	JTEXT_LIT(e->t, "}}");
	emit_close(e);
}

void emit_flow(struct emit *e, char phase, uint32_t id, int64_t pid, int64_t tid, int64_t ns)
{
	if (!e->flow)
		return;
	emit_open(e);
	jtext_f(e->t, "{\"ph\": \"%.*s\", \"id\": %u, \"pid\": %ld, \"tid\": %ld, ", 1, &phase, id,
		pid, tid);
	emit_ts(e, ns);
	jtext_f(e->t, ", \"cat\": \"ac2g\", \"name\": \"ac2g\"%s}",
		phase == 's' ? "" : ", \"bp\": \"e\"");
	emit_close(e);
}

void emit_instant(struct emit *e, const char *name, int64_t ns)
{
	emit_open(e);
	JTEXT_LIT(e->t, "{\"ph\": \"i\", \"s\": \"g\", \"name\": ");
	jtext_quoted(e->t, name);
	JTEXT_LIT(e->t, ", \"pid\": \"\", \"tid\": \"\", ");
	emit_ts(e, ns);
	JTEXT_LIT(e->t, "}");
	emit_close(e);
}

/* ---- names of rows ---- */

static uint64_t key_of(enum seen_class class, uint64_t a, uint64_t b)
{
	return (uint64_t) class << 60 | (a & 0xfffffff) << 32 | (b & 0xffffffff);
}

/* Where the key stands or would stand; NULL when the table is full. */
static uint64_t *slot_of(const struct emit *e, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	size_t i = (h >> 40) % SLOTS;

	for (size_t left = SLOTS; left; left--, i = (i + 1) % SLOTS)
		if (e->seen[i] == key || e->seen[i] == 0)
			return &e->seen[i];
	return NULL;
}

/* True the first time; also when the table is full, false: then it stays unnamed. */
static bool is_new(struct emit *e, uint64_t key)
{
	uint64_t *slot = slot_of(e, key);

	if (!slot || *slot == key || e->nseen >= EMIT_SEEN_MAX)
		return false;
	*slot = key;
	e->nseen++;
	return true;
}

/* {"ph": "M", "name": WHAT, "ts", "pid", "tid", "args": {KEY: ...; the value and }} follow. */
static void begin_meta(struct emit *e, const char *what, int64_t pid, int64_t tid, const char *key)
{
	emit_open(e);
	jtext_f(e->t, "{\"ph\": \"M\", \"name\": \"%s\", ", what);
	emit_ts(e, e->first_ns);
	jtext_f(e->t, ", \"pid\": %ld, \"tid\": %ld, \"args\": {\"%s\": ", pid, tid, key);
}

static void meta_text(struct emit *e, const char *what, int64_t pid, int64_t tid, const char *key,
	const char *value)
{
	begin_meta(e, what, pid, tid, key);
	jtext_quoted(e->t, value);
	emit_done(e);
}

/* A process: its name, what it is labelled, and where it is sorted to. */
static void meta_process(
	struct emit *e, int64_t pid, const char *name, const char *label, int64_t order)
{
	meta_text(e, "process_name", pid, 0, "name", name);
	if (label)
		meta_text(e, "process_labels", pid, 0, "labels", label);
	begin_meta(e, "process_sort_index", pid, 0, "sort_index");
	jtext_i64(e->t, order);
	emit_done(e);
}

/* A row of it, called "stream 7". */
static void meta_row(struct emit *e, int64_t pid, int64_t tid, int64_t order, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
static void meta_row(struct emit *e, int64_t pid, int64_t tid, int64_t order, const char *fmt, ...)
{
	char name[80];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	meta_text(e, "thread_name", pid, tid, "name", name);
	begin_meta(e, "thread_sort_index", pid, tid, "sort_index");
	jtext_i64(e->t, order);
	emit_done(e);
}

static void see_process(struct emit *e)
{
	if (is_new(e, key_of(SEEN_PROCESS, 0, 1)))
		meta_process(e, e->pid, e->comm, "CPU", e->pid);
}

void emit_see_thread(struct emit *e, uint32_t tid)
{
	char comm[32] = "";

	if (!is_new(e, key_of(SEEN_THREAD, 0, tid)))
		return;
	see_process(e);
	/* What the kernel calls a thread of this process; "" when it has ended. */
	if (!e->quiet_names) {
		char path[64];
		(void)snprintf(path, sizeof(path), "/proc/self/task/%u/comm", tid);
		(void)system_read(path, comm, sizeof(comm));
		size_t n = strlen(comm);
		while (n > 0 && (unsigned char)comm[n - 1] < ' ')
			comm[--n] = 0;
	}
	meta_row(e, e->pid, tid, tid, "thread %u (%s)", tid, *comm ? comm : e->comm);
}

void emit_name_thread(struct emit *e, uint32_t tid, const char *json, size_t n)
{
	emit_see_thread(e, tid);
	begin_meta(e, "thread_name", e->pid, tid, "name");
	jtext_put(e->t, json, n);
	emit_done(e);
}

void emit_see_device(struct emit *e, uint32_t device)
{
	char label[32];

	if (!is_new(e, key_of(SEEN_DEVICE, 0, (uint64_t)device + 1)))
		return;
	(void)snprintf(label, sizeof(label), "GPU %u", device);
	meta_process(e, device, e->comm, label, DEVICE_SORT + (int64_t)device);
}

void emit_see_stream(struct emit *e, uint32_t device, uint32_t stream)
{
	if (!is_new(e, key_of(SEEN_STREAM, device, stream)))
		return;
	emit_see_device(e, device);
	meta_row(e, device, stream, stream, "stream %u ", stream);
}

static bool is_seen(const struct emit *e, uint64_t key)
{
	const uint64_t *slot = slot_of(e, key);

	return slot && *slot == key;
}

bool emit_has_device(const struct emit *e, uint32_t device)
{
	return is_seen(e, key_of(SEEN_DEVICE, 0, (uint64_t)device + 1));
}

bool emit_has_stream(const struct emit *e, uint32_t device, uint32_t stream)
{
	return is_seen(e, key_of(SEEN_STREAM, device, stream));
}

void emit_see_sync_stream(struct emit *e, uint32_t device, uint32_t stream)
{
	if (!is_new(e, key_of(SEEN_SYNC, device, stream)))
		return;
	emit_see_device(e, device);
	meta_row(e, device, (int64_t)stream + EMIT_SYNC_LANE, stream, "stream %u (sync)", stream);
}

void emit_see_range_lane(struct emit *e, uint32_t lane)
{
	int64_t tid = (int64_t)lane + EMIT_RANGE_LANE;

	if (!is_new(e, key_of(SEEN_LANE, 0, lane)))
		return;
	see_process(e);
	meta_row(e, e->pid, tid, tid, "NVTX ranges %u", lane);
}

void emit_see_overhead(struct emit *e)
{
	if (is_new(e, key_of(SEEN_OVERHEAD, 0, 1)))
		meta_process(e, -1, "CUPTI Overhead", NULL, OVERHEAD_SORT);
}
