/* Stages, stacks and what they share: frames by parent ids and by nesting, call trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/host/calltree.h"
#include "analyze/analysis/analysis.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"
#include "tests/unit/report_text.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_PYTHON | NEED_STACKS };

#define assert_text(t, row, key, want) assert_true(span_is(hand_text(t, row, key), want))

static uint32_t python(struct run *r, uint32_t t, const char *name, nsec start, nsec dur,
	uint64_t id, uint64_t parent)
{
	uint32_t row = hand_event(r, KIND_PYTHON, t, name, start, dur);

	hand_arg(r, row, ARG_PYTHON_ID, (union arg_value){ .id = ids_pack(&r->ids, id) });
	hand_arg(r, row, ARG_PYTHON_PARENT, (union arg_value){ .id = ids_pack(&r->ids, parent) });
	return row;
}

/*
 *	thread    ProfilerStep#1 [0                     100)  ProfilerStep#2 [100           160)
 *	            forward [10       50)  loss [60 70)         forward [110 140)
 *	              aten::mm [20 40)
 *	                launch 1 [25 27)                          launch 2 [120 122)
 *	stream 7  k1 [30 90)                                  k2 [130 150)
 *	          region "forward" [29 91)
 */
static void make_run(struct run *r)
{
	uint32_t t, q;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	q = hand_stream(r, 0, 7);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 100);
	(void)hand_event(r, KIND_ANNOTATION, t, "forward", 10, 40);
	(void)hand_event(r, KIND_OP, t, "aten::mm", 20, 20);
	(void)hand_event(r, KIND_ANNOTATION, t, "loss", 60, 10);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#2", 100, 60);
	(void)hand_event(r, KIND_ANNOTATION, t, "forward", 110, 30);
	(void)hand_launch(r, t, q, 25, 30, 60, 1);
	(void)hand_launch(r, t, q, 120, 130, 20, 2);
	(void)hand_event(r, KIND_GPU_ANNOTATION, q, "forward", 29, 62);
}

static void test_stages(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_stages, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "stages");
	assert_int_equal(t->nrow, 3);
	assert_text(t, 0, "name", "ProfilerStep*");
	assert_int_equal(hand_int(t, 0, "calls"), 2);
	assert_int_equal(hand_int(t, 0, "total_ns"), 160);
	assert_int_equal(hand_int(t, 0, "self_ns"), 160 - 70 - 10);
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 80);
	assert_text(t, 1, "path", "ProfilerStep* / forward");
	assert_int_equal(hand_int(t, 1, "depth"), 1);
	assert_int_equal(hand_int(t, 1, "total_ns"), 70);
	assert_int_equal(hand_int(t, 1, "self_ns"), 70);
	assert_int_equal(hand_int(t, 1, "self_cpu_ns"), 70 - 20 - 2); /* mm; launch 2 */
	assert_int_equal(hand_int(t, 1, "device_sum_ns"), 80);
	assert_int_equal(hand_int(t, 1, "device_busy_ns"), 20 + 10);
	assert_int_equal(hand_int(t, 1, "min_ns"), 30);
	assert_true(hand_real(t, 1, "p25_ns") == 32.5); /* of 30 and 40 */
	assert_true(hand_real(t, 1, "median_ns") == 35);
	assert_true(hand_real(t, 1, "p75_ns") == 37.5);
	assert_true(hand_real(t, 2, "p75_ns") == 10);
	assert_text(t, 2, "path", "ProfilerStep* / loss");
	assert_int_equal(hand_int(t, 2, "device_busy_ns"), 10);
	t = hand_table(&h, "regions");
	assert_int_equal(t->nrow, 1);
	assert_true(hand_real(t, 0, "median_ns") == (double)hand_int(t, 0, "max_ns"));
	assert_int_equal(hand_int(t, 0, "total_ns"), 62);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 60);
	hand_release(&h);
	run_clear(&r);
}

