/* `top --by shape` on runs drawn by hand: whose work is whose, and what it should cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/costmodel/roof.h"
#include "tests/unit/analyze/answer/top/top_ask.h"

static uint32_t shaped(struct run *r, uint32_t thread, const char *name, nsec at, nsec dur,
	const char *dims, const char *types)
{
	uint32_t row = hand_event(r, KIND_OP, thread, name, at, dur);

	hand_arg(r, row, ARG_OP_DIMS,
		(union arg_value){ .sym = strings_intern(&r->strings, span_of(dims)) });
	hand_arg(r, row, ARG_OP_TYPES,
		(union arg_value){ .sym = strings_intern(&r->strings, span_of(types)) });
	return row;
}

/* Asked by shape: `peak` as --peak has it. */
static const struct table *ask(
	struct hand_answer *h, struct run *r, const char *by, const char *peak)
{
	struct top_ask a = top_ask_defaults();

	a.opts.by = by;
	a.opts.peak = peak;
	top_ask(h, r, &a);
	assert_int_equal(h->status, OK);
	return hand_table(h, "ops");
}

/*
 *	layer_norm [ native_layer_norm [ k 10 ns ] ]  mm [ k 4 ns ]  mm [ k 6 ns ]  mm, another
 *
 * native_layer_norm launches, but layer_norm owns the work: 4 floats are 20 + 12 FLOP.  The two
 * products are 60 FLOP each in 10 ns, in two types: one row here.
 */
static void draw(struct run *r)
{
	static const char small[] = "[[2, 3], [3, 5]]", both[] = "[\"float\", \"float\"]";
	uint32_t thread, stream;

	run_init(r, ROOF_NEEDS);
	thread = hand_thread(r, 1);
	stream = hand_stream(r, 0, 7);
	(void)shaped(r, thread, "aten::layer_norm", 0, 90, "[[2, 2], [], [], []]",
		"[\"float\", \"ScalarList\", \"\", \"\"]");
	(void)shaped(r, thread, "aten::native_layer_norm", 5, 80, "[[2, 2], []]",
		"[\"float\", \"ScalarList\"]");
	(void)hand_launch(r, thread, stream, 10, 1000, 10, 1);
	(void)shaped(r, thread, "aten::mm", 100, 50, small, both);
	(void)hand_launch(r, thread, stream, 110, 1100, 4, 2);
	(void)shaped(r, thread, "aten::mm", 200, 50, small, "[\"c10::Half\", \"c10::Half\"]");
	(void)hand_launch(r, thread, stream, 210, 1200, 6, 3);
	(void)shaped(r, thread, "aten::mm", 300, 50, "[[2, 3], [3, 1]]", both);
	(void)hand_launch(r, thread, stream, 310, 1300, 8, 4);
}

static void test_by_shape(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t mm, norm;

	(void)state;
	draw(&r);
	t = ask(&h, &r, "shape", "fp32=1T,fp16=2T,mem=1T,vector-fp32=1T");
	mm = hand_find(t, "input_shapes", "[[2, 3], [3, 5]]");
	assert_true(span_is(hand_text(t, mm, "shapes"), "[2,3] [3,5]"));
	assert_int_equal(hand_int(t, mm, "calls"), 2);
	assert_int_equal(hand_int(t, mm, "flop"), 120);
	assert_int_equal(hand_int(t, mm, "owned_busy_ns"), 10);
	assert_float_equal(hand_real(t, mm, "tflop_per_s"), 0.012, 1e-12);
	/* 124 and 62 bytes at 1 TB/s. */
	assert_float_equal(hand_real(t, mm, "roof_ratio"), (0.124 + 0.062) / 10, 1e-9);
	assert_true(span_is(hand_text(t, mm, "bound"), "memory"));
	assert_int_equal(hand_int(t, hand_find(t, "input_shapes", "[[2, 3], [3, 1]]"), "flop"), 12);
	norm = top_row(t, "aten::native_layer_norm");
	assert_int_equal(hand_int(t, norm, "self_device_ns"), 10);
	assert_false(hand_knows(t, norm, "flop"));
	assert_true(span_is(hand_text(t, norm, "why"), "its work is that of an op that called it"));
	norm = top_row(t, "aten::layer_norm");
	assert_int_equal(hand_int(t, norm, "self_device_ns"), 0);
	assert_int_equal(hand_int(t, norm, "owned_busy_ns"), 10);
	hand_release(&h);
	run_clear(&r);
}

/* Without --by shape the columns are not there; without peaks the work is, and no share. */
static void test_without(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t mm, i;

	(void)state;
	draw(&r);
	t = ask(&h, &r, "name", NULL);
	for (i = 0; i < t->ncol; i++)
		assert_string_not_equal(t->col[i].key, "roof_ratio");
	hand_release(&h);
	t = ask(&h, &r, "shape", NULL);
	mm = hand_find(t, "input_shapes", "[[2, 3], [3, 5]]");
	assert_int_equal(hand_int(t, mm, "flop"), 120);
	assert_false(hand_knows(t, mm, "roof_ratio"));
	assert_false(hand_knows(t, mm, "bound"));
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_shape),
		cmocka_unit_test(test_without),
	};

	return cmocka_run_group_tests_name("top_shape", tests, NULL, NULL);
}
