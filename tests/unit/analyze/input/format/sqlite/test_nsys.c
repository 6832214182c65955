/* A report of Nsight Systems, drawn by hand:
 *
 *	process 10, thread 11    |aten::mm, seq = 4 ............|   |stream wait|  |step 7 ....|
 *	                            |launch 1||copy 2||graph 3|      |sync 5 ..|
 *	device 0, stream 7             [kernel 1)[copy 2)  [graph 3)
 *	process 20, thread 21       |launch 1|
 *	device 1, stream 7                   [kernel 1) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "tests/unit/loading.h"
#include "tests/unit/made_database.h"

/* vm 1, pid, tid */
#define GLOBAL(pid, tid) "((1<<48)|(" #pid "<<24)|" #tid ")"

#define STRINGS                                                                                 \
	"CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"                           \
	"INSERT INTO StringIds VALUES(1, 'void gemm<float>(int)'), (2, 'gemm'),"                \
	"(3, 'cudaLaunchKernel_v7000'), (4, 'cuLaunchKernelEx'), (5, 'cudaMemcpyAsync_v3020')," \
	"(6, 'cudaGraphLaunch_v10000'), (7, 'cudaStreamGetCaptureInfo_v2_v11030'),"             \
	"(8, 'registered'), (9, 'pt_main_thread'), (10, 'Buffer flush');"

#define DEVICE                                                                                                                                  \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, contextId, streamId, "                                                   \
	"correlationId, globalPid, demangledName, shortName, gridX, gridY, gridZ, blockX, "                                                     \
	"blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, "                                                         \
	"graphNodeId);"                                                                                                                         \
	"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"                                                                                         \
	"(120, 150, 0, 1, 7, 1, " GLOBAL(10,                                                                                                    \
		0) ", 1, 2, 264, 2, 1, 128, 1, 1, 40, 16, 1024, NULL),"                                                                         \
		   "(130, 170, 1, 1, 7, 1, " GLOBAL(20,                                                                                         \
			   0) ", 99, 2, 1, 1, 1, 32, 1, 1, 8, 0, 0, 5);"                                                                        \
			      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start, end, deviceId, contextId, streamId, "                             \
			      "correlationId, globalPid, bytes, copyKind, srcKind, dstKind);"                                                   \
			      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES"                                                                   \
			      "(150, 160, 0, 1, 7, 2, " GLOBAL(10,                                                                              \
				      0) ", 4096, 1, 1, 2),"                                                                                    \
					 "(160, 161, 0, 1, 7, NULL, " GLOBAL(10,                                                                \
						 0) ", 65536, 11, NULL, NULL);"                                                                 \
						    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start, end, deviceId, streamId, globalPid, "       \
						    "bytes, memKind);"                                                                          \
						    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(170, 171, 0, 7, " GLOBAL(                    \
							    10,                                                                                 \
							    0) ", 64, 2);"                                                                      \
							       "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, deviceId, contextId, " \
							       "streamId, correlationId, globalPid, graphId, graphExecId);"                     \
							       "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES"                             \
							       "(180, 240, 0, 1, 7, 3, " GLOBAL(                                                \
								       10, 0) ", 12, 13);"

#define CALLS                                                                                                              \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, "                                  \
	"nameId);"                                                                                                         \
	"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"                                                                   \
	"(100, 110, " GLOBAL(10, 11) ", 1, 3), (112, 118, " GLOBAL(10,                                                     \
		11) ", 2, 5),"                                                                                             \
		    "(118, 119, " GLOBAL(10, 11) ", 3, 6), (119, 120, " GLOBAL(10,                                         \
			    11) ", 4, 7),"                                                                                 \
				"(300, 330, " GLOBAL(10, 11) ", 5, 4), (105, 115, " GLOBAL(20,                             \
					21) ", 1, 4);"                                                                     \
					    "CREATE TABLE PROFILER_OVERHEAD(start, end, globalTid, nameId, overheadType);" \
					    "INSERT INTO PROFILER_OVERHEAD VALUES(400, 410, " GLOBAL(                      \
						    10, 11) ", 10, 3);"

