/* Dependencies: each rule on a timeline drawn by hand.  Times in microseconds; "L 10" is a launch
 * of one microsecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/depgraph/sketch.h"
#include "tests/unit/handmade.h"

/*
 *	thread    L 10  L 12
 *	stream 0         A [20        50)  B [52 60)
 *
 * A waits for its launch; B, launched long before, for A.
 */
static void test_launch_and_order(void **state)
{
	struct sketch s;
	uint32_t a, b;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 10, 0, "A", 20, 50);
	b = sketch_launch(&s, 0, 12, 0, "B", 52, 60);
	sketch_made(&s);
	assert_int_equal(s.d.works, 2);
	assert_int_equal(s.d.launched, 2);
	assert_int_equal(s.d.node[sketch_node(&s, a, POINT_WORK)].binding, EDGE_CAUSE);
	assert_binds(&s, b, POINT_WORK, EDGE_PREV, a, POINT_WORK);
	assert_int_equal(s.d.floor.launch, 10 * SKETCH_US);
	assert_int_equal(s.d.floor.stream, 2 * SKETCH_US);
	sketch_release(&s);
}

/*
 *	thread    L 10                 L 48
 *	stream 0         A [20        50)  B [57 60)
 *
 * Launching takes 10: B's was not over when A ended, and B began at once when it was.
 */
static void test_late_launch(void **state)
{
	struct sketch s;
	uint32_t b, c, call;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 10, 0, "A", 20, 50);
	call = sketch_call(&s, 0, "cudaLaunchKernel", 48, 49);
	b = sketch_work(&s, 0, "B", 57, 60);
	c = sketch_launch(&s, 0, 55, 0, "C", 60, 65);
	sketch_made(&s);
	assert_binds(&s, b, POINT_WORK, EDGE_CAUSE, call, POINT_LAUNCH);
	/* Without a gap there is nothing that the launch explains. */
	assert_binds(&s, c, POINT_WORK, EDGE_PREV, b, POINT_WORK);
	sketch_release(&s);
}

/*
 *	thread    L 10  record 12  L 13   wait 14  L 16  L 18
 *	stream 0    A [20      60)  D [60 65)
 *	stream 1                       B [62 70)  C [71 80)
 *
 * The event was recorded behind A and before D.
 */
static void test_event_wait(void **state)
{
	struct sketch s;
	uint32_t a, b, c;
	uint64_t record;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 10, 0, "A", 20, 60);
	(void)sketch_call(&s, 0, "cudaEventRecord", 12, 13);
	record = s.correlation;
	(void)sketch_launch(&s, 0, 13, 0, "D", 60, 65);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 14, 15);
	sketch_event(&s, sketch_sync(&s, 1, "Stream Wait Event", 14), 0, record);
	b = sketch_launch(&s, 0, 16, 1, "B", 62, 70);
	c = sketch_launch(&s, 0, 18, 1, "C", 71, 80);
	sketch_made(&s);
	assert_binds(&s, b, POINT_WORK, EDGE_WAIT, a, POINT_WORK);
	assert_int_equal(s.d.node[sketch_node(&s, b, POINT_WORK)].evidence, EVIDENCE_EVENT);
	assert_int_equal(s.d.waits[EVIDENCE_EVENT], 1);
	assert_binds(&s, c, POINT_WORK, EDGE_PREV, b, POINT_WORK);
	sketch_release(&s);
}

/*
 *	thread    L 10  L 12  L 14   wait for the device [30    to)
 *	stream 0    A [20 40)  C [40 50)
 *	stream 1    B [22        55)
 */
static void draw_sync(struct sketch *s, uint32_t work[3], uint32_t *call, const char *name, nsec to)
{
	sketch_begin(s);
	work[0] = sketch_launch(s, 0, 10, 0, "A", 20, 40);
	work[1] = sketch_launch(s, 0, 12, 1, "B", 22, 55);
	work[2] = sketch_launch(s, 0, 14, 0, "C", 40, 50);
	*call = sketch_call(s, 0, name, 30, to);
}

