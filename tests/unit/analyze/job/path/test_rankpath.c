/* What is kept of one rank's path: points and stretches of a run drawn by hand.
 *
 *	thread    (0)(1)(2)(3)                                   launches at 0, 2, 4, 6
 *	stream 7       [ kernel 10-30 )[= comm 30-50 =)[ kernel 50-80 )[= comm 80-90 =) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/path/rankpath.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS };
enum { BASE = 1000 };

struct drawn {
	struct run run;
	struct depend depend;
	uint32_t comm[2];
};

static void draw(struct drawn *d)
{
	struct run *r = &d->run;
	const char *name =
		"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)";
	uint32_t thread, stream;

	run_init(r, NEEDS);
	r->has_trace = true;
	r->meta.has_base = true;
	r->meta.base_ns = BASE;
	thread = hand_thread(r, 1);
	stream = hand_stream(r, 0, 7);
	(void)hand_launch(r, thread, stream, 0, 10, 20, 1);
	d->comm[0] = hand_launch(r, thread, stream, 2, 30, 20, 2);
	(void)hand_launch(r, thread, stream, 4, 50, 30, 3);
	d->comm[1] = hand_launch(r, thread, stream, 6, 80, 10, 4);
	r->events.name[d->comm[0]] = r->events.name[d->comm[1]] =
		strings_intern(&r->strings, span_of(name));
	index_build(r, NEEDS);
	depend_init(&d->depend, r, NULL);
}

static void wipe(struct drawn *d)
{
	depend_clear(&d->depend);
	run_clear(&d->run);
}

static nsec part_of(const struct rankpath *p, uint32_t point, enum owner o)
{
	const struct rankpath_point *of = &p->point[point];
	uint32_t i;

	for (i = 0; i < of->npart; i++)
		if (p->part[of->part + i].owner == (uint32_t)o)
			return p->part[of->part + i].ns;
	return 0;
}

static void test_one_step(void **state)
{
	const struct rankwork_step step = { 7, 0, 90 };
	struct rankpath *p;
	struct drawn d;
	uint32_t at;

	(void)state;
	draw(&d);
	p = rankpath_new(&d.depend, &step, 1);
	assert_int_equal(p->ncollective, 2);
	at = p->end[0];
	assert_int_equal(p->point[at].at, BASE + 90);
	assert_int_equal(part_of(p, at, OWNER_COMM), 10);
	assert_int_equal(p->point[at].npart, 1);
	at = p->point[at].before;
	assert_int_equal(at, p->start[1]);
	assert_int_equal(p->point[at].collective, 1);
	assert_int_equal(p->point[at].at, BASE + 80);
	assert_int_equal(part_of(p, at, OWNER_KERNEL), 30);
	assert_int_equal(part_of(p, at, OWNER_COMM), 20);
	at = p->point[at].before;
	assert_int_equal(at, p->start[0]);
	assert_int_equal(part_of(p, at, OWNER_KERNEL), 20);
	assert_int_equal(part_of(p, at, OWNER_LAUNCH_DELAY), 10);
	at = p->point[at].before;
	assert_int_equal(p->point[at].at, BASE);
	assert_int_equal(p->point[at].before, RANKPATH_NONE);
	rankpath_free(p);
	wipe(&d);
}

/* A border in the middle of the first collective. */
static void test_two_steps(void **state)
{
	const struct rankwork_step step[] = { { 7, 0, 40 }, { 8, 40, 90 } };
	struct rankpath *p;
	struct drawn d;
	uint32_t at;

	(void)state;
	draw(&d);
	p = rankpath_new(&d.depend, step, 2);
	at = p->start[1];
	assert_int_equal(p->point[at].step, 1);
	assert_int_equal(part_of(p, at, OWNER_KERNEL), 30);
	assert_int_equal(part_of(p, at, OWNER_COMM), 10);
	at = p->point[at].before;
	assert_int_equal(p->point[at].at, BASE + 40);
	assert_int_equal(p->point[at].collective, RANKPATH_NONE);
	assert_int_equal(p->point[at].step, 0);
	assert_int_equal(part_of(p, at, OWNER_COMM), 10);
	assert_int_equal(p->point[at].before, p->start[0]);
	rankpath_free(p);
	wipe(&d);
}

/* Nothing of what is before the step is kept. */
static void test_late_step(void **state)
{
	const struct rankwork_step step = { 7, 60, 90 };
	struct rankpath *p;
	struct drawn d;
	uint32_t at;

	(void)state;
	draw(&d);
	p = rankpath_new(&d.depend, &step, 1);
	at = p->start[1];
	assert_int_equal(part_of(p, at, OWNER_KERNEL), 20);
	assert_int_equal(part_of(p, at, OWNER_COMM), 0);
	assert_int_equal(p->point[p->point[at].before].at, BASE + 60);
	assert_int_equal(p->point[p->point[at].before].before, RANKPATH_NONE);
	rankpath_free(p);
	wipe(&d);
}

/* A digest that has the second of them alone. */
static void test_numbers(void **state)
{
	const struct rankwork_step step = { 7, 0, 90 };
	struct collective one = { .start = BASE + 80, .dur = 10 };
	struct collectives c = { .v = &one, .n = 1 };
	struct rankpath *p;
	struct drawn d;

	(void)state;
	draw(&d);
	c.row = &d.comm[1];
	p = rankpath_new(&d.depend, &step, 1);
	rankpath_number(p, &c);
	assert_int_equal(p->ncollective, 1);
	assert_int_equal(p->point[p->start[0]].at, BASE + 80);
	assert_int_equal(p->point[p->start[0]].collective, 0);
	assert_int_equal(p->point[p->point[p->start[0]].before].collective, RANKPATH_NONE);
	rankpath_free(p);
	wipe(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_step),
		cmocka_unit_test(test_two_steps),
		cmocka_unit_test(test_late_step),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests_name("rankpath", tests, NULL, NULL);
}
