/*
 * Steps: which events mark them, which step device work belongs to, and when the last is cut off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/steps.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

static uint32_t step_of(const struct run *r, uint32_t row)
{
	return r->steps->of_device[r->events.args[row] - 1];
}

/*
 *	thread 1   #7 [0   100)  #8 [100   200)      written in the other order
 *	           c1 at 90      c2 at 150   c3 at 250
 *	stream 7   k1      [110 120)  k2 [210 220)  k3 [260 270)   alone [130 140), no launch
 *
 * By launch: k1 in #7, k2 in #8, k3 outside; alone by its own start in #8.  A gpu_user_annotation
 *of the same name is no step, nor are names that only look like one.
 */
static void profiler_steps(void **state)
{
	static const char *const no_steps[] = { "ProfilerStep#", "ProfilerStep#1x", "ProfilerStep*",
		"ProfilerStep#-1", "XProfilerStep#1", "ProfilerStep#1234567890123456789" };
	struct run r;
	uint32_t t, s, k1, k2, k3, alone;
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
	k1 = hand_launch(&r, t, s, 90, 110, 10, 1);
	k2 = hand_launch(&r, t, s, 150, 210, 10, 2);
	k3 = hand_launch(&r, t, s, 250, 260, 10, 3);
	alone = hand_event(&r, KIND_KERNEL, s, "alone", 130, 10);
	index_build(&r, NEED_LINKS | NEED_STEPS);

	assert_int_equal(r.steps->source, STEPS_PROFILER);
	assert_int_equal(r.steps->n, 2);
	assert_int_equal(r.steps->step[0].number, 7);
	assert_int_equal(r.steps->step[0].start, 0);
	assert_int_equal(r.steps->step[0].end, 100);
	assert_int_equal(r.steps->step[0].ndevice, 1);
	assert_int_equal(r.steps->step[0].lane, t);
	assert_int_equal(r.steps->step[1].number, 8);
	assert_int_equal(r.steps->step[1].ndevice, 2);
	assert_false(r.steps->step[1].incomplete);
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
		mask |= (unsigned)r.steps->step[i].incomplete << i;
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
	assert_false(r.steps->step[0].incomplete);
	assert_true(r.steps->step[1].incomplete);
	assert_int_equal(r.steps->step[1].ndevice, -1);
	run_clear(&r);
}

/*
 *	thread 1   load [0 10)   run_1(8) [10 40)   run_2(16) [40 70)   run_3(4) [75 100)
 *	             inner [12 20) x2 ...
 *	thread 2   tick [0 1) [2 3) [4 5) [6 7)      often, but covers little
 *
 * run_# covers 85 of 100 ns.  With only two of them, or when they cover less than half, the whole
 * trace is the step.
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

static void whole_trace(void **state)
{
	static const nsec last[] = { 40, 61 }; /* 3 x 10 of 100 ns; 3 x 20 of 121 ns */
	size_t k;
	nsec i;

	(void)state;
	for (k = 0; k < COUNT_OF(last); k++) {
		struct run r;
		uint32_t t, kernel;

		run_init(&r, 0);
		t = hand_thread(&r, 1);
		for (i = 0; i < 3; i++)
			(void)hand_event(&r, KIND_ANNOTATION, t, "run", i * 20, k ? 20 : 10);
		(void)hand_event(&r, KIND_OP, t, "rest", 60, last[k]);
		kernel = hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 200, 0);
		index_build(&r, NEED_STEPS);
		assert_int_equal(r.steps->source, STEPS_WHOLE);
		assert_int_equal(r.steps->n, 1);
		assert_int_equal(r.steps->name, 0);
		assert_int_equal(r.steps->step[0].row, NO_ROW);
		assert_int_equal(r.steps->step[0].start, 0);
		assert_int_equal(r.steps->step[0].end, 200);
		assert_int_equal(step_of(&r, kernel), 0);
		run_clear(&r);
	}
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
		cmocka_unit_test(unfinished_step),
		cmocka_unit_test(annotation_steps),
		cmocka_unit_test(whole_trace),
		cmocka_unit_test(nothing_at_all),
	};

	return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
