/* rocprofv3's CSVs: each table by itself, what versions and other writers change, the torn last
 * line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/args.h"
#include "tests/unit/loading.h"

#define KERNELS                                                                                   \
	"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\","         \
	"\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"," \
	"\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\"," \
	"\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\","         \
	"\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
#define KERNEL                                                                                      \
	"\"KERNEL_DISPATCH\",\"GPU 1\",2,3,78,1,9,\"add<int, 2>(float*)\",5,200,260,512,0,12,4,32," \
	"64,2,1,130,4,1\n"
#define CALLS                                                                      \
	"\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\"," \
	"\"Start_Timestamp\",\"End_Timestamp\"\n"

static void check_row(
	const struct loaded *l, const char *name, enum kind kind, nsec start, nsec dur)
{
	size_t row = loading_row(l, name);

	assert_true(row < l->run.events.n);
	assert_int_equal(l->run.events.kind[row], kind);
	assert_int_equal(l->run.events.start[row], start);
	assert_int_equal(l->run.events.dur[row], dur);
}

static const struct lane *lane_of(const struct loaded *l, const char *name)
{
	return &l->run.lanes.lane[l->run.events.lane[loading_row(l, name)]];
}

static void csv_kernels(void **state)
{
	struct loaded l;
	uint32_t grid[3];

	(void)state;
	loading_text(&l, KERNELS KERNEL);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	check_row(&l, "add<int, 2>(float*)", KIND_KERNEL, 200, 60);
	assert_int_equal(lane_of(&l, "add<int, 2>(float*)")->device, 1);
	assert_int_equal(lane_of(&l, "add<int, 2>(float*)")->stream, 3);
	args_vec3(&l.run.args, ARG_DEVICE_GRID, l.run.events.args[0] - 1, grid);
	assert_int_equal(grid[0], 3);
	assert_int_equal(grid[1], 2);
	assert_int_equal(args_i64(&l.run.args, ARG_DEVICE_REGISTERS, l.run.events.args[0] - 1), 16);
	assert_int_equal(args_i64(&l.run.args, ARG_DEVICE_SHARED, l.run.events.args[0] - 1), 512);
	loading_release(&l);
}

/* Columns of the first versions; the database's own export, which begins with a GUID; CRLF. */
static void csv_others(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\",\"Correlation_Id\","
		"\"Start_Timestamp\",\"End_Timestamp\",\"Private_Segment_Size\",\"Group_Segment_Size\","
		"\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\",\"Grid_Size_X\","
		"\"Grid_Size_Y\",\"Grid_Size_Z\"\r\n"
		"\"KERNEL_DISPATCH\",4,7,9,\"old\",0,10,30,0,64,64,1,1,64,1,1\r\n");
	check_row(&l, "old", KIND_KERNEL, 10, 20);
	assert_int_equal(lane_of(&l, "old")->device, 4);
	assert_int_equal(lane_of(&l, "old")->stream, 7); /* queues, where nobody says streams */
	assert_int_equal(args_i64(&l.run.args, ARG_DEVICE_SHARED, l.run.events.args[0] - 1), 64);
	loading_release(&l);
	loading_text(&l,
		"Guid,Kind,Agent_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_Timestamp\n"
		"0198,KERNEL_DISPATCH,Agent 4,f<a, b>(int),3,10,11\n");
	check_row(&l, "f<a, b>(int)", KIND_KERNEL, 10, 1);
	loading_release(&l);
}

/* rocprof 1 and 2: other headings, sizes of all dimensions together, names with commas. */
static void csv_older(void **state)
{
	static const char *const files[] = {
		"\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\","
		"\"grd\",\"wgr\",\"lds\",\"scr\",\"vgpr\",\"sgpr\",\"fbar\",\"sig\",\"obj\","
		"\"DispatchNs\",\"BeginNs\",\"EndNs\",\"CompleteNs\",\"DurationNs\"\n"
		"0,\"add<int, 2>(float*) [clone .kd]\",1,2,0,77,78,1024,256,512,0,12,16,0,0x0,0x7f,90,"
		"100,160,170,60\n",
		"Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,"
		"Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,"
		"End_Timestamp,Correlation_ID,SQ_WAVES\n"
		"1,1,2,77,78,1024,256,512,0,12,0,16,64,\"add<int, 2>(float*) [clone .kd]\",100,160,3,"
		"16\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct loaded l;
		uint32_t grid[3];

		loading_text(&l, files[i]);
		check_row(&l, "add<int, 2>(float*) [clone .kd]", KIND_KERNEL, 100, 60);
		assert_int_equal(lane_of(&l, "add<int, 2>(float*) [clone .kd]")->device, 1);
		assert_int_equal(lane_of(&l, "add<int, 2>(float*) [clone .kd]")->stream, 2);
		args_vec3(&l.run.args, ARG_DEVICE_GRID, l.run.events.args[0] - 1, grid);
		assert_int_equal(grid[0], 4);
		assert_int_equal(grid[1], 1);
		assert_int_equal(
			args_i64(&l.run.args, ARG_DEVICE_SHARED, l.run.events.args[0] - 1), 512);
		assert_true(span_is(strings_get(&l.run.strings, l.run.meta.producer),
			i == 0 ? "rocprof" : "rocprofv3"));
		loading_release(&l);
		for (size_t n = 1; n < strlen(files[i]); n++) { /* cut anywhere */
			loading_run(&l, (struct span){ files[i], n }, &(struct loading){ 0 });
			loading_release(&l);
		}
	}
}

