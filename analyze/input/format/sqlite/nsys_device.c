/* Device work of a report: kernels, copies, sets, and graph launches that were traced as one; and
 * who waited for it. */
#include <stdio.h>

#include "analyze/input/format/sqlite/nsys.h"

/* What all tables of device work have, in this order. */
#define DEVICE_COLUMNS                                                                   \
	{ "start", NULL }, { "end", NULL }, { "deviceId", NULL }, { "contextId", NULL }, \
		{ "streamId", NULL }, { "globalPid", NULL },                             \
	{                                                                                \
		"correlationId", "correlation"                                           \
	}
enum { START, END, DEVICE, CONTEXT, STREAM, PROCESS, CORRELATION, OF_KIND };

/* Lane and correlation of device work that has begun. */
static void place(struct nsys *n, const struct rows *r)
{
	int64_t pid = rows_int(r, PROCESS, 0), context;
	int64_t device = nsys_device(n, pid, rows_int(r, DEVICE, 0));

	nsys_on_stream(n, pid, device, rows_int(r, STREAM, -1));
	nsys_int_of(n, r, CORRELATION, n->key.correlation);
	if (rows_take_int(r, CONTEXT, &context))
		nsys_know_context(n, pid, context, device);
}

/* The ids of a graph and its node, at two columns, -1: no such column; 0 is none. */
static void put_graph(struct nsys *n, const struct rows *r, int graph, int node)
{
	if (graph >= 0 && rows_int(r, graph, 0) != 0)
		nsys_int_of(n, r, graph, n->key.graph);
	if (node >= 0 && rows_int(r, node, 0) != 0)
		nsys_int_of(n, r, node, n->key.graph_node);
}

enum {
	KERNEL_DEMANGLED = OF_KIND,
	KERNEL_SHORT,
	KERNEL_MANGLED,
	GRID_X,
	GRID_Y,
	GRID_Z,
	BLOCK_X,
	BLOCK_Y,
	BLOCK_Z,
	REGISTERS,
	STATIC_SHARED,
	DYNAMIC_SHARED,
	KERNEL_GRAPH,
	KERNEL_NODE
};

static const struct nsys_column kernel_columns[] = { DEVICE_COLUMNS, { "demangledName", NULL },
	{ "shortName", NULL }, { "mangledName", NULL }, { "gridX", "grid" }, { "gridY", "grid" },
	{ "gridZ", "grid" }, { "blockX", "block" }, { "blockY", "block" }, { "blockZ", "block" },
	{ "registersPerThread", "registers per thread" }, { "staticSharedMemory", "shared memory" },
	{ "dynamicSharedMemory", "shared memory" }, { "graphId", "graph id" },
	{ "graphNodeId", "graph node id" } };

static struct span kernel_name(struct nsys *n, const struct rows *r)
{
	for (int column = KERNEL_DEMANGLED; column <= KERNEL_MANGLED; column++) {
		struct span name = texts_at(&n->texts, r, column);

		if (name.n)
			return name;
	}
	return (struct span){ NULL, 0 };
}

static void put_vec3(struct nsys *n, const struct rows *r, int x, uint8_t key)
{
	int64_t v[3] = { 0 };

	for (int i = 0; i < 3 && key != PLAN_NO_KEY; i++)
		if (!rows_take_int(r, x + i, &v[i]))
			return;
	emit_vec3(&n->m, key, v[0], v[1], v[2]);
}

/* Blocks over multiprocessors, as Kineto has it; where the report says how many there are. */
static void put_blocks_per_sm(struct nsys *n, const struct rows *r)
{
	int64_t device = nsys_device(n, rows_int(r, PROCESS, 0), rows_int(r, DEVICE, 0));
	int64_t sms = nsys_sms(n, device), x, y, z;

	if (n->key.blocks_per_sm == PLAN_NO_KEY || sms <= 0 || !rows_take_int(r, GRID_X, &x) ||
		!rows_take_int(r, GRID_Y, &y) || !rows_take_int(r, GRID_Z, &z))
		return;
	emit_real(&n->m, n->key.blocks_per_sm, (double)x * (double)y * (double)z / (double)sms);
}

