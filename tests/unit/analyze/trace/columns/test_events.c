/* The event table: columns that grow together, rows that are dropped, ends that cannot overflow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/events.h"

static void fill(struct events *e, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		events_reserve(e, 1);
		e->start[i] = (nsec)i * 10;
		e->dur[i] = i;
		e->name[i] = i + 1;
		e->lane[i] = i % 7;
		e->args[i] = i * 2;
		e->kind[i] = (uint8_t)(i % 16);
		e->flags[i] = i % 3 ? 0 : EVENT_DROP;
		e->n++;
	}
}

/* Every third of 1,000 rows goes; the rest keeps its order and its values in every column. */
static void drop(void **state)
{
	struct events e;
	uint32_t i, row = 0;

	(void)state;
	events_init(&e);
	fill(&e, 1000);
	events_drop(&e);
	assert_int_equal(e.n, 666);
	for (i = 0; i < 1000; i++) {
		if (i % 3 == 0)
			continue;
		assert_int_equal(e.start[row], i * 10);
		assert_int_equal(e.dur[row], i);
		assert_int_equal(e.name[row], i + 1);
		assert_int_equal(e.lane[row], i % 7);
		assert_int_equal(e.args[row], i * 2);
		assert_int_equal(e.kind[row], i % 16);
		assert_int_equal(e.flags[row], 0);
		row++;
	}
	events_drop(&e);
	assert_int_equal(e.n, 666);
	events_clear(&e);
	assert_int_equal(e.n + e.cap, 0);
}

static void reserve(void **state)
{
	struct events e;

	(void)state;
	events_init(&e);
	events_reserve(&e, 100000);
	assert_true(e.cap >= 100000);
	e.start[99999] = 1;
	e.flags[99999] = 1;
	e.kind[99999] = 1;
	assert_int_equal(e.n, 0);
	events_clear(&e);
}

static void ends(void **state)
{
	struct events e;

	(void)state;
	events_init(&e);
	fill(&e, 3);
	e.start[0] = -5;
	e.dur[0] = 3;
	e.start[1] = INT64_MAX - 1;
	e.dur[1] = 1;
	e.start[2] = INT64_MAX - 1;
	e.dur[2] = 2;
	assert_int_equal(events_end(&e, 0), -2);
	assert_int_equal(events_end(&e, 1), INT64_MAX);
	assert_int_equal(events_end(&e, 2), INT64_MAX);
	events_clear(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drop),
		cmocka_unit_test(reserve),
		cmocka_unit_test(ends),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
