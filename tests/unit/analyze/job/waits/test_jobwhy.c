/* What is wrong with a job: each verdict on a job drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/job/waits/jobwhy.h"
#include "base/compiler.h"
#include "tests/unit/analyze/job/sketched_job.h"

#define MS INT64_C(1000000)

static void check_text(struct span s, const char *text)
{
	assert_int_equal(s.p[s.n], '\0');
	assert_string_equal(s.p, text);
}

/* Each rank does that much of a part in a step, then all reduce. */
static void draw_step(
	struct sketched_job *d, size_t step, enum digest_part part, const nsec *own, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sketched_part(d, step, i, part, own[i]);
	(void)sketched_meet(d, 0, COMM_ALL_REDUCE, 1 << 20, step, own, 5 * MS);
}

/* Four ranks, three steps: rank 2 computes 90 ms, the others 60; all reduce in 5.  The others wait
 * 30 of the step's 95. */
static void draw_straggler(struct sketched_job *d, enum digest_part part)
{
	static const nsec own[] = { 60 * MS, 60 * MS, 90 * MS, 60 * MS };

	sketched_init(d, 4, 3);
	for (size_t s = 0; s < 3; s++)
		draw_step(d, s, part, own, COUNT_OF(own));
}

static void test_slower(void **state)
{
	struct sketched_job d;
	struct job_why w;
	size_t r;

	(void)state;
	draw_straggler(&d, PART_COMPUTE);
	for (r = 0; r < 4; r++)
		(void)sketched_kernel(&d, r, "gemm", 30, (r == 2 ? 270 : 180) * MS);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_STRAGGLER);
	assert_int_equal(w.cause, JOB_CAUSE_SLOWER);
	assert_int_equal(w.rank, 2);
	assert_int_equal(w.wait, 30 * MS);
	assert_int_equal(w.own, 90 * MS);
	assert_int_equal(w.others, 60 * MS);
	assert_true(fabs(w.share - 30.0 / 95) < 1e-12);
	assert_true(w.last_ratio == 1.0 && w.matched_ratio == 1.0);
	assert_null(w.next);
	check_text(w.text,
		"rank 2 makes the other 3 wait 30.00 ms a step (31.6%): it computes 90.00 ms, the "
		"others 60.00 ms: the same kernels, 1.50 times slower");
	sketched_clear(&d);
}

/* No collectives: rank 2 computes 90 ms, the others 60, and idle for 30 in calls that wait for the
 * device; or where all of them idle as long, nobody waits. */
static void test_idle(void **state)
{
	(void)state;
	for (int waits = 0; waits < 2; waits++) {
		struct sketched_job d;
		struct job_why w;

		sketched_init(&d, 4, 3);
		for (size_t s = 0; s < 3; s++)
			for (size_t r = 0; r < 4; r++) {
				sketched_part(&d, s, r, PART_COMPUTE, (r == 2 ? 90 : 60) * MS);
				sketched_part(
					&d, s, r, PART_IDLE_SYNC, (r == 2 || !waits ? 0 : 30) * MS);
			}
		job_why(&w, sketched_done(&d), &d.mem);
		assert_int_equal(w.state, waits ? JOB_STRAGGLER : JOB_UNJUDGED);
		if (waits) {
			assert_int_equal(w.rank, 2);
			assert_int_equal(w.wait, 30 * MS);
			check_text(w.text,
				"rank 2 makes the other 3 wait 30.00 ms a step (33.3%): it computes "
				"90.00 ms, the others 60.00 ms: the same kernels; the others idle "
				"as long, in no collective");
		}
		sketched_clear(&d);
	}
}

static void test_more_calls(void **state)
{
	struct sketched_job d;
	struct job_why w;
	size_t r;

	(void)state;
	draw_straggler(&d, PART_COMPUTE);
	for (r = 0; r < 4; r++)
		(void)sketched_kernel(&d, r, "gemm", r == 2 ? 45 : 30, (r == 2 ? 270 : 180) * MS);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_STRAGGLER);
	assert_int_equal(w.cause, JOB_CAUSE_WORK);
	check_text(w.text,
		"rank 2 makes the other 3 wait 30.00 ms a step (31.6%): it computes 90.00 ms, the "
		"others 60.00 ms: 15 kernels a step, the others 10");
	sketched_clear(&d);
}

