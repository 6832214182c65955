/* Steps: where they begin and end on a device that the host runs ahead of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

/* A piece of work, and when it was launched. */
struct work {
	nsec launch, start, end;
};

/* Steps #1, #2 ... of 100 ns on the host, and work. */
static void draw(struct run *r, size_t nstep, const struct work *w, size_t n)
{
	static const char *const names[] = { "ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3",
		"ProfilerStep#4" };
	uint32_t t, q;
	size_t i;

	run_init(r, NEED_LINKS);
	t = hand_thread(r, 1);
	q = hand_stream(r, 0, 7);
	for (i = 0; i < nstep; i++)
		(void)hand_event(r, KIND_ANNOTATION, t, names[i], (nsec)i * 100, 100);
	for (i = 0; i < n; i++)
		(void)hand_launch(
			r, t, q, w[i].launch, w[i].start, w[i].end - w[i].start, (uint64_t)i + 1);
	index_build(r, NEED_LINKS | NEED_STEPS);
}

static void assert_step(const struct run *r, size_t i, nsec start, nsec end)
{
	const struct step *s = &r->steps->step[i];

	assert_int_equal(s->start, start);
	assert_int_equal(s->end, end);
	assert_int_equal(s->host_start, (nsec)i * 100);
	assert_int_equal(s->host_end, (nsec)i * 100 + 100);
}

/*
 *	thread   #1 [0     100)  #2 [100   200)  #3 [200         300)
 *	           10              110            210  220
 *	stream        [20    110)    [130     260)  [270 400)  [410 450)
 *
 * When #2 launches all work of #1 is done, when #3 does that of #2 takes 50 more: the median is 25
 * of 100.
 */
static void cut_on_device(void **state)
{
	static const struct work work[] = { { 10, 20, 110 }, { 110, 130, 260 }, { 210, 270, 400 },
		{ 220, 410, 450 } };
	int64_t number = -1;
	struct run r;

	(void)state;
	draw(&r, 3, work, COUNT_OF(work));
	assert_true(r.steps->on_device);
	assert_true(r.steps->delay == 25);
	assert_step(&r, 0, 20, 130);
	assert_step(&r, 1, 130, 270);
	assert_step(&r, 2, 270, 450);
	assert_int_equal(r.steps->step[2].ndevice, 2);
	/* calls belong to marks, figures to what was cut */
	assert_int_equal(steps_at(r.steps, 110), 1);
	assert_int_equal(steps_at(r.steps, 310), NO_ROW);
	assert_true(steps_number_at(r.steps, 110, &number));
	assert_int_equal(number, 2);
	assert_true(steps_number_around(r.steps, 110, &number));
	assert_int_equal(number, 1);
	assert_true(steps_number_around(r.steps, 130, &number));
	assert_int_equal(number, 2);
	assert_true(steps_number_around(r.steps, 449, &number));
	assert_int_equal(number, 3);
	assert_false(steps_number_around(r.steps, 19, &number));
	assert_false(steps_number_around(r.steps, 450, &number));
	run_clear(&r);
}

/*
 *	thread   #1 [0 100)  #2 [100 200)  #3 [200 300)  #4 [300 400)
 *	           10                        210
 *	stream       [40                  240) [260 300)
 *
 * #2 and #4 launched nothing and have no length.  With #2 and #3 alone at work the same is so
 * of #1.
 */
static void steps_without_work(void **state)
{
	static const struct work work[] = { { 10, 40, 240 }, { 210, 260, 300 } };
	static const struct work later[] = { { 110, 140, 240 }, { 210, 260, 300 } };
	struct run r;

	(void)state;
	draw(&r, 4, work, COUNT_OF(work));
	assert_true(r.steps->on_device);
	assert_step(&r, 0, 40, 260);
	assert_step(&r, 1, 260, 260);
	assert_step(&r, 2, 260, 300);
	assert_step(&r, 3, 300, 300);
	assert_true(r.steps->step[3].incomplete);
	run_clear(&r);
	draw(&r, 3, later, COUNT_OF(later));
	assert_step(&r, 0, 140, 140);
	assert_step(&r, 1, 140, 260);
	assert_step(&r, 2, 260, 300);
	run_clear(&r);
}

/*
 *	thread   #1 [0   100)  #2 [100    200)  #3 [200 300)
 *	           10           110              210
 *	stream                       [140 145)     [260 300)
 *	                                [150 200)                launched at 10
 *
 * The work of #1 begins after that of #2: #1 has no length.
 */
static void work_out_of_order(void **state)
{
	static const struct work work[] = { { 10, 150, 200 }, { 110, 140, 145 },
		{ 210, 260, 300 } };
	struct run r;

	(void)state;
	draw(&r, 3, work, COUNT_OF(work));
	assert_true(r.steps->on_device);
	assert_step(&r, 0, 140, 140);
	assert_step(&r, 1, 140, 260);
	assert_step(&r, 2, 260, 300);
	run_clear(&r);
}

/* Not where the delay is no more than a tenth, not where what is waited for is no work of steps
 * before, and not where only one step has work. */
static void not_cut(void **state)
{
	static const struct work tenth[] = { { 10, 20, 120 }, { 110, 120, 190 } };
	static const struct work beyond[] = { { 10, 21, 121 }, { 110, 121, 190 } };
	static const struct work elsewhere[] = { { 10, 20, 90 }, { 110, 190, 199 } };
	static const struct work one[] = { { 10, 90, 150 } };
	struct run r;

	(void)state;
	draw(&r, 2, tenth, 2);
	assert_false(r.steps->on_device);
	assert_true(r.steps->delay == 10);
	assert_step(&r, 1, 100, 200);
	run_clear(&r);
	draw(&r, 2, beyond, 2);
	assert_true(r.steps->on_device);
	assert_step(&r, 0, 21, 121);
	assert_step(&r, 1, 121, 190);
	run_clear(&r);
	draw(&r, 2, elsewhere, 2);
	assert_false(r.steps->on_device);
	assert_true(r.steps->delay == 0);
	run_clear(&r);
	draw(&r, 1, one, 1);
	assert_false(r.steps->on_device);
	assert_true(isnan(r.steps->delay));
	assert_step(&r, 0, 0, 100);
	run_clear(&r);
	draw(&r, 2, one, 1);
	assert_false(r.steps->on_device);
	assert_step(&r, 0, 0, 100);
	assert_step(&r, 1, 100, 200);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_on_device),
		cmocka_unit_test(steps_without_work),
		cmocka_unit_test(work_out_of_order),
		cmocka_unit_test(not_cut),
	};

	return cmocka_run_group_tests_name("steps_device", tests, NULL, NULL);
}