static void test_syncs(void **state)
{
	struct sketch s;
	uint32_t w[3], call;

	(void)state;
	/* Without a row of the trace: the stream that was launched to last. */
	draw_sync(&s, w, &call, "cudaStreamSynchronize", 60);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, w[2], POINT_WORK);
	sketch_release(&s);
	/* All of them: what ended last. */
	draw_sync(&s, w, &call, "cudaDeviceSynchronize", 60);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, w[1], POINT_WORK);
	assert_int_equal(s.d.returns[EVIDENCE_INFERRED], 1);
	sketch_release(&s);
	/* A row names the stream. */
	draw_sync(&s, w, &call, "cudaStreamSynchronize", 60);
	(void)sketch_sync(&s, 0, "Stream Sync", 31);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, w[2], POINT_WORK);
	assert_int_equal(s.d.returns[EVIDENCE_ROW], 1);
	sketch_release(&s);
	/* All streams. */
	draw_sync(&s, w, &call, "cudaDeviceSynchronize", 60);
	(void)sketch_sync(&s, -1, "Context Sync", 31);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, w[1], POINT_WORK);
	assert_int_equal(s.d.returns[EVIDENCE_ROW], 1);
	sketch_release(&s);
	/* It returned before C ended. */
	draw_sync(&s, w, &call, "cudaStreamSynchronize", 43);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, w[0], POINT_WORK);
	sketch_release(&s);
}

/* The event was recorded at 13: behind A and B, before C, and on stream 0. */
static void test_event_sync(void **state)
{
	struct sketch s;
	uint32_t w[3], call;
	uint64_t record;

	(void)state;
	sketch_begin(&s);
	w[0] = sketch_launch(&s, 0, 10, 0, "A", 20, 40);
	w[1] = sketch_launch(&s, 0, 12, 1, "B", 22, 41);
	(void)sketch_call(&s, 0, "cudaEventRecord", 13, 14);
	record = s.correlation;
	w[2] = sketch_launch(&s, 0, 14, 0, "C", 40, 50);
	call = sketch_call(&s, 0, "cudaEventSynchronize", 30, 52);
	sketch_event(&s, sketch_sync(&s, -1, "Event Sync", 31), 0, record);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, w[0], POINT_WORK);
	assert_int_equal(s.d.returns[EVIDENCE_EVENT], 1);
	sketch_release(&s);
}

/*
 *	thread    L 10   sync [70 75)
 *	stream 0    A [20 50)
 *
 * The device was idle for long: the call takes what it takes.
 */
static void test_idle_sync(void **state)
{
	struct sketch s;
	uint32_t call, launch;

	(void)state;
	sketch_begin(&s);
	launch = sketch_call(&s, 0, "cudaLaunchKernel", 10, 11);
	(void)sketch_work(&s, 0, "A", 20, 50);
	call = sketch_call(&s, 0, "cudaDeviceSynchronize", 70, 75);
	sketch_made(&s);
	assert_binds(&s, call, POINT_RETURN, EDGE_PREV, launch, POINT_LAUNCH);
	sketch_release(&s);
}

/*
 *	thread         sync [10        60)
 *	stream 0   A [5           50)           launched before the recording
 */
static void test_older_than_recording(void **state)
{
	struct sketch s;
	uint32_t call, a;

	(void)state;
	sketch_begin(&s);
	a = sketch_work(&s, 0, "A", 5, 50);
	call = sketch_call(&s, 0, "cudaDeviceSynchronize", 10, 60);
	sketch_made(&s);
	assert_free(&s, a, POINT_WORK);
	assert_binds(&s, call, POINT_RETURN, EDGE_CAUSE, a, POINT_WORK);
	sketch_release(&s);
}

