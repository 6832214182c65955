/*
 * Memory of a report (--cuda-memory-usage): what cudaMalloc and its kin took and gave back, as the
 * [memory] instants of Kineto.  How much was allocated before the first of them nobody knows.
 */
#include "analyze/input/format/sqlite/nsys.h"
#include "analyze/trace/columns/args.h"

enum { START, END, PROCESS, DEVICE, ADDRESS, BYTES, KIND, OPERATION, THREAD };

static const struct nsys_column columns[] = { { "start", NULL }, { NULL, NULL },
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

static bool put_memory(struct nsys *n, const struct rows *r)
{
	unsigned operation = nsys_enum_word(&n->memory_operations, rows_int(r, OPERATION, -1));
	int64_t pid = rows_int(r, PROCESS, 0), bytes;
	bool on_host = nsys_enum_word(&n->host_kinds, rows_int(r, KIND, -1)) != NSYS_NO_WORD;
	nsec start;

	if (!rows_take_int(r, START, &start) || !rows_take_int(r, BYTES, &bytes) || bytes < 0 ||
		operation == OPERATION_UNKNOWN)
		return false;
	emit_begin(&n->m, 'i', EMIT_WORD("cpu_instant_event"), EMIT_WORD("[memory]"));
	nsys_on_thread(n, rows_int(r, THREAD, pid));
	emit_int(&n->m, n->key.memory_bytes, operation == ALLOCATION ? bytes : -bytes);
	nsys_int_of(n, r, ADDRESS, n->key.address);
	emit_int(&n->m, n->key.memory_device_type, on_host ? DEVICE_TYPE_CPU : DEVICE_TYPE_CUDA);
	emit_int(&n->m, n->key.memory_device,
		on_host ? -1 : nsys_device(n, pid, rows_int(r, DEVICE, 0)));
	nsys_end(n, start, 0);
	return true;
}

enum status nsys_read_memory(struct nsys *n, struct err *e)
{
	static const struct nsys_table table =
		NSYS_TABLE("CUDA_GPU_MEMORY_USAGE_EVENTS", columns, put_memory);

	nsys_enum_read(n, "ENUM_CUDA_DEV_MEM_EVENT_OPER", operations, COUNT_OF(operations),
		&n->memory_operations);
	nsys_enum_read(n, "ENUM_CUDA_MEM_KIND", host_kinds, COUNT_OF(host_kinds), &n->host_kinds);
	return nsys_read(n, &table, e);
}
