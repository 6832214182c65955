/* Critical paths drawn by hand.  Times in microseconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/depgraph/sketch.h"
#include "tests/unit/handmade.h"

/*
 *	thread    step [0                                          110)
 *	          X [0 10)  Y [10      40)  sync [50    95)  Z [100 110)
 *	                      L 20
 *	stream 0                 K [30         90)
 */
static void test_step(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 110);
	(void)sketch_op(&s, 0, "X", 0, 10);
	(void)sketch_op(&s, 0, "Y", 10, 40);
	(void)sketch_launch(&s, 0, 20, 0, "K", 30, 90);
	(void)sketch_call(&s, 0, "cudaStreamSynchronize", 50, 95);
	(void)sketch_op(&s, 0, "Z", 100, 110);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 110, { OWNER_OP, 10, "X" }, { OWNER_OP, 20, "Y" },
		{ OWNER_LAUNCH_DELAY, 30, "K" }, { OWNER_KERNEL, 90, "K" },
		{ OWNER_RETURN, 95, "cudaStreamSynchronize" },
		{ OWNER_PYTHON, 100, "ProfilerStep#1" }, { OWNER_OP, 110, "Z" });
	/* A part of it is the same, cut. */
	ASSERT_PATH(&s, 25, 93, { OWNER_LAUNCH_DELAY, 30, "K" }, { OWNER_KERNEL, 90, "K" },
		{ OWNER_UNRECORDED, 93, NULL });
	sketch_release(&s);
}

/*
 *	thread    f [0                                 70)  step [70                140)
 *	            X [10       50)                           region [80 120)  L 130
 *	                g [20 30)                           h [75    125)
 *	                          L 60
 *	stream 0                      K [65 100)                                 M [140 150)
 */
static void test_functions(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)hand_event(&s.run, KIND_PYTHON, s.thread[0], "f", 0, 70 * SKETCH_US);
	(void)sketch_op(&s, 0, "X", 10, 50);
	(void)hand_event(&s.run, KIND_PYTHON, s.thread[0], "g", 20 * SKETCH_US, 10 * SKETCH_US);
	(void)sketch_launch(&s, 0, 60, 0, "K", 65, 100);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 70, 140);
	(void)hand_event(&s.run, KIND_PYTHON, s.thread[0], "h", 75 * SKETCH_US, 50 * SKETCH_US);
	(void)sketch_region(&s, 0, "region", 80, 120);
	(void)sketch_launch(&s, 0, 130, 0, "M", 140, 150);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 150, { OWNER_PYTHON, 10, "f" }, { OWNER_OP, 20, "X" },
		{ OWNER_PYTHON, 30, "g" }, { OWNER_OP, 50, "X" }, { OWNER_PYTHON, 60, "f" },
		{ OWNER_LAUNCH, 61, "cudaLaunchKernel" }, { OWNER_PYTHON, 70, "f" },
		{ OWNER_PYTHON, 75, "ProfilerStep#1" }, { OWNER_PYTHON, 80, "h" },
		{ OWNER_PYTHON, 120, "region" }, { OWNER_PYTHON, 125, "h" },
		{ OWNER_PYTHON, 130, "ProfilerStep#1" }, { OWNER_LAUNCH_DELAY, 140, "M" },
		{ OWNER_KERNEL, 150, "M" });
	sketch_release(&s);
}

/*
 *	thread    loader [0        40)     malloc [60 70)  L 70  free [80 100)  L 100
 *	             stack [10 30)
 *	stream 0                                            A [75 79)            B [110 120)
 */
static void test_host(void **state)
{
	const char *loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_op(&s, 0, loader, 0, 40);
	(void)sketch_op(&s, 0, "aten::stack", 10, 30);
	(void)sketch_call(&s, 0, "cudaMalloc", 60, 70);
	(void)sketch_launch(&s, 0, 70, 0, "A", 75, 79);
	(void)sketch_call(&s, 0, "cudaFree", 80, 100);
	(void)sketch_launch(&s, 0, 100, 0, "B", 110, 120);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 120, { OWNER_DATA, 10, loader }, { OWNER_DATA, 30, "aten::stack" },
		{ OWNER_DATA, 40, loader }, { OWNER_NOTHING, 60, NULL },
		{ OWNER_RUNTIME, 70, "cudaMalloc" }, { OWNER_LAUNCH, 71, "cudaLaunchKernel" },
		{ OWNER_NOTHING, 80, NULL }, { OWNER_RUNTIME, 100, "cudaFree" },
		{ OWNER_LAUNCH_DELAY, 110, "B" }, { OWNER_KERNEL, 120, "B" });
	sketch_release(&s);
}

/*
 *	thread    L 0  record 2  wait 4  L 6
 *	stream 0    A [10        60)
 *	stream 1                           C [63 80)  a collective
 */
