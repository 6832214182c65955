/* Facts of a job: whom waits go back to, stages of a pipeline, loads of experts, flows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/job/jobfacts.h"
#include "sketched_job.h"

#define MS INT64_C(1000000)

/* Rank 2 waits 20 ms for 3, then makes 0 wait 25: 20 of that are 3's doing, 5 its own.  Then both
 * have waited for 3: what one of them is late by is its own. */
static void test_blame(void **state)
{
	static const uint32_t tensor[] = { 2, 3 }, data[] = { 0, 2 };
	static const nsec late[] = { 0, 20 * MS }, later[] = { 0, 25 * MS }, own[] = { 3 * MS, 0 };
	const struct job_pair want[] = { { 0, 2, 5 * MS }, { 0, 3, 20 * MS }, { 2, 3, 20 * MS },
		{ 3, 2, 3 * MS } };
	struct sketched_job d;
	uint32_t tp, dp;

	(void)state;
	sketched_init(&d, 4, 1);
	tp = sketched_group(&d, "tp", tensor, 2);
	dp = sketched_group(&d, "dp", data, 2);
	(void)sketched_meet(&d, tp, COMM_ALL_REDUCE, 1024, 0, late, MS);
	(void)sketched_meet(&d, dp, COMM_ALL_REDUCE, 1024, 0, later, MS);
	(void)sketched_meet(&d, tp, COMM_ALL_REDUCE, 1024, 0, own, MS);
	const struct job *j = sketched_done(&d);
	assert_int_equal(j->rank[3].caused, 40 * MS);
	assert_int_equal(j->rank[2].caused, 8 * MS);
	assert_int_equal(j->by_step[3].caused, 40 * MS);
	assert_int_equal(j->rank[0].suffered, 25 * MS);
	assert_int_equal(j->npair, 4);
	for (size_t i = 0; i < 4; i++)
		assert_memory_equal(&j->pair[i], &want[i], sizeof(want[i]));
	sketched_clear(&d);
}

static void stages(struct job_stages *s, struct sketched_job *d)
{
	struct job_flows f;

	job_flows_init(&f, sketched_done(d), &d->mem);
	job_stages_init(s, &d->j, &f, &d->mem);
}

/* 2 -> 0 -> 1, gradients back; rank 3 is in no pipeline. */
static void test_stages(void **state)
{
	struct sketched_job d;
	struct job_stages s;
	size_t step;

	(void)state;
	sketched_init(&d, 4, 2);
	for (step = 0; step < 2; step++) {
		(void)sketched_message(&d, step, 2, 0, 4 * MS, 0, MS);
		(void)sketched_message(&d, step, 0, 1, 6 * MS, 0, MS);
		(void)sketched_message(&d, step, 2, 0, 0, 0, MS);
		(void)sketched_message(&d, step, 0, 1, 0, 0, MS);
		(void)sketched_message(&d, step, 1, 0, 0, 0, MS);
		(void)sketched_message(&d, step, 0, 2, 0, 0, MS);
	}
	stages(&s, &d);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.of[2], 0);
	assert_int_equal(s.of[0], 1);
	assert_int_equal(s.of[1], 2);
	assert_int_equal(s.of[3], JOB_NO_STAGE);
	assert_true(s.bubble[0] == 4e6 && s.bubble[1] == 6e6 && s.bubble[2] == 0);
	assert_true(s.micro == 2);
	assert_true(job_stages_least(s.n, s.micro) == 0.5);
	assert_true(isnan(job_stages_least(1, 4)));
	sketched_clear(&d);
}

/* Messages that go round and never back are no pipeline; interleaved stages are one. */
static void test_rings(void **state)
{
	struct sketched_job d;
	struct job_stages s;
	uint32_t i;

	(void)state;
	sketched_init(&d, 3, 1);
	for (i = 0; i < 3; i++)
		(void)sketched_message(&d, 0, i, (i + 1) % 3, 0, 0, MS);
	stages(&s, &d);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.of[0], JOB_NO_STAGE);
	for (i = 0; i < 3; i++)
		(void)sketched_message(&d, 0, (i + 1) % 3, i, 0, 0, MS);
	stages(&s, &d);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.of[2], 2);
	sketched_clear(&d);
}

/* To the experts and back: 0 has 12 tokens of which 9 go to 1, 1 has 12 and keeps 9. */
static void test_experts(void **state)
{
	static const int64_t mine[] = { 3, 9 }, got0[] = { 3, 3 }, got1[] = { 9, 9 };
	static const nsec even[] = { 0, 0 };
	struct sketched_job d;
	struct job_experts x;
	struct collective_instance *m;

	(void)state;
	sketched_init(&d, 2, 1);
	m = sketched_meet(&d, 0, COMM_ALL_TO_ALL, 1024, 0, even, MS);
	sketched_split(&d, m, 0, mine, got0, 2);
	sketched_split(&d, m, 1, mine, got1, 2);
	m = sketched_meet(&d, 0, COMM_ALL_TO_ALL, 1024, 0, even, MS);
	sketched_split(&d, m, 0, got0, mine, 2);
	sketched_split(&d, m, 1, got1, mine, 2);
	job_experts_init(&x, sketched_done(&d), &d.mem);
	assert_int_equal(x.nmeet, 2);
	assert_int_equal(x.load[0], 12);
	assert_int_equal(x.load[1], 36);
	assert_int_equal(x.by_step[1], 36);
	assert_int_equal(x.hot, 1);
	assert_true(x.ratio[1] == 1.5 && x.imbalance == 1.5);
	assert_int_equal(x.npair, 4);
	assert_true(x.pair[1].from == 0 && x.pair[1].to == 1 && x.pair[1].tokens == 18);
	sketched_clear(&d);
}