/* A region that Kineto widened by 1 ns at both ends reaches into its neighbours; that is undone. */
static void test_widened_region(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t q;

	(void)state;
	run_init(&r, NEEDS);
	q = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_KERNEL, q, "before", 0, 10);
	(void)hand_event(&r, KIND_KERNEL, q, "inside", 10, 10);
	(void)hand_event(&r, KIND_KERNEL, q, "after", 20, 10);
	(void)hand_event(&r, KIND_GPU_ANNOTATION, q, "stage", 9, 12);
	hand_ask(&h, &analysis_stages, &r, false);
	t = hand_table(&h, "regions");
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 10);
	hand_release(&h);
	run_clear(&r);
}

/*
 *	main [0                                             100)        id 1
 *	  nn.Module: Net_0 [10            60)                           id 2 of 1
 *	    forward [12     58)                                         id 3 of 2
 *	      nn.Module: Linear_0 [15 30)   nn.Module: Linear_1 [35 50) ids 4, 5 of 3
 *	        aten::mm [20 25)
 *	      aside [52 54)                                             id 7 of 1, says its id
 *	  late [55                70)                                   id 6 of 1, crosses Net_0
 */
static void make_python(struct run *r)
{
	uint32_t t;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	(void)hand_event(r, KIND_OP, t, "aten::mm", 20, 5);
	(void)python(r, t, "main", 0, 100, 1, 0);
	(void)python(r, t, "nn.Module: Net_0", 10, 50, 2, 1);
	(void)python(r, t, "forward", 12, 46, 3, 2);
	(void)python(r, t, "nn.Module: Linear_0", 15, 15, 4, 3);
	(void)python(r, t, "nn.Module: Linear_1", 35, 15, 5, 3);
	(void)python(r, t, "late", 55, 15, 6, 1);
	(void)python(r, t, "aside", 52, 2, 7, 1);
}

static void test_modules(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	make_python(&r);
	hand_ask(&h, &analysis_stages, &r, false);
	t = hand_table(&h, "modules");
	assert_int_equal(t->nrow, 3);
	assert_text(t, 0, "name", "Net_0");
	assert_int_equal(hand_int(t, 0, "self_ns"), 50 - 15 - 15);
	assert_text(t, 1, "path", "Net_0 / Linear_0");
	assert_text(t, 2, "path", "Net_0 / Linear_1");
	hand_release(&h);
	run_clear(&r);
}

/* Without Python functions modules are in the ops' Module Hierarchy. */
static void test_hierarchy(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, row;

	(void)state;
	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	row = hand_event(&r, KIND_OP, thread, "aten::linear", 0, 30);
	hand_arg(&r, row, ARG_OP_MODULES,
		(union arg_value){ .sym = strings_intern(&r.strings, SPAN("Net.fc1")) });
	(void)hand_event(&r, KIND_OP, thread, "aten::mm", 5, 20); /* none of its own: fc1's */
	row = hand_event(&r, KIND_OP, thread, "aten::relu", 40, 10);
	hand_arg(&r, row, ARG_OP_MODULES,
		(union arg_value){ .sym = strings_intern(&r.strings, SPAN("Net.act")) });
	hand_ask(&h, &analysis_stages, &r, false);
	t = hand_table(&h, "modules");
	assert_int_equal(t->nrow, 3);
	assert_text(t, 0, "name", "Net");
	assert_int_equal(hand_int(t, 0, "total_ns"), 40);
	assert_text(t, 1, "path", "Net / fc1");
	assert_int_equal(hand_int(t, 1, "total_ns"), 30);
	hand_release(&h);
	run_clear(&r);
}

static int64_t value_of(const struct table *t, const char *stack)
{
	size_t row = hand_find(t, "stack", stack);

	return row == SIZE_MAX ? -1 : hand_int(t, row, t->col[0].key);
}

