/* The window: which time a run's figures are about, and that it goes somewhere on each device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/measure/window.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "tests/unit/handmade.h"
#include "tests/unit/near.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS };
enum { MS = 1000000 };

struct drawing {
	struct run run;
	uint32_t thread, stream;
	uint64_t correlation;
};

static void begin(struct drawing *d)
{
	*d = (struct drawing){ 0 };
	run_init(&d->run, NEEDS);
	d->thread = hand_thread(&d->run, 1);
	d->stream = hand_stream(&d->run, 0, 7);
}

static void step(struct drawing *d, int n, nsec start, nsec end)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "ProfilerStep#%d", n);
	(void)hand_event(&d->run, KIND_ANNOTATION, d->thread, name, start, end - start);
}

static void work_on(struct drawing *d, uint32_t stream, nsec at, nsec start, nsec end)
{
	(void)hand_launch(&d->run, d->thread, stream, at, start, end - start, ++d->correlation);
}

static void work(struct drawing *d, nsec at, nsec start, nsec end)
{
	work_on(d, d->stream, at, start, end);
}

/* The window of a drawing, and all it is made of. */
struct asked {
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct window window;
	struct arena mem;
};

static void ask(struct asked *a, struct drawing *d, const struct filter *filter)
{
	struct err e;

	err_clear(&e);
	arena_init(&a->mem);
	index_build(&d->run, NEEDS);
	assert_int_equal(filter_parse(&a->set, filter, &e), OK);
	assert_int_equal(filter_view_init(&a->view, &a->set, &d->run, &a->mem, &e), OK);
	classes_init(&a->classes, &d->run, &a->mem);
	ledgers_init(&a->ledgers, &d->run, &a->classes, &a->view, &a->mem);
	step_gap_causes_init(&a->waiting, &d->run, &a->view, &a->mem);
	window_init(&a->window, &d->run, &a->view, &a->ledgers, &a->waiting, &a->mem);
}

/* wall = compute + exposed communication + exposed copies + idle; idle is what was waited for. */
static void assert_adds_up(const struct account *a)
{
	nsec wait = 0;
	int i;

	for (i = 0; i < GAP_CAUSE_COUNT; i++)
		wait += a->wait[i];
	assert_int_equal(wait, a->ledger.idle);
	assert_int_equal(a->ledger.compute + a->ledger.exposed_comm + a->ledger.exposed_memcpy +
			a->ledger.idle,
		a->ledger.total);
	assert_int_equal(a->ns, a->ledger.total - a->wait[GAP_CAUSE_UNRECORDED]);
	assert_true(a->long_host <= a->ledger.idle);
}

/* The identities that hold of every window; then everything is gone. */
static void check_and_drop(struct asked *a, struct drawing *d)
{
	struct window *w = &a->window;
	double busy = window_busy(&d->run, &a->view, &a->mem);
	size_t i, k;

	if (isnan(w->busy))
		assert_true(isnan(busy));
	else
		near(busy, w->busy, 1e-12);
	for (i = 0; i < w->ndevice; i++) {
		assert_int_equal(w->device[i].ledger.total, w->ns);
		assert_adds_up(&w->device[i]);
		for (k = 0; k < a->ledgers.nstep; k++) {
			struct account one = account_of_step(&a->ledgers, &a->waiting, i, k);

			assert_adds_up(&one);
		}
	}
	filter_free(&a->set);
	arena_clear(&a->mem);
	run_clear(&d->run);
}

/* Seven steps of 100, so the first and the last are set aside:
 *
 *	thread   #n [0                     100)
 *	           L 5
 *	stream       [6    6 + 10 n)
 *
 * Of 500 the device works for 20 + 30 + 40 + 50 + 60 = 200.  It waits for launches (1 each) five
 * times, and else for Python, up to the end of a step and from the start of the next. */
static void counted_steps(void **state)
{
	struct drawing d;
	struct asked a;
	const struct account *x;
	struct filter_view counted;
	int i;

	(void)state;
	begin(&d);
	for (i = 0; i < 7; i++) {
		nsec t = (nsec)i * 100;

		step(&d, i + 1, t, t + 100);
		work(&d, t + 5, t + 6, t + 6 + (nsec)(i + 1) * 10);
	}
	ask(&a, &d, &(struct filter){ 0 });
	x = &a.window.device[0];
	assert_true(a.window.has_steps);
	assert_int_equal(a.window.nstep, 5);
	assert_int_equal(a.window.ns, 500);
	assert_int_equal(a.window.lead_in, 0);
	assert_int_equal(a.window.time[0].start, 100);
	assert_int_equal(a.window.time[4].end, 600);
	assert_false(a.window.counts[0]);
	assert_true(a.window.counts[1]);
	assert_false(a.window.counts[6]);
	assert_int_equal(a.window.ndevice, 1);
	assert_int_equal(x->ledger.compute, 200);
	assert_int_equal(x->wait[GAP_CAUSE_LAUNCH], 5);
	assert_int_equal(x->wait[GAP_CAUSE_PYTHON] + x->wait[GAP_CAUSE_RUNTIME], 295);
	assert_int_equal(x->busy_all, 280);
	assert_int_equal(x->outside, 0);
	near(a.window.busy, 0.4, 1e-12);
	counted = window_view(&a.window, &a.view);
	assert_int_equal(counted.nstep, 5);
	assert_ptr_equal(counted.step, a.window.counts);
	check_and_drop(&a, &d);
}

