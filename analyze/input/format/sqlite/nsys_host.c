/* What a report says of the host: calls of CUDA's runtime and driver, the profiler's own work,
 * NVTX, and memory.
 *
 * Calls of the operating system's libraries (OSRT_API) are no events: each wait in a lock or a read
 * would be an op to every answer.  That they are there is said (nsys.c). */
#include "analyze/input/format/sqlite/nsys.h"
#include "analyze/input/format/torch_range.h"
#include "analyze/trace/columns/args.h"

enum { START, END, THREAD, NAME, CORRELATION };

static const struct nsys_column call_columns[] = { { "start", NULL }, { "end", NULL },
	{ "globalTid", NULL }, { "nameId", NULL }, { "correlationId", "correlation" } };

/* CUPTI's version behind a name, "_v7000"; "_v2" of the API's own is part of it. */
enum { VERSION_DIGITS = 4 };

static struct span without_version(struct span name)
{
	size_t digits = 0;

	digits = FIRST_FROM(
		k, digits, name.n, name.p[name.n - 1 - k] < '0' || name.p[name.n - 1 - k] > '9');
	if (digits >= VERSION_DIGITS && name.n > digits + 2 && name.p[name.n - digits - 1] == 'v' &&
		name.p[name.n - digits - 2] == '_')
		name.n -= digits + 2;
	return name;
}

/* "cuLaunchKernel", not "cudaLaunchKernel" */
static bool is_driver(struct span name)
{
	return name.n > 2 && name.p[0] == 'c' && name.p[1] == 'u' && name.p[2] >= 'A' &&
		name.p[2] <= 'Z';
}

static void put_call(struct nsys *n, const struct rows *r)
{
	struct span name = without_version(texts_at(&n->texts, r, NAME));

	emit_begin(&n->m, 'X',
		is_driver(name) ? EMIT_WORD("cuda_driver") : EMIT_WORD("cuda_runtime"), name);
	nsys_on_thread(n, rows_int(r, THREAD, 0));
	nsys_int_of(n, r, CORRELATION, n->key.correlation);
}

static void put_overhead(struct nsys *n, const struct rows *r)
{
	emit_begin(&n->m, 'X', EMIT_WORD("overhead"), texts_at(&n->texts, r, NAME));
	nsys_on_thread(n, rows_int(r, THREAD, 0));
}

enum status nsys_read_calls(struct nsys *n, struct err *e)
{
	static const struct nsys_table tables[] = {
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, NULL, put_call),
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_DRIVER", call_columns, NULL, put_call),
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_OVERHEAD", call_columns, NULL, put_overhead),
		NSYS_TABLE("PROFILER_OVERHEAD", call_columns, NULL, put_overhead),
	};

	for (size_t i = 0; i < COUNT_OF(tables); i++)
		TRY(nsys_read(n, &tables[i], e));
	return OK;
}

/* --- ranges and marks of NVTX --- */

/*
 * Ranges that PyTorch pushes for its operators (emit_nvtx) are ops, all others annotations.  A
 * range that begins and ends on different threads is on no thread: its process has a lane for such.
 */
enum { RANGE_TYPE = 2, RANGE_TEXT, RANGE_TEXT_ID, RANGE_THREAD, RANGE_END_THREAD };

static const struct nsys_column range_columns[] = { { "start", NULL }, { "end", NULL },
	{ "eventType", NULL }, { "text", NULL }, { "textId", NULL }, { "globalTid", NULL },
	{ "endGlobalTid", NULL } };

/* ENUM_NSYS_EVENT_TYPE.  "Nvtxt" are ranges of text files that were merged into a report. */
enum {
	EVENT_OTHER,
	EVENT_MARK,
	EVENT_PUSH_POP,
	EVENT_START_END,
	EVENT_TEXT_MARK,
	EVENT_TEXT_PUSH_POP,
	EVENT_TEXT_START_END
};
static const struct nsys_word range_types[] = { { NULL, 0 }, { "NvtxMark", 34 },
	{ "NvtxPushPopRange", 59 }, { "NvtxStartEndRange", 60 }, { "NvtxtMark", 65 },
	{ "NvtxtPushPopRange", 70 }, { "NvtxtStartEndRange", 71 } };

static unsigned range_type(const struct nsys *n, const struct rows *r)
{
	return nsys_enum_word(&n->event_types, rows_int(r, RANGE_TYPE, -1));
}

/* Others are names of domains and categories. */
static enum nsys_row is_range(struct nsys *n, const struct rows *r)
{
	return range_type(n, r) != EVENT_OTHER || rows_is_null(r, RANGE_TYPE) ? NSYS_EVENT
									      : NSYS_OTHER;
}