static void set_shape(struct sketched_job *d, struct digest_op *op, const char *dims)
{
	op->shape = arena_alloc(&d->mem, sizeof(*op->shape));
	op->nshape = 1;
	op->shape[0] = (struct digest_shape){ span_of(dims), op->calls, op->ns };
}

/* One and a half times the tokens: the first input's rows. */
static void test_larger_shapes(void **state)
{
	struct sketched_job d;
	struct job_why w;
	size_t r;

	(void)state;
	draw_straggler(&d, PART_COMPUTE);
	for (r = 0; r < 4; r++)
		set_shape(&d, sketched_kernel(&d, r, "gemm", 30, (r == 2 ? 270 : 180) * MS),
			r == 2 ? "[[1536, 64], [64, 256]]" : "[[1024, 64], [64, 256]]");
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.cause, JOB_CAUSE_WORK);
	check_text(w.text,
		"rank 2 makes the other 3 wait 30.00 ms a step (31.6%): it computes 90.00 ms, the "
		"others 60.00 ms: kernels of 1.50 times the elements");
	sketched_clear(&d);
}

/* Shapes that differ from rank to rank, but not in size, explain nothing: the device is slower. */
static void test_other_shapes(void **state)
{
	static const char *const dims[] = { "[[16, 64]]", "[[32, 32]]", "[[8, 128]]",
		"[[64, 16]]" };
	struct sketched_job d;
	struct job_why w;
	size_t r;

	(void)state;
	draw_straggler(&d, PART_COMPUTE);
	for (r = 0; r < 4; r++)
		set_shape(
			&d, sketched_kernel(&d, r, "gemm", 30, (r == 2 ? 270 : 180) * MS), dims[r]);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.cause, JOB_CAUSE_SLOWER);
	sketched_clear(&d);
}

static void test_causes(void **state)
{
	static const struct {
		enum digest_part part;
		enum job_cause cause;
		const char *clause;
	} of[] = {
		{ PART_IDLE_DATA, JOB_CAUSE_INPUT,
			"it is in the data loader for 90.00 ms, the others 60.00 ms" },
		{ PART_IDLE_LAUNCH, JOB_CAUSE_HOST,
			"it waits for its host for 90.00 ms (launch 90.00 ms), the others 60.00 ms" },
		{ PART_IDLE_PYTHON, JOB_CAUSE_HOST,
			"it waits for its host for 90.00 ms (Python 90.00 ms), the others 60.00 ms" },
		{ PART_IDLE_SYNC, JOB_CAUSE_SYNC,
			"it idles after calls that wait for the GPU for 90.00 ms, the others "
			"60.00 ms" },
		{ PART_MEMCPY, JOB_CAUSE_COPIES,
			"it has copies that nothing hides, 90.00 ms, the others 60.00 ms" },
		{ PART_IDLE_NOTHING, JOB_CAUSE_OTHER,
			"it idles for 90.00 ms, the others 60.00 ms: nothing recorded says why" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(of); i++) {
		struct sketched_job d;
		struct job_why w;

		draw_straggler(&d, of[i].part);
		job_why(&w, sketched_done(&d), &d.mem);
		assert_int_equal(w.state, JOB_STRAGGLER);
		assert_int_equal(w.cause, of[i].cause);
		assert_non_null(strstr(w.text.p, of[i].clause));
		assert_true(w.advice.n > 0);
		sketched_clear(&d);
	}
}

/* Always slow, but little waits for it in the first step: that is no pattern. */
static void test_first_step(void **state)
{
	nsec own[] = { 60 * MS, 60 * MS, 68 * MS, 60 * MS };
	struct sketched_job d;
	struct job_why w;

	(void)state;
	sketched_init(&d, 4, 3);
	for (size_t s = 0; s < 3; s++, own[2] = 90 * MS)
		draw_step(&d, s, PART_COMPUTE, own, COUNT_OF(own));
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.rank, 2);
	assert_null(memmem(w.text.p, w.text.n, "steps", 5));
	sketched_clear(&d);
}

