/*
 * Jobs ahead: each once, no more at a time than are promised, whatever is taken of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ordered_jobs.h"
#include "base/compiler.h"

enum { JOBS = 200 };

/* What the jobs make: a value in a place of their own, and how many there are at a time. */
struct made {
	size_t value[JOBS];
	int times[JOBS];
	atomic_int there, most;
};

static void make(void *ctx, size_t i)
{
	struct made *m = ctx;
	int there = atomic_fetch_add(&m->there, 1) + 1, most = atomic_load(&m->most);

	while (there > most && !atomic_compare_exchange_weak(&m->most, &most, there))
		;
	m->value[i] = i * i + 1;
	m->times[i]++;
}

static const unsigned threads[] = { 0, 1, 2, 3, 8, 100 };

static void test_taken_in_order(void **state)
{
	size_t i, k;

	(void)state;
	for (k = 0; k < COUNT_OF(threads); k++) {
		struct made m = { 0 };
		struct ordered_jobs *a = ordered_jobs_new(JOBS, threads[k], make, &m);

		for (i = 0; i < JOBS; i++) {
			ordered_jobs_take(a, i);
			assert_int_equal(m.value[i], i * i + 1);
			(void)atomic_fetch_sub(&m.there, 1); /* released before the next */
		}
		ordered_jobs_free(a);
		for (i = 0; i < JOBS; i++)
			assert_int_equal(m.times[i], 1);
		assert_in_range(m.most, 1, (threads[k] ? threads[k] : 1) + 1);
	}
}

/* Nothing is taken: what has begun ends, and no more is begun than may be there. */
static void test_none_taken(void **state)
{
	size_t i, k, done;

	(void)state;
	for (k = 0; k < COUNT_OF(threads); k++) {
		struct made m = { 0 };

		ordered_jobs_free(ordered_jobs_new(JOBS, threads[k], make, &m));
		for (i = done = 0; i < JOBS; i++)
			done += (size_t)m.times[i];
		assert_true(done <= threads[k] + 1);
		for (i = 0; i < done; i++)
			assert_int_equal(m.times[i], 1);
	}
	ordered_jobs_free(NULL);
}

/* Some are passed over: they are made all the same, before or behind the one that is taken. */
static void test_some_passed_over(void **state)
{
	size_t i, k;

	(void)state;
	for (k = 0; k < COUNT_OF(threads); k++) {
		struct made m = { 0 };
		struct ordered_jobs *a = ordered_jobs_new(JOBS, threads[k], make, &m);

		for (i = 6; i < JOBS; i += 7) {
			ordered_jobs_take(a, i);
			assert_int_equal(m.value[i], i * i + 1);
			ordered_jobs_take(a, i); /* again: it is there */
			ordered_jobs_take(a, i - 1);
			assert_int_equal(m.value[i - 1], (i - 1) * (i - 1) + 1);
		}
		ordered_jobs_free(a);
		for (i = 0; i < JOBS; i++)
			assert_in_range(m.times[i], i < 6 + 7 * ((JOBS - 7) / 7), 1);
	}
}

static void test_no_jobs(void **state)
{
	struct made m = { 0 };

	(void)state;
	ordered_jobs_free(ordered_jobs_new(0, 4, make, &m));
	assert_int_equal(m.there, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken_in_order),
		cmocka_unit_test(test_none_taken),
		cmocka_unit_test(test_some_passed_over),
		cmocka_unit_test(test_no_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
