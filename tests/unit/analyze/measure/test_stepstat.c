/* Which steps stand out, and the analysis of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "analyze/measure/stepstat.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

/* Steps one behind the other, of these durations. */
static void add_steps(struct run *r, const nsec *dur, size_t n)
{
	uint32_t thread = hand_thread(r, 1);
	char name[32];
	nsec at = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "ProfilerStep#%zu", i + 5);
		(void)hand_event(r, KIND_ANNOTATION, thread, name, at, dur[i]);
		at += dur[i];
	}
}

static struct stepstat stat_of(struct run *r, const nsec *dur, size_t n, struct arena *mem)
{
	struct stepstat s;

	run_init(r, NEED_LINKS | NEED_STEPS);
	arena_init(mem);
	add_steps(r, dur, n);
	index_build(r, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	stepstat_init(&s, r, NULL, mem);
	return s;
}

static void drop(struct run *r, struct arena *mem)
{
	arena_clear(mem);
	run_clear(r);
}

/* Six steps: all count.  Seven: the first and the last do not. */
static void first_and_last_are_set_aside(void **state)
{
	static const nsec dur[] = { 900, 100, 102, 104, 106, 108, 10 };
	struct stepstat s;
	struct arena mem;
	struct run r;

	(void)state;
	s = stat_of(&r, dur, 6, &mem);
	assert_int_equal(s.count, 6);
	assert_float_equal(s.median, 105, 0);
	assert_int_equal(s.max, 900);
	drop(&r, &mem);
	s = stat_of(&r, dur, 7, &mem);
	assert_int_equal(s.from, 1);
	assert_int_equal(s.count, 5);
	assert_float_equal(s.median, 104, 0);
	assert_int_equal(s.min, 100);
	assert_int_equal(s.max, 108);
	assert_float_equal(s.mad, 2, 0);
	assert_int_equal(s.sum, 1430);
	drop(&r, &mem);
}

/* The first is slow against the others; a short and a long one are odd, 6 % off is not. */
static void odd_steps_are_marked(void **state)
{
	static const nsec dur[] = { 5600, 1000, 1000, 1060, 1000, 100, 1000, 2700, 1000 };
	static const uint8_t want[] = { STEP_SLOW_FIRST, 0, 0, 0, 0, STEP_FAST, 0, STEP_SLOW, 0 };
	struct stepstat s;
	struct arena mem;
	struct run r;
	size_t i;

	(void)state;
	s = stat_of(&r, dur, COUNT_OF(dur), &mem);
	assert_float_equal(s.first_ratio, 5.6, 1e-9);
	assert_int_equal(s.outliers, 3);
	for (i = 0; i < COUNT_OF(dur); i++)
		assert_int_equal(s.mark[i], want[i]);
	drop(&r, &mem);
}

/* Where steps vary by themselves, an odd one has to be further off: median 100, MAD 20. */
static void noise_hides_outliers(void **state)
{
	static const nsec dur[] = { 100, 80, 120, 80, 120, 100, 190, 100, 60 };
	struct stepstat s;
	struct arena mem;
	struct run r;

	(void)state;
	s = stat_of(&r, dur, COUNT_OF(dur), &mem);
	assert_int_equal(s.outliers, 0);
	drop(&r, &mem);
}

/* Of two steps nothing can be said about the first. */
static void few_steps_say_little(void **state)
{
	static const nsec dur[] = { 900, 100 };
	struct stepstat s;
	struct arena mem;
	struct run r;

	(void)state;
	s = stat_of(&r, dur, 2, &mem);
	assert_true(isnan(s.first_ratio));
	assert_int_equal(s.mark[0], 0);
	assert_float_equal(s.median, 500, 0);
	drop(&r, &mem);
	s = stat_of(&r, dur, 0, &mem);
	assert_int_equal(s.has_steps, false);
	drop(&r, &mem);
}

/* Too few to say which are odd, but the first is slow against the others. */
static void a_slow_first_of_few_is_odd(void **state)
{
	static const nsec slow[] = { 160, 100, 100, 100 }, fine[] = { 150, 100, 100, 200 };
	struct stepstat s;
	struct arena mem;
	struct run r;

	(void)state;
	for (size_t n = 3; n <= 4; n++) {
		s = stat_of(&r, slow, n, &mem);
		assert_true(s.odd[0]);
		assert_int_equal(s.outliers, 1);
		assert_int_equal(s.mark[0], STEP_SLOW_FIRST);
		drop(&r, &mem);
		s = stat_of(&r, fine, n, &mem);
		assert_int_equal(s.outliers, 0);
		drop(&r, &mem);
	}
}

/* Two devices, three steps of 100; a kernel of 10, 20, 30 in them on device 0, one of 50 on device
 * 1 in the second. */
static void a_row_for_each_step_and_device(void **state)
{
	static const nsec dur[] = { 100, 100, 100 };
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	run_init(&r, NEED_LINKS | NEED_STEPS);
	add_steps(&r, dur, 3);
	for (row = 0; row < 3; row++)
		(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k",
			(nsec)(100 * row + 40), (nsec)(10 * row + 10));
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "k", 140, 50);
	hand_ask(&h, &analysis_steps, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "steps");
	assert_int_equal(t->nrow, 6 + 2);
	assert_int_equal(t->nfoot, 2);
	assert_int_equal(hand_int(t, 3, "step"), 6);
	assert_int_equal(hand_int(t, 3, "device"), 1);
	assert_int_equal(hand_int(t, 3, "compute_ns"), 50);
	assert_int_equal(hand_int(t, 3, "idle_ns"), 50);
	assert_int_equal(hand_int(t, 3, "device_events"), 1);
	assert_int_equal(hand_int(t, 4, "compute_ns"), 30);
	assert_int_equal(hand_int(t, 5, "compute_ns"), 0);
	assert_int_equal(hand_int(t, 6, "compute_ns"), 20); /* the medians */
	assert_int_equal(hand_int(t, 7, "compute_ns"), 0);
	t = hand_table(&h, "roles");
	row = hand_find(t, "role", "kernel");
	assert_int_equal(hand_int(t, row, "sum_ns"), 10 + 50 + 30);
	assert_int_equal(hand_int(t, t->nrow - 1, "sum_ns"), 300);
	hand_release(&h);
	run_clear(&r);
}