/* The same with --steps 3: one step, of which 30 of 100 is work. */
static void chosen_steps(void **state)
{
	struct drawing d;
	struct asked a;
	int i;

	(void)state;
	begin(&d);
	for (i = 0; i < 7; i++) {
		nsec t = (nsec)i * 100;

		step(&d, i + 1, t, t + 100);
		work(&d, t + 5, t + 6, t + 6 + (nsec)(i + 1) * 10);
	}
	ask(&a, &d, &(struct filter){ .steps = "3" });
	assert_int_equal(a.window.nstep, 1);
	assert_int_equal(a.window.time[0].start, 200);
	assert_int_equal(a.window.ns, 100);
	near(a.window.busy, 0.3, 1e-12);
	check_and_drop(&a, &d);
}

/*
 *	thread   L 0
 *	stream                [5 ms    6 ms)
 *
 * Nothing explains why its queue took so long: of 6 ms all but the launch's 10 us and the work are
 * no part of the time that shares are of.
 */
static void unrecorded_is_no_part(void **state)
{
	struct drawing d;
	struct asked a;
	const struct account *x;

	(void)state;
	begin(&d);
	work(&d, 0, 5 * MS, 6 * MS);
	ask(&a, &d, &(struct filter){ 0 });
	x = &a.window.device[0];
	assert_int_equal(a.window.ns, 6 * MS);
	assert_int_equal(x->wait[GAP_CAUSE_LAUNCH], GAP_CAUSES_LAUNCH_NS);
	assert_int_equal(x->wait[GAP_CAUSE_UNRECORDED], 5 * MS - GAP_CAUSES_LAUNCH_NS);
	assert_int_equal(x->ns, MS + GAP_CAUSES_LAUNCH_NS);
	near(a.window.busy, 1000000.0 / 1010000.0, 1e-12);
	check_and_drop(&a, &d);
}

/*
 *	thread   op [0                      300)
 *	                     L 200
 *	stream                 [210 310)
 *
 * Without steps: from the launch to the end of the work.
 */
static void whole(void **state)
{
	struct drawing d;
	struct asked a;

	(void)state;
	begin(&d);
	(void)hand_event(&d.run, KIND_OP, d.thread, "op", 0, 300);
	work(&d, 200, 210, 310);
	ask(&a, &d, &(struct filter){ 0 });
	assert_false(a.window.has_steps);
	assert_null(a.window.counts);
	assert_int_equal(a.window.nstep, 1);
	assert_int_equal(a.window.ns, 110);
	assert_int_equal(a.window.lead_in, 200);
	assert_int_equal(a.window.device[0].outside, 0);
	near(a.window.busy, 100.0 / 110, 1e-12);
	check_and_drop(&a, &d);
}

/*
 *	thread   #1 [0      100)  #2 [100                   200)
 *	           5                105          160   195
 *	stream      [6 50)           [106 150)     [180      230) [240 260)
 *
 * Inside is 44 + 44 + 20, outside 30 + 20.
 */
static void work_behind_the_steps(void **state)
{
	struct drawing d;
	struct asked a;

	(void)state;
	begin(&d);
	step(&d, 1, 0, 100);
	step(&d, 2, 100, 200);
	work(&d, 5, 6, 50);
	work(&d, 105, 106, 150);
	work(&d, 160, 180, 230);
	work(&d, 195, 240, 260);
	ask(&a, &d, &(struct filter){ 0 });
	assert_int_equal(a.window.ns, 200);
	assert_int_equal(a.window.device[0].ledger.busy, 108);
	assert_int_equal(a.window.device[0].busy_all, 158);
	assert_int_equal(a.window.device[0].outside, 50);
	near(a.window.busy, 0.54, 1e-12);
	check_and_drop(&a, &d);
}

/* Where the host runs ahead steps are cut on the device, and nothing is outside:
 *
 *	thread   #1 [0   100)  #2 [100 200)
 *	           10             110
 *	stream       [40   190)       [200   360)
 *
 * #1 is [40 200), #2 [200 360): 310 of 320. */
static void device_steps(void **state)
{
	struct drawing d;
	struct asked a;

	(void)state;
	begin(&d);
	step(&d, 1, 0, 100);
	step(&d, 2, 100, 200);
	work(&d, 10, 40, 190);
	work(&d, 110, 200, 360);
	ask(&a, &d, &(struct filter){ 0 });
	assert_true(d.run.steps->on_device);
	assert_int_equal(a.window.ns, 320);
	assert_int_equal(a.window.time[0].start, 40);
	assert_int_equal(a.window.device[0].outside, 0);
	near(a.window.busy, 310.0 / 320, 1e-12);
	check_and_drop(&a, &d);
}

