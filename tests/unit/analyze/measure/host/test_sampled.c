/* Functions of sampled stacks: lines of one are one, recursion counts once, units do not mix. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/host/sampled.h"

static void put(struct sheet *s, const char *stack, double weight, enum stack_unit unit)
{
	assert_true(record_row(s));
	table_text(&s->table, STACKS_FRAMES, span_of(stack));
	table_real(&s->table, STACKS_WEIGHT, weight);
	table_text(&s->table, STACKS_UNIT, span_of(stack_unit_word[unit]));
}

static void check(const struct sampled_function *f, const char *name, double self, double total)
{
	assert_true(span_is(f->name, name));
	assert_float_equal(f->self, self, 1e-9);
	assert_float_equal(f->total, total, 1e-9);
}

/* main (a.py:1) -- f (b.py:2) 3            f: 3 + 4 of its own, 7 + 5 in all
 *               \- f (b.py:9) 4
 *               \- f (b.py:2) -- g -- f (b.py:3) -- h (c.py) 5 */
static void sums_lines_and_counts_recursion_once(void **state)
{
	struct record *r = record_new();
	struct sheet *s = record_sheet(r, record_artifact(r, "x", "folded", "x"), SHEET_STACKS);
	struct sampled out;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	put(s, "main (a.py:1);f (b.py:2)", 3, STACK_IN_SAMPLES);
	put(s, "main (a.py:1);f (b.py:9)", 4, STACK_IN_SAMPLES);
	put(s, "main (a.py:1);f (b.py:2);g;f (b.py:3);h (c.py)", 5, STACK_IN_SAMPLES);
	sampled_functions(s, STACK_IN_SAMPLES, &mem, &out);
	assert_float_equal(out.all, 12, 1e-9);
	assert_int_equal(out.n, 4);
	check(&out.v[0], "f (b.py)", 7, 12);
	check(&out.v[1], "h (c.py)", 5, 5);
	check(&out.v[2], "main (a.py)", 0, 12);
	check(&out.v[3], "g", 0, 5);
	record_free(r);
}

static void keeps_units_apart(void **state)
{
	struct record *r = record_new();
	struct sheet *s = record_sheet(r, record_artifact(r, "x", "speedscope", "x"), SHEET_STACKS);
	struct sampled out;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	put(s, "a;b", 3, STACK_IN_SAMPLES);
	put(s, "a;c", 5e6, STACK_IN_NS);
	assert_ptr_equal(sampled_sheet(r, NULL, STACK_IN_SAMPLES), s);
	assert_ptr_equal(sampled_sheet(r, NULL, STACK_IN_NS), s);
	assert_null(sampled_sheet(r, s, STACK_IN_NS));
	sampled_functions(s, STACK_IN_NS, &mem, &out);
	assert_int_equal(out.n, 2);
	check(&out.v[0], "c", 5e6, 5e6);
	check(&out.v[1], "a", 0, 5e6);
	sampled_functions(s, STACK_IN_SAMPLES, &mem, &out);
	check(&out.v[0], "b", 3, 3);
	record_free(r);
}

/* What ends in brackets without a line is no place in a file: it stays as it is. */
static void leaves_other_texts(void **state)
{
	static const char *const same[] = { "f", "f()", "()", "f (x:)", "f (12)", ")", ":1)" };
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(same) / sizeof(*same); i++) {
		struct record *r = record_new();
		struct sheet *s =
			record_sheet(r, record_artifact(r, "x", "folded", "x"), SHEET_STACKS);
		struct sampled out;

		put(s, same[i], 1, STACK_IN_SAMPLES);
		sampled_functions(s, STACK_IN_SAMPLES, &mem, &out);
		assert_int_equal(out.n, 1);
		if (i < 6)
			assert_true(span_is(out.v[0].name, same[i]));
		record_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_lines_and_counts_recursion_once),
		cmocka_unit_test(keeps_units_apart),
		cmocka_unit_test(leaves_other_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
