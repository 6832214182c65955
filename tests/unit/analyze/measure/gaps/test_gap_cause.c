/* Waits: each class on a timeline drawn by hand.
 *
 * Most drawings have one gap of device 0, [100 200): work A ends at 100, W begins at 200. Launching
 * takes 5, unless a test says otherwise; times in ns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "base/compiler.h"
#include "tests/unit/analyze/measure/drawn_waits.h"
#include "tests/unit/handmade.h"

enum { COST = 5, MS = 1000000 };

/* Until when a gap is of a class; whether that is behind a call that had waited. */
struct until {
	unsigned cls; /* or BEHIND */
	nsec end;
};

enum { BEHIND = 1 << 8 };

static uint32_t launch_of(const struct run *r, uint32_t row)
{
	return row == NO_ROW ? NO_ROW : r->links->launch[r->events.args[row] - 1];
}

/* Asks about [start, end) between prev and next, and compares; then the drawing is gone. */
static void split(
	struct drawing *d, const struct wait_question *q, const struct until *want, size_t n)
{
	struct wait_question asked = *q;
	struct parts got = { 0 };
	struct arena mem = { 0 };
	struct gap_causes w;
	size_t i;

	index_build(&d->run, GAP_CAUSES_NEEDS);
	asked.launch = launch_of(&d->run, q->next);
	gap_causes_init(&w, &d->run, &mem);
	w.launch_cost = COST;
	gap_causes_split(&w, &asked, parts_see, &got);
	parts_are_whole(&got, q->start, q->end);
	for (i = 0; i < n && i < got.n; i++) {
		assert_string_equal(gap_cause_word(got.v[i].cls),
			gap_cause_word((enum gap_cause)(want[i].cls & ~(unsigned)BEHIND)));
		assert_int_equal(got.v[i].end, want[i].end);
		assert_int_equal(got.v[i].held != NO_ROW && got.v[i].cls != GAP_CAUSE_SYNC,
			(want[i].cls & BEHIND) != 0);
	}
	assert_int_equal(got.n, n);
	gap_causes_clear(&w);
	arena_clear(&mem);
	run_clear(&d->run);
}

#define ASSERT_SPLIT(d, prev, next, ...)                                                   \
	do {                                                                               \
		const struct until w_[] = { __VA_ARGS__ };                                 \
		const struct wait_question q_ = { 100, 200, (prev), (next), NO_ROW, 100 }; \
		split((d), &q_, w_, COUNT_OF(w_));                                         \
	} while (0)

/* ---- before the launch ---- */

/*
 *	thread   loader [105        190)   L 195
 *	             op [120 130)
 *
 * What the loader calls is the loader.
 */
static void test_data(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_OP, d.thread, "enumerate(DataLoader)#_X.__next__", 105, 190);
	drawing_call(&d, KIND_OP, d.thread, "aten::stack", 120, 130);
	w = drawing_work(&d, 195, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_NOTHING, 105 }, { GAP_CAUSE_DATA, 190 },
		{ GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
}

/* A call [from, to) that waits for the device, and an op [170 180); L at 195. */
static uint32_t draw_sync(struct drawing *d, const char *name, nsec from, nsec to, uint32_t *a)
{
	drawing_begin(d);
	*a = drawing_work(d, 0, 1, 100);
	drawing_call(d, KIND_RUNTIME, d->thread, name, from, to);
	drawing_call(d, KIND_OP, d->thread, "aten::mm", 170, 180);
	return drawing_work(d, 195, 200, 210);
}

/* The call had waited for so long when the gap began:
 *
 *	[70 101)  30: what the thread does until 130 is behind it
 *	[90 140)  10, but the call returns late, at 140
 *	[10 101)  90: until 190, whatever the thread does
 *	[1 101)   99: until 199, but the launch came at 195
 *	cudaFree  waits as well, but what it does is to free memory */
