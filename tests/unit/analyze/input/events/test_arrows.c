/* Arrows tie calls and ops to work where no correlation id does: Ascend's two kinds of them,
 * unitrace's with a category each, rocprof's, whose ends lie on thread 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "tests/unit/loading.h"

#define X(cat, name, pid, tid, ts, dur)                                             \
	"{\"ph\":\"X\"," cat "\"name\":\"" name "\",\"pid\":" #pid ",\"tid\":" #tid \
	",\"ts\":\"" #ts "\",\"dur\":" #dur "},"
#define ARROW(ph, cat, name, id, pid, tid, ts)                                      \
	"{\"ph\":\"" #ph "\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"id\":" #id \
	",\"pid\":" #pid ",\"tid\":" #tid ",\"ts\":\"" #ts "\"},"
#define PROCESS(pid, name)                                                                    \
	"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" #pid ",\"args\":{\"name\":\"" name \
	"\"}},"
#define STREAM(pid, tid)                                                        \
	"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" #pid ",\"tid\":" #tid \
	",\"args\":{\"name\":"                                                  \
	"\"Stream " #tid "\"}},"
#define CPU "\"cat\":\"cpu_op\","

static void load(struct loaded *l, const char *text)
{
	loading_text(l, text);
	index_build(&l->run, NEED_ORDER | NEED_LINKS);
}

static bool is(const struct loaded *l, uint32_t row, const char *name)
{
	return row == NO_ROW ? name == NULL : name && span_is(run_name(&l->run, row), name);
}

/* Both of the work of that name, "" and so on; NULL: there is none. */
static void assert_tied(const struct loaded *l, const char *work, const char *call, const char *op)
{
	size_t row = loading_row(l, work);

	assert_true(row != SIZE_MAX);
	assert_true(is(l, launch_of_row(&l->run, (uint32_t)row), call));
	assert_true(is(l, op_of_row(&l->run, (uint32_t)row), op));
}

/*
 *	python   aten::mm [10    20)   aten::add [30   40)
 *	CANN       launch   [12 14)    launch       [32 34)
 *	stream 2                  [21 mm 25)          [36 add 39)  [50 lost 51)
 *	overlap                   [21 Computing          39)
 *
 * The launch lies on a thread of CANN, in no op: the other arrow says which op the work is of.
 */
static const char ascend[] = "[" PROCESS(9, "Ascend Hardware") STREAM(9, 2) PROCESS(
	8, "CANN") PROCESS(7, "python") PROCESS(6, "Overlap Analysis") X(CPU, "aten::mm", 7, 1, 10,
	10) X(CPU, "aten::add", 7, 1, 30, 10) X("", "Node@launch", 8, 1, 12, 2) X("", "Node@launch",
	8, 1, 32, 2) X("", "mm", 9, 2, 21.5, 4) X("", "add", 9, 2, 36, 3) X("", "lost", 9, 2, 50, 1)
	X("", "Computing", 6, 1, 21, 18) ARROW(s, "async_npu", "torch_to_npu", 21500, 7, 1, 10)
		ARROW(f, "async_npu", "torch_to_npu", 21500, 9, 2, 21.5) ARROW(s, "async_npu",
			"torch_to_npu", 36000, 7, 1, 30) ARROW(f, "async_npu", "torch_to_npu",
			36000, 9, 2, 36) ARROW(s, "HostToDevice", "HostToDevice1", 1, 8, 1, 12)
			ARROW(f, "HostToDevice", "HostToDevice1", 1, 9, 2, 21.5)
				ARROW(s, "HostToDevice", "HostToDevice2", 2, 8, 1, 32) ARROW(
					f, "HostToDevice", "HostToDevice2", 2, 9, 2, 36) "{}]";

static void ascend_arrows(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, ascend);
	assert_tied(&l, "mm", "Node@launch", "aten::mm");
	assert_tied(&l, "add", "Node@launch", "aten::add");
	assert_tied(&l, "lost", NULL, NULL);
	assert_int_equal(l.run.links->linked, 2);
	assert_int_equal(l.run.links->unlinked, 1);
	assert_int_equal(l.run.kind_count[KIND_RUNTIME], 2);
	assert_int_equal(l.run.kind_count[KIND_OTHER], 0);
	loading_release(&l);
}