/* Two of six are slow. */
static void test_two_slow(void **state)
{
	static const nsec own[] = { 60 * MS, 60 * MS, 90 * MS, 60 * MS, 88 * MS, 60 * MS };
	struct sketched_job d;
	struct job_why w;
	size_t s;

	(void)state;
	sketched_init(&d, 6, 4);
	for (s = 0; s < 4; s++)
		draw_step(&d, s, PART_IDLE_DATA, own, COUNT_OF(own));
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_STRAGGLER);
	assert_int_equal(w.rank, 2);
	assert_int_equal(w.nalso, 1);
	assert_int_equal(w.also[0], 4);
	check_text(w.text,
		"ranks 2 and 4 make the other 4 wait 30.00 ms a step (31.6%): rank 2 is in the data "
		"loader for 90.00 ms, the others 60.00 ms");
	sketched_clear(&d);
}

static void test_two_ranks(void **state)
{
	static const nsec own[] = { 60 * MS, 90 * MS };
	struct sketched_job d;
	struct job_why w;
	size_t s;

	(void)state;
	sketched_init(&d, 2, 3);
	for (s = 0; s < 3; s++)
		draw_step(&d, s, PART_IDLE_DATA, own, COUNT_OF(own));
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.rank, 1);
	check_text(w.text,
		"rank 1 makes rank 0 wait 30.00 ms a step (31.6%): it is in the data loader for "
		"90.00 ms, the other 60.00 ms");
	sketched_clear(&d);
}

/* One or two steps of two ranks, each with six meets of which the last alone waits: the others
 * hide behind the backward pass.  Steps tell it, where meets differ too much. */
static void test_few_steps(void **state)
{
	static const nsec even[] = { 0, 0 }, late[] = { 0, 30 * MS };
	size_t nstep, s, i;

	(void)state;
	for (nstep = 1; nstep <= 2; nstep++) {
		struct sketched_job d;
		struct job_why w;

		sketched_init(&d, 2, nstep);
		for (s = 0; s < nstep; s++) {
			sketched_part(&d, s, 0, PART_COMPUTE, 60 * MS);
			sketched_part(&d, s, 1, PART_COMPUTE, 90 * MS);
			for (i = 0; i < 6; i++)
				(void)sketched_meet(&d, 0, COMM_ALL_REDUCE, 1 << 20, s,
					i == 5 ? late : even, MS);
		}
		job_why(&w, sketched_done(&d), &d.mem);
		assert_int_equal(w.state, JOB_STRAGGLER);
		assert_int_equal(w.rank, 1);
		assert_int_equal(w.cause, JOB_CAUSE_SLOWER);
		assert_int_equal(w.wait, 30 * MS);
		sketched_clear(&d);
	}
}

/* Of one step nothing says what is usual: a rank that is 7 % late is not called slow. */
static void test_too_few_steps(void **state)
{
	static const nsec own[] = { 90 * MS, 97 * MS };
	struct sketched_job d;
	struct job_why w;

	(void)state;
	sketched_init(&d, 2, 1);
	draw_step(&d, 0, PART_IDLE_DATA, own, COUNT_OF(own));
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_not_equal(w.state, JOB_STRAGGLER);
	sketched_clear(&d);
}

/* Tensor groups (0 1) (2 3), data groups (0 2) (1 3): rank 3 is 20 ms late, rank 2 inherits it and
 * makes rank 0 wait, who did nothing wrong. */