/* Hostile parts: as many as no group has. */
static void test_many_parts(void **state)
{
	static const nsec even[] = { 0, 0 };
	enum { PARTS = 5000 };
	struct sketched_job d;
	struct job_experts x;
	struct collective_instance *m;
	int64_t *v;
	size_t i;

	(void)state;
	sketched_init(&d, 2, 1);
	v = arena_array(&d.mem, PARTS, sizeof(*v));
	for (i = 0; i < PARTS; i++)
		v[i] = INT64_MAX / 2;
	m = sketched_meet(&d, 0, COMM_ALL_TO_ALL, 1024, 0, even, MS);
	sketched_split(&d, m, 0, v, v, PARTS);
	sketched_split(&d, m, 1, v, v, PARTS);
	job_experts_init(&x, sketched_done(&d), &d.mem);
	assert_int_equal(x.npair, 0);
	assert_int_equal(x.load[0], INT64_MAX);
	sketched_clear(&d);
}

/* Two groups of two, three times each: transfers 1, 1, 1 and 2, 2, 2 ms of the same size; other
 * bytes are no peers. */
static void test_flows(void **state)
{
	static const uint32_t member[2][2] = { { 0, 1 }, { 2, 3 } };
	static const nsec late[] = { 0, 2 * MS };
	struct sketched_job d;
	struct job_flows f;
	uint32_t g, k, group[2];

	(void)state;
	sketched_init(&d, 4, 1);
	for (g = 0; g < 2; g++) {
		group[g] = sketched_group(&d, g ? "b" : "a", member[g], 2);
		for (k = 0; k < 3; k++)
			(void)sketched_meet(
				&d, group[g], COMM_ALL_REDUCE, 1000, 0, late, (g + 1) * MS);
	}
	(void)sketched_meet(&d, group[1], COMM_ALL_REDUCE, 2000, 0, late, 9 * MS);
	job_flows_init(&f, sketched_done(&d), &d.mem);
	assert_int_equal(f.n, 3);
	assert_int_equal(f.v[1].count, 3);
	assert_int_equal(f.v[1].skew, 6 * MS);
	assert_int_equal(f.v[1].exposed, 6 * MS);
	assert_true(f.v[1].median == 2e6 && f.v[1].peers == 1e6);
	assert_true(f.v[1].is_slow && !f.v[0].is_slow && !f.v[2].is_slow);
	assert_int_equal(f.v[1].excess, 3 * MS);
	assert_true(isnan(f.v[2].peers));
	sketched_clear(&d);
}

/* Groups that end together wait for each other, whatever their names say; without common clocks
 * nobody can tell.
 *
 *	group 1  [====== 6 ======)     it came first, and moves its bytes in 2
 *	others           [== 2 ==) */
static void test_end_together(void **state)
{
	static const uint32_t member[][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 } };
	static const nsec even[] = { 0, 0 };
	struct sketched_job d;
	struct job_flows f;

	(void)state;
	for (int clocked = 0; clocked < 2; clocked++) {
		sketched_init(&d, 6, 4);
		for (size_t g = 0; g < 3; g++)
			(void)sketched_group(&d, "dp", member[g], 2);
		for (size_t i = 0; i < 12; i++) {
			nsec end = ((nsec)(i / 3) * 100 + 70) * MS;
			struct collective_instance *m = sketched_meet(&d, 1 + (uint32_t)(i % 3),
				COMM_ALL_REDUCE, 1024, i / 3, even, (i % 3 == 0 ? 6 : 2) * MS);

			m->is_clocked = clocked;
			m->arrival[0].end = m->arrival[1].end = end + (nsec)i;
		}
		job_flows_init(&f, sketched_done(&d), &d.mem);
		assert_int_equal(f.n, 3);
		assert_int_equal(f.v[0].is_slow, !clocked);
		assert_int_equal(f.v[0].excess, clocked ? 0 : 16 * MS);
		sketched_clear(&d);
	}
}

/* Groups of four, the second without the trace of its last rank.  Its transfers are as fast at
 * least as they seem, so that they are peers of the first one's; it may be slow by whom it lacks.
 */
static void test_peers_that_lack(void **state)
{
	static const uint32_t member[][4] = { { 0, 1, 2, 3 }, { 4, 5, 6 } };
	static const nsec even[] = { 0, 0, 0, 0 };
	struct job_absent absent = { .nrank = 1 };
	struct sketched_job d;
	struct job_flows f;

	(void)state;
	for (size_t slow = 0; slow < 2; slow++) {
		sketched_init(&d, 7, 4);
		d.j.absent = &absent;
		d.j.nabsent = 1;
		absent.by_step = arena_array(&d.mem, 4, sizeof(*absent.by_step));
		(void)sketched_group(&d, "tp0", member[0], 4);
		(void)sketched_group(&d, "tp1", member[1], 3);
		d.j.group[2].nrank = 4;
		for (size_t i = 0; i < 8; i++)
			sketched_meet(&d, 1 + (uint32_t)(i % 2), COMM_ALL_REDUCE, 1024, i / 2, even,
				(i % 2 == slow ? 3 : 1) * MS)
				->absent = i % 2;
		job_flows_init(&f, sketched_done(&d), &d.mem);
		assert_int_equal(f.n, 2);
		assert_int_equal(f.v[0].is_slow, slow == 0);
		assert_int_equal(f.v[0].excess, slow == 0 ? 8 * MS : 0);
		assert_false(f.v[1].is_slow);
		sketched_clear(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blame),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_many_parts),
		cmocka_unit_test(test_flows),
		cmocka_unit_test(test_end_together),
		cmocka_unit_test(test_peers_that_lack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
