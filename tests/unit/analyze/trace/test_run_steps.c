/*
 * Steps: which events mark them, which step device work belongs to, and when the last is cut off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

static uint32_t step_of(const struct run *r, uint32_t row)
{
	return r->steps->of_device[r->events.args[row] - 1];
}

/*
 *	thread 1   #7 [0        100)  #8 [100  200)      written in the other order
 *	           c0 at 10  c1 at 90      c2 at 150   c3 at 250
 *	stream 7   k0 [15 20)  k1 [110 120)  k2 [155 160)  k3 [260 270)   alone [130 140), no launch
 *
 * By launch: k0 and k1 in #7, k2 in #8, k3 outside; alone by its own start in #8.  When #8
 * launches its first work that of #7 is done: the host does not run ahead.  A gpu_user_annotation
 * of the same name is no step, nor are names that only look like one.
 */
static void profiler_steps(void **state)
{
	static const char *const no_steps[] = { "ProfilerStep#", "ProfilerStep#1x", "ProfilerStep*",
		"ProfilerStep#-1", "XProfilerStep#1", "ProfilerStep#1234567890123456789" };
	struct run r;
	uint32_t t, s, k0, k1, k2, k3, alone;
	size_t i;

	(void)state;
	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	for (i = 0; i < COUNT_OF(no_steps); i++)
		(void)hand_event(&r, KIND_ANNOTATION, t, no_steps[i], 0, 10);
	(void)hand_event(&r, KIND_GPU_ANNOTATION, s, "ProfilerStep#7", 0, 10);
	(void)hand_event(&r, KIND_ANNOTATION, t, "ProfilerStep#8", 100, 100);
	(void)hand_event(&r, KIND_OP, t, "ProfilerStep#7", 0, 100);
	k0 = hand_launch(&r, t, s, 10, 15, 5, 4);
	k1 = hand_launch(&r, t, s, 90, 110, 10, 1);
	k2 = hand_launch(&r, t, s, 150, 155, 5, 2);
	k3 = hand_launch(&r, t, s, 250, 260, 10, 3);
	alone = hand_event(&r, KIND_KERNEL, s, "alone", 130, 10);
	index_build(&r, NEED_LINKS | NEED_STEPS);

	assert_int_equal(r.steps->source, STEPS_PROFILER);
	assert_false(r.steps->on_device);
	assert_true(r.steps->delay == 0);
	assert_int_equal(r.steps->n, 2);
	assert_int_equal(r.steps->step[0].number, 7);
	assert_int_equal(r.steps->step[0].start, 0);
	assert_int_equal(r.steps->step[0].end, 100);
	assert_int_equal(r.steps->step[0].ndevice, 2);
	assert_ptr_equal(step_thread(&r, &r.steps->step[0]), &r.lanes.lane[t]);
	assert_int_equal(r.steps->step[1].number, 8);
	assert_int_equal(r.steps->step[1].ndevice, 2);
	assert_false(r.steps->step[1].incomplete);
	assert_int_equal(step_of(&r, k0), 0);
	assert_int_equal(step_of(&r, k1), 0);
	assert_int_equal(step_of(&r, k2), 1);
	assert_int_equal(step_of(&r, k3), NO_ROW);
	assert_int_equal(step_of(&r, alone), 1);
	assert_int_equal(steps_at(r.steps, -1), NO_ROW);
	assert_int_equal(steps_at(r.steps, 0), 0);
	assert_int_equal(steps_at(r.steps, 99), 0);
	assert_int_equal(steps_at(r.steps, 100), 1);
	assert_int_equal(steps_at(r.steps, 200), NO_ROW);
	run_clear(&r);
}

/* Steps of 100 ns, the i-th with n[i] launches; which of them are incomplete, as a bit mask. */
static unsigned incomplete(const int *n, size_t nstep, unsigned needs)
{
	static const char *const names[] = { "ProfilerStep#0", "ProfilerStep#1", "ProfilerStep#2",
		"ProfilerStep#3" };
	struct run r;
	uint32_t t, s;
	uint64_t id = 1;
	unsigned mask = 0;
	size_t i;
	int k;

	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	for (i = 0; i < nstep; i++) {
		(void)hand_event(&r, KIND_ANNOTATION, t, names[i], (nsec)i * 100, 100);
		for (k = 0; k < n[i]; k++, id++)
			(void)hand_launch(&r, t, s, (nsec)i * 100 + k, 1000, 1, id);
	}
	index_build(&r, needs);
	for (i = 0; i < nstep; i++)
		mask |= (unsigned)(r.steps->step[i].incomplete != STEP_IS_WHOLE) << i;
	run_clear(&r);
	return mask;
}