/* A copy whose call begins at 10 and returns at 40; copied [15 to). */
static void copy(const char *call, const char *name, nsec to, enum evidence want)
{
	struct sketch s;
	uint32_t row, work, node;

	sketch_begin(&s);
	row = sketch_call(&s, 0, call, 10, 40);
	work = sketch_copy(&s, 0, name, 15, to);
	sketch_made(&s);
	node = sketch_node(&s, row, POINT_RETURN);
	assert_int_equal(node != NO_NODE, want != EVIDENCE_NONE);
	assert_int_equal(s.d.returns[want], want == EVIDENCE_NONE ? 0 : 1);
	if (want != EVIDENCE_NONE)
		assert_binds(&s, row, POINT_RETURN, EDGE_CAUSE, work, POINT_WORK);
	sketch_release(&s);
}

static void test_copies(void **state)
{
	(void)state;
	copy("cudaMemcpyAsync", "Memcpy DtoH (Device -> Pageable)", 38, EVIDENCE_COPY);
	copy("hipMemcpyWithStream", "CopyDeviceToHost", 38, EVIDENCE_COPY);
	copy("cudaMemcpy", "Memcpy DtoH (Device -> Pinned)", 38, EVIDENCE_COPY);
	/* The call did not wait. */
	copy("cudaMemcpyAsync", "Memcpy HtoD (Pageable -> Device)", 50, EVIDENCE_NONE);
	copy("cudaMemcpyAsync", "Memcpy DtoH (Device -> Pinned)", 38, EVIDENCE_NONE);
}

/*
 *	thread    cudaGraphLaunch 10
 *	stream 0    A [20 30)                    C [46 50)
 *	stream 1              B [31     45)
 *	stream 2    P [22 28)                  R [45 60)
 *
 * P began beside A and needs no other; what begins later waits for what had ended last.
 */
static void test_graph(void **state)
{
	struct sketch s;
	uint32_t call, a, b, c, p, r;

	(void)state;
	sketch_begin(&s);
	call = sketch_call(&s, 0, "cudaGraphLaunch", 10, 14);
	a = sketch_work(&s, 0, "A", 20, 30);
	b = sketch_work(&s, 1, "B", 31, 45);
	c = sketch_work(&s, 0, "C", 46, 50);
	p = sketch_work(&s, 2, "P", 22, 28);
	r = sketch_work(&s, 2, "R", 45, 60);
	sketch_made(&s);
	assert_binds(&s, a, POINT_WORK, EDGE_CAUSE, call, POINT_LAUNCH);
	assert_binds(&s, p, POINT_WORK, EDGE_CAUSE, call, POINT_LAUNCH);
	assert_binds(&s, b, POINT_WORK, EDGE_WAIT, a, POINT_WORK);
	assert_binds(&s, c, POINT_WORK, EDGE_WAIT, b, POINT_WORK);
	assert_binds(&s, r, POINT_WORK, EDGE_WAIT, b, POINT_WORK);
	assert_int_equal(s.d.waits[EVIDENCE_GRAPH], 3);
	sketch_release(&s);
}

/*
 *	thread 0   forward [0 100)                       after [210 220)
 *	thread 1                    backward [105 200)
 *	thread 2   pinning [0                                      300)
 */
static void test_hand_over(void **state)
{
	struct sketch s;
	uint32_t back, after, node;

	(void)state;
	sketch_begin(&s);
	(void)sketch_op(&s, 0, "forward", 0, 100);
	back = sketch_op(&s, 1, "backward", 105, 200);
	after = sketch_op(&s, 0, "after", 210, 220);
	(void)sketch_op(&s, 2, "pinning", 0, 300);
	sketch_made(&s);
	node = sketch_node(&s, back, POINT_RESUME);
	assert_int_equal(s.d.node[node].binding, EDGE_CAUSE);
	assert_int_equal(depend_until(&s.d, node, EDGE_CAUSE), 100 * SKETCH_US);
	node = sketch_node(&s, after, POINT_RESUME);
	assert_int_equal(s.d.node[node].binding, EDGE_CAUSE);
	assert_int_equal(depend_until(&s.d, node, EDGE_CAUSE), 200 * SKETCH_US);
	sketch_release(&s);
}