static void test_handed_on(void **state)
{
	static const uint32_t member[4][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 } };
	static const nsec even[] = { 0, 0 }, late[] = { 0, 20 * MS };
	uint32_t g[4];
	struct sketched_job d;
	struct job_why w;
	size_t s, i;

	(void)state;
	sketched_init(&d, 4, 3);
	for (i = 0; i < 4; i++)
		g[i] = sketched_group(&d, i < 2 ? "tp" : "dp", member[i], 2);
	for (s = 0; s < 3; s++) {
		for (i = 0; i < 4; i++)
			sketched_part(&d, s, i, PART_COMPUTE, (i == 3 ? 80 : 60) * MS);
		(void)sketched_meet(&d, g[0], COMM_ALL_REDUCE, 1 << 20, s, even, MS);
		(void)sketched_meet(&d, g[1], COMM_ALL_REDUCE, 1 << 20, s, late, MS);
		(void)sketched_meet(&d, g[2], COMM_ALL_REDUCE, 1 << 22, s, late, MS);
		(void)sketched_meet(&d, g[3], COMM_ALL_REDUCE, 1 << 22, s, late, MS);
	}
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(d.j.rank[2].caused, 0);
	assert_int_equal(d.j.rank[3].caused, 3 * 60 * MS);
	assert_int_equal(w.state, JOB_STRAGGLER);
	assert_int_equal(w.rank, 3);
	assert_int_equal(w.wait, 20 * MS);
	assert_null(w.next);
	sketched_clear(&d);
}

/* Another one is 30 ms late in each step; then also by attention: 50 ms where it is late, else 20.
 */
static void test_moving(void **state)
{
	struct sketched_job d;
	struct job_why w;
	nsec own[4];
	size_t s, i;

	(void)state;
	sketched_init(&d, 4, 8);
	for (s = 0; s < 8; s++) {
		for (i = 0; i < 4; i++)
			own[i] = (i == s % 4 ? 90 : 60) * MS;
		draw_step(&d, s, PART_COMPUTE, own, COUNT_OF(own));
	}
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_MOVING);
	assert_int_equal(w.rank, UINT32_MAX);
	assert_int_equal(w.wait, 45 * MS / 2);
	assert_int_equal(w.own, 90 * MS);
	assert_int_equal(w.others, 60 * MS);
	check_text(w.text,
		"ranks wait 22.50 ms a step (23.7%) for each other, for another one each time: rank 0 "
		"comes last most often, in 25.0% of its collectives; who is late computes 90.00 ms, the others 60.00 ms");
	for (i = 0; i < 4; i++) {
		struct digest_op *op = sketched_kernel(&d, i, "flash_fwd_kernel", 8, 220 * MS);

		op->step_ns = arena_array(&d.mem, 8, sizeof(*op->step_ns));
		for (s = 0; s < 8; s++)
			op->step_ns[s] = (i == s % 4 ? 50 : 20) * MS;
	}
	job_why(&w, &d.j, &d.mem);
	assert_int_equal(w.cause, JOB_CAUSE_SEQUENCES);
	assert_int_equal(w.own, 50 * MS);
	assert_int_equal(w.others, 20 * MS);
	sketched_clear(&d);
}

/* A single hiccup of one rank that is all the waiting there is: 840 ms in 20 steps. */
static void test_one_hiccup(void **state)
{
	struct sketched_job d;
	struct job_why w;
	nsec own[64];
	size_t s, i;

	(void)state;
	sketched_init(&d, 64, 20);
	for (s = 0; s < 20; s++) {
		for (i = 0; i < 64; i++)
			own[i] = (s == 7 && i == 5 ? 900 : 60) * MS;
		draw_step(&d, s, PART_COMPUTE, own, COUNT_OF(own));
	}
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_STRAGGLER);
	assert_int_equal(w.rank, 5);
	check_text(w.text,
		"rank 5 makes the other 63 wait 42.00 ms a step (39.3%), in step 12 alone: it computes "
		"102.0 ms, the others 60.00 ms: the same kernels");
	sketched_clear(&d);
}