static void put_shared(struct nsys *n, const struct rows *r)
{
	int64_t constant, dynamic, all;

	if (n->key.shared != PLAN_NO_KEY && rows_take_int(r, STATIC_SHARED, &constant) &&
		rows_take_int(r, DYNAMIC_SHARED, &dynamic) &&
		!add_overflows(constant, dynamic, &all))
		emit_int(&n->m, n->key.shared, all);
}

static void put_kernel(struct nsys *n, const struct rows *r)
{
	emit_begin(&n->m, 'X', EMIT_WORD("kernel"), kernel_name(n, r));
	place(n, r);
	put_vec3(n, r, GRID_X, n->key.grid);
	put_vec3(n, r, BLOCK_X, n->key.block);
	nsys_int_of(n, r, REGISTERS, n->key.registers);
	put_shared(n, r);
	put_blocks_per_sm(n, r);
	put_graph(n, r, KERNEL_GRAPH, KERNEL_NODE);
}

enum { COPY_BYTES = OF_KIND, COPY_KIND, COPY_FROM, COPY_TO, COPY_NODE };

static const struct nsys_column copy_columns[] = { DEVICE_COLUMNS, { "bytes", "bytes" },
	{ "copyKind", NULL }, { "srcKind", NULL }, { "dstKind", NULL },
	{ "graphNodeId", "graph node id" } };

/* ENUM_CUDA_MEMCPY_OPER, and how Kineto calls the directions. */
static const struct nsys_word copy_kinds[] = { { NULL, 0 }, { "CUDA_MEMCPY_KIND_HTOD", 1 },
	{ "CUDA_MEMCPY_KIND_DTOH", 2 }, { "CUDA_MEMCPY_KIND_HTOA", 3 },
	{ "CUDA_MEMCPY_KIND_ATOH", 4 }, { "CUDA_MEMCPY_KIND_ATOA", 5 },
	{ "CUDA_MEMCPY_KIND_ATOD", 6 }, { "CUDA_MEMCPY_KIND_DTOA", 7 },
	{ "CUDA_MEMCPY_KIND_DTOD", 8 }, { "CUDA_MEMCPY_KIND_HTOH", 9 },
	{ "CUDA_MEMCPY_KIND_PTOP", 10 }, { "CUDA_MEMCPY_KIND_UVM_HTOD", 11 },
	{ "CUDA_MEMCPY_KIND_UVM_DTOH", 12 }, { "CUDA_MEMCPY_KIND_UVM_DTOD", 13 } };
static const char *const copy_words[] = { "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
	"DtoA", "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD" };
enum { FIRST_UNIFIED = 11 }; /* pages that move by themselves */
_Static_assert(COUNT_OF(copy_words) == COUNT_OF(copy_kinds), "a word for each kind of copy");

/* ENUM_CUDA_MEM_KIND likewise. */
static const struct nsys_word memory_kinds[] = { { NULL, 7 },
	{ "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", 0 }, { "CUDA_MEMOPR_MEMORY_KIND_PINNED", 1 },
	{ "CUDA_MEMOPR_MEMORY_KIND_DEVICE", 2 }, { "CUDA_MEMOPR_MEMORY_KIND_ARRAY", 3 },
	{ "CUDA_MEMOPR_MEMORY_KIND_MANAGED", 4 }, { "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", 5 },
	{ "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", 6 } };
static const char *const memory_words[] = { "Unknown", "Pageable", "Pinned", "Device", "Array",
	"Managed", "Device Static", "Managed Static" };
_Static_assert(COUNT_OF(memory_words) == COUNT_OF(memory_kinds), "a word for each kind of memory");

/* "Memcpy HtoD (Pinned -> Device)" */
static struct span copy_name(struct nsys *n, const struct rows *r)
{
	unsigned kind = nsys_enum_word(&n->copy_kinds, rows_int(r, COPY_KIND, -1));
	unsigned from = nsys_enum_word(&n->memory_kinds, rows_int(r, COPY_FROM, -1));
	unsigned to = nsys_enum_word(&n->memory_kinds, rows_int(r, COPY_TO, -1));
	bool plain = rows_is_null(r, COPY_FROM) && rows_is_null(r, COPY_TO);
	int64_t key = (int64_t)(kind << 17 | from << 9 | to << 1 | plain);
	char text[96];