/*
 *	thread 0   forward [0 100)            item [200 1200)   forward [5200 5300)
 *	thread 1           backward [100 200)                                backward [5300 5400)
 *
 * Of 5100 thread 0 was busy for 1100, and for 4000 nobody was.
 */
static void test_hand_over_behind_nothing(void **state)
{
	struct sketch s;

	(void)state;
	sketch_begin(&s);
	(void)sketch_op(&s, 0, "forward", 0, 100);
	(void)sketch_op(&s, 1, "backward", 100, 200);
	(void)sketch_op(&s, 0, "item", 200, 1200);
	(void)sketch_op(&s, 0, "forward", 5200, 5300);
	uint32_t back = sketch_op(&s, 1, "backward", 5300, 5400);
	sketch_made(&s);
	uint32_t node = sketch_node(&s, back, POINT_RESUME);
	assert_int_equal(s.d.node[node].binding, EDGE_CAUSE);
	assert_int_equal(depend_until(&s.d, node, EDGE_CAUSE), 5300 * SKETCH_US);
	sketch_release(&s);
}

/* Doubles of the time of day are off by 250 ns: the other thread seems to begin before the first
 * has stopped, which stops then; 2 us before that it does not. */
static void test_coarse_hand_over(void **state)
{
	static const nsec early[] = { 250, 2000 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(early); i++) {
		struct sketch s;
		nsec begin = 100 * SKETCH_US - early[i];

		sketch_begin(&s);
		(void)sketch_op(&s, 0, "forward", 0, 100);
		uint32_t back = hand_event(
			&s.run, KIND_OP, s.thread[1], "backward", begin, 100 * SKETCH_US);
		(void)sketch_op(&s, 2, "pinning", 0, 300);
		sketch_made(&s);
		uint32_t node = sketch_node(&s, back, POINT_RESUME);
		if (i == 0) {
			assert_int_equal(s.d.node[node].binding, EDGE_CAUSE);
			assert_int_equal(depend_until(&s.d, node, EDGE_CAUSE), begin);
		} else {
			assert_int_equal(node, NO_NODE);
		}
		sketch_release(&s);
	}
}

/* The other thread had been busy for 10 of the 110 only: nobody took over. */
static void test_no_hand_over(void **state)
{
	struct sketch s;
	uint32_t after;

	(void)state;
	sketch_begin(&s);
	(void)sketch_op(&s, 0, "forward", 0, 100);
	(void)sketch_op(&s, 1, "other", 190, 200);
	after = sketch_op(&s, 0, "after", 210, 220);
	sketch_made(&s);
	assert_int_equal(sketch_node(&s, after, POINT_RESUME), NO_NODE);
	sketch_release(&s);
}

/* Launched at 0, began 2 ms later, and nothing had run: the queue held older work. */
static void test_unrecorded(void **state)
{
	struct sketch s;
	uint32_t a, b;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 0, 0, "A", 2000, 2050);
	b = sketch_launch(&s, 0, 2, 0, "B", 2050, 2060);
	sketch_made(&s);
	assert_free(&s, a, POINT_WORK);
	assert_binds(&s, b, POINT_WORK, EDGE_PREV, a, POINT_WORK);
	sketch_release(&s);
}

/* B begins before A has ended, on one stream: it waits for A no longer than until then. */
static void test_overlap(void **state)
{
	struct sketch s;
	uint32_t a, b;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 10, 0, "A", 20, 50);
	b = sketch_launch(&s, 0, 12, 0, "B", 45, 60);
	sketch_made(&s);
	assert_binds(&s, b, POINT_WORK, EDGE_PREV, a, POINT_WORK);
	assert_int_equal(
		depend_until(&s.d, sketch_node(&s, b, POINT_WORK), EDGE_PREV), 45 * SKETCH_US);
	sketch_release(&s);
}

