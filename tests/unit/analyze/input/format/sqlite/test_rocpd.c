/* rocpd, drawn by hand: a process with tables of versions 3 and 4, two processes, what is missing.
 *
 *	thread 78   hipLaunchKernel #5 [100, 140)   "aten::mm, seq = 4" [90, 900)   "here" at 500
 *	GPU 1, stream 3   add [200, 260)
 *	GPU 0, stream 0   HtoD [300, 350) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/args.h"
#include "tests/unit/loading.h"
#include "tests/unit/made_database.h"

#define NAMES(u)                                                                                       \
	"CREATE TABLE rocpd_string" u "(id INTEGER PRIMARY KEY, string TEXT);"                         \
	"INSERT INTO rocpd_string" u " VALUES(1, 'HIP_RUNTIME_API_EXT'), (2, 'hipLaunchKernel'),"      \
	"(3, 'KERNEL_DISPATCH'), (4, 'MEMORY_COPY_HOST_TO_DEVICE'),"                                   \
	"(5, 'MARKER_CORE_RANGE_API'), (6, 'roctxThreadRangeA');"                                      \
	"CREATE TABLE rocpd_info_node" u "(id INTEGER PRIMARY KEY, hash, hostname TEXT);"              \
	"CREATE TABLE rocpd_info_process" u "(id INTEGER PRIMARY KEY, nid, pid, command TEXT);"        \
	"INSERT INTO rocpd_info_process" u " VALUES(77, 1, 77, '/opt/a.out -v');"                      \
	"CREATE TABLE rocpd_info_thread" u "(id INTEGER PRIMARY KEY, pid, tid, name TEXT);"            \
	"INSERT INTO rocpd_info_thread" u " VALUES(1, 77, 78, 'main');"                                \
	"CREATE TABLE rocpd_info_agent" u                                                              \
	"(id INTEGER PRIMARY KEY, type TEXT, type_index, name TEXT, product_name TEXT, extdata TEXT);" \
	"INSERT INTO rocpd_info_agent" u " VALUES(0, 'CPU', 0, 'EPYC', '', '{}'),"                     \
	"(1, 'GPU', 0, 'gfx942', 'AMD Instinct MI300X', "                                              \
	"'{\"product_name\": \"AMD Instinct MI300X\", \"cu_count\": 304}'),"                           \
	"(2, 'GPU', 1, 'gfx942', '', '{}');"                                                           \
	"CREATE TABLE rocpd_info_kernel_symbol" u                                                      \
	"(id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT, arch_vgpr_count, "              \
	"accum_vgpr_count);"                                                                           \
	"INSERT INTO rocpd_info_kernel_symbol" u " VALUES(9, '_Z3addPf', 'add(float*)', 12, 4);"
#define NODE(u, hash) "INSERT INTO rocpd_info_node" u " VALUES(1, " hash ", 'box');"

/* Of version 3: whose a row is stands in it. */
#define RECORDS_3(u)                                                                                     \
	"CREATE TABLE rocpd_event" u                                                                     \
	"(id INTEGER PRIMARY KEY, category_id, stack_id, extdata TEXT);"                                 \
	"INSERT INTO rocpd_event" u " VALUES(1, 1, 5, '{}'), (2, 3, 5, '{}'), (3, NULL, 6, '{}'),"       \
	"(4, 5, 7, '{\"message\": \"aten::mm, seq = 4\"}'), (5, 5, 8, '{\"message\": \"h\\u0065re\"}');" \
	"CREATE TABLE rocpd_region" u                                                                    \
	"(id INTEGER PRIMARY KEY, pid, tid, start, \"end\", name_id, event_id);"                         \
	"INSERT INTO rocpd_region" u                                                                     \
	" VALUES(1, 77, 1, 100, 140, 2, 1), (2, 77, 1, 90, 900, 6, 4);"                                  \
	"CREATE TABLE rocpd_track" u "(id INTEGER PRIMARY KEY, pid, tid, name_id);"                      \
	"INSERT INTO rocpd_track" u " VALUES(1, 77, 1, 5);"                                              \
	"CREATE TABLE rocpd_sample" u "(id INTEGER PRIMARY KEY, track_id, timestamp, event_id);"         \
	"INSERT INTO rocpd_sample" u " VALUES(1, 1, 500, 5), (2, 1, 501, 1);"                            \
	"CREATE TABLE rocpd_kernel_dispatch" u                                                           \
	"(id INTEGER PRIMARY KEY, pid, tid, agent_id, kernel_id, queue_id, stream_id, start, \"end\", "  \
	"group_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, "        \
	"grid_size_y, grid_size_z, event_id);"                                                           \
	"INSERT INTO rocpd_kernel_dispatch" u                                                            \
	" VALUES(1, 77, 1, 2, 9, 1, 3, 200, 260, 512, 64, 2, 1, 130, 4, 1, 2);"                          \
	"CREATE TABLE rocpd_memory_copy" u                                                               \
	"(id INTEGER PRIMARY KEY, pid, start, \"end\", name_id, dst_agent_id, src_agent_id, size, "      \
	"stream_id, event_id);"                                                                          \
	"INSERT INTO rocpd_memory_copy" u " VALUES(1, 77, 300, 350, 4, 1, 0, 4096, 0, 3);"

