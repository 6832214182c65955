/* A database of Ascend's profiler, drawn by hand:
 *
 *	process 20, thread 21    |aten::mm (ids 7) ..|  |Enqueue|            |mark|
 *	process 20, thread 22         |launch 19|          |launch 20|  |hcom 30|
 *	device 3, stream 2               [MatMulV2 19)  [copy)  (wait)
 *	its communicator                                          [allReduce 30 ....)
 *	stream 5                                                   (part)(part)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/comm/commclass.h"
#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "tests/unit/loading.h"
#include "tests/unit/made_database.h"

/* pid, tid */
#define GLOBAL(pid, tid) "((" #pid "<<32)|" #tid ")"

#define STRINGS                                                                         \
	"CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT);"                  \
	"INSERT INTO STRING_IDS VALUES(1, 'MatMulV2'), (2, 'AI_CORE'), (3, 'launch'), " \
	"(4, 'EVENT_WAIT'), (5, 'MEMCPY_ASYNC'), (6, 'hcom_allReduce__428_0_1'), "      \
	"(7, 'hcom_allReduce_'), (8, 'dp'), (9, 'Notify_Wait'), (10, 'SDMA_SQE'), "     \
	"(268435456, 'aten::mm'), (268435457, 'Enqueue@aclnnMatmul'), (268435458, "     \
	"'2,3;3,4'), (268435459, 'a mark'), (268435460, 'ProfilerStep#3');"

#define TASKS                                                                               \
	"CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId " \
	"INTEGER, globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId "    \
	"INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);"                      \
	"INSERT INTO TASK VALUES(1120, 1150, 3, 19, 100, 20, 2, 4294967295, 2, 1, 0),"      \
	"(1160, 1170, 3, 4294967295, 101, 20, 5, 4294967295, 2, 2, 0),"                     \
	"(1170, 1200, 3, 4294967295, 102, 20, 4, 4294967295, 2, 3, 0),"                     \
	"(1180, 1190, 3, 30, 103, 20, 10, 4294967295, 5, 4, 0),"                            \
	"(1190, 1210, 3, 30, 104, 20, 10, 4294967295, 5, 5, 0),"                            \
	"('x', 1, 3, 0, 105, 20, 2, 0, 2, 6, 0);"                                           \
	"CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER PRIMARY KEY, "   \
	"opType INTEGER);"                                                                  \
	"INSERT INTO COMPUTE_TASK_INFO VALUES(1, 100, 1);"                                  \
	"CREATE TABLE MEMCPY_INFO(globalTaskId INTEGER, size INTEGER, memcpyOperation "     \
	"INTEGER);"                                                                         \
	"INSERT INTO MEMCPY_INFO VALUES(101, 4096, 1);"                                     \
	"CREATE TABLE COMMUNICATION_TASK_INFO(name INTEGER, globalTaskId INTEGER, opId "    \
	"INTEGER);"                                                                         \
	"INSERT INTO COMMUNICATION_TASK_INFO VALUES(9, 103, 1), (9, 104, 1);"

/* Enough to be known by. */
#define A_TASK                                                                              \
	"CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId " \
	"INTEGER, globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId "    \
	"INTEGER, streamId INTEGER, taskId INTEGER, modelId INTEGER);"                      \
	"INSERT INTO TASK VALUES(1120, 1150, 3, 19, 100, 20, 2, 4294967295, 2, 1, 0);"

#define COLLECTIVES                                                                          \
	"CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, "     \
	"connectionId INTEGER, groupName INTEGER, opId INTEGER PRIMARY KEY, relay INTEGER, " \
	"retry INTEGER, dataType INTEGER, algType INTEGER, count NUMERIC, opType INTEGER);"  \
	"INSERT INTO COMMUNICATION_OP VALUES(6, 1180, 1230, 30, 8, 1, 0, 0, 11, 0, 1000, 7);"

#define HOST                                                                                                                                       \
	"CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid "                                                           \
	"INTEGER, connectionId INTEGER PRIMARY KEY, name INTEGER);"                                                                                \
	"INSERT INTO CANN_API VALUES(1100, 1110, 10000, " GLOBAL(20,                                                                               \
		22) ", 19, 3),"                                                                                                                    \
		    "(1130, 1140, 10000, " GLOBAL(20,                                                                                              \
			    22) ", 20, 3),"                                                                                                        \
				"(1150, 1160, 5500, " GLOBAL(20,                                                                                   \
					22) ", 30, 7);"                                                                                            \
					    "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid INTEGER, "                               \
					    "connectionId INTEGER, name INTEGER, sequenceNumber INTEGER, fwdThreadId "                             \
					    "INTEGER, inputDtypes INTEGER, inputShapes INTEGER, callchainId INTEGER, type "                        \
					    "INTEGER);"                                                                                            \
					    "INSERT INTO PYTORCH_API VALUES('1080', '1105', " GLOBAL(                                              \
						    20,                                                                                            \
						    21) ", 7, 268435456, 4, NULL, NULL, 268435458, NULL, 50001),"                                  \
							"('1106', '1108', " GLOBAL(20,                                                             \
								21) ", 8, 268435457, NULL, NULL, NULL, NULL, "                                     \
								    "NULL, 50002);"                                                                \
								    "CREATE TABLE CONNECTION_IDS(id INTEGER, connectionId INTEGER);"               \
								    "INSERT INTO CONNECTION_IDS VALUES(7, 19), (7, 20), (8, 1);"                   \
								    "CREATE TABLE MSTX_EVENTS(startNs INTEGER, endNs INTEGER, eventType INTEGER, " \
								    "message INTEGER, globalTid INTEGER);"                                         \
								    "INSERT INTO MSTX_EVENTS VALUES(1200, 1210, 1, 268435459, " GLOBAL(            \
									    20, 21) ");"

