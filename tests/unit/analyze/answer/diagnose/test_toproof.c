/*
 * The roof of the op that computes longest, on a run drawn by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/costmodel/roof.h"
#include "cmd/commands.h"
#include "tests/unit/analyze/answer/diagnose/drawn.h"
#include "tests/unit/handmade.h"

static void text(struct hand *h, uint32_t row, enum arg arg, const char *s)
{
	hand_arg(&h->run, row, arg,
		(union arg_value){ .sym = strings_intern(&h->run.strings, span_of(s)) });
}

/*
 * 1000 x 1000 by 1000 x 1000 in bf16, 2 GFLOP and 6 MB a call, in 800 us:
 *
 *	thread    |mm 20|             |mm 20|
 *	stream 7     [10 gemm 810)       [1010 gemm 1810)
 */
static void draw(struct hand *h, const char *dims)
{
	uint32_t op;
	int i;

	draw_begin(h);
	run_clear(&h->run);
	run_init(&h->run, ALL_NEEDS | NEED_TYPES | NEED_INPUTS);
	h->thread = hand_thread(&h->run, 1);
	h->compute = hand_stream(&h->run, 0, 7);
	for (i = 0; i < 3; i++) {
		nsec t = (nsec)i * STEP;

		draw_step(h, i);
		op = hand_event(&h->run, KIND_OP, h->thread, "aten::mm", t, 20 * US);
		text(h, op, ARG_OP_DIMS, dims);
		text(h, op, ARG_OP_TYPES, "[\"c10::BFloat16\", \"c10::BFloat16\"]");
		(void)draw_kernel(h, t + 5 * US, t + 10 * US, 800 * US);
		/* The host waits, so that the kernel is what a step hangs on. */
		(void)hand_event(&h->run, KIND_RUNTIME, h->thread, "cudaDeviceSynchronize",
			t + 25 * US, 785 * US);
	}
}

static void expect(const char *dims, const char *peak, const char *want)
{
	const struct setting *row[256];
	struct settings s;
	struct answer a;
	struct hand h;
	struct err e;
	struct span why;
	size_t n = 0;

	for (; analysis_diagnose.options.setting(n); n++)
		row[n] = analysis_diagnose.options.setting(n);
	settings_init(&s, row, n);
	assert_int_equal(settings_set(&s, "peak", peak, "file", &e), OK);
	draw(&h, dims);
	diag_ask(&a, &h, NULL, &s, false);
	assert_int_equal(a.status, OK);
	why = hand_text(diag_table(&a, "verdict"), 0, "why");
	if (want ? !span_has(why, want) : span_has(why, "roof"))
		fail_msg("'%.*s' of peaks '%s'", (int)why.n, why.p, peak);
	settings_clear(&s);
	diag_end(&a, &h);
}

#define SQUARE "[[1000, 1000], [1000, 1000]]"

/* 200 us at 10 TFLOP/s; 300 us at 20 GB/s. */
static void test_is_named(void **state)
{
	(void)state;
	expect(SQUARE, "bf16=10T,mem=1T",
		"; aten::mm, 100.0% of that, runs at 25.0% of its roof (bf16, 10.0 TFLOP/s): at "
		"most 600.0 us/step to gain");
	expect(SQUARE, "bf16=10T,mem=20G",
		"runs at 37.5% of its roof (memory, 0.02 TB/s): at most 500.0 us/step to gain");
}

/* Without peaks, without shapes, and where the peaks cannot be those of the device. */
static void test_is_not_known(void **state)
{
	(void)state;
	expect(SQUARE, "", NULL);
	expect(SQUARE, "bf16=10T", NULL);
	expect("", "bf16=10T,mem=1T", NULL);
	expect(SQUARE, "bf16=2T,mem=1T", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_named),
		cmocka_unit_test(test_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
