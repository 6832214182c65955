/* The other views of `top`: the tree, torch's table, shapes, phases, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/analyze/answer/top/top_ask.h"
#include "tests/unit/handmade.h"

/* --tree: paths, not names. */
static void tree(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.opts.tree = true;
	top_training(&r);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "tree");
	assert_int_equal(t->nrow, 7);
	/* ProfilerStep*: to > to > copy > launch, mm > launch; larger siblings first */
	assert_true(span_is(hand_text(t, 0, "name"), "ProfilerStep*"));
	assert_int_equal(hand_int(t, 0, "calls"), 2);
	assert_int_equal(hand_int(t, 0, "device_total_ns"), 80);
	assert_int_equal(hand_int(t, 0, "self_device_ns"), 0);
	assert_true(span_is(hand_text(t, 1, "name"), "mm"));
	assert_int_equal(hand_int(t, 1, "cpu_total_ns"), 60);
	assert_int_equal(hand_int(t, 1, "self_device_ns"), 50);
	assert_int_equal(hand_int(t, 1, "depth"), 1);
	assert_true(span_is(hand_text(t, 2, "name"), "cudaLaunchKernel"));
	assert_int_equal(hand_int(t, 2, "calls"), 2);
	assert_int_equal(hand_int(t, 2, "parent_path"), hand_int(t, 1, "path"));
	assert_true(span_is(hand_text(t, 3, "name"), "to"));
	assert_true(span_is(hand_text(t, 4, "name"), "to"));
	assert_int_equal(hand_int(t, 4, "depth"), 2);
	assert_true(span_is(hand_text(t, 5, "name"), "copy"));
	assert_int_equal(hand_int(t, 5, "self_device_ns"), 30);
	hand_release(&h);

	a.opts.depth = 2;
	top_ask(&h, &r, &a);
	assert_int_equal(hand_table(&h, "tree")->nrow, 3);
	hand_release(&h);

	a.opts.depth = 0; /* what is shown hangs together: copy needs its callers */
	a.opts.limit = 1;
	a.opts.sort = "self_cuda_time_total";
	a.filter.exclude = "^mm$";
	top_ask(&h, &r, &a);
	t = hand_table(&h, "tree");
	assert_int_equal(t->nrow - t->nfoot, 4);
	assert_true(span_is(hand_text(t, 3, "name"), "copy"));
	hand_release(&h);
	run_clear(&r);
}

/* torch's table: after the dedup, device work as rows, hidden names out of the tree. */
static void torch_layout(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	a.layout = TABLE_TORCH;
	top_training(&r);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "aten::is_leaf", 85, 4); /* in mm */
	top_ask(&h, &r, &a);
	assert_int_equal(h.result.ntable, 1);
	t = hand_table(&h, "key_averages");
	assert_int_equal(t->layout, TABLE_TORCH);
	assert_int_equal(hand_find(t, "name", "aten::is_leaf"), SIZE_MAX);
	/* in the order of the first events */
	assert_true(span_is(hand_text(t, 0, "name"), "ProfilerStep*"));
	assert_true(span_is(hand_text(t, 1, "name"), "to"));
	assert_true(span_is(hand_text(t, 2, "name"), "copy"));
	assert_true(span_is(hand_text(t, 3, "name"), "cudaLaunchKernel"));
	assert_true(span_is(hand_text(t, 4, "name"), "kernel"));
	assert_true(span_is(hand_text(t, 5, "name"), "mm"));
	row = top_row(t, "to");
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_int_equal(hand_int(t, row, "cpu_total_ns"), 40);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 20);
	row = top_row(t, "mm");
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 56); /* is_leaf is mm's own time */
	assert_int_equal(hand_int(t, row, "self_device_ns"), 50);
	assert_true(hand_real(t, row, "self_device_ratio") == 0.625);
	row = top_row(t, "kernel");
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 0);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 80);
	assert_int_equal(hand_int(t, row, "calls"), 3);
	assert_string_equal(
		t->footnote, "Self CPU time total: 0.200us\nSelf CUDA time total: 0.080us");
	hand_release(&h);

	a.opts.sort = "self_cuda_time_total";
	a.opts.limit = 2;
	top_ask(&h, &r, &a);
	t = hand_table(&h, "key_averages");
	assert_int_equal(t->nrow - t->nfoot, 2);
	assert_int_equal(t->ncut, 4);
	assert_true(span_is(hand_text(t, 0, "name"), "kernel"));
	assert_true(span_is(hand_text(t, 1, "name"), "mm"));
	/* widths come from all rows: the longest name of those that were cut */
	assert_true(span_is(hand_text(t, 2, "name"), "cudaLaunchKernel"));
	hand_release(&h);
	run_clear(&r);
}