#define FACTS                                                                         \
	"CREATE TABLE NPU_INFO(id INTEGER, name TEXT);"                               \
	"INSERT INTO NPU_INFO VALUES(3, 'Ascend910B'), (-1, 'none');"                 \
	"CREATE TABLE RANK_DEVICE_MAP(rankId INTEGER, deviceId INTEGER);"             \
	"INSERT INTO RANK_DEVICE_MAP VALUES(11, 3);"                                  \
	"CREATE TABLE HOST_INFO(hostUid TEXT, hostName TEXT);"                        \
	"INSERT INTO HOST_INFO VALUES('1', 'node1');"                                 \
	"CREATE TABLE OP_MEMORY(name INTEGER); INSERT INTO OP_MEMORY VALUES(1), (2);" \
	"CREATE TABLE STEP_TIME(id INTEGER, startNs INTEGER, endNs INTEGER);"         \
	"INSERT INTO STEP_TIME VALUES(5, 1080, 1300);"

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
	load(&l, STRINGS TASKS COLLECTIVES HOST FACTS, 0);
	assert_int_equal(l.run.kind_count[KIND_KERNEL], 2);
	assert_int_equal(l.run.kind_count[KIND_MEMCPY], 1);
	assert_int_equal(l.run.kind_count[KIND_SYNC], 1);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 1);
	row = row_of(&l, "MatMulV2");
	assert_int_equal(l.run.events.start[row], 1120);
	assert_int_equal(l.run.events.dur[row], 30);
	assert_int_equal(lane_of(&l, row)->device, 3);
	assert_int_equal(lane_of(&l, row)->stream, 2);
	assert_int_equal(number(&l, ARG_DEVICE_BYTES, row_of(&l, "Memcpy HtoD")), 4096);
	assert_int_equal(l.run.events.kind[row_of(&l, "EVENT_WAIT")], KIND_SYNC);
	loading_release(&l);
}

/* A collective is one piece of work, 2000 bytes of all reduced; its parts are not added. */
static void test_collectives(void **state)
{
	struct comm_call call;
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS TASKS COLLECTIVES HOST FACTS, LOADING_ALL | NEED_ORDER);
	index_build(&l.run, NEED_LINKS | NEED_ORDER);
	row = row_of(&l, "hcom_allReduce_");
	assert_int_equal(l.run.events.dur[row], 50);
	assert_int_equal(lane_of(&l, row)->device, 3);
	call = commclass_call(&l.run, (uint32_t)row);
	assert_int_equal(call.op, COMM_ALL_REDUCE);
	assert_int_equal(call.bytes, 2000);
	assert_true(span_is(strings_get(&l.run.strings, call.group), "dp"));
	loading_release(&l);
	load(&l, STRINGS TASKS, 0); /* no whole ones: the parts are the work */
	assert_int_equal(l.run.kind_count[KIND_KERNEL], 3);
	loading_release(&l);
}

/* The op is on another thread than the call: what ties it to the kernel are the ids it has. */
static void test_links(void **state)
{
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS TASKS COLLECTIVES HOST FACTS, LOADING_ALL | NEED_ORDER);
	index_build(&l.run, NEED_LINKS | NEED_ORDER);
	row = row_of(&l, "MatMulV2");
	assert_int_equal(launch_of_row(&l.run, (uint32_t)row), row_of(&l, "launch"));
	assert_int_equal(op_of_row(&l.run, (uint32_t)row), row_of(&l, "aten::mm"));
	row = row_of(&l, "hcom_allReduce_");
	assert_int_equal(l.run.events.start[launch_of_row(&l.run, (uint32_t)row)], 1150); /* its
	                                                                                     call */
	assert_int_equal(op_of_row(&l.run, (uint32_t)row), NO_ROW);
	assert_int_equal(l.run.links->linked, 2);
	assert_int_equal(l.run.links->unlinked, 1); /* the copy */
	loading_release(&l);
}

