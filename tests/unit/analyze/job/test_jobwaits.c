/*
 * Waits of jobs drawn by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "tests/unit/analyze/job/drawn_job.h"

/*
 *	rank 0   [=====>          )   10 .. 50
 *	rank 1           [=======>)   30 .. 50
 *
 * Two ranks, three steps: rank 1 comes 20 later each time.
 */
static void test_two_ranks(void **state)
{
	struct drawn_job d;
	const struct coll_kind k = drawn_kind();
	const struct job *j;
	int i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 3; i++) {
		drawn_step(&d, 0, 7 + i);
		drawn_step(&d, 1, 7 + i);
		drawn_at(&d, 0, &k, 1000 * i + 10, 40);
		drawn_at(&d, 1, &k, 1000 * i + 30 + 500, 20);
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 3);
	assert_int_equal(j->nmatched, 6);
	assert_int_equal(j->nstep, 3);
	assert_int_equal(j->nisland, 1);
	assert_int_equal(j->rank[1].clock.offset, 500);
	for (i = 0; i < 3; i++) {
		assert_true(j->meet[i].is_clocked);
		assert_int_equal(j->meet[i].ordinal, i);
		assert_int_equal(j->meet[i].last, 1);
		assert_int_equal(j->meet[i].arrival[0].wait, 20);
		assert_int_equal(j->meet[i].arrival[1].wait, 0);
		assert_int_equal(j->meet[i].transfer, 20);
		assert_int_equal(j->meet[i].end_skew, 0);
		assert_int_equal(j->by_step[2 * i].suffered, 20);
		assert_int_equal(j->by_step[2 * i + 1].caused, 20);
		assert_int_equal(j->by_step[2 * i].transfer, 20);
	}
	assert_int_equal(j->rank[0].suffered, 60);
	assert_int_equal(j->rank[1].caused, 60);
	assert_int_equal(j->rank[1].nlast, 3);
	assert_int_equal(j->npair, 1);
	assert_int_equal(j->pair[0].ns, 60);
	drawn_end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