/* One call of two commands; arrows back are none of launches.  Devices are numbered by name. */
static void unitrace(void **state)
{
	struct loaded l;
	size_t a, b;

	(void)state;
	load(&l,
		"{\"traceEvents\":[" X(CPU, "zeCommandQueueExecuteCommandLists", 5, 5, 10, 4) ARROW(
			s, "Flow_H2D_7_0", "dep", 7, 5, 5, 10) ARROW(s, "Flow_H2D_8_0", "dep", 8, 5,
			5, 10) X("\"cat\":\"gpu_op\",", "gemm", 4294967295, 4294967294, 16,
			5) ARROW(t, "Flow_H2D_7_0", "dep", 7, 4294967295, 4294967294, 16) ARROW(s,
			"Flow_D2H_7_0", "dep", 7, 4294967295, 4294967294,
			16) X("\"cat\":\"gpu_op\",", "copy", 4294967290, 4294967289, 17, 5)
			ARROW(t, "Flow_H2D_8_0", "dep", 8, 4294967290, 4294967289, 17) X(
				CPU, "zeEventHostSynchronize", 5, 5, 20, 4) ARROW(t, "Flow_D2H_7_0",
				"dep", 7, 5, 5, 20) PROCESS(4294967295, "DEVICE<node>0:3a:0:0 #3")
				PROCESS(4294967290, "DEVICE<node>0:9a:0:0 #5") "{}]}");
	assert_tied(&l, "gemm", "zeCommandQueueExecuteCommandLists", NULL);
	assert_tied(&l, "copy", "zeCommandQueueExecuteCommandLists", NULL);
	a = loading_row(&l, "gemm");
	b = loading_row(&l, "copy");
	assert_int_equal(l.run.lanes.lane[l.run.events.lane[a]].device, 3);
	assert_int_equal(l.run.lanes.lane[l.run.events.lane[b]].device, 5);
	assert_int_equal(l.run.meta.ngpu, 2);
	assert_int_equal(l.run.meta.gpu[1].id, 5);
	assert_int_equal(l.run.ncat, 7); /* ops, work, names, both arrows with both ends */
	loading_release(&l);
}

/* Halves of a GPU are devices of their own; the end's thread is not that of the work. */
static void odd_places(void **state)
{
	struct loaded l;

	(void)state;
	load(&l,
		"[" PROCESS(2, "CPU HIP API") PROCESS(6, "GPU0")
			X("", "hipLaunchKernel", 2, 77, 10, 3) X("", "add(float*)", 6, 4, 15, 9)
				ARROW(s, "DataFlow", "dep", 0, 2, 77, 10)
					ARROW(t, "DataFlow", "dep", 0, 6, 0, 15) "{}]");
	assert_tied(&l, "add(float*)", "hipLaunchKernel", NULL);
	loading_release(&l);
	load(&l,
		"[" PROCESS(9, "RANK 1 DEVICE<n>0:3a:0:0 #0.0") PROCESS(8,
			"RANK 1 DEVICE<n>0:3a:0:0 #0.1") X("\"cat\":\"gpu_op\",", "a", 9, 1, 1, 1)
			X("\"cat\":\"gpu_op\",", "b", 8, 1, 1, 1) "{}]");
	assert_int_equal(l.run.lanes.lane[l.run.events.lane[loading_row(&l, "a")]].device, 0);
	assert_int_equal(l.run.lanes.lane[l.run.events.lane[loading_row(&l, "b")]].device, 1);
	loading_release(&l);
}

/* What the trace says itself is left alone. */
static void correlations_win(void **state)
{
	struct loaded l;

	(void)state;
	load(&l,
		"[" X("\"cat\":\"cuda_runtime\",\"args\":{\"correlation\":5},", "cudaLaunchKernel",
			1, 1, 10, 2) X("\"cat\":\"cuda_runtime\",\"args\":{\"correlation\":6},",
			"cudaMemcpyAsync", 1, 1, 20, 2)
			X("\"cat\":\"kernel\",\"args\":{\"correlation\":5},", "k", 0, 7, 30, 5)
				ARROW(s, "mine", "to", 5, 1, 1, 20)
					ARROW(f, "mine", "to", 5, 0, 7, 30) "{}]");
	assert_tied(&l, "k", "cudaLaunchKernel", NULL);
	assert_false(l.run.has_arrows);
	loading_release(&l);
}

/* However the file is cut and read, work is tied to nothing else. */
static void every_cut(void **state)
{
	const struct loading how = { .window_bytes = 96, .threads = 2 };

	(void)state;
	for (size_t n = 1; n < sizeof(ascend); n += loading_every()) {
		struct loaded l;
		size_t row;

		loading_run(&l, (struct span){ ascend, n }, &how);
		if (l.status == OK) {
			index_build(&l.run, NEED_ORDER | NEED_LINKS);
			row = loading_row(&l, "mm");
			if (row != SIZE_MAX && kind_is_device((enum kind)l.run.events.kind[row])) {
				uint32_t op = op_of_row(&l.run, (uint32_t)row);

				assert_true(op == NO_ROW || is(&l, op, "aten::mm"));
			}
		}
		loading_release(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ascend_arrows),
		cmocka_unit_test(unitrace),
		cmocka_unit_test(odd_places),
		cmocka_unit_test(correlations_win),
		cmocka_unit_test(every_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