static void test_sync(void **state)
{
	const char *name = "cudaStreamSynchronize";
	struct drawing d;
	uint32_t a, w;

	(void)state;
	w = draw_sync(&d, name, 70, 101, &a);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_SYNC, 101 }, { GAP_CAUSE_NOTHING | BEHIND, 130 },
		{ GAP_CAUSE_NOTHING, 170 }, { GAP_CAUSE_OP, 180 }, { GAP_CAUSE_NOTHING, 195 },
		{ GAP_CAUSE_LAUNCH, 200 });
	w = draw_sync(&d, name, 90, 140, &a);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_SYNC, 140 }, { GAP_CAUSE_NOTHING, 170 },
		{ GAP_CAUSE_OP, 180 }, { GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
	w = draw_sync(&d, name, 10, 101, &a);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_SYNC, 101 }, { GAP_CAUSE_NOTHING | BEHIND, 170 },
		{ GAP_CAUSE_OP | BEHIND, 180 }, { GAP_CAUSE_NOTHING | BEHIND, 190 },
		{ GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
	w = draw_sync(&d, name, 1, 101, &a);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_SYNC, 101 }, { GAP_CAUSE_NOTHING | BEHIND, 170 },
		{ GAP_CAUSE_OP | BEHIND, 180 }, { GAP_CAUSE_NOTHING | BEHIND, 195 },
		{ GAP_CAUSE_LAUNCH, 200 });
	w = draw_sync(&d, "cudaFree", 70, 101, &a);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_ALLOCATOR, 101 }, { GAP_CAUSE_NOTHING | BEHIND, 130 },
		{ GAP_CAUSE_NOTHING, 170 }, { GAP_CAUSE_OP, 180 }, { GAP_CAUSE_NOTHING, 195 },
		{ GAP_CAUSE_LAUNCH, 200 });
	w = draw_sync(&d, "cudaStreamWaitEvent", 70, 101, &a);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_RUNTIME, 101 }, { GAP_CAUSE_NOTHING, 170 },
		{ GAP_CAUSE_OP, 180 }, { GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
}

/* The call is inside of an op: the op held the thread up through it.  [60 110) waited for 40. */
static void test_sync_in_op(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_OP, d.thread, "aten::item", 50, 160);
	drawing_call(&d, KIND_RUNTIME, d.thread, "cudaStreamSynchronize", 60, 110);
	w = drawing_work(&d, 195, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_SYNC, 110 }, { GAP_CAUSE_OP | BEHIND, 140 },
		{ GAP_CAUSE_OP, 160 }, { GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
}

/* A asynchronous copy that returns after it copied had blocked the thread, whatever its name: 100
 * less 40 is 60.  One that returned before did not, nor does the launch of a kernel, which waits
 * for nothing. */
static void test_blocking_copy(void **state)
{
	static const struct {
		enum kind kind;
		nsec to;
		struct until first;
	} cases[] = {
		{ KIND_MEMCPY, 102, { GAP_CAUSE_SYNC, 102 } },
		{ KIND_MEMCPY, 99, { GAP_CAUSE_NOTHING, 195 } },
		{ KIND_KERNEL, 102, { GAP_CAUSE_RUNTIME, 102 } },
	};
	struct drawing d;
	uint32_t a, w;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		drawing_begin(&d);
		a = drawing_work_of(
			&d, cases[i].kind, d.thread, 40, cases[i].to, d.stream, 60, 100);
		w = drawing_work(&d, 195, 200, 210);
		if (cases[i].to == 99)
			ASSERT_SPLIT(&d, a, w, cases[i].first, { GAP_CAUSE_LAUNCH, 200 });
		else if (cases[i].kind == KIND_MEMCPY)
			ASSERT_SPLIT(&d, a, w, cases[i].first, { GAP_CAUSE_NOTHING | BEHIND, 160 },
				{ GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
		else
			ASSERT_SPLIT(&d, a, w, cases[i].first, { GAP_CAUSE_NOTHING, 195 },
				{ GAP_CAUSE_LAUNCH, 200 });
	}
}

/* A call that begins when the device is idle waits for nothing, [120 150); where there is another
 * device it waits for that. */
static void test_sync_of_idle_device(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_RUNTIME, d.thread, "cudaDeviceSynchronize", 120, 150);
	w = drawing_work(&d, 195, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_NOTHING, 120 }, { GAP_CAUSE_RUNTIME, 150 },
		{ GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_RUNTIME, d.thread, "cudaDeviceSynchronize", 120, 150);
	(void)drawing_work_of(
		&d, KIND_KERNEL, d.thread, 110, 111, hand_stream(&d.run, 1, 7), 115, 149);
	w = drawing_work(&d, 195, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_NOTHING, 110 }, { GAP_CAUSE_RUNTIME, 111 },
		{ GAP_CAUSE_NOTHING, 120 }, { GAP_CAUSE_SYNC, 150 }, { GAP_CAUSE_NOTHING, 195 },
		{ GAP_CAUSE_LAUNCH, 200 });
}

