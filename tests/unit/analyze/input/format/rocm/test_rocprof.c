/* rocprofv3's JSON: a document of each kind of record, its order, its end at every byte, damage.
 *
 *	host  77/78   hipLaunchKernel #5 [100, 140)   hipMemcpyAsync #6 [150, 170)
 *	      77/79   "step 1" [90, 900)              "here" at 500
 *	GPU 1, stream 3   add [200, 260)
 *	GPU 0, stream 0   HtoD [300, 350)   PtoP to GPU 1 [400, 420) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "analyze/trace/columns/args.h"
#include "tests/unit/loading.h"

#define AGENTS                                                                               \
	"\"agents\":[{\"id\":{\"handle\":10},\"type\":1,\"node_id\":0,"                      \
	"\"logical_node_type_id\":0,\"name\":\"EPYC\"},"                                     \
	"{\"id\":{\"handle\":11},\"type\":2,\"logical_node_type_id\":0,\"name\":\"gfx942\"," \
	"\"product_name\":\"AMD Instinct MI300X\",\"cu_count\":304,\"wave_front_size\":64,"  \
	"\"max_waves_per_cu\":32,\"lds_size_in_kb\":64,\"gfx_target_version\":90402,"        \
	"\"mem_banks\":[{\"size_in_bytes\":1000},{\"size_in_bytes\":24}]},"                  \
	"{\"id\":{\"handle\":12},\"type\":2,\"logical_node_type_id\":1,\"name\":\"gfx942\"," \
	"\"product_name\":\"\"}]"
#define STRINGS                                                                                   \
	"\"strings\":{\"callback_records\":[],\"buffer_records\":["                               \
	"{\"kind\":\"HIP_RUNTIME_API\",\"operations\":[\"hipLaunchKernel\",\"hipMemcpyAsync\"]}," \
	"{\"kind\":\"MARKER_CORE_RANGE_API\",\"operations\":[\"roctxThreadRangeA\"]},"            \
	"{\"kind\":\"MEMORY_COPY\",\"operations\":[\"MEMORY_COPY_NONE\","                         \
	"\"MEMORY_COPY_HOST_TO_DEVICE\",\"MEMORY_COPY_DEVICE_TO_DEVICE\"]}],"                     \
	"\"marker_api\":[{\"key\":7,\"value\":\"step \\u0031\"},{\"key\":8,\"value\":\"here\"}]}"
#define KERNELS                                                                 \
	"\"kernel_symbols\":[{\"kernel_id\":9,\"kernel_name\":\"_Z3addPf.kd\"," \
	"\"arch_vgpr_count\":12,\"accum_vgpr_count\":4,"                        \
	"\"formatted_kernel_name\":\"add(float*)\",\"demangled_kernel_name\":\"add(float*)\"}]"
#define RECORDS                                                                               \
	"\"buffer_records\":{\"kernel_dispatch\":[{\"kind\":11,\"operation\":2,"              \
	"\"thread_id\":78,\"correlation_id\":{\"internal\":5,\"external\":0},"                \
	"\"start_timestamp\":200,\"end_timestamp\":260,\"dispatch_info\":{\"size\":72,"       \
	"\"agent_id\":{\"handle\":12},\"queue_id\":{\"handle\":2},\"kernel_id\":9,"           \
	"\"dispatch_id\":1,\"private_segment_size\":0,\"group_segment_size\":512,"            \
	"\"workgroup_size\":{\"x\":64,\"y\":2,\"z\":1},"                                      \
	"\"grid_size\":{\"x\":130,\"y\":4,\"z\":1}},\"stream_id\":{\"handle\":3}}],"          \
	"\"hip_api\":[{\"kind\":0,\"operation\":0,\"thread_id\":78,"                          \
	"\"correlation_id\":{\"internal\":5},\"start_timestamp\":100,\"end_timestamp\":140}," \
	"{\"kind\":0,\"operation\":1,\"thread_id\":78,\"correlation_id\":{\"internal\":6},"   \
	"\"start_timestamp\":150,\"end_timestamp\":170}],"                                    \
	"\"marker_api\":[{\"kind\":1,\"operation\":0,\"thread_id\":79,"                       \
	"\"correlation_id\":{\"internal\":7},\"start_timestamp\":90,\"end_timestamp\":900},"  \
	"{\"kind\":1,\"operation\":0,\"thread_id\":79,\"correlation_id\":{\"internal\":8},"   \
	"\"start_timestamp\":500,\"end_timestamp\":500}],"                                    \
	"\"memory_copy\":[{\"kind\":2,\"operation\":1,\"correlation_id\":{\"internal\":6},"   \
	"\"start_timestamp\":300,\"end_timestamp\":350,\"dst_agent_id\":{\"handle\":11},"     \
	"\"src_agent_id\":{\"handle\":10},\"bytes\":4096,\"stream_id\":{\"handle\":0}},"      \
	"{\"kind\":2,\"operation\":2,\"correlation_id\":{\"internal\":0},"                    \
	"\"start_timestamp\":400,\"end_timestamp\":420,\"dst_agent_id\":{\"handle\":12},"     \
	"\"src_agent_id\":{\"handle\":11}}],\"pc_sample_host_trap\":[{\"a\":1},{\"a\":2}]}"
#define HOST \
	"\"metadata\":{\"node\":{\"hostname\":\"box\"},\"pid\":77,\"command\":[\"a.out\",\"-v\"]}"
#define BEGIN "{\"rocprofiler-sdk-tool\":[{"
#define END   "}]}\n"
#define WHOLE BEGIN HOST "," AGENTS "," STRINGS ",\"code_objects\":[]," KERNELS "," RECORDS END

static int64_t i64(const struct loaded *l, enum arg arg, size_t row)
{
	uint32_t at = l->run.events.args[row];

	return at ? args_i64(&l->run.args, arg, at - 1) : ARG_UNKNOWN;
}

static void check_lane(const struct loaded *l, size_t row, int64_t device, int64_t stream)
{
	const struct lane *lane = &l->run.lanes.lane[l->run.events.lane[row]];

	assert_true(lane->is_device);
	assert_int_equal(lane->device, device);
	assert_int_equal(lane->stream, stream);
}

static void check_time(const struct loaded *l, size_t row, enum kind kind, nsec start, nsec dur)
{
	assert_true(row < l->run.events.n);
	assert_int_equal(l->run.events.kind[row], kind);
	assert_int_equal(l->run.events.start[row], start);
	assert_int_equal(l->run.events.dur[row], dur);
}

static void check_kernel(const struct loaded *l)
{
	size_t row = loading_row(l, "add(float*)");
	uint32_t grid[3], block[3];

	check_time(l, row, KIND_KERNEL, 200, 60);
	check_lane(l, row, 1, 3);
	args_vec3(&l->run.args, ARG_DEVICE_GRID, l->run.events.args[row] - 1, grid);
	args_vec3(&l->run.args, ARG_DEVICE_BLOCK, l->run.events.args[row] - 1, block);
	assert_int_equal(grid[0], 3); /* 130 work-items in groups of 64 */
	assert_int_equal(grid[1], 2);
	assert_int_equal(grid[2], 1);
	assert_int_equal(block[0], 64);
	assert_int_equal(i64(l, ARG_DEVICE_REGISTERS, row), 16);
	assert_int_equal(i64(l, ARG_DEVICE_SHARED, row), 512);
}