static void test_streams(void **state)
{
	const char *comm = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
	struct sketch s;
	uint64_t record;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "A", 10, 60);
	(void)sketch_call(&s, 0, "cudaEventRecord", 2, 3);
	record = s.correlation;
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 4, 5);
	sketch_event(&s, sketch_sync(&s, 1, "Stream Wait Event", 4), 0, record);
	(void)sketch_launch(&s, 0, 6, 1, comm, 63, 80);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 80, { OWNER_LAUNCH_DELAY, 10, "A" }, { OWNER_KERNEL, 60, "A" },
		{ OWNER_GAP, 63, comm }, { OWNER_COMM, 80, comm });
	sketch_release(&s);
}

/*
 *	thread    copy [0                 50)   L 60
 *	stream 0         H [10        45)         K [66 70)
 */
static void test_copy(void **state)
{
	const char *copy = "Memcpy DtoH (Device -> Pageable)";
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_call(&s, 0, "cudaMemcpyAsync", 0, 50);
	(void)sketch_copy(&s, 0, copy, 10, 45);
	(void)sketch_launch(&s, 0, 60, 0, "K", 66, 70);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 70, { OWNER_LAUNCH_DELAY, 10, copy }, { OWNER_COPY, 45, copy },
		{ OWNER_RETURN, 50, "cudaMemcpyAsync" }, { OWNER_NOTHING, 60, NULL },
		{ OWNER_LAUNCH_DELAY, 66, "K" }, { OWNER_KERNEL, 70, "K" });
	sketch_release(&s);
}

/*
 *	thread 0   step [0                                             240)
 *	           forward [0 100)                      optimizer [210 230)
 *	thread 1               backward [105      200)
 *
 * The optimizer was taken up when the backward pass was done.
 */
static void test_threads(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 240);
	(void)sketch_op(&s, 0, "forward", 0, 100);
	(void)sketch_op(&s, 1, "backward", 105, 200);
	(void)sketch_op(&s, 0, "optimizer", 210, 230);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 240, { OWNER_OP, 100, "forward" }, { OWNER_HANDOVER, 105, NULL },
		{ OWNER_OP, 200, "backward" }, { OWNER_HANDOVER, 210, NULL },
		{ OWNER_OP, 230, "optimizer" }, { OWNER_PYTHON, 240, "ProfilerStep#1" });
	sketch_release(&s);
}

/*
 *	thread    cudaGraphLaunch [0 5)
 *	stream 0    A [10 20)                C [42 50)
 *	stream 1             B [21    40)
 */
static void test_replay(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_call(&s, 0, "cudaGraphLaunch", 0, 5);
	(void)sketch_work(&s, 0, "A", 10, 20);
	(void)sketch_work(&s, 1, "B", 21, 40);
	(void)sketch_work(&s, 0, "C", 42, 50);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 50, { OWNER_LAUNCH_DELAY, 10, "A" }, { OWNER_KERNEL, 20, "A" },
		{ OWNER_GAP, 21, "B" }, { OWNER_KERNEL, 40, "B" }, { OWNER_GAP, 42, "C" },
		{ OWNER_KERNEL, 50, "C" });
	sketch_release(&s);
}

/* A's launch is older than all that is known; B begins before A has ended. */
static void test_edges_of_the_known(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_work(&s, 0, "A", 20, 50);
	(void)sketch_launch(&s, 0, 30, 0, "B", 45, 60);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 70, { OWNER_UNRECORDED, 20, NULL }, { OWNER_KERNEL, 45, "A" },
		{ OWNER_KERNEL, 60, "B" }, { OWNER_UNRECORDED, 70, NULL });
	sketch_release(&s);
}

/* What ended together: the one that began last, of those the one with the higher number. */
static void test_ties(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "A", 10, 50);
	(void)sketch_launch(&s, 0, 2, 1, "B", 12, 50);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 50, { OWNER_LAUNCH, 1, "cudaLaunchKernel" }, { OWNER_NOTHING, 2, NULL },
		{ OWNER_LAUNCH_DELAY, 12, "B" }, { OWNER_KERNEL, 50, "B" });
	sketch_release(&s);
}

/* A stretch without anything, and one in which nothing is. */
static void test_nothing(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	sketch_made(&s);
	ASSERT_PATH(&s, 0, 10, { OWNER_UNRECORDED, 10, NULL });
	assert_int_equal(critpath_last(&s.d, 10), NO_NODE);
	sketch_release(&s);
}

/* The answer is the same however often it was asked before. */
static void test_many_questions(void **state)
{
	enum { N = 40 };
	struct sketch s;
	uint32_t last[N];
	nsec i;

	(void)state;
	sketch_begin(&s);
	for (i = 0; i < N / 2; i++)
		(void)sketch_launch(&s, 0, 3 * i, (int)(i % 3), "K", 3 * i + 2, 3 * i + 7 - i % 5);
	sketch_made(&s);
	for (i = 0; i < N; i++) {
		critpath_forget(&s.d);
		last[i] = critpath_last(&s.d, 2 * i * SKETCH_US);
	}
	for (i = 0; i < N; i++)
		assert_int_equal(critpath_last(&s.d, 2 * i * SKETCH_US), last[i]);
	sketch_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_edges_of_the_known),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_many_questions),
	};

	return cmocka_run_group_tests_name("critpath", tests, NULL, NULL);
}
