/* The roof of the op that computes longest, on a run drawn by hand. */
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

/* 1000 x 1000 by 1000 x 1000, 2 GFLOP and 6 MB (of fp32 12) a call, in 900 us:
 *
 *	thread    |mm 20|             |mm 20|
 *	stream 7     [10 gemm 910)       [1010 gemm 1910) */
struct product {
	const char *dims, *types, *kernel;
};

#define SQUARE "[[1000, 1000], [1000, 1000]]"
#define BF16   "[\"c10::BFloat16\", \"c10::BFloat16\"]"
#define FP32   "[\"float\", \"float\"]"

static void draw(struct hand *h, const struct product *p)
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
		text(h, op, ARG_OP_DIMS, p->dims);
		text(h, op, ARG_OP_TYPES, p->types);
		(void)draw_launch(h, KIND_KERNEL, h->compute, p->kernel, t + 5 * US, 1 * US,
			t + 10 * US, 900 * US);
		/* The host waits, so that the kernel is what a step hangs on. */
		(void)hand_event(&h->run, KIND_RUNTIME, h->thread, "cudaDeviceSynchronize",
			t + 25 * US, 885 * US);
	}
}

static void ask(struct answer *a, struct hand *h, const struct product *p, const char *peak)
{
	const struct setting *row[256];
	struct settings s;
	struct err e;
	size_t n = 0;

	for (; analysis_diagnose.options.setting(n); n++)
		row[n] = analysis_diagnose.options.setting(n);
	settings_init(&s, row, n);
	assert_int_equal(settings_set(&s, "peak", peak, "file", &e), OK);
	draw(h, p);
	diag_ask(a, h, NULL, &s, false);
	assert_int_equal(a->status, OK);
	settings_clear(&s);
}

static void expect(const char *dims, const char *peak, const char *want)
{
	struct answer a;
	struct hand h;
	struct span why;

	ask(&a, &h, &(struct product){ dims, BF16, "gemm" }, peak);
	why = hand_text(diag_table(&a, "verdict"), 0, "why");
	if (want ? !span_has(why, want) : span_has(why, "roof"))
		fail_msg("'%.*s' of peaks '%s'", (int)why.n, why.p, peak);
	diag_end(&a, &h);
}

/* 200 us at 10 TFLOP/s; 300 us at 20 GB/s. */
static void test_is_named(void **state)
{
	(void)state;
	expect(SQUARE, "bf16=10T,mem=1T",
		"; aten::mm, 100.0% of that, runs at 22.2% of its roof (bf16, 10.0 TFLOP/s): at "
		"most 700.0 us/step to gain");
	expect(SQUARE, "bf16=10T,mem=20G",
		"runs at 33.3% of its roof (memory, 0.02 TB/s): at most 600.0 us/step to gain");
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

/* G25, of a step of 1 ms; saves: us, 0: it is no finding. */
static void expect_wide(
	const struct product *p, const char *peak, const char *severity, double saves)
{
	struct answer a;
	struct hand h;

	ask(&a, &h, p, peak);
	diag_severity(&a, "G25", severity);
	if (saves > 0) {
		diag_near(diag_number(&a, "G25", "value_ratio"), 1);
		diag_near(diag_number(&a, "G25", "saves_ns"), saves * US);
		diag_saves_by(&a, "G25", "what-if");
	}
	diag_end(&a, &h);
}

/* fp32: 400 us at 5 TFLOP/s, bf16: 100 at 20; 900 us become a quarter of it.  With 100 GB/s it
 * is 120 us for 12 MB, 60 for 6, so the same; with 15 GB/s it is 800 and 400.  In TF32 at 10
 * TFLOP/s it is 200 and 100.  Formats of 16 bits that are as fast are no remedy, and bf16 is none
 * of itself. */
static void test_wide(void **state)
{
	static const struct product wide = { SQUARE, FP32, "gemm" },
				    tf32 = { SQUARE, FP32, "sm80_xmma_gemm_f32f32_tf32f32_f32" },
				    narrow = { SQUARE, BF16, "gemm" };

	(void)state;
	expect_wide(&wide, "vector-fp32=5T,bf16=20T,mem=100G", "WARN", 675);
	expect_wide(&wide, "vector-fp32=5T,fp16=20T,mem=100G", "WARN", 675);
	expect_wide(&wide, "vector-fp32=5T,bf16=20T,mem=15G", "WARN", 450);
	expect_wide(&tf32, "vector-fp32=5T,tf32=10T,bf16=20T,mem=100G", "WARN", 450);
	expect_wide(&wide, "vector-fp32=5T,bf16=6T,mem=100G", "ok", 0);
	expect_wide(&narrow, "vector-fp32=5T,bf16=20T,mem=100G", "ok", 0);
	expect_wide(&wide, "", "unknown", 0);
}

/* Without shapes by names: 900 us, at 20 TFLOP/s instead of 5 a quarter of it. */
static void test_wide_by_names(void **state)
{
	static const char peak[] = "vector-fp32=5T,bf16=20T,mem=100G";

	(void)state;
	expect_wide(&(struct product){ "", "", "volta_sgemm_128x64_nn" }, peak, "WARN", 675);
	expect_wide(&(struct product){ "", "", "volta_scudnn_128x64_relu_nn" }, peak, "WARN", 675);
	expect_wide(&(struct product){ "", "", "gemv2T_kernel<int, __nv_bfloat16, float>" }, peak,
		"ok", 0);
	expect_wide(&(struct product){ "", "", "ampere_s16816gemm_fp16_128x64" }, peak, "ok", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_named),
		cmocka_unit_test(test_is_not_known),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_wide_by_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