/* Without device work the ledger is unknown, not 0 (defect 48 has others stop here). */
static void a_cpu_trace_has_no_ledger(void **state)
{
	static const nsec dur[] = { 100, 100 };
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, NEED_LINKS | NEED_STEPS);
	add_steps(&r, dur, 2);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "aten::mm", 10, 30);
	hand_ask(&h, &analysis_steps, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "steps");
	assert_int_equal(hand_int(t, 0, "wall_ns"), 100);
	assert_false(hand_knows(t, 0, "device"));
	assert_false(hand_knows(t, 0, "compute_ns"));
	assert_false(hand_knows(t, 0, "busy_ratio"));
	t = hand_table(&h, "step_roles");
	assert_int_equal(hand_int(t, 0, "cpu_exec_ns"), 30);
	assert_int_equal(hand_int(t, 0, "other_ns"), 70);
	hand_release(&h);
	run_clear(&r);
}

/* Device work alone is one step from its first start to its last end. */
static void a_gpu_trace_is_one_step(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, NEED_LINKS | NEED_STEPS);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 10, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 40, 10);
	hand_ask(&h, &analysis_steps, &r, true);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "steps");
	assert_int_equal(t->nrow, 1);
	assert_false(hand_knows(t, 0, "step"));
	assert_int_equal(hand_int(t, 0, "wall_ns"), 40);
	assert_int_equal(hand_int(t, 0, "compute_ns"), 20);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 20);
	assert_string_equal(h.result.note[0].id, "no_steps");
	hand_release(&h);
	run_clear(&r);
}

/*
 *	thread   #5 [0     100)  #6 [100   200)  #7 [200         300)
 *	           10              110            210  220
 *	stream        [20    110)    [130     260)  [270 400)  [410 450)
 *
 * Where the host runs ahead a step takes what it takes on the device: 110, 140 and 180, of which
 * 90, 130 and 170 are work.
 */