/* Work that begins before its launch does (clocks), waits for nothing that is known. */
static void test_early(void **state)
{
	struct sketch s;
	uint32_t a;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 30, 0, "A", 25, 50);
	sketch_made(&s);
	assert_int_equal(s.d.early, 1);
	assert_free(&s, a, POINT_WORK);
	sketch_release(&s);
}

/* Work without length, at the moment of its launch; of work that begins together the longest is the
 * first (trace/order.h). */
static void test_no_length(void **state)
{
	struct sketch s;
	uint32_t a, b, c, call;

	(void)state;
	sketch_begin(&s);
	a = sketch_launch(&s, 0, 10, 0, "A", 10, 10);
	b = sketch_launch(&s, 0, 10, 0, "B", 10, 10);
	call = sketch_call(&s, 0, "cudaLaunchKernel", 10, 10);
	c = sketch_work(&s, 0, "C", 10, 12);
	sketch_made(&s);
	assert_binds(&s, c, POINT_WORK, EDGE_CAUSE, call, POINT_LAUNCH);
	assert_binds(&s, a, POINT_WORK, EDGE_PREV, c, POINT_WORK);
	assert_binds(&s, b, POINT_WORK, EDGE_PREV, a, POINT_WORK);
	sketch_release(&s);
}

/*
 *	thread    L 10  L 12  L 13
 *	stream 0    C1 [20 50)
 *	stream 1                 C2 [51 60)    collectives share a link
 *	stream 2    K  [25        60)          kernels share no such thing
 */
static void test_link(void **state)
{
	struct sketch s;
	uint32_t c1, c2, k;

	(void)state;
	sketch_begin(&s);
	c1 = sketch_launch(&s, 0, 10, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, 50);
	c2 = sketch_launch(&s, 0, 12, 1, "ncclDevKernel_AllGather_RING_LL", 51, 60);
	k = sketch_launch(&s, 0, 13, 2, "K", 25, 60);
	sketch_made(&s);
	assert_binds(&s, c2, POINT_WORK, EDGE_ENGINE, c1, POINT_WORK);
	assert_int_equal(s.d.node[sketch_node(&s, k, POINT_WORK)].binding, EDGE_CAUSE);
	sketch_release(&s);
}

/* Copies in one direction go one after the other; in the other they do not hold them up. */
static void test_copy_engines(void **state)
{
	struct sketch s;
	uint32_t a, b, c;

	(void)state;
	sketch_begin(&s);
	(void)sketch_call(&s, 0, "cudaMemcpyAsync", 10, 11);
	a = sketch_copy(&s, 0, "Memcpy HtoD (Pinned -> Device)", 20, 40);
	(void)sketch_call(&s, 0, "cudaMemcpyAsync", 12, 13);
	b = sketch_copy(&s, 1, "Memcpy HtoD (Pinned -> Device)", 41, 50);
	(void)sketch_call(&s, 0, "cudaMemcpyAsync", 40, 41);
	c = sketch_copy(&s, 2, "Memcpy DtoH (Device -> Pinned)", 52, 60);
	sketch_made(&s);
	assert_binds(&s, b, POINT_WORK, EDGE_ENGINE, a, POINT_WORK);
	assert_int_equal(s.d.node[sketch_node(&s, c, POINT_WORK)].binding, EDGE_CAUSE);
	sketch_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launch_and_order),
		cmocka_unit_test(test_late_launch),
		cmocka_unit_test(test_event_wait),
		cmocka_unit_test(test_syncs),
		cmocka_unit_test(test_event_sync),
		cmocka_unit_test(test_idle_sync),
		cmocka_unit_test(test_older_than_recording),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_hand_over),
		cmocka_unit_test(test_hand_over_behind_nothing),
		cmocka_unit_test(test_coarse_hand_over),
		cmocka_unit_test(test_no_hand_over),
		cmocka_unit_test(test_unrecorded),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_no_length),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_copy_engines),
	};

	return cmocka_run_group_tests_name("depend", tests, NULL, NULL);
}