/* The TensorBoard plugin's rule, and its edges: 0.8 x 10 = 8 is still complete. */
static void cut_off_steps(void **state)
{
	unsigned needs = NEED_LINKS | NEED_STEPS;

	(void)state;
	assert_int_equal(incomplete((int[]){ 10, 10, 8 }, 3, needs), 0);
	assert_int_equal(incomplete((int[]){ 10, 10, 7 }, 3, needs), 1 << 2);
	assert_int_equal(incomplete((int[]){ 10, 10, 0 }, 3, needs), 1 << 2);
	assert_int_equal(incomplete((int[]){ 10, 5, 0, 0 }, 4, needs), 1 << 1 | 1 << 2 | 1 << 3);
	assert_int_equal(incomplete((int[]){ 5, 10, 10 }, 3, needs), 0);
	assert_int_equal(incomplete((int[]){ 0, 0 }, 2, needs), 0);
	assert_int_equal(incomplete((int[]){ 10, 1 }, 2, NEED_STEPS), 0);
}

/* Steps of ten launches each.  Of each `always` launch nothing; of the last two some work more is
 * lost, as many as lost[0] and lost[1].  What the last two are is returned in two digits. */
static int lost_work(int always, const int *lost)
{
	static const char *const names[] = { "ProfilerStep#0", "ProfilerStep#1", "ProfilerStep#2",
		"ProfilerStep#3" };
	struct run r;

	run_init(&r, NEED_LINKS);
	uint32_t t = hand_thread(&r, 1), s = hand_stream(&r, 0, 7);
	for (int i = 0, id = 1; i < 4; i++) {
		int without = always + (i < 2 ? 0 : lost[i - 2]);

		(void)hand_event(&r, KIND_ANNOTATION, t, names[i], (nsec)i * 100, 100);
		for (int k = 0; k < 10; k++, id++) {
			nsec at = (nsec)i * 100 + k;

			if (k < 10 - without)
				(void)hand_launch(&r, t, s, at, 1000, 1, (uint64_t)id);
			else
				hand_ids(&r,
					hand_event(&r, KIND_RUNTIME, t, "cudaLaunchKernel", at, 1),
					(uint64_t)id, 0);
		}
	}
	index_build(&r, NEED_LINKS | NEED_STEPS);
	int is = (int)r.steps->step[2].incomplete * 10 + (int)r.steps->step[3].incomplete;
	run_clear(&r);
	return is;
}

/* A step that launched what is not in the trace is cut off; what is so in every step tells nothing.
 */
static void lost_work_cuts_off(void **state)
{
	(void)state;
	assert_int_equal(lost_work(0, (int[]){ 0, 0 }), 0);
	assert_int_equal(lost_work(0, (int[]){ 0, 1 }), 2);
	assert_int_equal(lost_work(0, (int[]){ 0, 10 }), 2);
	assert_int_equal(lost_work(0, (int[]){ 4, 10 }), 22);
	assert_int_equal(lost_work(0, (int[]){ 10, 10 }), 22);
	assert_int_equal(lost_work(0, (int[]){ 4, 0 }), 0);
	assert_int_equal(lost_work(3, (int[]){ 0, 0 }), 0);
	assert_int_equal(lost_work(3, (int[]){ 0, 2 }), 2);
	assert_int_equal(lost_work(10, (int[]){ 0, 0 }), 0);
}

/* Two processes mark steps: those of the second take longest, all together. */
static void steps_of_a_process(void **state)
{
	struct run r;

	(void)state;
	run_init(&r, 0);
	uint32_t one = hand_thread(&r, 1);
	struct lane key = r.lanes.lane[one];
	key.pid = key.tid;
	key.pid_number = 1;
	uint32_t other = lanes_add(&r.lanes, &key);
	(void)hand_event(&r, KIND_ANNOTATION, one, "ProfilerStep#1", 0, 50);
	(void)hand_event(&r, KIND_ANNOTATION, one, "ProfilerStep#2", 50, 50);
	(void)hand_event(&r, KIND_ANNOTATION, other, "ProfilerStep#1", 10, 70);
	(void)hand_event(&r, KIND_ANNOTATION, other, "ProfilerStep#2", 80, 40);
	index_build(&r, NEED_STEPS);
	assert_int_equal(r.steps->n, 2);
	assert_int_equal(r.steps->others, 2);
	assert_int_equal(r.steps->step[0].start, 10);
	assert_int_equal(r.steps->step[1].end, 120);
	run_clear(&r);
}

