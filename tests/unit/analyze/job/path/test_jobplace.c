/* Places in jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/job.h"

static void steps(void **state)
{
	int64_t number[] = { -1, 3, 5, 9 };
	struct job j = { .step = number, .nstep = 4 };

	(void)state;
	assert_int_equal(job_step_place(&j, -1), 0);
	assert_int_equal(job_step_place(&j, 5), 2);
	assert_int_equal(job_step_place(&j, 9), 3);
	assert_int_equal(job_step_place(&j, 4), COLL_NO_STEP);
	assert_int_equal(job_step_place(&j, -2), COLL_NO_STEP);
	assert_int_equal(job_step_place(&j, 10), COLL_NO_STEP);
	j.nstep = 0;
	assert_int_equal(job_step_place(&j, 3), COLL_NO_STEP);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(steps) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
