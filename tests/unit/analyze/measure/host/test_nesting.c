/* Calls over time: what nests, what crosses, and in which order all opens and closes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/host/nesting.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/arena.h"
#include "base/str.h"
#include "tests/unit/handmade.h"

enum { ROWS = 300 };

static const unsigned kinds = KINDS_HOST_TREE | KINDS_DEVICE;

static void put_lane(void *ctx, uint32_t lane, size_t part)
{
	str_addf(ctx, "|%u.%zu ", lane, part);
}

static void put_open(void *ctx, uint32_t row, size_t depth)
{
	(void)depth;
	str_addf(ctx, "%c", 'A' + (char)row);
}

static void put_close(void *ctx, uint32_t row, size_t depth)
{
	(void)depth;
	str_addf(ctx, "%c", 'a' + (char)row);
}

/* Walks a run of rows A, B, C ... and compares: capitals open, small letters close. */
static void check(struct run *r, const struct filter *f, const char *want, size_t crossing)
{
	struct filter_set set = { 0 };
	struct filter_view view;
	struct nesting_visitor v = { NULL, put_lane, put_open, put_close };
	struct str b = { 0 };
	SCOPED_ARENA mem = { 0 };
	struct err e;

	index_build(r, NEED_ORDER | NEED_STEPS);
	assert_int_equal(filter_parse(&set, f, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, r, &mem, &e), OK);
	v.ctx = &b;
	assert_int_equal(nesting_walk(r, &view, kinds, &v), crossing);
	assert_string_equal(b.s, want);
	str_free(&b);
	filter_free(&set);
}

/*
 *	A [------------------)     0..20
 *	B    [-----------)         3..15
 *	C      [--)                5..8
 *	D            [-------)     12..19: crosses B, which is longer
 *	E                    [--)  20..23, another stream: k 1..2
 */
static void shorter_one_aside(void **state)
{
	const struct filter all = { 0 }, named = { .match = "[bd]" };
	struct run r;
	uint32_t t, s;

	(void)state;
	run_init(&r, 0);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, t, "a", 0, 20);
	(void)hand_event(&r, KIND_OP, t, "b", 3, 12);
	(void)hand_event(&r, KIND_RUNTIME, t, "c", 5, 3);
	(void)hand_event(&r, KIND_OP, t, "d", 12, 7);
	(void)hand_event(&r, KIND_OP, t, "e", 20, 3);
	(void)hand_event(&r, KIND_KERNEL, s, "k", 1, 1);
	check(&r, &all, "|0.0 ABCcbaEe|0.1 Dd|1.0 Ff", 1);
	check(&r, &named, "|0.0 Bb|0.1 Dd", 1);
	run_clear(&r);
}

/*
 *	A [---)         0..5    crossed by B, which is longer: A goes aside, and C stays in B
 *	B   [-------)   3..12
 *	C       [--)    7..10
 *	D    [)         4..4    of no length, where A and B are open: in B
 */
static void longer_one_stays(void **state)
{
	const struct filter all = { 0 };
	struct run r;
	uint32_t t;

	(void)state;
	run_init(&r, 0);
	t = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_OP, t, "a", 0, 5);
	(void)hand_event(&r, KIND_OP, t, "b", 3, 9);
	(void)hand_event(&r, KIND_OP, t, "c", 7, 3);
	(void)hand_event(&r, KIND_OP, t, "d", 4, 0);
	check(&r, &all, "|0.0 BDdCcb|0.1 Aa", 1);
	run_clear(&r);
}

/* Three of the same length, each 1 later: each has a lane of its own, the first one first. */
static void staircase(void **state)
{
	const struct filter all = { 0 };
	struct run r;
	uint32_t t, i;

	(void)state;
	run_init(&r, 0);
	t = hand_thread(&r, 1);
	for (i = 0; i < 3; i++)
		(void)hand_event(&r, KIND_OP, t, "x", (nsec)i, 10);
	check(&r, &all, "|0.0 Aa|0.1 Bb|0.2 Cc", 2);
	run_clear(&r);
}

/* What random calls must keep: times that do not fall, closes in reverse, each row once. */
struct seen {
	const struct run *run;
	uint32_t open[ROWS];
	size_t depth, opened[ROWS], ncalls;
	nsec last;
};

static void see_lane(void *ctx, uint32_t lane, size_t part)
{
	struct seen *s = ctx;

	(void)lane;
	(void)part;
	assert_int_equal(s->depth, 0);
	s->last = INT64_MIN;
}

static void see_open(void *ctx, uint32_t row, size_t depth)
{
	struct seen *s = ctx;

	assert_int_equal(depth, s->depth);
	assert_true(s->run->events.start[row] >= s->last);
	if (depth)
		assert_true(events_end(&s->run->events, row) <=
			events_end(&s->run->events, s->open[depth - 1]));
	s->last = s->run->events.start[row];
	s->open[s->depth++] = row;
	s->opened[row]++;
	s->ncalls++;
}

static void see_close(void *ctx, uint32_t row, size_t depth)
{
	struct seen *s = ctx;

	assert_int_equal(depth + 1, s->depth);
	assert_int_equal(s->open[--s->depth], row);
	assert_true(events_end(&s->run->events, row) >= s->last);
	s->last = events_end(&s->run->events, row);
}

static void random_calls(void **state)
{
	const struct filter all = { 0 };
	struct filter_set set = { 0 };
	uint64_t x = 7;
	struct err e;
	int round;

	(void)state;
	assert_int_equal(filter_parse(&set, &all, &e), OK);
	for (round = 0; round < 20; round++) {
		struct seen s = { 0 };
		const struct nesting_visitor v = { &s, see_lane, see_open, see_close };
		struct nesting_extent extent;
		struct filter_view view;
		struct arena mem = { 0 };
		struct run r;
		uint32_t t, i;

		run_init(&r, 0);
		t = hand_thread(&r, 1);
		for (i = 0; i < ROWS; i++) {
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
			(void)hand_event(&r, KIND_OP, t, "x", (nsec)((x >> 40) % 500),
				(nsec)((x >> 50) % 70));
		}
		index_build(&r, NEED_ORDER | NEED_STEPS);
		assert_int_equal(filter_view_init(&view, &set, &r, &mem, &e), OK);
		s.run = &r;
		assert_true(nesting_walk(&r, &view, kinds, &v) > 0);
		extent = nesting_extent(&r, &view, kinds);
		assert_int_equal(s.ncalls, ROWS);
		assert_int_equal(extent.n, ROWS);
		assert_int_equal(extent.first, r.first_ns);
		assert_int_equal(extent.last, r.last_ns);
		for (i = 0; i < ROWS; i++)
			assert_int_equal(s.opened[i], 1);
		arena_clear(&mem);
		run_clear(&r);
	}
	filter_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shorter_one_aside),
		cmocka_unit_test(longer_one_stays),
		cmocka_unit_test(staircase),
		cmocka_unit_test(random_calls),
	};

	return cmocka_run_group_tests_name("nesting", tests, NULL, NULL);
}