/*
 *	step       [0                     100)
 *	device 0    [2   52)                       50
 *	device 1     [3                93)         90
 */
static void two_devices(void **state)
{
	struct drawing d;
	struct asked a;

	(void)state;
	begin(&d);
	step(&d, 1, 0, 100);
	work(&d, 1, 2, 52);
	work_on(&d, hand_stream(&d.run, 1, 7), 2, 3, 93);
	ask(&a, &d, &(struct filter){ 0 });
	assert_int_equal(a.window.ndevice, 2);
	assert_int_equal(a.window.device[1].id, 1);
	near(account_busy(&a.window.device[0]), 0.5, 1e-12);
	near(account_busy(&a.window.device[1]), 0.9, 1e-12);
	near(a.window.busy, 0.7, 1e-12);
	check_and_drop(&a, &d);
	begin(&d);
	step(&d, 1, 0, 100);
	work(&d, 1, 2, 52);
	work_on(&d, hand_stream(&d.run, 1, 7), 2, 3, 93);
	ask(&a, &d, &(struct filter){ .device = "1" });
	assert_int_equal(a.window.ndevice, 1);
	assert_int_equal(a.window.device[0].id, 1);
	near(a.window.busy, 0.9, 1e-12);
	check_and_drop(&a, &d);
}

/*
 *	step     [0                                           10 ms)
 *	stream     gap 1 ms [..2 ms)  0.5 ms  [2.5 3 ms)  2 ms  [5  10 ms)
 *
 * Each launch comes 10 ns before its work.  The host's are 3.5 ms, and 3 of them in long gaps.
 */
static void long_gaps(void **state)
{
	struct drawing d;
	struct asked a;
	const struct account *x;
	nsec host = 0;
	int i;

	(void)state;
	begin(&d);
	step(&d, 1, 0, 10 * MS);
	work(&d, 1 * MS - 10, 1 * MS, 2 * MS);
	work(&d, MS * 5 / 2 - 10, MS * 5 / 2, 3 * MS);
	work(&d, 5 * MS - 10, 5 * MS, 10 * MS);
	ask(&a, &d, &(struct filter){ 0 });
	x = &a.window.device[0];
	for (i = 0; i < GAP_CAUSE_COUNT; i++)
		host += GAP_CAUSES_HOST >> i & 1 ? x->wait[i] : 0;
	assert_int_equal(host, MS * 7 / 2);
	assert_int_equal(x->long_host, 3 * MS);
	check_and_drop(&a, &d);
}

/* No device: no busy, but a window. */
static void no_device(void **state)
{
	struct drawing d;
	struct asked a;

	(void)state;
	begin(&d);
	step(&d, 1, 0, 100);
	ask(&a, &d, &(struct filter){ 0 });
	assert_int_equal(a.window.ndevice, 0);
	assert_int_equal(a.window.ns, 100);
	assert_true(isnan(a.window.busy));
	check_and_drop(&a, &d);
}

static uint64_t next_random(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

/* Steps that touch or leave holes, or none; work on two devices that lags more or less. */
static void draw_anything(struct drawing *d, uint64_t seed)
{
	uint32_t stream[3];
	nsec end[3] = { 0, 0, 0 }, t = 0;
	nsec lag = (nsec)next_random(&seed, 40);
	nsec scale = next_random(&seed, 4) ? 1 : MS;
	bool has_steps = next_random(&seed, 5) > 0;
	int i, k, n = 1 + (int)next_random(&seed, 9);

	begin(d);
	stream[0] = d->stream;
	stream[1] = hand_stream(&d->run, 0, 9);
	stream[2] = hand_stream(&d->run, 1, 7);
	for (i = 0; i < n; i++) {
		nsec from = t + (nsec)next_random(&seed, 3) * 10;
		nsec to = from + 50 + (nsec)next_random(&seed, 100);

		if (has_steps)
			step(d, i, from * scale, to * scale);
		for (k = 0; k < 4; k++) {
			int q = (int)next_random(&seed, 3);
			nsec at = from + k * 12;
			nsec start = at + 1 + lag + (nsec)next_random(&seed, 20);

			start = start > end[q] ? start : end[q];
			end[q] = start + 1 + (nsec)next_random(&seed, 25);
			work_on(d, stream[q], at * scale, start * scale, end[q] * scale);
		}
		t = to;
	}
}

/* The identities of check_and_drop, on many. */
static void anything_adds_up(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 300; seed++) {
		struct drawing d;
		struct asked a;

		draw_anything(&d, seed * UINT64_C(0x9e3779b97f4a7c15));
		ask(&a, &d, &(struct filter){ 0 });
		check_and_drop(&a, &d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted_steps),
		cmocka_unit_test(chosen_steps),
		cmocka_unit_test(unrecorded_is_no_part),
		cmocka_unit_test(whole),
		cmocka_unit_test(work_behind_the_steps),
		cmocka_unit_test(device_steps),
		cmocka_unit_test(two_devices),
		cmocka_unit_test(long_gaps),
		cmocka_unit_test(no_device),
		cmocka_unit_test(anything_adds_up),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