static void put_range(struct nsys *n, const struct rows *r)
{
	bool is_mark = range_type(n, r) == EVENT_MARK || range_type(n, r) == EVENT_TEXT_MARK;
	struct span own = rows_text(r, RANGE_TEXT);
	struct span text = own.p ? own : texts_at(&n->texts, r, RANGE_TEXT_ID);
	struct torch_range torch = { .name = text, .sequence = -1 };
	int64_t thread = rows_int(r, RANGE_THREAD, 0);

	if (!is_mark)
		torch = torch_range_read(text);
	emit_begin(&n->m, is_mark ? 'i' : 'X',
		torch.is_op ? EMIT_WORD("cpu_op") : EMIT_WORD("user_annotation"),
		torch.name.p ? emit_keep(&n->m, torch.name) : torch.name);
	if (rows_int(r, RANGE_END_THREAD, thread) == thread)
		nsys_on_thread(n, thread);
	else
		emit_lane(&n->m, texts_number(&n->texts, nsys_pid(thread)),
			texts_made(&n->texts, -1000, "NVTX"));
	if (torch.sequence >= 0)
		emit_int(&n->m, n->key.sequence, torch.sequence);
	if (torch.sizes.p && n->key.dims != PLAN_NO_KEY)
		emit_json(&n->m, n->key.dims, emit_keep(&n->m, torch.sizes));
}

enum status nsys_read_ranges(struct nsys *n, struct err *e)
{
	static const struct nsys_table table =
		NSYS_TABLE("NVTX_EVENTS", range_columns, is_range, put_range);

	nsys_enum_read(
		n, "ENUM_NSYS_EVENT_TYPE", range_types, COUNT_OF(range_types), &n->event_types);
	return nsys_read(n, &table, e);
}

/* --- memory --- */

/* Memory of a report (--cuda-memory-usage): what cudaMalloc and its kin took and gave back, as the
 * [memory] instants of Kineto.  How much was allocated before the first of them nobody knows. */
enum { MEMORY_PROCESS = 2, DEVICE, ADDRESS, BYTES, KIND, OPERATION, MEMORY_THREAD };

static const struct nsys_column memory_columns[] = { { "start", NULL }, { NULL, NULL },
	{ "globalPid", NULL }, { "deviceId", NULL }, { "address", "Addr" }, { "bytes", NULL },
	{ "memKind", NULL }, { "memoryOperationType", NULL }, { "globalTid", NULL } };

/* ENUM_CUDA_DEV_MEM_EVENT_OPER, and the kinds of ENUM_CUDA_MEM_KIND that are the host's. */
enum { OPERATION_UNKNOWN, ALLOCATION, DEALLOCATION };
static const struct nsys_word operations[] = { { NULL, 0 },
	{ "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", 0 }, { "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", 1 } };
static const struct nsys_word host_kinds[] = { { NULL, 7 },
	{ "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", 0 }, { "CUDA_MEMOPR_MEMORY_KIND_PINNED", 1 } };

/* c10::DeviceType of CUDA */
enum { DEVICE_TYPE_CUDA = 1 };

static unsigned operation_of(const struct nsys *n, const struct rows *r)
{
	return nsys_enum_word(&n->memory_operations, rows_int(r, OPERATION, -1));
}

static enum nsys_row is_memory(struct nsys *n, const struct rows *r)
{
	int64_t bytes;

	return rows_take_int(r, BYTES, &bytes) && bytes >= 0 &&
			operation_of(n, r) != OPERATION_UNKNOWN
		? NSYS_EVENT
		: NSYS_BAD;
}

static void put_memory(struct nsys *n, const struct rows *r)
{
	int64_t pid = rows_int(r, MEMORY_PROCESS, 0), bytes = rows_int(r, BYTES, 0);
	bool on_host = nsys_enum_word(&n->host_kinds, rows_int(r, KIND, -1)) != NSYS_NO_WORD;

	emit_begin(&n->m, 'i', EMIT_WORD("cpu_instant_event"), EMIT_WORD("[memory]"));
	nsys_on_thread(n, rows_int(r, MEMORY_THREAD, pid));
	emit_int(&n->m, n->key.memory_bytes, operation_of(n, r) == ALLOCATION ? bytes : -bytes);
	nsys_int_of(n, r, ADDRESS, n->key.address);
	emit_int(&n->m, n->key.memory_device_type, on_host ? DEVICE_TYPE_CPU : DEVICE_TYPE_CUDA);
	emit_int(&n->m, n->key.memory_device,
		on_host ? -1 : nsys_device(n, pid, rows_int(r, DEVICE, 0)));
}

enum status nsys_read_memory(struct nsys *n, struct err *e)
{
	static const struct nsys_table table =
		NSYS_TABLE("CUDA_GPU_MEMORY_USAGE_EVENTS", memory_columns, is_memory, put_memory);

	nsys_enum_read(n, "ENUM_CUDA_DEV_MEM_EVENT_OPER", operations, COUNT_OF(operations),
		&n->memory_operations);
	nsys_enum_read(n, "ENUM_CUDA_MEM_KIND", host_kinds, COUNT_OF(host_kinds), &n->host_kinds);
	return nsys_read(n, &table, e);
}
