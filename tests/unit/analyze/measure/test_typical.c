/* Typical steps: what they are like, and when there are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/measure/window.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"
#include "tests/unit/near.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS, STEPS = 300, STEP = 100000, LOADS = 1000000 };

struct drawing {
	struct run run;
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct window window;
	struct arena mem;
};

/* Steps of 100,000, each with so many operators, and with work for what `work` says; from LOADS on
 * they load data, too. */
static void draw(struct drawing *d, int ops, nsec work(int step))
{
	struct err e;

	*d = (struct drawing){ 0 };
	run_init(&d->run, NEEDS);
	arena_init(&d->mem);
	err_clear(&e);
	uint32_t thread = hand_thread(&d->run, 1), stream = hand_stream(&d->run, 0, 7);
	for (int i = 0; i < STEPS; i++) {
		nsec at = (nsec)i * STEP;
		char name[32];

		(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
		(void)hand_event(&d->run, KIND_ANNOTATION, thread, name, at, STEP);
		(void)hand_launch(
			&d->run, thread, stream, at + 5, at + 20, work(i) % LOADS, (uint64_t)i + 1);
		if (work(i) > LOADS)
			(void)hand_event(&d->run, KIND_OP, thread,
				"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
				at + 20000, 70000);
		for (int k = 0; k < ops; k++)
			(void)hand_event(
				&d->run, KIND_OP, thread, "aten::add", at + 100 + 10 * k, 8);
	}
	index_build(&d->run, NEEDS);
	assert_int_equal(filter_parse(&d->set, &(struct filter){ 0 }, &e), OK);
	assert_int_equal(filter_view_init(&d->view, &d->set, &d->run, &d->mem, &e), OK);
	classes_init(&d->classes, &d->run, &d->mem);
	ledgers_init(&d->ledgers, &d->run, &d->classes, &d->view, &d->mem);
	step_gap_causes_init(&d->waiting, &d->run, &d->view, &d->mem);
	window_init(&d->window, &d->run, &d->view, &d->ledgers, &d->waiting, &d->mem);
}

static void drop(struct drawing *d)
{
	filter_free(&d->set);
	arena_clear(&d->mem);
	run_clear(&d->run);
}

static nsec always(int step)
{
	(void)step;
	return 50000;
}

/* Longer in a third of the steps. */
static nsec first_third(int step)
{
	return step < STEPS / 3 ? 80000 : 50000;
}

static nsec ends_low(int step)
{
	return step < 40 || step >= STEPS - 40 ? 20000 : 60000;
}

/* Some 66 of the 298 steps that count have 65,536 of 295,000 events. */
static void alike(void **state)
{
	struct drawing d;

	(void)state;
	draw(&d, 980, always);
	const struct typical *t = &d.window.typical;
	assert_int_equal(d.window.nstep, STEPS - 2);
	assert_in_range(t->n, 65, 68);
	assert_int_equal(t->ns, (nsec)t->n * STEP);
	assert_int_equal(t->when.end, d.window.time[t->first + t->n - 1].end);
	assert_true(t->when.start <= d.window.time[t->first].start);
	drop(&d);
}

/* On average 80,000 in 99 of 298 steps that count: the frame has the same share of them. */
static void in_the_same_share(void **state)
{
	struct drawing d;

	(void)state;
	draw(&d, 980, first_third);
	const struct typical *t = &d.window.typical;
	assert_in_range(t->n, 65, 68);
	assert_true(t->first < 99 && t->first + t->n > 99);
	near((double)(99 - t->first) / (double)t->n, 99.0 / 298, 0.04);
	drop(&d);
}

/* Low at both ends, 78 of 298: at one of them 17 of 66 are low. */
static void at_an_end(void **state)
{
	struct drawing d;

	(void)state;
	draw(&d, 980, ends_low);
	const struct typical *t = &d.window.typical;
	assert_in_range(t->n, 65, 68);
	size_t low = t->first < 39 ? 39 - t->first : t->first + t->n - (298 - 39);
	near((double)low / (double)t->n, 78.0 / 298, 0.03);
	drop(&d);
}

/* A third of the steps computes for longer, and the last third loads data.  What has of both as
 * much as all has the whole of the third between them: no half of the steps has. */
static nsec and_loads(int step)
{
	return step < 100 ? 60000 : step < 200 ? 10000 : LOADS + 10000;
}

static void none_is(void **state)
{
	struct drawing d;

	(void)state;
	draw(&d, 980, and_loads);
	assert_int_equal(d.window.typical.n, d.window.nstep);
	drop(&d);
}

/* Of few events all steps are typical, whatever they do. */
static void few_events(void **state)
{
	struct drawing d;

	(void)state;
	draw(&d, 100, always);
	assert_int_equal(d.window.typical.n, d.window.nstep);
	assert_int_equal(d.window.typical.ns, d.window.ns);
	drop(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alike),
		cmocka_unit_test(in_the_same_share),
		cmocka_unit_test(at_an_end),
		cmocka_unit_test(none_is),
		cmocka_unit_test(few_events),
	};

	return cmocka_run_group_tests_name("typical", tests, NULL, NULL);
}
