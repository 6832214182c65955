/* Databases: whatever stands in their pages, loading ends with a run or with one clear error.
 *
 * SQLite's pages are too well built for chance to keep them whole, so an input is what is changed
 * in a good export: its first byte says which, then come places (two bytes, the low one first) and
 * what is put there.  From a first byte of 255 on the rest is a database as it is. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/load.h"
#include "base/compiler.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef HAVE_SQLITE
#include "tests/unit/made_database.h"

enum { AS_IT_IS = 255, CHANGE_BYTES = 3 };

#define DEVICE                                                                                \
	"start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, " \
	"globalPid INTEGER, correlationId INTEGER"

/* Two processes of Nsight Systems, every table that is read, in small pages. */
static const char nsys[] =
	"PRAGMA page_size = 512;"
	"CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
	"INSERT INTO StringIds VALUES(1, 'kernel'), (2, 'cudaLaunchKernel_v7000'), (3, 'thread');"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(" DEVICE
	", demangledName INTEGER, gridX INTEGER, gridY "
	"INTEGER, gridZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, graphNodeId "
	"INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(10, 20, 0, 1, 7, 1 << 24, 1, 1, 2, 2, 2, 3, 4, 5),"
	"(30, 40, 0, 1, 7, 2 << 24, 1, 1, 2, 2, 2, 3, 4, NULL);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(" DEVICE
	", bytes INTEGER, copyKind INTEGER, srcKind "
	"INTEGER, dstKind INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(50, 60, 0, 1, 7, 1 << 24, 2, 99, 1, 1, 2);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(" DEVICE ", bytes INTEGER, memKind INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(60, 61, 0, 1, 7, 1 << 24, 3, 99, 2);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(" DEVICE
	", graphId INTEGER, graphExecId INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(70, 80, 0, 1, 7, 1 << 24, 4, 1, 2);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(" DEVICE
	", syncType INTEGER, eventSyncId "
	"INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES(70, 80, 0, 1, 7, 1 << 24, 4, 2, 9);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(streamId INTEGER, globalPid INTEGER, correlationId "
	"INTEGER, eventSyncId INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES(7, 1 << 24, 1, 9);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, "
	"correlationId INTEGER, nameId INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(5, 8, (1 << 24) | 3, 1, 2);"
	"CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId "
	"INTEGER, globalTid INTEGER, endGlobalTid INTEGER);"
	"INSERT INTO NVTX_EVENTS VALUES(4, 9, 59, 'aten::mm, seq = 1, op_id = 2, sizes = [[2, 3], []]', "
	"NULL, (1 << 24) | 3, NULL), (4, 9, 60, NULL, 3, (1 << 24) | 3, (1 << 24) | 4);"
	"CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start INTEGER, globalPid INTEGER, deviceId INTEGER, "
	"address INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER);"
	"INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES(1, 1 << 24, 0, 4096, 10, 2, 0);"
	"CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, smCount INTEGER);"
	"INSERT INTO TARGET_INFO_GPU VALUES(0, 'GPU', 8);"
	"CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
	"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES(0, 0, 1), (1, 0, 2);"
	"CREATE TABLE ThreadNames(nameId INTEGER, globalTid INTEGER);"
	"INSERT INTO ThreadNames VALUES(3, (1 << 24) | 3);"
	"CREATE TABLE ENUM_CUDA_MEM_KIND(id INTEGER, name TEXT);"
	"INSERT INTO ENUM_CUDA_MEM_KIND VALUES(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED');";

static const char *const exports[] = { nsys };

static void load(const uint8_t *data, size_t size)
{
	struct memory_file f = { data, size, 0, 0 };
	struct load_options o = { .needs = (1u << 18) - 1, .threads = 1 };
	struct run run;
	struct err e;
	enum status st;

	err_clear(&e);
	st = load_reader(memory_read, &f, "fuzz", &o, &run, &e);
	if (st != OK) {
		if (e.text[0] == '\0' || e.status != st)
			abort();
		return;
	}
	(void)memory_run_digest(&run);
	run_clear(&run);
}

static void change(struct str *file, const uint8_t *data, size_t size)
{
	for (; size >= CHANGE_BYTES && file->n; data += CHANGE_BYTES, size -= CHANGE_BYTES)
		file->s[((size_t)data[0] | (size_t)data[1] << 8) % file->n] = (char)data[2];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct str made[COUNT_OF(exports)]; /* once, for all inputs */
	struct str file = { 0 }, *good;

	if (size > 0 && data[0] == AS_IT_IS) {
		load(data + 1, size - 1);
		return 0;
	}
	good = &made[size ? data[0] % COUNT_OF(exports) : 0];
	if (good->n == 0 && !made_database(good, exports[good - made]))
		return 0;
	str_add(&file, good->s, good->n);
	if (size > 0)
		change(&file, data + 1, size - 1);
	load((const uint8_t *)file.s, file.n);
	str_free(&file);
	return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}
#endif