static void unfinished_step(void **state)
{
	struct run r;
	uint32_t row;

	(void)state;
	run_init(&r, 0);
	(void)hand_event(&r, KIND_ANNOTATION, hand_thread(&r, 1), "ProfilerStep#1", 0, 10);
	row = hand_event(&r, KIND_ANNOTATION, hand_thread(&r, 1), "ProfilerStep#2", 10, 4);
	r.events.flags[row] = EVENT_CUT;
	index_build(&r, NEED_STEPS);
	assert_int_equal(r.steps->step[0].incomplete, STEP_IS_WHOLE);
	assert_int_equal(r.steps->step[1].incomplete, STEP_IS_CUT_OFF);
	assert_int_equal(r.steps->step[1].ndevice, -1);
	run_clear(&r);
}

/* ---- annotations ---- */

/*
 *	thread 1   load [0 10)   run_1(8) [10 40)   run_2(16) [40 70)   run_3(4) [75 100)
 *	             inner [10 18) x4 ...  run_9(1) [20 25) in run_1
 *	thread 2   tick [0 1) [2 3) [4 5) [6 7)      often, but covers little
 *
 * run_# covers 85 of 100 ns, and nothing was launched; what is nested in its like is no step.
 */
static void annotation_steps(void **state)
{
	struct run r;
	uint32_t t1, t2, s, k;
	nsec i;

	(void)state;
	run_init(&r, 0);
	t1 = hand_thread(&r, 1);
	t2 = hand_thread(&r, 2);
	s = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_ANNOTATION, t1, "load", 0, 10);
	(void)hand_event(&r, KIND_ANNOTATION, t1, "run_3(4)", 75, 25);
	(void)hand_event(&r, KIND_ANNOTATION, t1, "run_1(8)", 10, 30);
	(void)hand_event(&r, KIND_ANNOTATION, t1, "run_9(1)", 20, 5);
	(void)hand_event(&r, KIND_ANNOTATION, t1, "run_2(16)", 40, 30);
	for (i = 0; i < 4; i++) {
		(void)hand_event(&r, KIND_ANNOTATION, t1, "inner", 10 + i * 10, 8);
		(void)hand_event(&r, KIND_ANNOTATION, t2, "tick", i * 2, 1);
	}
	k = hand_event(&r, KIND_KERNEL, s, "k", 50, 1);
	index_build(&r, NEED_STEPS);
	assert_int_equal(r.steps->source, STEPS_ANNOTATION);
	assert_int_equal(r.steps->n, 3);
	assert_int_equal(r.steps->step[1].number, 1);
	assert_int_equal(r.steps->step[1].start, 40);
	assert_int_equal(r.steps->step[2].end, 100);
	assert_true(span_is(strings_get(&r.strings, r.steps->name), "run_1(8)"));
	assert_int_equal(step_of(&r, k), 1);
	assert_int_equal(steps_at(r.steps, 72), NO_ROW);
	run_clear(&r);
}

/* n annotations of `dur` in 100 ns of the host, without a device: what marks the steps. */
static enum step_source source_of_host(int n, nsec dur)
{
	enum step_source source;
	struct run r;
	uint32_t t;
	int i;

	run_init(&r, 0);
	t = hand_thread(&r, 1);
	for (i = 0; i < n; i++)
		(void)hand_event(&r, KIND_ANNOTATION, t, "run", i * dur, dur);
	(void)hand_event(&r, KIND_OP, t, "rest", n * dur, 100 - n * dur);
	index_build(&r, NEED_STEPS);
	source = r.steps->source;
	run_clear(&r);
	return source;
}

/* Three or more, and 80 % of the host's time where nothing is known of a device. */
static void cover_of_host(void **state)
{
	(void)state;
	assert_int_equal(source_of_host(4, 20), STEPS_ANNOTATION);
	assert_int_equal(source_of_host(3, 27), STEPS_ANNOTATION); /* 81 */
	assert_int_equal(source_of_host(3, 26), STEPS_WHOLE);      /* 78 */
	assert_int_equal(source_of_host(2, 50), STEPS_WHOLE);
}

/*
 *	thread   serve [0                                                  1000)
 *	           warm [0 100) x3    run [300 310) [320 330) [340 350)    L at 900
 *	stream                             40        40        40          `outside`
 *
 * Of the device's 120 ns and those outside.  warm takes longer but launches nothing; run lies in
 * serve.
 */
static void serve(struct run *r, nsec outside)
{
	uint32_t t, q;
	nsec i;

	run_init(r, NEED_LINKS);
	t = hand_thread(r, 1);
	q = hand_stream(r, 0, 7);
	(void)hand_event(r, KIND_ANNOTATION, t, "serve", 0, 1000);
	for (i = 0; i < 3; i++) {
		(void)hand_event(r, KIND_ANNOTATION, t, "warm", i * 100, 100);
		(void)hand_event(r, KIND_ANNOTATION, t, "run", 300 + i * 20, 10);
		(void)hand_launch(r, t, q, 301 + i * 20, 302 + i * 40, 40, (uint64_t)i + 1);
	}
	(void)hand_launch(r, t, q, 900, 901, outside, 9);
	(void)hand_event(r, KIND_KERNEL, q, "nobody knows who launched it", 2000, 1000);
	index_build(r, NEED_LINKS | NEED_STEPS);
}