#define RANGES                                                                                                           \
	"CREATE TABLE NVTX_EVENTS(start, end, eventType, text, textId, globalTid, "                                      \
	"endGlobalTid);"                                                                                                 \
	"INSERT INTO NVTX_EVENTS VALUES"                                                                                 \
	"(90, 200, 59, 'aten::mm, seq = 4, op_id = 9, sizes = [[2, 3], [3, 4]]', NULL, " GLOBAL(                         \
		10,                                                                                                      \
		11) ", NULL),"                                                                                           \
		    "(500, 600, 59, NULL, 8, " GLOBAL(10,                                                                \
			    11) ", NULL),"                                                                               \
				"(500, 700, 60, 'across', NULL, " GLOBAL(10, 11) ", " GLOBAL(10,                         \
					12) "),"                                                                         \
					    "(510, NULL, 34, 'a mark', NULL, " GLOBAL(10,                                \
						    11) ", NULL),"                                                       \
							"(520, NULL, 59, 'never ends', NULL, " GLOBAL(                   \
								10,                                                      \
								11) ", NULL),"                                           \
								    "(0, NULL, 75, 'NCCL', NULL, " GLOBAL(               \
									    10,                                          \
									    11) ", NULL),"                               \
										"('x', 1, 59, 'no time', NULL, " GLOBAL( \
											10,                              \
											11) ", NULL);"

#define SYNCS                                                                                                    \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, end, deviceId, contextId, "                     \
	"streamId, correlationId, globalPid, syncType, eventId, eventSyncId);"                                   \
	"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES"                                                 \
	"(300, 320, 0, 1, 8, 5, " GLOBAL(20,                                                                     \
		0) ", 2, 77, 1001),"                                                                             \
		   "(300, 320, 0, 1, 4294967295, 5, " GLOBAL(10,                                                 \
			   0) ", 4, 0, 0);"                                                                      \
			      "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(globalPid, streamId, correlationId, " \
			      "eventId, eventSyncId);"                                                           \
			      "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES"                                \
			      "(" GLOBAL(10, 0) ", 3, 44, 77, 1001), (" GLOBAL(                                  \
				      20, 0) ", 7, 55, 77, 1001),"                                               \
					     "(" GLOBAL(20, 0) ", 9, 66, 77, 1002);"

#define MEMORY                                                                                   \
	"CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start, globalPid, deviceId, address, bytes, " \
	"memKind, memoryOperationType);"                                                         \
	"INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES"                                        \
	"(50, " GLOBAL(10, 0) ", 0, 4096, 1000, 2, 0), (60, " GLOBAL(                            \
		10, 0) ", 0, 4096, 1000, 2, 1);"

#define FACTS                                                                                   \
	"CREATE TABLE TARGET_INFO_GPU(id, name, totalMemory, smCount, computeMajor, "           \
	"computeMinor, threadsPerWarp, maxWarpsPerSm);"                                         \
	"INSERT INTO TARGET_INFO_GPU VALUES(0, 'NVIDIA H100', 85899345920, 132, 9, 0, 32, 64)," \
	"(1, 'NVIDIA \"X\"', NULL, NULL, NULL, NULL, NULL, NULL);"                              \
	"CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs);"                              \
	"INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1700000000000000040);"               \
	"CREATE TABLE ANALYSIS_DETAILS(startTime);"                                             \
	"INSERT INTO ANALYSIS_DETAILS VALUES(40);"                                              \
	"CREATE TABLE TARGET_INFO_SYSTEM_ENV(name, value);"                                     \
	"INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES('Hostname', 'node1'), "                      \
	"('CudaDriverVersion', '12040');"                                                       \
	"CREATE TABLE ThreadNames(nameId, globalTid);"                                          \
	"INSERT INTO ThreadNames VALUES(9, " GLOBAL(10,                                         \
		11) ");"                                                                        \
		    "CREATE TABLE PROCESSES(globalPid, name);"                                  \
		    "INSERT INTO PROCESSES VALUES(" GLOBAL(10,                                  \
			    0) ", 'python3');"                                                  \
			       "CREATE TABLE OSRT_API(start); INSERT INTO OSRT_API VALUES(1), (2), (3);"