static void check_events(const struct loaded *l)
{
	size_t row;

	check_kernel(l);
	check_time(l, loading_row(l, "hipLaunchKernel"), KIND_RUNTIME, 100, 40);
	check_time(l, loading_row(l, "hipMemcpyAsync"), KIND_RUNTIME, 150, 20);
	check_time(l, loading_row(l, "step 1"), KIND_ANNOTATION, 90, 810);
	row = loading_row(l, "Memcpy HtoD (Host -> Device)");
	check_time(l, row, KIND_MEMCPY, 300, 50);
	check_lane(l, row, 0, 0);
	assert_int_equal(i64(l, ARG_DEVICE_BYTES, row), 4096);
	row = loading_row(l, "Memcpy PtoP (Device -> Device)");
	check_time(l, row, KIND_MEMCPY, 400, 20);
	check_lane(l, row, 0, 0);
	assert_int_equal(i64(l, ARG_DEVICE_BYTES, row), ARG_UNKNOWN);
	assert_int_equal(l->run.events.n, 6);
	assert_int_equal(l->run.kind_count[KIND_INSTANT], 3); /* "here", and two samples */
	assert_int_equal(l->run.nevent, 9);
}

static void check_meta(const struct loaded *l)
{
	const struct meta *m = &l->run.meta;

	assert_true(span_is(strings_get(&l->run.strings, m->producer), "rocprofv3"));
	assert_true(span_is(strings_get(&l->run.strings, m->host_name), "box"));
	assert_int_equal(m->ngpu, 2);
	assert_true(span_is(strings_get(&l->run.strings, m->gpu[0].name), "AMD Instinct MI300X"));
	assert_int_equal(m->gpu[0].memory_bytes, 1024);
	assert_int_equal(m->gpu[0].sms, 304);
	assert_int_equal(m->gpu[0].major, 9);
	assert_int_equal(m->gpu[0].minor, 4);
	assert_int_equal(m->gpu[0].max_threads_per_sm, 2048);
	assert_int_equal(m->gpu[0].shared_per_sm, 65536);
	assert_true(span_is(strings_get(&l->run.strings, m->gpu[1].name), "gfx942"));
	assert_int_equal(m->gpu[1].memory_bytes, -1);
}