static void test_host(void **state)
{
	struct loaded l;
	size_t row;

	(void)state;
	load(&l, STRINGS HOST, 0);
	assert_int_equal(l.run.kind_count[KIND_RUNTIME], 3);
	assert_int_equal(l.run.kind_count[KIND_OP], 1);
	assert_int_equal(l.run.kind_count[KIND_OTHER], 1);
	assert_int_equal(l.run.kind_count[KIND_ANNOTATION], 1);
	row = row_of(&l, "aten::mm");
	assert_int_equal(l.run.events.start[row], 1080);
	assert_int_equal(l.run.events.dur[row], 25);
	assert_int_equal(lane_of(&l, row)->pid_number, 20);
	assert_int_equal(lane_of(&l, row)->tid_number, 21);
	assert_int_equal(number(&l, ARG_OP_SEQUENCE, row), 4);
	assert_true(span_is(strings_get(&l.run.strings,
				    args_sym(&l.run.args, ARG_OP_DIMS, l.run.events.args[row] - 1)),
		"2,3;3,4"));
	assert_int_equal(l.run.events.dur[row_of(&l, "a mark")], 10);
	loading_release(&l);
}

static bool says(const struct loaded *l, const char *value)
{
	const struct meta *m = &l->run.meta;

	return ANY(i, m->nentry, span_is(strings_get(&l->run.strings, m->entry[i].value), value));
}

static void test_facts(void **state)
{
	struct loaded l;
	const struct meta *m = &l.run.meta;

	(void)state;
	load(&l, STRINGS TASKS COLLECTIVES HOST FACTS, 0);
	assert_true(span_is(strings_get(&l.run.strings, m->producer), "Ascend (torch_npu)"));
	assert_int_equal(m->rank, 11);
	assert_int_equal(m->ngpu, 1);
	assert_int_equal(m->gpu[0].id, 3);
	assert_true(span_is(strings_get(&l.run.strings, m->gpu[0].name), "Ascend910B"));
	assert_true(span_is(strings_get(&l.run.strings, m->host_name), "node1"));
	assert_true(says(&l, "COMMUNICATION_TASK_INFO (2, parts of collectives), OP_MEMORY (2)"));
	loading_release(&l);
}

/* Steps are ops where one is; else those of STEP_TIME. */
static void test_steps(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, STRINGS HOST FACTS, 0);
	assert_int_equal(l.run.events.dur[row_of(&l, "ProfilerStep#5")], 220);
	loading_release(&l);
	load(&l, STRINGS HOST FACTS "UPDATE PYTORCH_API SET name = 268435460 WHERE type = 50001;",
		0);
	assert_int_equal(l.run.events.dur[row_of(&l, "ProfilerStep#3")], 25);
	assert_int_equal(loading_row(&l, "ProfilerStep#5"), SIZE_MAX);
	loading_release(&l);
}

/* Several ranks in one file are none; no rank is -1. */
static void test_ranks(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, STRINGS TASKS FACTS "INSERT INTO RANK_DEVICE_MAP VALUES(12, 4);", 0);
	assert_int_equal(l.run.meta.rank, -1);
	loading_release(&l);
	load(&l, STRINGS TASKS FACTS "UPDATE RANK_DEVICE_MAP SET rankId = -1;", 0);
	assert_int_equal(l.run.meta.rank, -1);
	loading_release(&l);
}

static void test_nothing_to_read(void **state)
{
	struct loading how = { 0 };
	SCOPED_STR file = { 0 };
	struct loaded l;

	(void)state;
	assert_true(made_database(
		&file, STRINGS FACTS TASKS "DELETE FROM TASK; DROP TABLE STEP_TIME;"));
	loading_run(&l, (struct span){ file.s, file.n }, &how);
	assert_int_equal(l.status, E_NODATA);
	assert_non_null(strstr(l.err.text, "without tasks, calls and ops"));
	loading_release(&l);
}

/* A file that ends at any byte is an answer or one clear error. */
static void ends_at_every_byte(const char *sql)
{
	struct loading how = { .needs = LOADING_ALL };
	SCOPED_STR file = { 0 };
	struct loaded l;

	assert_true(made_database(&file, sql));
	loading_run(&l, (struct span){ file.s, file.n }, &how);
	assert_int_equal(l.status, OK);
	loading_release(&l);
	for (size_t n = 0; n < file.n; n += loading_every()) {
		loading_run(&l, (struct span){ file.s, n }, &how);
		assert_true(l.status == OK || l.err.text[0]);
		loading_release(&l);
	}
}

/* In parts, whose files are small. */
static void test_cut(void **state)
{
	(void)state;
	ends_at_every_byte("PRAGMA page_size = 512;" STRINGS TASKS);
	ends_at_every_byte("PRAGMA page_size = 512;" STRINGS A_TASK COLLECTIVES FACTS);
	ends_at_every_byte("PRAGMA page_size = 512;" STRINGS A_TASK HOST);
}

/* So is one with a changed byte. */
static void test_changed(void **state)
{
	struct loading how = { .needs = LOADING_ALL };
	SCOPED_STR file = { 0 };
	uint64_t seed = 7;
	struct loaded l;

	(void)state;
	assert_true(made_database(
		&file, "PRAGMA page_size = 512;" STRINGS TASKS COLLECTIVES HOST FACTS));
	for (size_t i = 0; i < file.n; i += 13 * loading_every()) {
		char was = file.s[i];

		file.s[i] = (char)loading_random(&seed);
		loading_run(&l, (struct span){ file.s, file.n }, &how);
		assert_true(l.status == OK || l.err.text[0]);
		loading_release(&l);
		file.s[i] = was;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_work),
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_nothing_to_read),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