static void load(struct loaded *l, const char *sql, unsigned needs)
{
	struct loading how = { .needs = needs };
	SCOPED_STR file = { 0 };

	assert_true(made_database(&file, sql));
	loading_run(l, (struct span){ file.s, file.n }, &how);
	if (l->status != OK)
		fail_msg("%s", l->err.text);
}

/* The row of that name, of which there is one. */
static size_t row_of(const struct loaded *l, const char *name)
{
	size_t row = loading_row(l, name);

	if (row == SIZE_MAX)
		fail_msg("no row %s", name);
	return row;
}

static const struct lane *lane_of(const struct loaded *l, size_t row)
{
	return &l->run.lanes.lane[l->run.events.lane[row]];
}

static int64_t number(const struct loaded *l, enum arg arg, size_t row)
{
	return args_i64(&l->run.args, arg, l->run.events.args[row] - 1);
}

static void test_device_work(void **state)
{
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS DEVICE CALLS RANGES SYNCS MEMORY FACTS, 0);
	assert_int_equal(l.run.kind_count[KIND_KERNEL], 3);
	assert_int_equal(l.run.kind_count[KIND_MEMCPY], 2);
	assert_int_equal(l.run.kind_count[KIND_MEMSET], 1);
	row = row_of(&l, "void gemm<float>(int)");
	assert_int_equal(l.run.events.start[row], 120);
	assert_int_equal(l.run.events.dur[row], 30);
	assert_int_equal(lane_of(&l, row)->device, 0);
	assert_int_equal(lane_of(&l, row)->stream, 7);
	assert_int_equal(number(&l, ARG_DEVICE_REGISTERS, row), 40);
	assert_int_equal(number(&l, ARG_DEVICE_SHARED, row), 1040);
	row = row_of(&l, "gemm"); /* its long name's text is not there */
	assert_int_equal(lane_of(&l, row)->device, 1);
	assert_int_equal(number(&l, ARG_DEVICE_GRAPH_NODE, row), 5);
	row = row_of(&l, "Memcpy HtoD (Pinned -> Device)");
	assert_int_equal(number(&l, ARG_DEVICE_BYTES, row), 4096);
	assert_int_equal(number(&l, ARG_DEVICE_BYTES, row_of(&l, "Memcpy HtoD (Unified)")), 65536);
	assert_int_equal(number(&l, ARG_DEVICE_BYTES, row_of(&l, "Memset (Device)")), 64);
	row = row_of(&l, "CUDA graph 13");
	assert_int_equal(l.run.events.dur[row], 60);
	assert_int_equal(number(&l, ARG_DEVICE_GRAPH, row), 12);
	loading_release(&l);
}

static void test_calls(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, STRINGS CALLS, 0);
	assert_int_equal(l.run.kind_count[KIND_RUNTIME], 6);
	assert_int_equal(l.run.kind_count[KIND_OVERHEAD], 1);
	(void)row_of(&l, "cudaLaunchKernel");
	(void)row_of(&l, "cudaStreamGetCaptureInfo_v2");
	assert_int_equal(lane_of(&l, row_of(&l, "cudaMemcpyAsync"))->pid_number, 10);
	assert_int_equal(lane_of(&l, row_of(&l, "cudaMemcpyAsync"))->tid_number, 11);
	loading_release(&l);
}