static void test_balanced(void **state)
{
	static const nsec own[] = { 60 * MS, 60 * MS, 60 * MS + 100000, 60 * MS };
	struct sketched_job d;
	struct job_why w;
	size_t s;

	(void)state;
	sketched_init(&d, 4, 3);
	for (s = 0; s < 3; s++)
		draw_step(&d, s, PART_COMPUTE, own, COUNT_OF(own));
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_BALANCED);
	check_text(
		w.text, "no rank makes the others wait: the mean one waits 75.00 us a step (0.1%)");
	sketched_clear(&d);
}

/* Four pairs reduce the same; that of ranks 4 and 5 takes three times as long. */
static void draw_pairs(struct sketched_job *d, const char *const *name, const nsec *transfer)
{
	static const nsec even[] = { 0, 0 };
	size_t s, i;

	for (s = 0; s < 4; s++)
		for (i = 0; i < 4; i++) {
			const uint32_t member[] = { (uint32_t)(2 * i), (uint32_t)(2 * i + 1) };
			uint32_t g =
				s > 0 ? (uint32_t)i + 1 : sketched_group(d, name[i], member, 2);

			(void)sketched_meet(d, g, COMM_ALL_REDUCE, 1 << 26, s, even, transfer[i]);
		}
}

static void test_slow_link(void **state)
{
	static const char *const name[] = { "tp0", "tp1", "tp2", "tp3" };
	static const nsec transfer[] = { 2 * MS, 2 * MS, 6 * MS, 2 * MS };
	struct sketched_job d;
	struct job_why w;
	size_t s, i;

	(void)state;
	sketched_init(&d, 8, 4);
	for (s = 0; s < 4; s++)
		for (i = 0; i < 8; i++)
			sketched_part(&d, s, i, PART_COMPUTE, 60 * MS);
	draw_pairs(&d, name, transfer);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_SLOW_LINK);
	assert_int_equal(w.cause, JOB_CAUSE_LINK);
	assert_int_equal(w.group, 3);
	assert_int_equal(w.rank, UINT32_MAX);
	assert_int_equal(w.own, 6 * MS);
	assert_int_equal(w.others, 2 * MS);
	assert_int_equal(w.wait, 4 * MS);
	check_text(w.text,
		"all_reduce of 64.00 MiB takes 6.000 ms in group tp2 (ranks 4 and 5), 2.000 ms in 3 "
		"others of its size: 3.00 times; 4.000 ms a step (6.1%) more");
	sketched_clear(&d);
}

/* The first micro-batch goes down four stages, gradients come back; two ranks a stage, as two
 * pipelines. */
static void draw_pipeline(struct sketched_job *d, size_t micro)
{
	size_t s, p, k, m;

	for (s = 0; s < d->j.nstep; s++) {
		for (p = 0; p < 8; p++)
			sketched_part(d, s, p, PART_COMPUTE, 40 * MS);
		for (m = 0; m < micro; m++)
			for (p = 0; p < 2; p++)
				for (k = 0; k < 3; k++)
					(void)sketched_message(d, s, (uint32_t)(4 * p + k),
						(uint32_t)(4 * p + k + 1), m == 0 ? 10 * MS : 0, 0,
						MS);
		for (m = 0; m < micro; m++)
			for (p = 0; p < 2; p++)
				for (k = 3; k > 0; k--)
					(void)sketched_message(d, s, (uint32_t)(4 * p + k),
						(uint32_t)(4 * p + k - 1), m == 0 ? 10 * MS : 0, 0,
						MS);
	}
}

static void test_bubble(void **state)
{
	struct sketched_job d;
	struct job_why w;

	(void)state;
	sketched_init(&d, 8, 4);
	draw_pipeline(&d, 6);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_BUBBLE);
	/* stages 1 and 2 wait 20 ms, 0 and 3 wait 10 */
	assert_int_equal(w.wait, 15 * MS);
	assert_non_null(strstr(w.text.p, "the 4 stages of the pipeline wait 15.00 ms a step ("));
	assert_non_null(strstr(w.text.p, "; with 6 micro-batches they must for 33.3%"));
	sketched_clear(&d);
}