/* Of version 4: a track says it, and categories have a table. */
#define RECORDS_4(u)                                                                               \
	"CREATE TABLE rocpd_info_category" u "(id INTEGER PRIMARY KEY, name TEXT);"                \
	"INSERT INTO rocpd_info_category" u                                                        \
	" VALUES(1, 'HIP_RUNTIME_API_EXT'), (2, 'MARKER_CORE_RANGE_API');"                         \
	"CREATE TABLE rocpd_event" u                                                               \
	"(id INTEGER PRIMARY KEY, category_id, stack_id, extdata TEXT);"                           \
	"INSERT INTO rocpd_event" u                                                                \
	" VALUES(1, 1, 5, '{}'), (2, NULL, 5, '{}'), (3, NULL, 6, '{}'),"                          \
	"(4, 2, 7, '{\"message\": \"aten::mm, seq = 4\"}'), (5, 2, 8, '{\"message\": \"here\"}');" \
	"CREATE TABLE rocpd_track" u                                                               \
	"(id INTEGER PRIMARY KEY, pid, tid, agent_id, queue_id, stream_id);"                       \
	"INSERT INTO rocpd_track" u " VALUES(1, 77, 1, NULL, NULL, NULL), (2, 77, 1, 2, 1, 3),"    \
	"(3, 77, 1, NULL, NULL, 0);"                                                               \
	"CREATE TABLE rocpd_region" u                                                              \
	"(id INTEGER PRIMARY KEY, track_id, name_id, start, \"end\", event_id);"                   \
	"INSERT INTO rocpd_region" u " VALUES(1, 1, 2, 100, 140, 1), (2, 1, 6, 90, 900, 4);"       \
	"CREATE TABLE rocpd_sample" u                                                              \
	"(id INTEGER PRIMARY KEY, track_id, name_id, timestamp, event_id);"                        \
	"INSERT INTO rocpd_sample" u " VALUES(1, 1, 6, 500, 5);"                                   \
	"CREATE TABLE rocpd_kernel_dispatch" u                                                     \
	"(id INTEGER PRIMARY KEY, track_id, kernel_id, start, \"end\", group_segment_size, "       \
	"workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, "         \
	"grid_size_z, event_id);"                                                                  \
	"INSERT INTO rocpd_kernel_dispatch" u                                                      \
	" VALUES(1, 2, 9, 200, 260, 512, 64, 2, 1, 130, 4, 1, 2);"                                 \
	"CREATE TABLE rocpd_memory_copy" u                                                         \
	"(id INTEGER PRIMARY KEY, track_id, start, \"end\", name_id, dst_agent_id, src_agent_id, " \
	"size, event_id);"                                                                         \
	"INSERT INTO rocpd_memory_copy" u " VALUES(1, 3, 300, 350, 4, 1, 0, 4096, 3);"

static void load_sql(struct loaded *l, const char *sql)
{
	struct loading how = { 0 };
	SCOPED_STR file = { 0 };

	assert_true(made_database(&file, sql));
	loading_run(l, (struct span){ file.s, file.n }, &how);
}

static void check_row(
	const struct loaded *l, const char *name, enum kind kind, nsec start, nsec dur)
{
	size_t row = loading_row(l, name);

	assert_true(row < l->run.events.n);
	assert_int_equal(l->run.events.kind[row], kind);
	assert_int_equal(l->run.events.start[row], start);
	assert_int_equal(l->run.events.dur[row], dur);
}

static void check_place(const struct loaded *l, const char *name, int64_t device, int64_t stream)
{
	const struct lane *lane = &l->run.lanes.lane[l->run.events.lane[loading_row(l, name)]];

	assert_int_equal(lane->device, device);
	assert_int_equal(lane->stream, stream);
}

static int64_t i64(const struct loaded *l, enum arg arg, const char *name)
{
	return args_i64(&l->run.args, arg, l->run.events.args[loading_row(l, name)] - 1);
}

static void check_all(const struct loaded *l)
{
	assert_int_equal(l->status, OK);
	assert_int_equal(loading_problem(l), PROBLEM_COUNT);
	check_row(l, "add(float*)", KIND_KERNEL, 200, 60);
	check_place(l, "add(float*)", 1, 3);
	assert_int_equal(i64(l, ARG_DEVICE_REGISTERS, "add(float*)"), 16);
	assert_int_equal(i64(l, ARG_DEVICE_SHARED, "add(float*)"), 512);
	check_row(l, "hipLaunchKernel", KIND_RUNTIME, 100, 40);
	check_row(l, "aten::mm", KIND_OP, 90, 810);
	assert_int_equal(i64(l, ARG_OP_SEQUENCE, "aten::mm"), 4);
	check_row(l, "Memcpy HtoD (Host -> Device)", KIND_MEMCPY, 300, 50);
	check_place(l, "Memcpy HtoD (Host -> Device)", 0, 0);
	assert_int_equal(i64(l, ARG_DEVICE_BYTES, "Memcpy HtoD (Host -> Device)"), 4096);
	assert_int_equal(l->run.events.n, 4);
	assert_int_equal(l->run.meta.ngpu, 2);
	assert_int_equal(l->run.meta.gpu[0].sms, 304);
	assert_true(span_is(strings_get(&l->run.strings, l->run.meta.gpu[1].name), "gfx942"));
}