/* Both processes count their calls from 1, and call their streams 7. */
static void test_launches_of_processes(void **state)
{
	struct loaded l;
	size_t row, launch;

	(void)state;
	load(&l, STRINGS DEVICE CALLS, LOADING_ALL | NEED_ORDER);
	assert_true(l.run.streams_of_processes);
	index_build(&l.run, NEED_LINKS | NEED_ORDER);
	row = row_of(&l, "gemm");
	launch = l.run.links->launch[l.run.events.args[row] - 1];
	assert_int_equal(l.run.events.start[launch], 105);
	row = row_of(&l, "void gemm<float>(int)");
	launch = l.run.links->launch[l.run.events.args[row] - 1];
	assert_int_equal(l.run.events.start[launch], 100);
	assert_int_equal(l.run.links->linked, 4);
	assert_int_equal(l.run.links->unlinked, 2); /* pages that moved, and a set without id */
	loading_release(&l);
}

static void test_no_other_process_launches(void **state)
{
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS DEVICE CALLS "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE start = 105;",
		LOADING_ALL | NEED_ORDER);
	index_build(&l.run, NEED_LINKS | NEED_ORDER);
	row = row_of(&l, "gemm");
	assert_int_equal(l.run.links->launch[l.run.events.args[row] - 1], NO_ROW);
	assert_int_equal(l.run.links->linked, 3);
	loading_release(&l);
}

static void test_ranges(void **state)
{
	struct loaded l;
	size_t row, side;

	(void)state;
	load(&l, STRINGS RANGES, 0);
	assert_int_equal(l.run.kind_count[KIND_OP], 1);
	assert_int_equal(l.run.kind_count[KIND_ANNOTATION], 3);
	assert_int_equal(l.run.kind_count[KIND_INSTANT], 1);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 1);
	assert_int_equal(l.run.tally.count[PROBLEM_NO_DURATION], 1);
	row = row_of(&l, "aten::mm");
	side = l.run.events.args[row] - 1;
	assert_int_equal(number(&l, ARG_OP_SEQUENCE, row), 4);
	assert_true(span_is(strings_get(&l.run.strings, args_sym(&l.run.args, ARG_OP_DIMS, side)),
		"[[2, 3], [3, 4]]"));
	row = row_of(&l, "registered");
	assert_int_equal(l.run.events.dur[row], 100);
	row = row_of(&l, "across");
	assert_true(span_is(strings_get(&l.run.strings, lane_of(&l, row)->tid), "NVTX"));
	assert_true(l.run.events.flags[row_of(&l, "never ends")] & EVENT_UNFINISHED);
	loading_release(&l);
}

/* The device of a wait is that of its context, its record that of its own process. */
static void test_syncs(void **state)
{
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS DEVICE SYNCS, 0);
	assert_int_equal(l.run.kind_count[KIND_SYNC], 2);
	row = row_of(&l, "Stream Wait Event");
	assert_int_equal(lane_of(&l, row)->device, 1);
	assert_int_equal(lane_of(&l, row)->stream, 8);
	assert_int_equal(number(&l, ARG_DEVICE_WAIT_STREAM, row), 7);
	assert_int_equal(number(&l, ARG_DEVICE_WAIT_CORRELATION, row), 55);
	row = row_of(&l, "Context Sync");
	assert_int_equal(lane_of(&l, row)->stream, -1);
	assert_int_equal(number(&l, ARG_DEVICE_WAIT_CORRELATION, row), ARG_UNKNOWN);
	loading_release(&l);
}

static void test_memory(void **state)
{
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS DEVICE MEMORY, 0);
	assert_int_equal(l.run.kind_count[KIND_MEMORY], 2);
	row = row_of(&l, "[memory]");
	assert_int_equal(number(&l, ARG_MEMORY_BYTES, row), 1000);
	assert_int_equal(number(&l, ARG_MEMORY_BYTES, row + 1), -1000);
	assert_int_equal(number(&l, ARG_MEMORY_ADDRESS, row), 4096);
	assert_int_equal(number(&l, ARG_MEMORY_ALLOCATED, row), ARG_UNKNOWN);
	loading_release(&l);
}