/* A crossing function is under the parent its id names, not under what encloses its start. */
static void test_python_stacks(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t i;

	(void)state;
	make_python(&r);
	hand_ask(&h, &analysis_stacks, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "stacks");
	assert_int_equal(value_of(t, "main"), 100 - 50 - 15);
	assert_int_equal(value_of(t, "main;nn.Module: Net_0;forward"), 46 - 15 - 15 - 2);
	assert_int_equal(value_of(t, "main;aside"), 2);
	assert_int_equal(
		value_of(t, "main;nn.Module: Net_0;forward;nn.Module: Linear_0;aten::mm"), 5);
	assert_int_equal(value_of(t, "main;late"), 15);
	t = hand_table(&h, "functions");
	i = hand_find(t, "name", "main");
	assert_int_equal(hand_int(t, i, "total_ns"), 100);
	assert_int_equal(t->nrow, 7);
	assert_string_equal(h.result.note[1].id, "crossing_frames");
	assert_int_equal(h.result.note[1].count, 1);
	hand_release(&h);
	run_clear(&r);
}

/* What autograd's thread launches is also the stage's that waits for it, by the moment of the
 * launch; what another thread launches is not.
 *
 *	main      ProfilerStep#1 [0                               100)
 *	            forward [5  20)  backward [30          70)   step [80 90)
 *	            launch 1 [10)
 *	autograd                     AddBackward0 [35  60)
 *	                               launch 2 [40)
 *	                               nccl:all_reduce [50 58)
 *	                                 launch 3 [52)
 *	                                           MulBackward0 [74 78)    behind backward
 *	                                             launch 4 [75)
 *	other                        launch 5 [45) */
static void test_backward(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, autograd, q;
	size_t i;

	(void)state;
	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	autograd = hand_thread(&r, 2);
	q = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "ProfilerStep#1", 0, 100);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "forward", 5, 15);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "## backward ##", 30, 40);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "step", 80, 10);
	(void)hand_event(&r, KIND_OP, autograd, "AddBackward0", 35, 25);
	(void)hand_event(&r, KIND_ANNOTATION, autograd, "nccl:all_reduce", 50, 8);
	(void)hand_event(&r, KIND_OP, autograd, "MulBackward0", 74, 4);
	(void)hand_launch(&r, thread, q, 10, 11, 1, 1);
	(void)hand_launch(&r, autograd, q, 40, 60, 10, 2);
	(void)hand_launch(&r, autograd, q, 52, 70, 100, 3);
	(void)hand_launch(&r, autograd, q, 75, 200, 1000, 4);
	(void)hand_launch(&r, hand_thread(&r, 3), q, 45, 1300, 10000, 5);
	hand_ask(&h, &analysis_stages, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "stages");
	i = hand_find(t, "name", "## backward ##");
	assert_int_equal(hand_int(t, i, "device_sum_ns"), 110);
	assert_int_equal(hand_int(t, hand_find(t, "name", "forward"), "device_sum_ns"), 1);
	assert_int_equal(hand_int(t, hand_find(t, "name", "step"), "device_sum_ns"), 0);
	assert_int_equal(hand_int(t, hand_find(t, "name", "ProfilerStep*"), "device_sum_ns"), 1111);
	assert_int_equal(
		hand_int(t, hand_find(t, "name", "nccl:all_reduce"), "device_sum_ns"), 100);
	hand_release(&h);
	run_clear(&r);
}

/* A function that calls itself is on the stack once; on two threads, twice.
 *
 *	thread 1   f [0                          100)   f [110 130)
 *	             f [10               60)
 *	               g [15 40)
 *	                 f [20 30)
 *	thread 2   f [0            50) */
static void test_recursion(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t one, two;
	size_t f;

	(void)state;
	run_init(&r, NEEDS);
	one = hand_thread(&r, 1);
	two = hand_thread(&r, 2);
	(void)python(&r, one, "f", 0, 100, 1, 0);
	(void)python(&r, one, "f", 10, 50, 2, 1);
	(void)python(&r, one, "g", 15, 25, 3, 2);
	(void)python(&r, one, "f", 20, 10, 4, 3);
	(void)python(&r, one, "f", 110, 20, 5, 0);
	(void)python(&r, two, "f", 0, 50, 6, 0);
	hand_ask(&h, &analysis_stacks, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "functions");
	f = hand_find(t, "name", "f");
	assert_int_equal(hand_int(t, f, "total_ns"), 100 + 20 + 50);
	assert_int_equal(hand_int(t, f, "self_python_ns"), 50 + 25 + 10 + 20 + 50);
	assert_int_equal(hand_int(t, f, "calls"), 5);
	assert_float_equal(hand_real(t, f, "mean_ns"), (100 + 50 + 10 + 20 + 50) / 5.0, 0);
	assert_int_equal(hand_int(t, hand_find(t, "name", "g"), "total_ns"), 25);
	hand_release(&h);
	run_clear(&r);
}