static void rocprof_document(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, WHOLE);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	assert_true(l.run.is_complete);
	check_events(&l);
	check_meta(&l);
	loading_release(&l);
}

static void rocprof_windows(void **state)
{
	struct loading how = { 0 };
	struct loaded l;
	uint64_t first;

	(void)state;
	loading_text(&l, WHOLE);
	first = l.digest;
	loading_release(&l);
	for (how.window_bytes = 64; how.window_bytes < 1024; how.window_bytes += 61)
		for (how.piece = 1; how.piece < 200; how.piece += 66) {
			loading_run(&l, span_of(WHOLE), &how);
			assert_int_equal(l.status, OK);
			assert_true(l.digest == first);
			loading_release(&l);
		}
}

/* Names behind the records, as a program that sorts keys writes them. */
static void rocprof_sorted(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, BEGIN AGENTS "," RECORDS "," KERNELS "," HOST "," STRINGS END);
	check_events(&l);
	check_meta(&l);
	loading_release(&l);
}

/* Two processes: their correlations are not each other's. */
static void rocprof_processes(void **state)
{
	static const char both[] =
		BEGIN HOST "," AGENTS "," STRINGS "," KERNELS "," RECORDS "},{" HOST "," AGENTS
			   "," STRINGS "," KERNELS "," RECORDS END;
	struct loaded l;
	size_t i, n = 0;
	uint32_t id[2] = { 0, 0 };

	(void)state;
	loading_text(&l, both);
	assert_int_equal(l.run.events.n, 12);
	assert_int_equal(l.run.meta.ngpu, 2);
	for (i = 0; i < l.run.events.n; i++)
		if (l.run.events.kind[i] == KIND_KERNEL)
			id[n++] =
				l.run.args.col[ARG_DEVICE_CORRELATION].id[l.run.events.args[i] - 1];
	assert_int_equal(n, 2);
	assert_true(id[0] != id[1]);
	loading_release(&l);
}

static void rocprof_cut(void **state)
{
	size_t n = strlen(WHOLE) - 1, k, most = 0;
	struct loading how = { .window_bytes = 500 };
	struct loaded l;

	(void)state;
	for (k = strlen(BEGIN); k < n; k++) {
		loading_run(&l, (struct span){ WHOLE, k }, &how);
		if (l.status == OK) {
			assert_int_equal(loading_problem(&l), PROBLEM_TRUNCATED_JSON);
			assert_true(l.run.events.n >= most);
			most = l.run.events.n;
		} else {
			assert_int_equal(l.status, E_TRUNCATED);
			assert_int_equal(most, 0);
			assert_non_null(strstr(l.err.text, "before the first record"));
			assert_int_equal(l.err.offset, k);
		}
		loading_release(&l);
	}
	assert_int_equal(most, 6);
}