/* 80 % of the device's work was launched in them: 120 of 150, but not of 151. */
static void cover_of_device(void **state)
{
	struct run r;

	(void)state;
	serve(&r, 30);
	assert_int_equal(r.steps->source, STEPS_ANNOTATION);
	assert_true(span_is(strings_get(&r.strings, r.steps->name), "run"));
	assert_int_equal(r.steps->n, 3);
	assert_int_equal(r.steps->step[2].host_start, 340);
	assert_int_equal(r.steps->step[2].ndevice, 1);
	run_clear(&r);
	serve(&r, 31);
	assert_int_equal(r.steps->source, STEPS_WHOLE);
	run_clear(&r);
}

/* Of two that both have all of the work, one inside of the other, the outer ones are steps. */
static void outer_annotations(void **state)
{
	struct run r;
	uint32_t t, q;
	nsec i;

	(void)state;
	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	q = hand_stream(&r, 0, 7);
	for (i = 0; i < 3; i++) {
		(void)hand_event(&r, KIND_ANNOTATION, t, "forward", 100 * i + 10, 50);
		(void)hand_event(&r, KIND_ANNOTATION, t, "batch", 100 * i, 100);
		(void)hand_launch(&r, t, q, 100 * i + 20, 100 * i + 22, 40, (uint64_t)i + 1);
	}
	index_build(&r, NEED_LINKS | NEED_STEPS);
	assert_int_equal(r.steps->n, 3);
	assert_true(span_is(strings_get(&r.strings, r.steps->name), "batch"));
	run_clear(&r);
}

/* ---- the whole ---- */

/*
 *	thread   op [0 50)     L 60                op [200 300)
 *	stream                   k [80 120)        sync [250 280), which is no work
 *	                  `alone` [.. 2), no launch
 *
 * From the first launch to the end of the last work; work without a launch counts from its start.
 */
static void whole(nsec alone, nsec start, nsec end)
{
	struct run r;
	uint32_t t, q, kernel;

	run_init(&r, NEED_LINKS);
	t = hand_thread(&r, 1);
	q = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, t, "op", 0, 50);
	(void)hand_event(&r, KIND_OP, t, "op", 200, 100);
	kernel = hand_launch(&r, t, q, 60, 80, 40, 1);
	(void)hand_event(&r, KIND_SYNC, q, "Stream Sync", 250, 30);
	if (alone >= 0)
		(void)hand_event(&r, KIND_KERNEL, q, "alone", alone, 2);
	index_build(&r, NEED_LINKS | NEED_STEPS);
	assert_int_equal(r.steps->source, STEPS_WHOLE);
	assert_false(r.steps->on_device);
	assert_int_equal(r.steps->n, 1);
	assert_int_equal(r.steps->name, 0);
	assert_null(step_thread(&r, &r.steps->step[0]));
	assert_int_equal(step_name(&r, &r.steps->step[0]).n, 0);
	assert_int_equal(r.steps->step[0].start, start);
	assert_int_equal(r.steps->step[0].end, end);
	assert_int_equal(step_of(&r, kernel), 0);
	run_clear(&r);
}

static void whole_trace(void **state)
{
	struct run r;

	(void)state;
	whole(-1, 60, 120);
	whole(10, 10, 120);
	whole(150, 60, 152);
	run_init(&r, 0);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "op", 5, 50);
	index_build(&r, NEED_STEPS);
	assert_int_equal(r.steps->source, STEPS_WHOLE);
	assert_int_equal(r.steps->step[0].start, 5);
	assert_int_equal(r.steps->step[0].end, 55);
	run_clear(&r);
}

static void nothing_at_all(void **state)
{
	struct run r;

	(void)state;
	run_init(&r, 0);
	index_build(&r, NEED_STEPS);
	assert_int_equal(r.steps->n, 0);
	assert_int_equal(steps_at(r.steps, 0), NO_ROW);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiler_steps),
		cmocka_unit_test(cut_off_steps),
		cmocka_unit_test(lost_work_cuts_off),
		cmocka_unit_test(steps_of_a_process),
		cmocka_unit_test(unfinished_step),
		cmocka_unit_test(annotation_steps),
		cmocka_unit_test(cover_of_host),
		cmocka_unit_test(cover_of_device),
		cmocka_unit_test(outer_annotations),
		cmocka_unit_test(whole_trace),
		cmocka_unit_test(nothing_at_all),
	};

	return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