	if (kind >= FIRST_UNIFIED && !from && !to)
		(void)snprintf(text, sizeof(text), "Memcpy %s (Unified)", copy_words[kind]);
	else if (plain)
		(void)snprintf(text, sizeof(text), "Memcpy %s", copy_words[kind]);
	else
		(void)snprintf(text, sizeof(text), "Memcpy %s (%s -> %s)", copy_words[kind],
			memory_words[from], memory_words[to]);
	return texts_made(&n->texts, key, text);
}

static void put_copy(struct nsys *n, const struct rows *r)
{
	emit_begin(&n->m, 'X', EMIT_WORD("gpu_memcpy"), copy_name(n, r));
	place(n, r);
	nsys_int_of(n, r, COPY_BYTES, n->key.bytes);
	put_graph(n, r, -1, COPY_NODE);
}

enum { SET_BYTES = OF_KIND, SET_KIND, SET_NODE };

static const struct nsys_column set_columns[] = { DEVICE_COLUMNS, { "bytes", "bytes" },
	{ "memKind", NULL }, { "graphNodeId", "graph node id" } };

static void put_set(struct nsys *n, const struct rows *r)
{
	unsigned kind = nsys_enum_word(&n->memory_kinds, rows_int(r, SET_KIND, -1));
	int64_t key = -1 - (int64_t)kind * 2 - rows_is_null(r, SET_KIND);
	char text[48] = "Memset";

	if (!rows_is_null(r, SET_KIND))
		(void)snprintf(text, sizeof(text), "Memset (%s)", memory_words[kind]);
	emit_begin(&n->m, 'X', EMIT_WORD("gpu_memset"), texts_made(&n->texts, key, text));
	place(n, r);
	nsys_int_of(n, r, SET_BYTES, n->key.bytes);
	put_graph(n, r, -1, SET_NODE);
}

enum { GRAPH_ID = OF_KIND, GRAPH_EXEC };

static const struct nsys_column graph_columns[] = { DEVICE_COLUMNS, { "graphId", NULL },
	{ "graphExecId", NULL } };

/* A launch of a graph whose nodes were not traced (--cuda-graph-trace=graph): one row of work. */
static void put_graph_launch(struct nsys *n, const struct rows *r)
{
	int64_t id = rows_int(r, GRAPH_EXEC, rows_int(r, GRAPH_ID, -1));

	emit_begin(&n->m, 'X', EMIT_WORD("kernel"),
		id >= 0 ? emit_keepf(&n->m, "CUDA graph %lld", (long long)id)
			: EMIT_WORD("CUDA graph"));
	place(n, r);
	put_graph(n, r, GRAPH_ID, -1);
}

enum status nsys_read_device(struct nsys *n, struct err *e)
{
	static const struct nsys_table tables[] = {
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, NULL, put_kernel),
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, NULL, put_copy),
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_MEMSET", set_columns, NULL, put_set),
		NSYS_TABLE(
			"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, NULL, put_graph_launch),
	};

	nsys_enum_read(
		n, "ENUM_CUDA_MEMCPY_OPER", copy_kinds, COUNT_OF(copy_kinds), &n->copy_kinds);
	nsys_enum_read(
		n, "ENUM_CUDA_MEM_KIND", memory_kinds, COUNT_OF(memory_kinds), &n->memory_kinds);
	for (size_t i = 0; i < COUNT_OF(tables); i++)
		TRY(nsys_read(n, &tables[i], e));
	return OK;
}

/* --- waiting: who waited for what --- */

/* A wait for an event names its record by eventSyncId: an event is recorded many times under one
 * eventId.  The rows' own device is not filled in; that of their context is.
 * Source: CUpti_ActivitySynchronization2, CUpti_ActivityCudaEvent2. */
enum { SYNC_TYPE = OF_KIND, EVENT_SYNC };

static const struct nsys_column sync_columns[] = { DEVICE_COLUMNS, { "syncType", NULL },
	{ "eventSyncId", "wait_on_cuda_event_record_corr_id" } };