static void by_shape(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, row;
	int i;

	(void)state;
	run_init(&r, analysis_top.runs.needs | NEED_SHAPES);
	thread = hand_thread(&r, 1);
	for (i = 0; i < 3; i++) {
		row = hand_event(&r, KIND_OP, thread, "mm", 100 * i, 10 + i);
		hand_arg(&r, row, ARG_OP_DIMS,
			(union arg_value){ .sym = strings_intern(&r.strings,
						   i < 2 ? SPAN("[[4,4]]") : SPAN("[[8,8]]")) });
	}
	a.opts.by = "shape";
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 3);
	assert_true(span_is(hand_text(t, 0, "input_shapes"), "[[4,4]]"));
	assert_int_equal(hand_int(t, 0, "self_cpu_ns"), 21);
	assert_true(hand_real(t, 0, "p50_ns") == 10.5);
	assert_true(span_is(hand_text(t, 1, "input_shapes"), "[[8,8]]"));
	assert_false(top_has_note(&h, "no_shapes"));
	hand_release(&h);
	run_clear(&r);
}

/*
 *	thread 1  loader [0 10)   conv [20 30)   backward [40 -------- 60)   Optimizer [70 80)
 *	                                           conv      [45 50)           add      [72 75)
 */
static void by_phase(void **state)
{
	static const struct {
		const char *phase;
		int64_t self, calls;
	} want[] = {
		{ "backward", 20, 2 },
		{ "data loading", 10, 1 },
		{ "forward", 10, 1 },
		{ "optimizer", 10, 2 },
	};
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;
	size_t i;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	thread = hand_thread(&r, 1);
	(void)hand_event(
		&r, KIND_ANNOTATION, thread, "enumerate(DataLoader)#_Single.__next__", 0, 10);
	(void)hand_event(&r, KIND_OP, thread, "conv", 20, 10);
	(void)hand_event(&r, KIND_OP, thread, "autograd::engine::evaluate_function: C", 40, 20);
	(void)hand_event(&r, KIND_OP, thread, "conv", 45, 5);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "Optimizer.step#SGD.step", 70, 10);
	(void)hand_event(&r, KIND_OP, thread, "add", 72, 3);
	a.opts.by = "phase";
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 5);
	for (i = 0; i < COUNT_OF(want); i++) {
		assert_int_equal(
			hand_int(t, top_row(t, want[i].phase), "self_cpu_ns"), want[i].self);
		assert_int_equal(hand_int(t, top_row(t, want[i].phase), "calls"), want[i].calls);
	}
	hand_release(&h);
	run_clear(&r);
}

static void memory_record(struct run *r, uint32_t lane, nsec at, int64_t bytes, int64_t type)
{
	uint32_t row = hand_event(r, KIND_MEMORY, lane, "[memory]", at, 0), args;

	args = r->events.args[row] - 1;
	r->args.col[ARG_MEMORY_BYTES].i64[args] = bytes;
	r->args.col[ARG_MEMORY_DEVICE_TYPE].i64[args] = type;
}

/*
 *	thread 1  outer [0 ------------------ 100)
 *	          inner     [20 --- 50)
 *	          +64 cpu 5   +512 gpu 30   -128 gpu 70
 *	thread 2  +1000 gpu 40                     ours: nobody's; torch: outer's and inner's
 */
static void memory(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t t1, t2;
	size_t row;

	(void)state;
	run_init(&r, analysis_top.runs.needs | NEED_MEMORY);
	t1 = hand_thread(&r, 1);
	t2 = hand_thread(&r, 2);
	(void)hand_event(&r, KIND_OP, t1, "outer", 0, 100);
	(void)hand_event(&r, KIND_OP, t1, "inner", 20, 30);
	memory_record(&r, t2, 40, 1000, 1);
	memory_record(&r, t1, 70, -128, 1);
	memory_record(&r, t1, 5, 64, 0);
	memory_record(&r, t1, 30, 512, 1);
	a.opts.memory = true;
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	row = top_row(t, "outer");
	assert_int_equal(hand_int(t, row, "cpu_bytes"), 64);
	assert_int_equal(hand_int(t, row, "self_cpu_bytes"), 64);
	assert_int_equal(hand_int(t, row, "device_bytes"), 384);
	assert_int_equal(hand_int(t, row, "self_device_bytes"), -128);
	assert_int_equal(hand_int(t, top_row(t, "inner"), "self_device_bytes"), 512);
	hand_release(&h);

	a.opts.sort = "mem";
	top_ask(&h, &r, &a);
	assert_true(span_is(hand_text(hand_table(&h, "ops"), 0, "name"), "inner"));
	hand_release(&h);

	a.layout = TABLE_TORCH;
	top_ask(&h, &r, &a);
	t = hand_table(&h, "key_averages");
	assert_int_equal(hand_int(t, top_row(t, "inner"), "device_bytes"), 1512);
	assert_int_equal(hand_int(t, top_row(t, "outer"), "device_bytes"), 1384);
	assert_int_equal(hand_int(t, top_row(t, "outer"), "self_device_bytes"), -128);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree),
		cmocka_unit_test(torch_layout),
		cmocka_unit_test(by_shape),
		cmocka_unit_test(by_phase),
		cmocka_unit_test(memory),
	};

	return cmocka_run_group_tests_name("top_views", tests, NULL, NULL);
}
