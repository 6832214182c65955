/* More work or slower work: splits worked out by hand.
 *
 * L(a, b) = (b - a) / ln(b / a), so where time grows by 4 because work and time per unit each grow
 * by 2, the logarithms are equal and so are the parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/compare/worksplit.h"

enum { ITEMS = 4 };

struct drawn {
	struct work_item item[ITEMS];
	struct work_side side;
};

static struct work_item known(const char *dims, int64_t flop, double calls, double ns)
{
	return (struct work_item){ span_of(dims), flop, -1, false, ROOF_WHY_NO_TYPE, calls, ns };
}

static struct work_item moved(
	const char *dims, int64_t flop, int64_t bytes, double calls, double ns)
{
	return (struct work_item){ span_of(dims), flop, bytes, true, ROOF_WHY_KNOWN, calls, ns };
}

static struct work_item unknown(double calls, double ns)
{
	return (struct work_item){ { "", 0 }, -1, -1, false, ROOF_WHY_NO_SHAPES, calls, ns };
}

static void put(struct drawn *d, struct work_item item)
{
	d->item[d->side.n++] = item;
	d->side.item = d->item;
	d->side.ns += (int64_t)item.ns;
}

static struct worksplit split(const struct drawn *a, const struct drawn *b)
{
	struct worksplit s, back;

	worksplit_of(&s, &a->side, &b->side);
	worksplit_of(&back, &b->side, &a->side);
	assert_int_equal(s.calls + s.larger + s.slower + s.unknown, s.delta);
	assert_int_equal(s.delta, b->side.ns - a->side.ns);
	assert_int_equal(back.calls, -s.calls);
	assert_int_equal(back.larger, -s.larger);
	assert_int_equal(back.slower, -s.slower);
	assert_int_equal(back.unknown, -s.unknown);
	assert_true(back.is_known == s.is_known && back.unit == s.unit);
	return s;
}

static void expect(
	struct work_item a, struct work_item b, int64_t calls, int64_t larger, int64_t slower)
{
	struct drawn base = { 0 }, now = { 0 };
	struct worksplit s;

	put(&base, a);
	put(&now, b);
	s = split(&base, &now);
	assert_true(s.is_known);
	assert_int_equal(s.calls, calls);
	assert_int_equal(s.larger, larger);
	assert_int_equal(s.slower, slower);
	assert_int_equal(s.unknown, 0);
}

static void one_factor(void **state)
{
	(void)state;
	expect(known("[8]", 100, 4, 400), known("[16]", 200, 4, 800), 0, 400, 0);
	expect(known("[8]", 100, 4, 400), known("[8]", 100, 4, 500), 0, 0, 100);
	expect(known("[8]", 100, 4, 400), known("[8]", 100, 8, 800), 400, 0, 0);
	expect(known("[8]", 100, 4, 400), known("[8]", 100, 4, 400), 0, 0, 0);
	/* other arguments, as many FLOP, as fast: nothing */
	expect(known("[8]", 100, 4, 400), known("[4, 2]", 100, 4, 400), 0, 0, 0);
}

static void several_factors(void **state)
{
	(void)state;
	/* each call twice the work at half the rate: halves of 300 */
	expect(known("[8]", 100, 4, 100), known("[16]", 200, 4, 400), 0, 150, 150);
	/* twice the calls, each twice as slow */
	expect(known("[8]", 100, 4, 100), known("[8]", 100, 8, 400), 150, 0, 150);
	/* all three by 2: thirds of 700; more work is two of them, 466 2/3, of which calls are half
	 */
	expect(known("[8]", 100, 4, 100), known("[16]", 200, 8, 800), 233, 234, 233);
	/* twice the work at twice the rate: time is the same, and L is that time: 100 ln 2 = 69.3
	 */
	expect(known("[8]", 100, 4, 100), known("[16]", 200, 4, 100), 0, 69, -69);
}

/* A mix of shapes that are as fast as before is larger calls, no other speed. */
static void a_mix(void **state)
{
	struct drawn base = { 0 }, now = { 0 };
	struct worksplit s;

	(void)state;
	put(&base, known("[1]", 10, 10, 100));
	put(&base, known("[9]", 5000, 1, 100)); /* five times the FLOP a ns */
	put(&now, known("[1]", 10, 5, 50));
	put(&now, known("[9]", 5000, 6, 600));
	s = split(&base, &now);
	assert_true(s.is_known && s.unit == WORK_CALLS);
	assert_true(s.calls == 0 && s.larger == 450 && s.slower == 0);
	assert_int_equal(s.base_dims.n + s.now_dims.n, 0);
}

/* Calls with arguments that one side alone has, beside those that both have: work. */
static void a_further_shape(void **state)
{
	struct drawn base = { 0 }, now = { 0 };
	struct worksplit s;

	(void)state;
	put(&base, known("[1]", 10, 10, 100));
	put(&now, known("[1]", 10, 10, 100));
	put(&now, known("[9]", 10, 10, 100));
	s = split(&base, &now);
	assert_true(s.calls == 100 && s.larger == 0 && s.slower == 0);
	assert_true(s.base_dims.n == 0 && span_is(s.now_dims, "[9]"));
}

/* What bounds most of the time is the unit: bytes grow by 4, FLOP by 2, time by 4. */
static void which_unit(void **state)
{
	struct drawn base = { 0 }, now = { 0 };
	struct worksplit s;

	(void)state;
	put(&base, moved("[8]", 100, 1000, 4, 100));
	put(&now, moved("[16]", 200, 4000, 4, 400));
	s = split(&base, &now);
	assert_true(s.unit == WORK_BYTES && s.larger == 300 && s.slower == 0);
	base.item[0].by_bytes = now.item[0].by_bytes = false;
	s = split(&base, &now);
	assert_true(s.unit == WORK_FLOP && s.larger == 150 && s.slower == 150);
	/* the base's share of 500 ns is no half: bytes that new is bound by count */
	now.item[0].by_bytes = true;
	assert_true(split(&base, &now).unit == WORK_BYTES);
	now.item[0].bytes = -1; /* not known: then FLOP */
	assert_true(split(&base, &now).unit == WORK_FLOP);
	base.item[0].flop = -1; /* bytes alone in base, FLOP alone in new: there is no unit */
	s = split(&base, &now);
	assert_true(!s.is_known && s.unknown == 300);
}

static void not_known(void **state)
{
	struct drawn base = { 0 }, now = { 0 };
	struct worksplit s;

	(void)state;
	/* as many calls of which nothing is known: the others can be told */
	put(&base, unknown(2, 30));
	put(&base, known("[8]", 100, 4, 400));
	put(&now, unknown(2, 50));
	put(&now, known("[8]", 100, 4, 500));
	s = split(&base, &now);
	assert_true(s.is_known && s.unknown == 20 && s.slower == 100);
	assert_int_equal(s.why, ROOF_WHY_NO_SHAPES);
	/* one more of them, which may be one of the others: nothing can */
	now.item[0].calls = 3;
	s = split(&base, &now);
	assert_true(!s.is_known && s.unknown == 120 && s.slower == 0 && s.calls == 0);
}

static void on_one_side(void **state)
{
	struct drawn base = { 0 }, now = { 0 };
	struct worksplit s;

	(void)state;
	put(&now, unknown(2, 50));
	s = split(&base, &now);
	assert_true(s.is_known && s.calls == 50 && s.unknown == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_factor),
		cmocka_unit_test(several_factors),
		cmocka_unit_test(a_mix),
		cmocka_unit_test(a_further_shape),
		cmocka_unit_test(which_unit),
		cmocka_unit_test(not_known),
		cmocka_unit_test(on_one_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
