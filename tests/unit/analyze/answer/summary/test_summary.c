/* `summary` on traces drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

#define NEEDS (NEED_LINKS | NEED_STEPS | NEED_KERNEL | NEED_MEMORY)

static void ask(struct hand_answer *h, struct run *r)
{
	hand_ask(h, &analysis_summary, r, false);
	if (h->status != OK)
		fail_msg("%s", h->err.text);
}

static size_t find(const struct table *t, const char *key, const char *text)
{
	size_t row = hand_find(t, key, text);

	if (row == SIZE_MAX)
		fail_msg("no row %s", text);
	return row;
}

/*
 *	 time    0         100                 300        400
 *	 step    [----------------------------------------)    ProfilerStep#1   self 400 - 200 = 200
 *	 mm                [------------------)                aten::mm         self 200 - 150 = 50
 *	 matmul              [-------------)   110..260        at::matmul       self 150 - 20 - 10
 *	 launch                [-) 120, 20     [) 200, 10      copy call inside matmul, too
 *	 gemm                       [----------------) 150, 100
 *	 copy                                             [-) 350, 20
 *
 * Documents: (400 + 200 + 150 + 20 + 10) / (3 x 120 by ops + 120 by device work): the step, mm and
 * matmul hold both, each kernel has a row of its own.  Correct: 400 / 120.
 */
static void draw(struct run *r)
{
	uint32_t t = hand_thread(r, 1), s = hand_stream(r, 0, 7), row;

	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 400);
	(void)hand_event(r, KIND_OP, t, "aten::mm", 100, 200);
	(void)hand_event(r, KIND_OP, t, "at::matmul", 110, 150);
	row = hand_event(r, KIND_RUNTIME, t, "cudaLaunchKernel", 120, 20);
	hand_ids(r, row, 1, 0);
	row = hand_event(r, KIND_RUNTIME, t, "cudaMemcpyAsync", 200, 10);
	hand_ids(r, row, 2, 0);
	row = hand_event(r, KIND_KERNEL, s, "gemm", 150, 100);
	hand_ids(r, row, 1, 0);
	row = hand_event(r, KIND_MEMCPY, s, "Memcpy HtoD (Pageable -> Device)", 350, 20);
	hand_ids(r, row, 2, 0);
}

/* Defects 18 and 22: the formula in use counts twice; it stands beside one that does not. */
static void ratios_stand_side_by_side(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	run_init(&r, NEEDS);
	draw(&r);
	ask(&h, &r);
	t = hand_table(&h, "ratios");
	row = find(t, "figure", "CPU/GPU, all rows");
	assert_int_equal(hand_int(t, row, "part_ns"), 780);
	assert_int_equal(hand_int(t, row, "of_ns"), 480);
	assert_float_equal(hand_real(t, row, "ratio"), 1.625, 1e-12);
	assert_true(span_is(hand_text(t, row, "verdict"), "balanced"));
	row = find(t, "figure", "CPU/GPU, self time");
	assert_int_equal(hand_int(t, row, "part_ns"), 400);
	assert_int_equal(hand_int(t, row, "of_ns"), 120);
	assert_false(hand_knows(t, row, "verdict")); /* the limits are of the documents' ratio */
	row = find(t, "figure", "wall/GPU");
	assert_int_equal(hand_int(t, row, "part_ns"), 400);
	assert_int_equal(hand_int(t, row, "of_ns"), 120);
	/* gemm 100, the copy 20, and matmul's 120: "Memcpy" is not "copy", which is lower case. */
	row = find(t, "figure", "copies, top ten");
	assert_int_equal(hand_int(t, row, "part_ns"), 0);
	assert_int_equal(hand_int(t, row, "of_ns"), 240);
	row = find(t, "figure", "copies, by class");
	assert_int_equal(hand_int(t, row, "part_ns"), 20);
	assert_int_equal(hand_int(t, row, "of_ns"), 120);
	hand_release(&h);
	run_clear(&r);
}

