/* NVTX ranges and CUPTI's stack of ids: whatever the order in which ranges of several domains begin
 * and end, the stack holds the open ones, the innermost on top.  And what a fork, or losses by
 * thread, leave behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture/cupti_abi.h"
#include "capture/inject/record_clock.h"
#include "capture/inject/pool.h"
#include "capture/inject/ranges.h"

enum { STACK = 512, STEPS = 20000, DOMAINS = 3, DEPTH = 40 };

static uint64_t stack[STACK];
static int depth;

static int push(int kind, uint64_t id)
{
	assert_int_equal(kind, EXTERNAL_RANGES);
	assert_true(depth < STACK);
	stack[depth++] = id;
	return 0;
}

static int pop(int kind, uint64_t *id)
{
	(void)kind;
	assert_true(depth > 0);
	*id = stack[--depth];
	return 0;
}

static void check(struct ranges *r, int open)
{
	const struct range_lane *lane = ranges_lane(r);
	int i;

	assert_int_equal(lane->depth, open);
	assert_int_equal(depth, open);
	for (i = 0; i < depth; i++)
		assert_int_equal(stack[i], lane->open[i].id);
}

static void begin(struct ranges *r, const struct range_domain *domain)
{
	bool is_owned;
	struct range_text text = { .domain = domain, .name = ranges_name(r, "name", 4, &is_owned) };

	(void)ranges_push(r, &text);
}

static void forget(void *user, const struct range_event *e)
{
	(void)user;
	(void)e;
}

static void test_domains(void **state)
{
	static struct ranges r; /* for ever, as in a recorded program */
	const struct range_domain *domain[DOMAINS];
	int open[DOMAINS] = { 0 }, all = 0, i, step;
	uint64_t seed = 7;

	(void)state;
	assert_true(ranges_init(&r, 1 << 20));
	atomic_store(&r.is_on, true);
	for (i = 0; i < DOMAINS; i++)
		domain[i] = ranges_domain(&r, (struct name){ "\"d\"", 3 });
	/* Those that began before CUPTI was there are told with the next. */
	begin(&r, domain[0]);
	begin(&r, domain[1]);
	assert_int_equal(depth, 0);
	atomic_store(&r.push_external, push);
	atomic_store(&r.pop_external, pop);
	begin(&r, domain[0]);
	check(&r, 3);
	open[0] = 2;
	open[1] = 1;
	all = 3;
	for (step = 0; step < STEPS; step++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		i = (int)(seed >> 33) % DOMAINS;
		if (seed >> 63 && all < DEPTH) {
			begin(&r, domain[i]);
			open[i]++;
			all++;
		} else if (open[i]) {
			assert_int_equal(ranges_pop(&r, domain[i]), open[i] - 1);
			open[i]--;
			all--;
		} else {
			assert_int_equal(ranges_pop(&r, domain[i]), -1);
		}
		check(&r, all);
		if (step % 100 == 0)
			ranges_drain(&r, false, forget, NULL);
	}
}

/* One that CUPTI was never told of takes nothing off its stack. */
static void test_untold(void **state)
{
	static struct ranges r; /* for ever, as in a recorded program */

	(void)state;
	depth = 0;
	assert_true(ranges_init(&r, 1 << 20));
	atomic_store(&r.is_on, true);
	begin(&r, NULL);
	atomic_store(&r.push_external, push);
	atomic_store(&r.pop_external, pop);
	assert_int_equal(ranges_pop(&r, NULL), 0);
	assert_int_equal(depth, 0);
}

static void test_losses(void **state)
{
	static struct losses l;
	struct jtext t = { 0 };
	char text[128];
	uint32_t i;

	(void)state;
	losses_say(&l, text, sizeof(text));
	assert_string_equal(text, "");
	losses_put(&l, &t);
	assert_memory_equal(t.p, "{}", 2);
	losses_add(&l, 7);
	losses_add(&l, 9);
	losses_add(&l, 9);
	losses_say(&l, text, sizeof(text));
	assert_string_equal(text, " (of 2 threads; most of thread 9: 2 of 3)");
	for (i = 0; i < LOSSES_THREADS; i++)
		losses_add(&l, 100 + i);
	t.n = 0;
	losses_put(&l, &t);
	assert_memory_equal(t.p, "{\"7\": 1, \"9\": 2, \"100\": 1", 24);
	assert_memory_equal(t.p + t.n - 12, "\"others\": 2}", 12);
	jtext_free(&t);
}

/* A clock that is set is told from one that drifts. */
static void test_clock_steps(void **state)
{
	const int64_t s = 1000000000;
	struct clock_steps c = { 0 };
	int64_t i;

	(void)state;
	clock_steps_look(&c, 50 * s, 10 * s);
	for (i = 1; i <= 3600; i++) /* 500 ppm for an hour */
		clock_steps_look(&c, 50 * s + i * s + i * 500000, 10 * s + i * s);
	assert_int_equal(c.n, 0);
	clock_steps_look(&c, 50 * s + 3601 * s + 3600 * 500000 + 20000000, 10 * s + 3601 * s);
	assert_int_equal(c.n, 1);
	assert_int_equal(c.sum_ns, 20000000);
	clock_steps_look(&c, 50 * s + 3602 * s + 3600 * 500000 - 80000000, 10 * s + 3602 * s);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.sum_ns, -80000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_untold),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_clock_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
