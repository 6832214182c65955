/* Stretches of calls in steps: the same as asking for each call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/measure/host/hostpath.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"
#include "tests/unit/handmade.h"

enum { STEPS = 5, STEP_NS = 100, CALLS = 400 };

/* Steps with time between some of them, or that overlap; calls of two threads at any time, before
 * and behind, too. */
static void make(struct run *r, bool has_steps, bool overlap)
{
	uint32_t lane[2];
	uint64_t seed = 7;
	char name[32];
	int i;

	run_init(r, 0);
	lane[0] = hand_thread(r, 1);
	lane[1] = hand_thread(r, 2);
	for (i = 0; has_steps && i < STEPS; i++) {
		(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
		(void)hand_event(r, KIND_ANNOTATION, lane[0], name, i * STEP_NS,
			overlap         ? 30 + 120 * (STEPS - i)
				: i % 2 ? 70
					: 100);
	}
	for (i = 0; i < CALLS; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		(void)hand_event(r, KIND_OP, lane[i % 2], "op",
			(nsec)((seed >> 33) % (STEPS * STEP_NS + 200)) - 100, 1);
	}
	index_build(r, NEED_ORDER | NEED_STEPS);
}

/* Every so many places only: who goes over them may leave some out. */
static void assert_as_rows(const struct run *r, const struct filter_view *v, size_t each)
{
	struct host_steps in_view;
	struct filter_view row_view = *v;
	size_t i;

	host_steps_in_view(&in_view, v);
	for (i = 0; i < r->order->host_begin[r->lanes.n]; i += each) {
		uint32_t row = r->order->host[i];

		assert_int_equal(host_steps_have(&in_view, i), filter_host(&row_view, row));
	}
}

static void as_for_each_call(void **state)
{
	static const char *const chosen[] = { NULL, "1-2", "0,4" };
	size_t i, each;
	struct run r;

	(void)state;
	for (i = 0; i < 2 * COUNT_OF(chosen); i++) {
		const struct filter f = { .steps = chosen[i / 2] };
		struct filter_set set;
		struct filter_view v;
		struct arena mem = { 0 };
		struct err e;

		make(&r, true, i % 2);
		err_clear(&e);
		assert_int_equal(filter_parse(&set, &f, &e), OK);
		assert_int_equal(filter_view_init(&v, &set, &r, &mem, &e), OK);
		for (each = 1; each < 9; each++)
			assert_as_rows(&r, &v, each);
		filter_free(&set);
		arena_clear(&mem);
		run_clear(&r);
	}
}

static void without_steps(void **state)
{
	struct filter_set set = { 0 };
	struct filter_view v = { .set = &set, .kinds = KINDS_ALL };
	struct run r;

	(void)state;
	make(&r, false, false);
	v.run = &r;
	assert_int_equal(r.steps->source, STEPS_WHOLE);
	assert_as_rows(&r, &v, 1);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_for_each_call),
		cmocka_unit_test(without_steps),
	};

	return cmocka_run_group_tests_name("hoststeps", tests, NULL, NULL);
}