static void expect_error(const char *text, enum status status, const char *word)
{
	struct loading how = { 0 };
	struct loaded l;

	loading_run(&l, span_of(text), &how);
	assert_int_equal(l.status, status);
	assert_non_null(strstr(l.err.text, word));
	loading_release(&l);
}

static void rocprof_damage(void **state)
{
	struct loaded l;

	(void)state;
	expect_error("{\"rocprofiler-sdk-tool\":7}", E_SYNTAX, "an array");
	expect_error("{\"rocprofiler-sdk-tool\":[3]}", E_SYNTAX, "an object");
	expect_error("{\"rocprofiler-sdk-tool\":[{\"agents\" 3}]}", E_SYNTAX, "':'");
	expect_error("{\"rocprofiler-sdk-tool\":[{agents:3}]}", E_SYNTAX, "name");
	expect_error("{\"rocprofiler-sdk-tool\":[{\"kernel_symbols\":[1}]}]}", E_SYNTAX, "']'");

	/* Records that say too little are left out, and counted. */
	loading_text(&l,
		BEGIN KERNELS
		"," STRINGS ",\"buffer_records\":{\"kernel_dispatch\":["
		"{\"start_timestamp\":1,\"end_timestamp\":2},"
		"{\"start_timestamp\":-5,\"end_timestamp\":2,\"dispatch_info\":{\"kernel_id\":9}},"
		"{\"start_timestamp\":99999999999999999999,\"end_timestamp\":2},"
		"[],{\"start_timestamp\":5,\"end_timestamp\":9,"
		"\"dispatch_info\":{\"kernel_id\":8}}]}" END);
	assert_int_equal(loading_problem(&l), PROBLEM_SKIPPED_RECORD);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 4);
	check_time(&l, loading_row(&l, "kernel_id 8"), KIND_KERNEL, 5, 4);
	loading_release(&l);

	loading_text(&l, BEGIN END " x");
	assert_int_equal(loading_problem(&l), PROBLEM_TRAILING_GARBAGE);
	loading_release(&l);
}

/* A dispatch whose counters were read is one, whether or not it is in the list of dispatches. */
static void rocprof_counters(void **state)
{
#define COUNTED                                                                                \
	"\"callback_records\":{\"counter_collection\":[{\"thread_id\":78,\"dispatch_data\":{"  \
	"\"correlation_id\":{\"internal\":5},\"start_timestamp\":200,\"end_timestamp\":260,"   \
	"\"dispatch_info\":{\"agent_id\":{\"handle\":12},\"kernel_id\":9,\"dispatch_id\":1}}," \
	"\"records\":[{\"counter_id\":{\"handle\":3},\"value\":1.5}]}]}"
	struct loaded l;

	(void)state;
	loading_text(&l, BEGIN AGENTS "," STRINGS "," KERNELS "," COUNTED END);
	assert_int_equal(l.run.events.n, 1);
	check_time(&l, loading_row(&l, "add(float*)"), KIND_KERNEL, 200, 60);
	loading_release(&l);
	loading_text(&l, BEGIN AGENTS "," STRINGS "," KERNELS "," COUNTED "," RECORDS END);
	assert_int_equal(l.run.kind_count[KIND_KERNEL], 1);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rocprof_document),
		cmocka_unit_test(rocprof_windows),
		cmocka_unit_test(rocprof_sorted),
		cmocka_unit_test(rocprof_processes),
		cmocka_unit_test(rocprof_cut),
		cmocka_unit_test(rocprof_damage),
		cmocka_unit_test(rocprof_counters),
	};

	return cmocka_run_group_tests_name("rocprof", tests, NULL, NULL);
}