static void csv_calls(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		CALLS "\"HIP_RUNTIME_API_EXT\",\"hipLaunchKernel\",77,78,5,100,140\n"
		      "\"HSA_CORE_API\",\"hsa_signal_store\",77,78,6,110,111\n"
		      "\"MARKER_CORE_RANGE_API\",\"my, range\",77,78,7,90,900\n"
		      "\"MARKER_CORE_RANGE_API\",\"roctxGetThreadId\",77,78,8,901,902\n"
		      "\"RCCL_API\",\"ncclAllReduce\",77,78,9,903,904\n");
	check_row(&l, "hipLaunchKernel", KIND_RUNTIME, 100, 40);
	check_row(&l, "hsa_signal_store", KIND_RUNTIME, 110, 1);
	check_row(&l, "my, range", KIND_ANNOTATION, 90, 810);
	check_row(&l, "roctxGetThreadId", KIND_OTHER, 901, 1);
	check_row(&l, "ncclAllReduce", KIND_OTHER, 903, 1);
	assert_int_equal(lane_of(&l, "my, range")->pid_number, 77);
	assert_int_equal(lane_of(&l, "my, range")->tid_number, 78);
	loading_release(&l);
}

static void csv_copies(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"\"Kind\",\"Direction\",\"Stream_Id\",\"Source_Agent_Id\",\"Destination_Agent_Id\","
		"\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
		"\"MEMORY_COPY\",\"MEMORY_COPY_HOST_TO_DEVICE\",1,\"Agent 0\",\"Agent 4\",5,10,20\n"
		"\"MEMORY_COPY\",\"DEVICE_TO_HOST\",1,\"Agent 5\",\"Agent 0\",6,30,50\n");
	check_row(&l, "Memcpy HtoD (Host -> Device)", KIND_MEMCPY, 10, 10);
	assert_int_equal(lane_of(&l, "Memcpy HtoD (Host -> Device)")->device, 4);
	check_row(&l, "Memcpy DtoH (Device -> Host)", KIND_MEMCPY, 30, 20);
	assert_int_equal(lane_of(&l, "Memcpy DtoH (Device -> Host)")->device, 5);
	loading_release(&l);
}

/* A row for each counter of a dispatch, which is one event. */
static void csv_counters(void **state)
{
	static const char table[] =
		"\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Kernel_Name\",\"Counter_Name\","
		"\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n"
		"1,1,\"Agent 4\",\"f\",\"SQ_WAVES\",64,10,20\n"
		"1,1,\"Agent 4\",\"f\",\"GRBM_COUNT\",9,10,20\n"
		"2,2,\"Agent 4\",\"f\",\"SQ_WAVES\",64,30,40\n";
	struct loaded l;

	(void)state;
	loading_text(&l, table);
	assert_int_equal(l.run.kind_count[KIND_KERNEL], 2);
	assert_int_equal(l.run.kind_count[KIND_INSTANT], 3);
	loading_release(&l);
}

static void csv_agents(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"\"Node_Id\",\"Logical_Node_Id\",\"Agent_Type\",\"Lds_Size_In_Kb\",\"Wave_Front_Size\","
		"\"Cu_Count\",\"Gfx_Target_Version\",\"Max_Waves_Per_Cu\",\"Name\",\"Product_Name\"\n"
		"0,0,\"CPU\",0,0,128,0,0,\"EPYC\",\"EPYC\"\n"
		"1,1,\"GPU\",64,64,304,90402,32,\"gfx942\",\"AMD Instinct MI300X\"\n");
	assert_int_equal(l.run.meta.ngpu, 1);
	assert_int_equal(l.run.meta.gpu[0].sms, 304);
	assert_int_equal(l.run.meta.gpu[0].max_threads_per_sm, 2048);
	assert_int_equal(l.run.events.n, 0);
	loading_release(&l);
}

/* At every byte behind the heading: rows before the cut, and a word unless a row ends there. */
static void csv_cut(void **state)
{
	static const char text[] = KERNELS KERNEL KERNEL;
	size_t from = strlen(KERNELS), k;

	(void)state;
	for (k = from; k <= strlen(text); k++) {
		struct loading how = { .window_bytes = 64, .piece = 50 };
		size_t rows = k < from + strlen(KERNEL) ? 0 : 1 + (k == strlen(text));
		struct loaded l;

		loading_run(&l, (struct span){ text, k }, &how);
		assert_int_equal(l.status, OK);
		if (l.run.tally.count[PROBLEM_TRUNCATED_TRACE])
			assert_false(l.run.is_complete);
		else
			assert_true(l.run.events.n >= rows); /* a number may be cut unseen */
		assert_true(l.run.events.n <= rows + 1);
		loading_release(&l);
	}
}

static void csv_damage(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		CALLS "\"HIP\",\"a\",1,2,3,x,5\n\"HIP\",\"b\",1\n\n"
		      "\"HIP\",\"c\",1,2,3,4,5\n\"HIP\",\"d\",1,2,3,9,5\n");
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 2);
	assert_int_equal(l.run.tally.count[PROBLEM_NEGATIVE_DURATION], 1);
	check_row(&l, "c", KIND_OTHER, 4, 1);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_older),
		cmocka_unit_test(csv_kernels),
		cmocka_unit_test(csv_others),
		cmocka_unit_test(csv_calls),
		cmocka_unit_test(csv_copies),
		cmocka_unit_test(csv_counters),
		cmocka_unit_test(csv_agents),
		cmocka_unit_test(csv_cut),
		cmocka_unit_test(csv_damage),
	};

	return cmocka_run_group_tests_name("rocprof_csv", tests, NULL, NULL);
}