/* Rank 1 gets twice the tokens of the others and computes as much longer. */
static void test_experts(void **state)
{
	static const int64_t even[] = { 10, 10, 10, 10 }, all_to_one[] = { 5, 20, 5, 10 };
	static const nsec at_once[] = { 0, 0, 0, 0 }, late[] = { 0, 30 * MS, 0, 0 };
	static const int64_t got[4][4] = { { 5, 5, 5, 5 }, { 20, 20, 20, 20 }, { 5, 5, 5, 5 },
		{ 10, 10, 10, 10 } };
	struct sketched_job d;
	struct job_why w;
	size_t s, i;

	(void)state;
	sketched_init(&d, 4, 4);
	for (s = 0; s < 4; s++) {
		struct collective_instance *m;

		for (i = 0; i < 4; i++)
			sketched_part(&d, s, i, PART_COMPUTE, (i == 1 ? 90 : 60) * MS);
		m = sketched_meet(&d, 0, COMM_ALL_TO_ALL, 1 << 20, s, at_once, MS);
		for (i = 0; i < 4; i++)
			sketched_split(&d, m, i, all_to_one, got[i], 4);
		m = sketched_meet(&d, 0, COMM_ALL_TO_ALL, 1 << 20, s, late, MS);
		for (i = 0; i < 4; i++)
			sketched_split(&d, m, i, got[i], i == 1 ? all_to_one : even, 4);
	}
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_EXPERTS);
	assert_int_equal(w.cause, JOB_CAUSE_WORK);
	assert_int_equal(w.rank, 1);
	check_text(w.text,
		"rank 1 gets 2.00 times the mean rank's tokens: the other 3 wait 30.00 ms a step (32.6%) "
		"for it; it computes 90.00 ms, the others 60.00 ms");
	sketched_clear(&d);
}

static void test_unjudged(void **state)
{
	struct sketched_job d;
	struct job_why w;

	(void)state;
	draw_straggler(&d, PART_COMPUTE); /* who works longer is known without collectives, too */
	(void)sketched_done(&d);
	d.j.nmatched = d.j.ncollective / 3;
	job_why(&w, &d.j, &d.mem);
	assert_int_equal(w.state, JOB_STRAGGLER);
	assert_int_equal(w.wait, 30 * MS);
	sketched_clear(&d);
	draw_straggler(&d, PART_MEMCPY);
	(void)sketched_done(&d);
	d.j.nmatched = d.j.ncollective / 3;
	job_why(&w, &d.j, &d.mem);
	assert_int_equal(w.state, JOB_UNJUDGED);
	check_text(w.text, "4 of 12 collectives could be matched between the ranks");
	d.j.nmatched = d.j.ncollective;
	d.j.nstep = 0;
	job_why(&w, &d.j, &d.mem);
	assert_int_equal(w.state, JOB_UNJUDGED);
	check_text(w.text, "the ranks have no step in common");
	sketched_clear(&d);
	sketched_init(&d, 1, 3);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_UNJUDGED);
	sketched_clear(&d);
	sketched_init(&d, 2, 3);
	job_why(&w, sketched_done(&d), &d.mem);
	assert_int_equal(w.state, JOB_UNJUDGED);
	check_text(w.text, "the traces have no collectives on their GPUs");
	sketched_clear(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slower),
		cmocka_unit_test(test_first_step),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_more_calls),
		cmocka_unit_test(test_larger_shapes),
		cmocka_unit_test(test_other_shapes),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_two_slow),
		cmocka_unit_test(test_two_ranks),
		cmocka_unit_test(test_few_steps),
		cmocka_unit_test(test_too_few_steps),
		cmocka_unit_test(test_handed_on),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_one_hiccup),
		cmocka_unit_test(test_balanced),
		cmocka_unit_test(test_slow_link),
		cmocka_unit_test(test_bubble),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_unjudged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
