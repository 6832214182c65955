/* The documents' leak check: which step it fires at, against which baseline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/curve.h"
#include "analyze/measure/memory/leakcheck.h"
#include "analyze/trace/columns/sheet.h"
#include "base/arena.h"
#include "base/table.h"

#define GIB (1024.0 * 1024 * 1024)

enum { STEPS = 1000 };

static void near(double got, double want, double by)
{
	assert_true(fabs(got - want) <= by);
}

/* Memory that grows by `each` bytes a step from 10.5 GiB, logged every `every` steps from `first`.
 */
static struct leakcheck check(double each, size_t first, size_t every)
{
	static double x[STEPS], y[STEPS];
	struct curve c = { x, y, 0, true, 0, 0, NULL, NULL };
	size_t step;

	for (step = first; step < STEPS; step += every) {
		x[c.n] = (double)step;
		y[c.n++] = 10.5 * GIB + each * (double)step;
	}
	return leakcheck_curve(&c, NAN, LEAKCHECK_BYTES, LEAKCHECK_EVERY);
}

/* 0.5 GiB is passed at step 417: the check at 500 sees it. */
static void test_every_hundred(void **state)
{
	struct leakcheck l = check(0.0012 * GIB, 0, 1);

	(void)state;
	assert_true(l.is_found);
	near(l.x, 500, 0);
	near(l.growth, 0.6 * GIB, 1);
	near(l.baseline, 10.5 * GIB, 1);
	assert_int_equal(l.checks, 6); /* 0, 100 .. 500 */
	l = check(0.0004 * GIB, 0, 1);
	assert_false(l.is_found);
	assert_int_equal(l.checks, 10);
	near(l.growth, 0.36 * GIB, 1);
}

/* Logged at 7, 57, 107 ...: the first value behind each hundred. */
static void test_off_the_hundred(void **state)
{
	struct leakcheck l = check(0.0012 * GIB, 7, 50);

	(void)state;
	assert_true(l.is_found);
	near(l.x, 507, 0);
}

/* Exactly the threshold is none; a short log is looked at everywhere. */
static void test_short(void **state)
{
	double x[] = { 0, 1, 2 }, y[] = { GIB, 1.5 * GIB, 1.5 * GIB + 1 };
	struct curve c = { x, y, 2, true, 0, 0, NULL, NULL };
	struct leakcheck l = leakcheck_curve(&c, NAN, LEAKCHECK_BYTES, LEAKCHECK_EVERY);

	(void)state;
	assert_false(l.is_found);
	c.n = 3;
	l = leakcheck_curve(&c, NAN, LEAKCHECK_BYTES, LEAKCHECK_EVERY);
	assert_true(l.is_found);
	near(l.x, 2, 0);
	c.n = 0;
	assert_int_equal(leakcheck_curve(&c, NAN, LEAKCHECK_BYTES, LEAKCHECK_EVERY).checks, 0);
}

static void measured(struct table *t, const char *tag, double gib)
{
	table_row(t);
	table_text(t, TAKEN_TAG, span_of(tag));
	table_real(t, TAKEN_ALLOCATED, gib * GIB);
}

/* The measurement tagged baseline counts, wherever it is; each leak_check is 100 steps later. */
static void test_tags(void **state)
{
	SCOPED_ARENA mem = { 0 };
	struct sheet *s;
	struct leakcheck l;
	bool is_step = false;

	(void)state;
	s = sheet_new(&mem, SHEET_MEMORY, 0);
	measured(&s->table, "default", 2);
	measured(&s->table, "baseline", 10.5);
	measured(&s->table, "iteration_end", 15);
	measured(&s->table, "leak_check", 10.6);
	measured(&s->table, "leak_check", 10.9);
	measured(&s->table, "leak_check", 11.1);
	l = leakcheck_sheet(&s->table, LEAKCHECK_BYTES, &is_step, &mem);
	assert_true(l.is_found);
	assert_true(is_step);
	near(l.x, 200, 0);
	near(l.growth, 0.6 * GIB, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_hundred),
		cmocka_unit_test(test_off_the_hundred),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_tags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
