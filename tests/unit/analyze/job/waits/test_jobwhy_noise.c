/* What is wrong with a job: how often noise is taken for a straggler, and a straggler for noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/waits/jobwhy.h"
#include "analyze/stat/law.h"
#include "analyze/stat/rng.h"
#include "base/compiler.h"
#include "tests/unit/analyze/job/sketched_job.h"

#define MS INT64_C(1000000)

/* A normal deviate. */
static double deviate(struct rng *r)
{
	return law_normal_quantile(
		((double)(rng_next(r) >> 11) + 0.5) / (double)(UINT64_C(1) << 53));
}

/* Own times of 60 ms and that much noise; rank nrank / 2 is so much slower.  Whom the verdict is.
 */
static uint32_t try_noise(uint64_t seed, size_t nrank, size_t nstep, double noise, double slower)
{
	struct rng rng;
	struct sketched_job d;
	struct job_why w;
	nsec own[16];
	uint32_t named;
	size_t s, i;

	rng_init(&rng, seed);
	sketched_init(&d, nrank, nstep);
	for (s = 0; s < nstep; s++) {
		for (i = 0; i < nrank; i++)
			own[i] = (nsec)(60e6 * (1 + noise * deviate(&rng)) *
				(i == nrank / 2 ? 1 + slower : 1));
		for (i = 0; i < nrank; i++)
			sketched_part(&d, s, i, PART_COMPUTE, own[i]);
		(void)sketched_meet(&d, 0, COMM_ALL_REDUCE, 1 << 20, s, own, 5 * MS);
	}
	job_why(&w, sketched_done(&d), &d.mem);
	named = w.state == JOB_STRAGGLER ? w.rank : UINT32_MAX;
	sketched_clear(&d);
	return named;
}

/* Of 2,000 balanced jobs of each kind at most 1 % have a straggler named, and a rank that is 5 %
 * slower is named always where steps and noise allow it. */
static void test_noise(void **state)
{
	static const struct {
		size_t nrank, nstep;
		double noise;
		bool is_clear; /* 5 % is more than noise explains */
	} of[] = { { 2, 4, 0.005, true }, { 4, 4, 0.01, true }, { 8, 3, 0.01, true },
		{ 8, 4, 0.02, false }, { 2, 9, 0.01, true }, { 8, 9, 0.02, false },
		{ 2, 50, 0.02, true }, { 8, 50, 0.02, true } };
	size_t i, wrong, missed;
	uint64_t seed;

	(void)state;
	for (i = 0; i < COUNT_OF(of); i++) {
		wrong = missed = 0;
		for (seed = 1; seed <= 2000; seed++)
			wrong += try_noise(seed, of[i].nrank, of[i].nstep, of[i].noise, 0) !=
				UINT32_MAX;
		for (seed = 1; seed <= 200; seed++)
			missed += try_noise(seed, of[i].nrank, of[i].nstep, of[i].noise, 0.05) !=
				of[i].nrank / 2;
		print_message("%zu ranks %zu steps %.3f: %zu of 2000 named, %zu of 200 missed\n",
			of[i].nrank, of[i].nstep, of[i].noise, wrong, missed);
		assert_true(wrong <= 20);
		if (of[i].is_clear)
			assert_int_equal(missed, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