/*
 *	thread   region [90                        180)    L 195
 *	           op [110          140)
 *	             cudaMalloc [120 130)
 */
static void test_host(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_ANNOTATION, d.thread, "region", 90, 180);
	drawing_call(&d, KIND_OP, d.thread, "aten::mm", 110, 140);
	drawing_call(&d, KIND_RUNTIME, d.thread, "cudaMalloc", 120, 130);
	w = drawing_work(&d, 195, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_PYTHON, 110 }, { GAP_CAUSE_OP, 120 },
		{ GAP_CAUSE_ALLOCATOR, 130 }, { GAP_CAUSE_OP, 140 }, { GAP_CAUSE_PYTHON, 180 },
		{ GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
}

/* Where the launching thread is in nothing the main thread is looked at: the one of the steps.
 *
 *	thread 1   step [0                                       300)
 *	             loader [110 130)       op [150 170)
 *	thread 2              op [120 140)                  L 195 */
static void test_main_thread(void **state)
{
	struct drawing d;
	uint32_t a, w, second;

	(void)state;
	drawing_begin(&d);
	second = hand_thread(&d.run, 2);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_ANNOTATION, d.thread, "ProfilerStep#1", 0, 300);
	drawing_call(&d, KIND_OP, d.thread, "enumerate(DataLoader)#_X.__next__", 110, 130);
	drawing_call(&d, KIND_OP, d.thread, "aten::add", 150, 170);
	drawing_call(&d, KIND_OP, second, "aten::mul", 120, 140);
	w = drawing_work_of(&d, KIND_KERNEL, second, 195, 196, d.stream, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_PYTHON, 110 }, { GAP_CAUSE_DATA, 120 },
		{ GAP_CAUSE_OP, 140 }, { GAP_CAUSE_PYTHON, 150 }, { GAP_CAUSE_OP, 170 },
		{ GAP_CAUSE_PYTHON, 195 }, { GAP_CAUSE_LAUNCH, 200 });
}

/* The main thread waited, and another one launches: it could do so no earlier.  [80 101): 20. */
static void test_main_thread_waits(void **state)
{
	struct drawing d;
	uint32_t a, w, second;

	(void)state;
	drawing_begin(&d);
	second = hand_thread(&d.run, 2);
	a = drawing_work(&d, 0, 1, 100);
	(void)drawing_work(&d, 2, 3, 4);
	drawing_call(&d, KIND_RUNTIME, d.thread, "cudaStreamSynchronize", 80, 101);
	w = drawing_work_of(&d, KIND_KERNEL, second, 195, 196, d.stream, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_SYNC, 101 }, { GAP_CAUSE_NOTHING | BEHIND, 120 },
		{ GAP_CAUSE_NOTHING, 195 }, { GAP_CAUSE_LAUNCH, 200 });
}

/* Behind the last work nothing is launched: it is what the main thread is in. */
static void test_behind_the_last(void **state)
{
	struct drawing d;
	uint32_t a;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_RUNTIME, d.thread, "cudaDeviceSynchronize", 90, 101);
	drawing_call(&d, KIND_OP, d.thread, "aten::mm", 150, 250);
	ASSERT_SPLIT(&d, a, NO_ROW, { GAP_CAUSE_SYNC, 101 }, { GAP_CAUSE_NOTHING | BEHIND, 110 },
		{ GAP_CAUSE_NOTHING, 150 }, { GAP_CAUSE_OP, 200 });
}

/* ---- from the launch on ---- */

/* L at 120, and the call takes
 *	1:    launching until 125, then the device itself
 *	20:   longer than launching: until 140 the call, then launching
 *	100:  it returns after its work began: launching, then the call */
static void test_launch(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	w = drawing_work_of(&d, KIND_KERNEL, d.thread, 120, 121, d.stream, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_NOTHING, 120 }, { GAP_CAUSE_LAUNCH, 125 },
		{ GAP_CAUSE_DEPENDENCY, 200 });
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	w = drawing_work_of(&d, KIND_KERNEL, d.thread, 120, 140, d.stream, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_NOTHING, 120 }, { GAP_CAUSE_RUNTIME, 140 },
		{ GAP_CAUSE_LAUNCH, 145 }, { GAP_CAUSE_DEPENDENCY, 200 });
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	w = drawing_work_of(&d, KIND_MEMCPY, d.thread, 120, 220, d.stream, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_NOTHING, 120 }, { GAP_CAUSE_LAUNCH, 125 },
		{ GAP_CAUSE_RUNTIME, 200 });
}