static void rocpd_versions(void **state)
{
	struct loaded l;

	(void)state;
	load_sql(&l, NAMES("_a") NODE("_a", "5") RECORDS_3("_a"));
	check_all(&l);
	/* The mark, and a call without a duration, which has no name. */
	assert_int_equal(l.run.kind_count[KIND_INSTANT], 2);
	loading_release(&l);
	load_sql(&l, NAMES("") NODE("", "5") RECORDS_4(""));
	check_all(&l);
	loading_release(&l);
}

/* On one node the GPUs are the same, on two they are others; calls are never each other's. */
static void rocpd_processes(void **state)
{
	struct loaded l;
	uint32_t id[2] = { 0, 0 };
	size_t i, n = 0;

	(void)state;
	load_sql(&l,
		NAMES("_a") NODE("_a", "5") RECORDS_3("_a") NAMES("_b") NODE("_b", "5")
			RECORDS_4("_b"));
	assert_int_equal(l.run.events.n, 8);
	assert_int_equal(l.run.meta.ngpu, 2);
	for (i = 0; i < l.run.events.n; i++)
		if (l.run.events.kind[i] == KIND_KERNEL && n < 2)
			id[n++] =
				l.run.args.col[ARG_DEVICE_CORRELATION].id[l.run.events.args[i] - 1];
	assert_int_equal(n, 2);
	assert_true(id[0] != id[1]);
	loading_release(&l);
	load_sql(&l,
		NAMES("_a") NODE("_a", "5") RECORDS_3("_a") NAMES("_b") NODE("_b", "6")
			RECORDS_3("_b"));
	assert_int_equal(l.run.meta.ngpu, 4);
	loading_release(&l);
}

/* Tables, columns and rows that are missing or hold something else. */
static void rocpd_odd(void **state)
{
	struct loaded l;

	(void)state;
	load_sql(&l, NAMES("_a"));
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.events.n, 0);
	loading_release(&l);
	load_sql(&l,
		"CREATE TABLE rocpd_info_node_a(id INTEGER PRIMARY KEY);"
		"CREATE TABLE rocpd_kernel_dispatch_a(id INTEGER PRIMARY KEY, start, \"end\");"
		"INSERT INTO rocpd_kernel_dispatch_a VALUES(1, 5, 9), (2, NULL, 9), (3, -4, 9),"
		"(4, 9223372036854775807, 0), (5, 'x', x'00');"
		"CREATE TABLE rocpd_region_a(id INTEGER PRIMARY KEY, start, \"end\", name_id);"
		"INSERT INTO rocpd_region_a VALUES(1, 3, 4, 88);");
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 2);
	check_row(&l, "kernel_id -1", KIND_KERNEL, 5, 4);
	check_row(&l, "name 88", KIND_OTHER, 3, 1);
	loading_release(&l);
}

/* What is no rocpd of the profiler: an older tool's tables of the same prefix, views alone. */
static void rocpd_others(void **state)
{
	static const char *const others[] = {
		"CREATE TABLE rocpd_string(id, string); CREATE TABLE rocpd_api(id, start);",
		"CREATE TABLE x(id); CREATE VIEW rocpd_info_node AS SELECT * FROM x;",
	};
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct loaded l;

		load_sql(&l, others[i]);
		assert_int_equal(l.status, E_FORMAT);
		loading_release(&l);
	}
}

/* At every cut of the file, and with a byte changed, there is a run or an error. */
static void rocpd_damage(void **state)
{
	struct loading how = { .needs = NEED_LINKS };
	SCOPED_STR file = { 0 };
	uint64_t seed = 7;
	size_t k;

	(void)state;
	assert_true(made_database(&file, NAMES("_a") NODE("_a", "5") RECORDS_3("_a")));
	if (!file.s) /* which it is not */
		return;
	for (k = 16; k < file.n; k += 997) {
		struct loaded l;

		loading_run(&l, (struct span){ file.s, k }, &how);
		if (l.status != OK)
			assert_true(l.err.text[0]);
		loading_release(&l);
	}
	for (k = 0; k < 200; k++) {
		size_t at = 16 + loading_random(&seed) % (file.n - 16);
		char was = file.s[at];
		struct loaded l;

		file.s[at] = (char)loading_random(&seed);
		loading_run(&l, (struct span){ file.s, file.n }, &how);
		if (l.status != OK)
			assert_true(l.err.text[0]);
		loading_release(&l);
		file.s[at] = was;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rocpd_versions),
		cmocka_unit_test(rocpd_processes),
		cmocka_unit_test(rocpd_odd),
		cmocka_unit_test(rocpd_others),
		cmocka_unit_test(rocpd_damage),
	};

	return cmocka_run_group_tests_name("rocpd", tests, NULL, NULL);
}