/* ENUM_CUPTI_SYNC_TYPE, and Kineto's names of them. */
enum { SYNC_UNKNOWN, SYNC_EVENT, SYNC_STREAM_WAIT, SYNC_STREAM, SYNC_CONTEXT };
static const struct nsys_word sync_types[] = { { NULL, 0 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", 1 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", 2 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", 3 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", 4 } };

/* CUPTI's "no stream". */
#define NO_STREAM INT64_C(0xffffffff)

static struct span sync_name(unsigned type)
{
	switch (type) {
	case SYNC_EVENT: return EMIT_WORD("Event Sync");
	case SYNC_STREAM_WAIT: return EMIT_WORD("Stream Wait Event");
	case SYNC_STREAM: return EMIT_WORD("Stream Sync");
	case SYNC_CONTEXT: return EMIT_WORD("Context Sync");
	default: return EMIT_WORD("Unknown Sync");
	}
}

enum { RECORD_PROCESS, RECORD_STREAM, RECORD_CORRELATION, RECORD_SYNC, RECORD_COLUMNS };

/* A record of an event: its call, and the stream it is in. */
struct record {
	int64_t correlation, stream;
};

/* Records by (process, eventSyncId). */
static void read_records(struct nsys *n)
{
	static const char *const names[] = { "globalPid", "streamId", "correlationId",
		"eventSyncId" };
	struct rows *r = n->key.wait_record == PLAN_NO_KEY
		? NULL
		: rows_if(n->d, "CUPTI_ACTIVITY_KIND_CUDA_EVENT", names, RECORD_COLUMNS);

	while (rows_more(r)) {
		struct nsys_called key = { nsys_pid(rows_int(r, RECORD_PROCESS, 0)), 0 };
		struct record this;

		if (!rows_take_int(r, RECORD_SYNC, &key.number) || key.number == 0 ||
			!rows_take_int(r, RECORD_STREAM, &this.stream) ||
			!rows_take_int(r, RECORD_CORRELATION, &this.correlation))
			continue;
		*(struct record *)valuemap_slot(&n->records, &key, NULL) = this;
	}
	rows_close(r);
}

/* What a wait for an event waits for. */
static void put_record(struct nsys *n, const struct rows *r, int64_t pid)
{
	struct nsys_called key = { nsys_pid(pid), rows_int(r, EVENT_SYNC, 0) };
	const struct record *record = key.number ? valuemap_find(&n->records, &key) : NULL;

	if (!record)
		return;
	emit_int(&n->m, n->key.wait_stream, record->stream);
	emit_int(&n->m, n->key.wait_record, record->correlation);
}

static void put_sync(struct nsys *n, const struct rows *r)
{
	unsigned type = nsys_enum_word(&n->sync_kinds, rows_int(r, SYNC_TYPE, -1));
	int64_t pid = rows_int(r, PROCESS, 0), stream = rows_int(r, STREAM, -1);
	int64_t device = nsys_context_device(n, pid, rows_int(r, CONTEXT, -1));

	if (device < 0)
		device = nsys_device(n, pid, rows_int(r, DEVICE, 0));
	emit_begin(&n->m, 'X', EMIT_WORD("cuda_sync"), sync_name(type));
	nsys_on_stream(n, pid, device, stream == NO_STREAM || type == SYNC_CONTEXT ? -1 : stream);
	nsys_int_of(n, r, CORRELATION, n->key.correlation);
	emit_text(&n->m, n->key.sync_kind, sync_name(type));
	if (type == SYNC_EVENT || type == SYNC_STREAM_WAIT)
		put_record(n, r, pid);
}

enum status nsys_read_syncs(struct nsys *n, struct err *e)
{
	static const struct nsys_table table =
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync_columns, NULL, put_sync);

	nsys_enum_read(n, "ENUM_CUPTI_SYNC_TYPE", sync_types, COUNT_OF(sync_types), &n->sync_kinds);
	valuemap_init(&n->records, sizeof(struct nsys_called), sizeof(struct record));
	read_records(n);
	enum status st = nsys_read(n, &table, e);
	valuemap_clear(&n->records);
	return st;
}