/* An op that copies and the kernel it launched are two of the ten rows: the time enters twice. */
static void the_documents_copies_are_of_ten_rows(void **state)
{
	static const char *const names[] = { "direct_copy_kernel", "b", "c", "d", "e", "f", "g",
		"h", "i", "j", "k" };
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, stream, row;
	size_t i;

	(void)state;
	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	stream = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, thread, "aten::copy_", 0, 10);
	row = hand_event(&r, KIND_RUNTIME, thread, "cudaLaunchKernel", 1, 2);
	hand_ids(&r, row, 1, 0);
	for (i = 0; i < COUNT_OF(names); i++) {
		row = hand_event(
			&r, KIND_KERNEL, stream, names[i], 100 * (nsec)i + 100, 90 - (nsec)i);
		hand_ids(&r, row, i + 1, 0);
	}
	ask(&h, &r);
	t = hand_table(&h, "ratios");
	row = (uint32_t)find(t, "figure", "copies, top ten");
	/* aten::copy_ 90, direct_copy_kernel 90, then 89 .. 82: j and k are out. */
	assert_int_equal(hand_int(t, row, "part_ns"), 180);
	assert_int_equal(hand_int(t, row, "of_ns"), 180 + 89 + 88 + 87 + 86 + 85 + 84 + 83 + 82);
	hand_release(&h);
	run_clear(&r);
}

/* Of 400: gemm 100, the copy 20, nothing for memory, the CPU all the rest, 280.  Until the launch
 * at 120 the thread is in the step for 100 and in an op for 20, behind the copy in the step for 30.
 * Nothing met an idle device, so launching takes 10 us: 30 before gemm and 100 before the copy. */
static void shares_of_the_bound_add_up(void **state)
{
	struct hand_answer h;
	const struct table *t;
	double sum;
	struct run r;

	(void)state;
	run_init(&r, NEEDS);
	draw(&r);
	ask(&h, &r);
	t = hand_table(&h, "overview");
	assert_float_equal(hand_real(t, 0, "compute_bound_ratio"), 0.25, 1e-12);
	assert_float_equal(hand_real(t, 0, "io_bound_ratio"), 0.05, 1e-12);
	assert_float_equal(hand_real(t, 0, "memory_bound_ratio"), 0, 1e-12);
	assert_float_equal(hand_real(t, 0, "cpu_bound_ratio"), 0.70, 1e-12);
	sum = hand_real(t, 0, "compute_bound_ratio") + hand_real(t, 0, "io_bound_ratio") +
		hand_real(t, 0, "memory_bound_ratio") + hand_real(t, 0, "cpu_bound_ratio");
	assert_float_equal(sum, 1, 1e-12);
	assert_true(span_is(hand_text(t, 0, "primary_bound"), "CPU"));
	assert_int_equal(hand_int(t, 0, "launches"), 2);
	assert_int_equal(hand_int(t, 0, "kernels"), 1);
	t = hand_table(&h, "bottlenecks");
	assert_true(span_is(hand_text(t, 0, "bound"), "CPU"));
	assert_true(span_is(hand_text(t, 0, "what"), "GPU idle: Python"));
	assert_float_equal(hand_real(t, 0, "share_ratio"), 0.325, 1e-12);
	assert_true(span_is(hand_text(t, 1, "what"), "GPU idle: launch"));
	assert_float_equal(hand_real(t, 1, "share_ratio"), 0.325, 1e-12);
	assert_true(span_is(hand_text(t, 2, "what"), "gemm"));
	assert_float_equal(hand_real(t, 2, "share_ratio"), 0.25, 1e-12);
	assert_float_equal(
		hand_real(t, find(t, "what", "GPU idle: CPU op"), "share_ratio"), 0.05, 1e-12);
	t = hand_table(&h, "devices");
	assert_int_equal(hand_int(t, 0, "compute_ns"), 100);
	assert_int_equal(hand_int(t, 0, "exposed_memcpy_ns"), 20);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 280);
	hand_release(&h);
	run_clear(&r);
}

/* Busy for `work` of 100, the data loader in the rest: what is it bound by? */
static void assert_bound(nsec work, const char *want)
{
	struct hand_answer h;
	struct run r;
	uint32_t thread;

	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "ProfilerStep#1", 0, 100);
	(void)hand_event(
		&r, KIND_OP, thread, "enumerate(DataLoader)#_Iter.__next__", work, 100 - work);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, work);
	ask(&h, &r);
	assert_true(span_is(hand_text(hand_table(&h, "overview"), 0, "primary_bound"), want));
	hand_release(&h);
	run_clear(&r);
}

/* The larger part is what it is bound by; of equal ones computing. */
static void the_largest_part_is_the_bound(void **state)
{
	(void)state;
	assert_bound(49, "I/O");
	assert_bound(50, "compute");
}

