/* The order of changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/judge/judge.h"

/* 100 (days), 95 (lines) and 91 (a flag) are alike: the flag comes first.  89 is more than a tenth
 * less than 100, and begins the next ones, of which 85 takes a flag, too. */
static void test_alike_by_effort(void **state)
{
	static const struct judge_row row[] = {
		{ .of = JUDGE_HOST, .saves = 100 },
		{ .of = JUDGE_SYNC, .saves = 95 },
		{ .of = JUDGE_DATA, .saves = 91 },
		{ .of = JUDGE_KERNELS, .saves = 89 },
		{ .of = JUDGE_ALLOCATOR, .saves = 85 },
		{ .of = JUDGE_GC, .saves = 0 },
	};
	static const enum judge_change want[] = { JUDGE_DATA, JUDGE_SYNC, JUDGE_HOST,
		JUDGE_ALLOCATOR, JUDGE_KERNELS, JUDGE_GC };
	enum { N = sizeof(row) / sizeof(*row) };
	const struct judge_row *v[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		v[i] = &row[N - 1 - i];
	judge_sort(v, N);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(v[i]->of, want[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_alike_by_effort) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