static void test_facts(void **state)
{
	const struct meta *m;
	struct loaded l;
	size_t i;
	bool said = false;

	(void)state;
	load(&l, STRINGS DEVICE CALLS FACTS, 0);
	m = &l.run.meta;
	assert_true(span_is(strings_get(&l.run.strings, m->producer), "Nsight Systems"));
	assert_int_equal(m->ngpu, 2);
	assert_true(span_is(strings_get(&l.run.strings, m->gpu[0].name), "NVIDIA H100"));
	assert_int_equal(m->gpu[0].memory_bytes, 85899345920);
	assert_int_equal(m->gpu[0].sms, 132);
	assert_int_equal(m->gpu[0].max_threads_per_sm, 2048);
	assert_true(span_is(strings_get(&l.run.strings, m->gpu[1].name), "NVIDIA \"X\""));
	assert_int_equal(m->gpu[1].sms, -1);
	assert_true(m->has_base);
	assert_int_equal(m->base_ns, 1700000000000000000);
	assert_true(span_is(strings_get(&l.run.strings, m->host_name), "node1"));
	assert_true(span_is(strings_get(&l.run.strings, m->cuda_driver), "12040"));
	for (i = 0; i < m->nentry; i++)
		said |= span_is(strings_get(&l.run.strings, m->entry[i].value), "OSRT_API (3)");
	assert_true(said);
	assert_true(span_is(strings_get(&l.run.strings,
				    lane_of(&l, row_of(&l, "cudaMemcpyAsync"))->thread_name),
		"pt_main_thread"));
	loading_release(&l);
}

/* One process: lanes are as Kineto's, and blocks per SM as Kineto works it out. */
static void test_one_process(void **state)
{
	struct loaded l;
	size_t row, side;

	(void)state;
	load(&l, STRINGS DEVICE FACTS "DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE deviceId = 1;",
		0);
	assert_false(l.run.streams_of_processes);
	row = row_of(&l, "void gemm<float>(int)");
	side = l.run.events.args[row] - 1;
	assert_int_equal(lane_of(&l, row)->pid_number, 0);
	assert_true(args_f64(&l.run.args, ARG_DEVICE_BLOCKS_PER_SM, side) == 4.0);
	loading_release(&l);
}

/* Two processes, each of which sees one device and calls it 0. */
static void test_devices_of_processes(void **state)
{
	struct loaded l;

	(void)state;
	load(&l,
		STRINGS DEVICE "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 0;"
			       "CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId, cudaId, pid);"
			       "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES(3, 0, 10), (5, 0, 20);",
		0);
	assert_int_equal(lane_of(&l, row_of(&l, "void gemm<float>(int)"))->device, 3);
	assert_int_equal(lane_of(&l, row_of(&l, "gemm"))->device, 5);
	loading_release(&l);
}

/* The report's own enums count, not NVIDIA's numbers of today. */
static void test_enums(void **state)
{
	struct loaded l;

	(void)state;
	load(&l,
		STRINGS DEVICE
		"CREATE TABLE ENUM_CUDA_MEM_KIND(id, name);"
		"INSERT INTO ENUM_CUDA_MEM_KIND VALUES(1, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE'), "
		"(2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE'), (-1, 'x'), (256, 'x');",
		0);
	(void)row_of(&l, "Memcpy HtoD (Pageable -> Device)");
	loading_release(&l);
}

/* What is there is named. */
static void test_nothing_to_read(void **state)
{
	struct loading how = { 0 };
	SCOPED_STR file = { 0 };
	struct loaded l;

	(void)state;
	assert_true(made_database(&file, STRINGS FACTS));
	loading_run(&l, (struct span){ file.s, file.n }, &how);
	assert_int_equal(l.status, E_NODATA);
	assert_non_null(strstr(l.err.text, "OSRT_API (3)"));
	assert_non_null(strstr(l.err.hint, "--trace=cuda,nvtx"));
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_work),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_launches_of_processes),
		cmocka_unit_test(test_no_other_process_launches),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_syncs),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_one_process),
		cmocka_unit_test(test_devices_of_processes),
		cmocka_unit_test(test_enums),
		cmocka_unit_test(test_nothing_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