/* Phases: what starts in no step is in none; torch's total has it. */
static void phases_are_of_the_steps(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;

	(void)state;
	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "ProfilerStep#1", 0, 100);
	(void)hand_event(&r, KIND_OP, thread, "enumerate(DataLoader)#_Iter.__next__", 0, 20);
	(void)hand_event(&r, KIND_OP, thread, "aten::mm", 20, 30);
	(void)hand_event(&r, KIND_OP, thread, "Optimizer.step#SGD.step", 60, 25);
	(void)hand_event(&r, KIND_OP, thread, "aten::mm", 200, 500);
	ask(&h, &r);
	t = hand_table(&h, "phases");
	assert_int_equal(hand_int(t, find(t, "phase", "data loading"), "self_cpu_ns"), 20);
	assert_int_equal(hand_int(t, find(t, "phase", "forward"), "self_cpu_ns"), 30);
	assert_int_equal(hand_int(t, find(t, "phase", "optimizer"), "self_cpu_ns"), 25);
	assert_int_equal(hand_int(t, find(t, "phase", "other"), "self_cpu_ns"), 25);
	assert_false(hand_knows(t, 0, "self_device_ns"));
	t = hand_table(&h, "overview");
	assert_int_equal(hand_int(t, 0, "cpu_total_ns"), 600);
	assert_false(hand_knows(t, 0, "busy_ratio"));
	assert_false(hand_knows(t, 0, "primary_bound"));
	assert_false(hand_knows(t, 0, "device_sum_ns"));
	assert_null(hand_table(&h, "ratios"));
	hand_release(&h);
	run_clear(&r);
}

/* Device work alone: what it waits for is unknown. */
static void idle_without_a_host_has_no_reason(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, NEEDS);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 0, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "gemm", 90, 10);
	ask(&h, &r);
	t = hand_table(&h, "overview");
	assert_float_equal(hand_real(t, 0, "compute_bound_ratio"), 0.2, 1e-12);
	assert_false(hand_knows(t, 0, "cpu_bound_ratio"));
	assert_false(hand_knows(t, 0, "primary_bound"));
	assert_false(hand_knows(t, 0, "launches"));
	t = hand_table(&h, "bottlenecks");
	assert_false(hand_knows(t, 0, "bound"));
	assert_float_equal(hand_real(t, 0, "share_ratio"), 0.8, 1e-12);
	assert_null(hand_table(&h, "phases"));
	t = hand_table(&h, "devices");
	assert_false(hand_knows(t, 0, "sm_efficiency_ratio"));
	assert_false(hand_knows(t, 0, "occupancy_ratio"));
	hand_release(&h);
	run_clear(&r);
}

/* blocks per SM 0.5 for 40 ns, 2 for 20 ns, of a step of 100: (0.5 x 40 + 1 x 20) / 100.  Occupancy
 * 25 % and 100 %: (0.25 x 40 + 1 x 20) / 60. */
static void fill_is_weighted_by_time(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t a, b;

	(void)state;
	run_init(&r, NEEDS);
	(void)hand_event(&r, KIND_ANNOTATION, hand_thread(&r, 1), "ProfilerStep#1", 0, 100);
	a = hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "ampere_sgemm_128x64_tn", 10, 40);
	b = hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "ampere_s16816gemm_bf16", 60, 20);
	hand_arg(&r, a, ARG_DEVICE_BLOCKS_PER_SM, (union arg_value){ .f64 = 0.5 });
	hand_arg(&r, b, ARG_DEVICE_BLOCKS_PER_SM, (union arg_value){ .f64 = 2 });
	hand_arg(&r, a, ARG_DEVICE_OCCUPANCY, (union arg_value){ .f64 = 25 });
	hand_arg(&r, b, ARG_DEVICE_OCCUPANCY, (union arg_value){ .f64 = 100 });
	ask(&h, &r);
	t = hand_table(&h, "devices");
	assert_float_equal(hand_real(t, 0, "sm_efficiency_ratio"), 0.4, 1e-9);
	assert_float_equal(hand_real(t, 0, "occupancy_ratio"), 0.5, 1e-9);
	assert_float_equal(hand_real(t, 0, "utilization_ratio"), 0.6, 1e-9);
	assert_float_equal(hand_real(t, 0, "tensor_core_ratio"), 1.0 / 3, 1e-9);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_stand_side_by_side),
		cmocka_unit_test(the_documents_copies_are_of_ten_rows),
		cmocka_unit_test(shares_of_the_bound_add_up),
		cmocka_unit_test(the_largest_part_is_the_bound),
		cmocka_unit_test(phases_are_of_the_steps),
		cmocka_unit_test(idle_without_a_host_has_no_reason),
		cmocka_unit_test(fill_is_weighted_by_time),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
