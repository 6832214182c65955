/* The tally: counts add up, the first place wins, and every problem has its words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/tally.h"

static void first_place(void **state)
{
	struct tally t;

	(void)state;
	tally_init(&t);
	assert_int_equal(t.offset[PROBLEM_COMMA], -1);
	tally_add(&t, PROBLEM_COMMA, 1, -1);
	assert_int_equal(t.offset[PROBLEM_COMMA], -1);
	tally_add(&t, PROBLEM_COMMA, 2, 500);
	tally_add(&t, PROBLEM_COMMA, 1, 900);
	tally_add(&t, PROBLEM_COMMA, 1, -1);
	assert_int_equal(t.offset[PROBLEM_COMMA], 500);
	tally_add(&t, PROBLEM_COMMA, 1, 0);
	assert_int_equal(t.offset[PROBLEM_COMMA], 0);
	assert_int_equal(t.count[PROBLEM_COMMA], 6);
	tally_add(&t, PROBLEM_COMMA, 0, 0);
	tally_add(&t, PROBLEM_COMMA, -5, 0);
	assert_int_equal(t.count[PROBLEM_COMMA], 6);
	assert_int_equal(t.count[PROBLEM_NO_TIME], 0);
}

/* A line belongs to its offset: an earlier offset makes it unknown. */
static void lines(void **state)
{
	struct tally t;

	(void)state;
	tally_init(&t);
	tally_add(&t, PROBLEM_NO_TIME, 1, 100);
	t.line[PROBLEM_NO_TIME] = 4;
	tally_add(&t, PROBLEM_NO_TIME, 1, 200);
	assert_int_equal(t.line[PROBLEM_NO_TIME], 4);
	tally_add(&t, PROBLEM_NO_TIME, 1, 50);
	assert_int_equal(t.line[PROBLEM_NO_TIME], -1);
}

static void merge(void **state)
{
	struct tally a, b;

	(void)state;
	tally_init(&a);
	tally_init(&b);
	tally_add(&a, PROBLEM_COMMA, 1, 70);
	tally_add(&b, PROBLEM_COMMA, 2, 30);
	tally_add(&b, PROBLEM_NO_PHASE, 3, 99);
	tally_merge(&a, &b);
	assert_int_equal(a.count[PROBLEM_COMMA], 3);
	assert_int_equal(a.offset[PROBLEM_COMMA], 30);
	assert_int_equal(a.count[PROBLEM_NO_PHASE], 3);
	assert_int_equal(a.offset[PROBLEM_NO_PHASE], 99);
}

static void words(void **state)
{
	int i, k;

	(void)state;
	for (i = 0; i < PROBLEM_COUNT; i++) {
		const struct problem_info *p = &problem_infos[i];

		assert_true(strlen(p->id) > 2 && strlen(p->text) > 2 && strlen(p->doc) > 2);
		assert_int_equal(
			strspn(p->id, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(p->id));
		assert_int_not_equal(p->text[strlen(p->text) - 1], '.');
		for (k = 0; k < i; k++)
			assert_string_not_equal(p->id, problem_infos[k].id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_place),
		cmocka_unit_test(lines),
		cmocka_unit_test(merge),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