/* Call stacks are written innermost first; these are turned.  Children share their parent's. */
static void test_call_stacks(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, row;
	int i;

	(void)state;
	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	for (i = 0; i < 2; i++) {
		row = hand_event(
			&r, KIND_OP, thread, i ? "aten::mm" : "aten::linear", i * 10, i ? 20 : 50);
		hand_arg(&r, row, ARG_OP_STACK,
			(union arg_value){
				.sym = strings_intern(&r.strings,
					SPAN("linear.py(9): forward;train.py(5): main")) });
	}
	(void)hand_event(&r, KIND_OP, thread, "odd;name\n", 100, 7);
	hand_ask(&h, &analysis_stacks, &r, false);
	t = hand_table(&h, "stacks");
	assert_int_equal(t->nrow, 3);
	assert_int_equal(value_of(t, "train.py(5): main;linear.py(9): forward;aten::linear"), 30);
	assert_int_equal(
		value_of(t, "train.py(5): main;linear.py(9): forward;aten::linear;aten::mm"), 20);
	assert_int_equal(value_of(t, "odd:name\n"), 7);
	hand_release(&h);
	run_clear(&r);
}

/* The op tree: self times add up to the roots. */
static void test_op_stacks(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	char *text;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_stacks, &r, false);
	t = hand_table(&h, "stacks");
	assert_int_equal(value_of(t, "ProfilerStep*"), 160 - 70 - 10);
	assert_int_equal(value_of(t, "ProfilerStep*;forward;aten::mm;cudaLaunchKernel"), 2);
	assert_int_equal(value_of(t, "ProfilerStep*;forward;cudaLaunchKernel"), 2);
	text = report_text("folded", &h.result, (struct render){ 0 });
	assert_non_null(strstr(text, "ProfilerStep*;forward;aten::mm 18\n"));
	assert_null(strstr(text, "note"));
	free(text);
	hand_release(&h);
	run_clear(&r);
}

/* Nodes are found again, after the table of slots grew, too; parents come before children. */
static void test_calltree(void **state)
{
	enum { N = 500 };
	struct strings names;
	struct calltree t;
	SCOPED_ARENA mem = { 0 };
	uint32_t *order, child[N], i;
	char text[16];

	(void)state;
	strings_init(&names, 1);
	calltree_init(&t);
	for (i = 0; i < N; i++) {
		(void)snprintf(text, sizeof(text), "n%u", i);
		child[i] = calltree_child(
			&t, i ? child[(i - 1) / 2] : 0, strings_intern(&names, span_of(text)));
		calltree_count(&t, child[i], i, 0);
	}
	assert_int_equal(t.n, N + 1);
	for (i = 1; i < N; i++)
		assert_int_equal(
			calltree_child(&t, child[(i - 1) / 2], t.v[child[i]].name), child[i]);
	order = calltree_order(&t, &names, &mem);
	assert_int_equal(order[0], child[0]);
	assert_int_equal(order[1], child[2]); /* the larger of n1 and n2 */
	for (i = 1; i < N; i++)
		assert_true(t.v[order[i]].depth <= t.v[order[i - 1]].depth + 1);
	calltree_clear(&t);
	strings_clear(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_widened_region),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_hierarchy),
		cmocka_unit_test(test_python_stacks),
		cmocka_unit_test(test_backward),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_call_stacks),
		cmocka_unit_test(test_op_stacks),
		cmocka_unit_test(test_calltree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
