/* Jobs on threads: each once, in order where there is one thread; and indexes of a run, the same
 * for any number of threads. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/parallel.h"
#include "tests/unit/handmade.h"

enum { JOBS = 1000, STEPS = 200 };

struct done {
	int times[JOBS];
	size_t order[JOBS];
	size_t n; /* of order; one thread only */
};

static void count(void *ctx, size_t i)
{
	((struct done *)ctx)->times[i]++;
}

static void remember(void *ctx, size_t i)
{
	struct done *d = ctx;

	d->order[d->n++] = i;
}

static void test_each_job_once(void **state)
{
	static const unsigned threads[] = { 0, 1, 2, 4, 8, 1000 };
	struct done d;
	size_t i, k, n;

	(void)state;
	for (k = 0; k < COUNT_OF(threads); k++)
		for (n = 0; n <= JOBS; n = n * 7 + 1) {
			memset(&d, 0, sizeof(d));
			parallel_run(n, threads[k], count, &d);
			for (i = 0; i < JOBS; i++)
				assert_int_equal(d.times[i], i < n);
		}
}

static void test_one_thread_keeps_order(void **state)
{
	struct done d = { .n = 0 };
	size_t i;

	(void)state;
	parallel_run(JOBS, 1, remember, &d);
	assert_int_equal(d.n, JOBS);
	for (i = 0; i < JOBS; i++)
		assert_int_equal(d.order[i], i);
}

static void test_few_items_one_thread(void **state)
{
	(void)state;
	assert_int_equal(parallel_threads(8, PARALLEL_ITEMS_MIN - 1), 1);
	assert_int_equal(parallel_threads(0, 0), 1);
	assert_int_equal(parallel_threads(8, PARALLEL_ITEMS_MIN), 8);
	assert_int_equal(parallel_threads(1, SIZE_MAX), 1);
	assert_true(parallel_threads(0, PARALLEL_ITEMS_MIN) >= 1);
}

/* Steps of ops and launches on three threads, in an order that is not that of their starts. */
static void make_large(struct run *r)
{
	uint32_t t[3], s[2], id = 1;
	char name[32];
	nsec at;
	int i, k;

	run_init(r, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	for (i = 0; i < 3; i++)
		t[i] = hand_thread(r, i + 1);
	for (i = 0; i < 2; i++)
		s[i] = hand_stream(r, 0, 7 + i);
	for (i = 0; i < STEPS; i++) {
		(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
		(void)hand_event(r, KIND_ANNOTATION, t[0], name, 10000 * i, 9000);
		for (k = 0; k < 80; k++) {
			at = 10000 * i + 100 * (79 - k);
			(void)hand_event(r, KIND_OP, t[k % 3], "mm", at, 90);
			(void)hand_event(r, KIND_OP, t[k % 3], k % 5 ? "add" : "mul", at + 10, 70);
			(void)hand_launch(r, t[k % 3], s[k % 2], at + 20, at + 500, 40, id++);
		}
	}
}

static void assert_same(const struct run *a, const struct run *b)
{
	size_t lanes = a->lanes.n + 1, nlaunch = a->args.n[ARGS_LAUNCH];
	size_t ndevice = a->args.n[ARGS_DEVICE] * sizeof(uint32_t), i;

	assert_memory_equal(a->order->host_begin, b->order->host_begin, lanes * sizeof(size_t));
	assert_memory_equal(a->order->device_begin, b->order->device_begin, lanes * sizeof(size_t));
	assert_memory_equal(
		a->order->host, b->order->host, a->order->host_begin[lanes - 1] * sizeof(uint32_t));
	assert_memory_equal(a->order->device, b->order->device,
		a->order->device_begin[lanes - 1] * sizeof(uint32_t));
	assert_memory_equal(a->links->launch, b->links->launch, ndevice);
	assert_memory_equal(a->links->op, b->links->op, ndevice);
	assert_memory_equal(
		a->links->op_of_launch, b->links->op_of_launch, nlaunch * sizeof(uint32_t));
	assert_int_equal(a->links->linked, b->links->linked);
	assert_int_equal(a->links->unlinked, b->links->unlinked);
	assert_memory_equal(a->steps->of_device, b->steps->of_device, ndevice);
	assert_int_equal(a->steps->n, b->steps->n);
	for (i = 0; i < a->steps->n; i++)
		assert_int_equal(a->steps->step[i].ndevice, b->steps->step[i].ndevice);
}

static void test_indexes_any_threads(void **state)
{
	static const unsigned threads[] = { 0, 2, 3, 8 };
	const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS;
	struct run one, many;
	size_t i;

	(void)state;
	make_large(&one);
	assert_true(one.events.n >= PARALLEL_ITEMS_MIN);
	index_build(&one, needs);
	assert_int_equal(one.links->linked, STEPS * 80);
	assert_int_equal(one.steps->n, STEPS);
	assert_int_equal(one.steps->step[0].ndevice, 80);
	for (i = 0; i < COUNT_OF(threads); i++) {
		make_large(&many);
		index_build_threads(&many, needs, threads[i]);
		assert_same(&one, &many);
		run_clear(&many);
	}
	run_clear(&one);
}

/* A job of a cluster is given some of a machine's cores. */
static void test_cores_that_are_allowed(void **state)
{
	cpu_set_t before, one;
	size_t core = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(parallel_cores(0), CPU_COUNT(&before));
	while (!CPU_ISSET(core, &before))
		core++;
	CPU_ZERO(&one);
	CPU_SET(core, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(parallel_cores(0), 1);
	assert_int_equal(parallel_cores(3), 3);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

/* One file alone has what was asked for, so that where nothing was, a small one is read by one
 * thread. */
static void test_share(void **state)
{
	unsigned each;

	(void)state;
	assert_int_equal(parallel_share(0, 1, &each), 1);
	assert_int_equal(each, 0);
	assert_int_equal(parallel_share(7, 1, &each), 1);
	assert_int_equal(each, 7);
	assert_int_equal(parallel_share(7, 3, &each), 3);
	assert_int_equal(each, 2);
	assert_int_equal(parallel_share(2, 3, &each), 2);
	assert_int_equal(each, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_job_once),
		cmocka_unit_test(test_one_thread_keeps_order),
		cmocka_unit_test(test_few_items_one_thread),
		cmocka_unit_test(test_cores_that_are_allowed),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_indexes_any_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