/* Launched before the gap began, at 50, at 97 (launching takes until 102), and in a call [50 150)
 * that is still open: it is in that call that the thread is. */
static void test_launched_ahead(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	w = drawing_work(&d, 50, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_DEPENDENCY, 200 });
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	w = drawing_work(&d, 97, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_LAUNCH, 102 }, { GAP_CAUSE_DEPENDENCY, 200 });
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	w = drawing_work_of(&d, KIND_KERNEL, d.thread, 50, 150, d.stream, 200, 210);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_RUNTIME, 150 }, { GAP_CAUSE_LAUNCH, 155 },
		{ GAP_CAUSE_DEPENDENCY, 200 });
}

/* Nobody knows of work without a launch when it was launched. */
static void test_unknown(void **state)
{
	struct drawing d;
	uint32_t a, w;

	(void)state;
	drawing_begin(&d);
	a = drawing_work(&d, 0, 1, 100);
	drawing_call(&d, KIND_OP, d.thread, "aten::mm", 110, 190);
	w = hand_event(&d.run, KIND_KERNEL, d.stream, "alone", 200, 10);
	ASSERT_SPLIT(&d, a, w, { GAP_CAUSE_UNKNOWN, 200 });
}

/* W, launched at 0, begins at 100 + `waits`; before it the device had been busy for `busy`, on W's
 * queue or on another. */
static void assert_rest(nsec waits, nsec busy, bool same_queue, enum gap_cause want)
{
	const struct until until[] = { { want, 100 + waits } };
	struct wait_question q = { 100, 100 + waits, NO_ROW, NO_ROW, NO_ROW, busy };
	struct drawing d;

	drawing_begin(&d);
	q.prev = drawing_work_of(&d, KIND_KERNEL, d.thread, 0, 1,
		same_queue ? d.stream : hand_stream(&d.run, 0, 9), 50, 100);
	q.next = drawing_work(&d, 2, 100 + waits, 200 + waits);
	split(&d, &q, until, 1);
}

/* Unrecorded: only before the first recorded work of a queue, only for 1 ms or more, and only where
 * it is more than all work of the device before it could explain. */
static void test_unrecorded(void **state)
{
	(void)state;
	assert_rest(3 * MS, 50, false, GAP_CAUSE_UNRECORDED);
	assert_rest(MS, 50, false, GAP_CAUSE_UNRECORDED);
	assert_rest(MS - 1, 50, false, GAP_CAUSE_DEPENDENCY);
	assert_rest(3 * MS, 50, true, GAP_CAUSE_DEPENDENCY);
	assert_rest(3 * MS, 3 * MS, false, GAP_CAUSE_DEPENDENCY);
	assert_rest(3 * MS, 3 * MS - 1, false, GAP_CAUSE_UNRECORDED);
}

static void test_sync_names(void **state)
{
	static const char *const yes[] = { "cudaDeviceSynchronize", "cudaStreamSynchronize",
		"cudaEventSynchronize", "hipDeviceSynchronize", "cuCtxSynchronize", "cudaMemcpy",
		"hipMemcpyWithStream" };
	static const char *const no[] = { "cudaMemcpyAsync", "cudaStreamWaitEvent",
		"cudaLaunchKernel", "cudaEventQuery" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(yes); i++)
		assert_true(gap_causes_is_sync_name(span_of(yes[i])));
	for (i = 0; i < COUNT_OF(no); i++)
		assert_false(gap_causes_is_sync_name(span_of(no[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_sync),
		cmocka_unit_test(test_sync_in_op),
		cmocka_unit_test(test_blocking_copy),
		cmocka_unit_test(test_sync_of_idle_device),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_main_thread),
		cmocka_unit_test(test_main_thread_waits),
		cmocka_unit_test(test_behind_the_last),
		cmocka_unit_test(test_launch),
		cmocka_unit_test(test_launched_ahead),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_unrecorded),
		cmocka_unit_test(test_sync_names),
	};

	return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