static void steps_of_the_device(void **state)
{
	static const nsec dur[] = { 100, 100, 100 }, wall[] = { 110, 140, 180 };
	static const nsec work[][3] = { { 10, 20, 110 }, { 110, 130, 260 }, { 210, 270, 400 },
		{ 220, 410, 450 } };
	struct hand_answer h;
	const struct table *t;
	struct stepstat s;
	struct arena mem = { 0 };
	struct run r;
	size_t i;

	(void)state;
	run_init(&r, NEED_LINKS | NEED_STEPS);
	add_steps(&r, dur, 3);
	for (i = 0; i < COUNT_OF(work); i++)
		(void)hand_launch(&r, hand_thread(&r, 1), hand_stream(&r, 0, 7), work[i][0],
			work[i][1], work[i][2] - work[i][1], (uint64_t)i + 1);
	hand_ask(&h, &analysis_steps, &r, false);
	stepstat_init(&s, &r, NULL, &mem);
	assert_float_equal(s.median, 140, 0);
	assert_int_equal(s.sum, 430);
	t = hand_table(&h, "steps");
	assert_int_equal(t->nrow - t->nfoot, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(stepstat_dur(&s, &r, i), wall[i]);
		assert_int_equal(hand_int(t, i, "wall_ns"), wall[i]);
		assert_int_equal(hand_int(t, i, "compute_ns"), i == 0 ? 90 : i == 1 ? 130 : 170);
	}
	assert_int_equal(hand_int(t, 1, "start_ns"), 130);
	hand_release(&h);
	drop(&r, &mem);
}

/* The last step is kept, and marked when its device work is missing.  It may do less: it counts. */
static void a_cut_off_last_step_is_kept(void **state)
{
	static const nsec dur[] = { 100, 100, 100 };
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, stream;
	nsec at;

	(void)state;
	run_init(&r, NEED_LINKS | NEED_STEPS);
	add_steps(&r, dur, 3);
	thread = hand_thread(&r, 1);
	stream = hand_stream(&r, 0, 7);
	for (at = 0; at < 210; at += 20)
		(void)hand_launch(&r, thread, stream, at + 1, at + 5, 10, (uint64_t)at + 1);
	hand_ask(&h, &analysis_steps, &r, false);
	t = hand_table(&h, "steps");
	assert_int_equal(t->nrow - t->nfoot, 3);
	assert_int_equal(hand_int(t, 2, "wall_ns"), 100);
	assert_true(span_is(hand_text(t, 2, "mark"), "incomplete"));
	assert_true(span_is(hand_text(t, 1, "mark"), ""));
	assert_true(hand_bool(t, 0, "is_counted"));
	assert_true(hand_bool(t, 1, "is_counted"));
	assert_true(hand_bool(t, 2, "is_counted"));
	hand_release(&h);
	run_clear(&r);
}

/* How many steps of n count, of which the last `cut` are cut off. */
static size_t counted(size_t n, size_t cut)
{
	static const nsec dur[] = { 100, 100, 100, 100, 100, 100, 100, 100 };
	struct stepstat s;
	struct arena mem;
	struct run r;

	run_init(&r, NEED_STEPS);
	arena_init(&mem);
	add_steps(&r, dur, n);
	index_build(&r, NEED_ORDER | NEED_STEPS);
	for (size_t i = n - cut; i < n; i++)
		r.steps->step[i].incomplete = STEP_IS_CUT_OFF;
	stepstat_init(&s, &r, NULL, &mem);
	assert_true(s.from <= 1 && s.from + s.count <= n);
	assert_int_equal(isnan(s.first_ratio), n - cut < 3);
	n = s.from * 10 + s.count;
	drop(&r, &mem);
	return n;
}

/* It is the last that is set aside; of few steps nothing else is. */
static void cut_off_steps_do_not_count(void **state)
{
	(void)state;
	assert_int_equal(counted(1, 1), 1);
	assert_int_equal(counted(2, 1), 1);
	assert_int_equal(counted(2, 2), 1);
	assert_int_equal(counted(5, 1), 4);
	assert_int_equal(counted(6, 1), 5);
	assert_int_equal(counted(7, 0), 15);
	assert_int_equal(counted(7, 1), 15);
	assert_int_equal(counted(7, 2), 5);
	assert_int_equal(counted(8, 1), 16);
	assert_int_equal(counted(8, 7), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_and_last_are_set_aside),
		cmocka_unit_test(odd_steps_are_marked),
		cmocka_unit_test(noise_hides_outliers),
		cmocka_unit_test(few_steps_say_little),
		cmocka_unit_test(a_slow_first_of_few_is_odd),
		cmocka_unit_test(a_row_for_each_step_and_device),
		cmocka_unit_test(a_cpu_trace_has_no_ledger),
		cmocka_unit_test(a_gpu_trace_is_one_step),
		cmocka_unit_test(steps_of_the_device),
		cmocka_unit_test(a_cut_off_last_step_is_kept),
		cmocka_unit_test(cut_off_steps_do_not_count),
	};

	return cmocka_run_group_tests_name("stepstat", tests, NULL, NULL);
}
