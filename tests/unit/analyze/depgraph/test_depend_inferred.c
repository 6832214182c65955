/* Dependencies that no row says: inferred from the names and the order of calls, and from times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/depgraph/sketch.h"

/*
 *	thread    L 10  record wait  L 20  record wait  L 30  record wait  record wait  L 50
 *	stream 0    A [16 40)                                                      D [125 130)
 *	stream 1                       B [42 120)
 *	stream 2                                          C [43 100)
 *
 * Two branches beside each other, behind A, and D behind both.  Without rows of waiting: C did
 * not wait for B, which still ran; D waited for B, which ended last, and for C.
 */
static void test_branches(void **state)
{
	struct sketch s;
	uint32_t a, b, c, d;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 10, 0, "A", 16, 40);
	(void)sketch_call(&s, 0, "cudaEventRecord", 12, 13);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 14, 15);
	b = sketch_launch(&s, 0, 20, 1, "B", 42, 120);
	(void)sketch_call(&s, 0, "cudaEventRecord", 22, 23);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 24, 25);
	c = sketch_launch(&s, 0, 30, 2, "C", 43, 100);
	(void)sketch_call(&s, 0, "cudaEventRecord", 32, 33);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 34, 35);
	(void)sketch_call(&s, 0, "cudaEventRecord", 36, 37);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 38, 39);
	d = sketch_launch(&s, 0, 50, 0, "D", 125, 130);
	sketch_made(&s);
	assert_binds(&s, b, POINT_WORK, EDGE_WAIT, a, POINT_WORK);
	assert_binds(&s, c, POINT_WORK, EDGE_WAIT, a, POINT_WORK);
	assert_binds(&s, d, POINT_WORK, EDGE_WAIT, b, POINT_WORK);
	assert_int_equal(s.d.waits[EVIDENCE_INFERRED], 3);
	sketch_release(&s);
}

/*
 *	thread     L 0  record  L 4   event sync [10 50)  L 60  event sync [70 72)
 *	stream 0     A [8     46)[47    90)
 *
 * The first waits for what was recorded, the second for nothing: B had not been.
 */
static void test_event_without_rows(void **state)
{
	struct sketch s;
	uint32_t a, call, idle;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 0, 0, "A", 8, 46);
	(void)sketch_call(&s, 0, "cudaEventRecord", 2, 3);
	(void)sketch_launch(&s, 0, 4, 0, "B", 47, 90);
	call = sketch_call(&s, 0, "cudaEventSynchronize", 10, 50);
	idle = sketch_call(&s, 0, "cudaEventSynchronize", 70, 72);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, a, POINT_WORK);
	assert_int_equal(sketch_node(&s, idle, POINT_RETURN), NO_NODE);
	assert_int_equal(s.d.returns[EVIDENCE_INFERRED], 1);
	assert_int_equal(s.d.returns[EVIDENCE_NONE], 1);
	sketch_release(&s);
}

/*
 *	thread    L 10  L 12                      L 70
 *	stream 0    A [20             9000)         Z [71 99)
 *	stream 1         to: N [9000 + late ...)
 *
 * No row says that stream 1 waited; A was launched before N, and its end explains the start.
 */
static bool waits_behind(nsec late)
{
	struct sketch s;
	uint32_t n, node;
	bool waits;

	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 5, 1, "M", 10, 19);
	(void)sketch_launch(&s, 0, 10, 0, "A", 20, 900);
	n = sketch_launch(&s, 0, 12, 1, "N", 900 + late, 990 + late);
	sketch_made(&s);
	node = sketch_node(&s, n, POINT_WORK);
	waits = s.d.node[node].binding == EDGE_WAIT;
	sketch_release(&s);
	return waits;
}

static void test_inferred(void **state)
{
	(void)state;
	assert_true(waits_behind(1));
	/* 881 and 50 to be explained: a sixteenth is 58. */
	assert_true(waits_behind(50));
	assert_false(waits_behind(70));
}

/*
 *	thread    G 5  A 6  H 8  C 10
 *	stream 1    G [begin     300)[300  H       600)
 *	stream 0    A [12 100)       [301 C 420)
 *
 * H was launched before C, too, and runs: C waited for G, if that ran for most of what C waited.
 */
static bool waits_for_earlier(nsec begin)
{
	struct sketch s;
	uint32_t g, c, node;
	bool waits;

	sketch_begin(&s);
	g = sketch_launch(&s, 0, 5, 1, "G", begin, 300);
	(void)sketch_launch(&s, 0, 6, 0, "A", 12, 100);
	(void)sketch_launch(&s, 0, 8, 1, "H", 300, 600);
	c = sketch_launch(&s, 0, 10, 0, "C", 301, 420);
	sketch_made(&s);
	node = sketch_node(&s, c, POINT_WORK);
	waits = s.d.node[node].binding == EDGE_WAIT;
	if (waits)
		assert_binds(&s, c, POINT_WORK, EDGE_WAIT, g, POINT_WORK);
	sketch_release(&s);
	return waits;
}

static void test_inferred_earlier(void **state)
{
	(void)state;
	assert_true(waits_for_earlier(10));
	assert_true(waits_for_earlier(190));
	assert_false(waits_for_earlier(280));
}

/*
 *	thread     L 0   sync [10        60)
 *	                            L [begin        begin + 10)
 *	stream 0     A [8            58)         B [70 90)
 *
 * By coarse times the second call begins before the sync has ended.
 */
static bool is_behind_sync(nsec begin)
{
	struct sketch s;
	uint32_t call, b, launch, prev;
	bool is_behind;

	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "A", 8, 58);
	call = sketch_call(&s, 0, "cudaDeviceSynchronize", 10, 60);
	(void)sketch_call(&s, 0, "cudaLaunchKernel", begin, begin + 10);
	b = sketch_work(&s, 0, "B", 70, 90);
	sketch_made(&s);
	launch = s.d.node[sketch_node(&s, b, POINT_WORK)].from[EDGE_CAUSE];
	prev = s.d.node[launch].from[EDGE_PREV];
	is_behind = prev == sketch_node(&s, call, POINT_RETURN);
	sketch_release(&s);
	return is_behind;
}

static void test_coarse_times(void **state)
{
	(void)state;
	assert_true(is_behind_sync(60));
	assert_true(is_behind_sync(59));
	assert_false(is_behind_sync(57));
}

/* Z was launched behind N: no event before N's launch can be behind it. */
static void test_not_inferred(void **state)
{
	struct sketch s;
	uint32_t n, node;

	(void)state;
	sketch_begin(&s);
	n = sketch_launch(&s, 0, 10, 1, "N", 100, 120);
	(void)sketch_launch(&s, 0, 12, 0, "Z", 20, 99);
	sketch_made(&s);
	node = sketch_node(&s, n, POINT_WORK);
	assert_int_equal(s.d.node[node].binding, EDGE_CAUSE);
	sketch_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_event_without_rows),
		cmocka_unit_test(test_inferred),
		cmocka_unit_test(test_inferred_earlier),
		cmocka_unit_test(test_coarse_times),
		cmocka_unit_test(test_not_inferred),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
