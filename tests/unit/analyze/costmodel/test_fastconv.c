/* Convolutions by Winograd and FFT: what names say, and how much less is multiplied. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/costmodel/fastconv.h"

static void assert_says(const char *kernel, const char *text, int half)
{
	struct fastconv how[FASTCONV_HALVES] = { fastconv_of(span_of(kernel)) };
	SCOPED_ARENA mem = { 0 };

	if (!span_is(fastconv_text(how, &mem), text) || (how[0].kind && how[0].half != half))
		fail_msg("%s: %.*s, half %d", kernel, (int)fastconv_text(how, &mem).n,
			fastconv_text(how, &mem).p, how[0].half);
}

static void test_names(void **state)
{
	(void)state;
	assert_says("volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1",
		"Winograd F(2x2,3x3)", FASTCONV_OUTPUTS);
	assert_says(
		"cudnn_infer_ampere_scudnn_winograd_128x128_ldg1_ldg4_mobile_relu_tile148t_nt_v0",
		"Winograd F(2x2,3x3)", FASTCONV_OUTPUTS);
	assert_says("maxwell_fp16_scudnn_winograd_fp16_128x128_ldg1_ldg4_tile148n_nt",
		"Winograd F(2x2,3x3)", FASTCONV_OUTPUTS);
	assert_says("void cudnn::winograd::winograd3x3Kernel<float, float, int=4, int=1, int=8, "
		    "bool=0>(cudnn::maxwell::winograd::KernelParams)",
		"Winograd F(2x2,3x3)", FASTCONV_OUTPUTS);
	assert_says("void cudnn::winograd::generateWinogradTilesKernel<0, float, float>(...)",
		"Winograd F(2x2,3x3)", FASTCONV_OUTPUTS);
	assert_says("void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(...)",
		"Winograd F(4x4,3x3)", FASTCONV_OUTPUTS);
	assert_says("void cudnn::winograd_nonfused::winogradForwardOutput9x9_5x5<float, __half>()",
		"Winograd F(5x5,5x5)", FASTCONV_OUTPUTS);
	assert_says("void cudnn::winograd_nonfused::winogradWgradDelta4x4<float, float>(...)",
		"Winograd F(4x4,3x3)", FASTCONV_FILTER);
	assert_says("miopenSp3AsmConv_v21_1_3_gfx9_fp32_f2x3_stride1_group", "Winograd F(2x2,3x3)",
		FASTCONV_EITHER);
	assert_says("miopenSp3AsmConvFury_v2_4_1_gfx11_1536vgprs_fp16_fp16acc_f2x3_c16_stride1",
		"Winograd F(2x2,3x3)", FASTCONV_EITHER);
	assert_says("miopenSp3AsmConv_v30_3_1_gfx11_fp32_f3x2_stride1", "Winograd F(3x3,2x2)",
		FASTCONV_EITHER);
	assert_says("miopenGcnAsmWinogradXformOut_4_4_3_3", "Winograd F(4x4,3x3)", FASTCONV_EITHER);
	assert_says("miopenSp3AsmConv_v21_1_3_gfx10_fp32_stride1", "Winograd, tile not said",
		FASTCONV_EITHER);
	assert_says("my_winograd_conv", "Winograd, tile not said", FASTCONV_EITHER);
	assert_says("void fft2d_r2c_32x32<float, false, 5u, true>(float2*, ...)", "FFT 32x32",
		FASTCONV_EITHER);
	assert_says(
		"void fft2d_c2r_16x16<float, false>(float*, ...)", "FFT 16x16", FASTCONV_EITHER);
	assert_says("MIOpenConvFFT_fwd_in", "FFT, tile not said", FASTCONV_EITHER);
	assert_says("volta_scudnn_128x64_relu_small_nn_v1", "", 0);
	assert_says("void cudnn::winogradForward", "Winograd, tile not said", FASTCONV_EITHER);
	assert_says("winogradForwardData2x2_5x5", "Winograd, tile not said", FASTCONV_OUTPUTS);
}

/* What is done of 7200 FLOP. */
struct asked {
	const char *a, *b;
	int space, extent, taps;
	enum fastconv_half made;
};

static void assert_done(struct asked x, int64_t flop, bool is_most)
{
	struct fastconv how[FASTCONV_HALVES] = { 0 }, f;
	struct roof_work w = { .flop = 7200, .done = 7200 };
	struct roof_shape in = { .n = 2 + x.space, .dim = { 1, 4 } }, filter = in;
	int i;

	for (i = 0; i < x.space; i++) {
		in.dim[2 + i] = x.extent;
		filter.dim[2 + i] = x.taps;
	}
	for (i = 0; i < 2 && (i ? x.b : x.a); i++) {
		f = fastconv_of(span_of(i ? x.b : x.a));
		fastconv_add(how, &f);
	}
	fastconv_work(&w, &in, &filter, x.made, how);
	if (w.done != flop || w.is_most != is_most)
		fail_msg("%s of %d: %d, %d", x.a, x.taps, (int)w.done, w.is_most);
}

/* 2.25 and 4 times less; 5 taps in two pieces of 3 are 2 x 5 / (4 x 2) in each dimension, 1.5625;
 * one tap would be more than the definition has.  An unknown tile is F(2, R): of 5 taps (10 / 6)^2.
 * FFT 32 x 32 of 5 x 5 over 27 x 27: 2 x 25 x 27^2 = 36450 of 8 x 32 x 17 = 4352. */
static void test_single(void **state)
{
	(void)state;
	assert_done((struct asked){ "x_scudnn_winograd_128x128", NULL, 2, 8, 3, 0 }, 3200, false);
	assert_done((struct asked){ "winogradForwardData4x4", NULL, 2, 8, 3, 0 }, 1800, false);
	assert_done((struct asked){ "miopenSp3AsmConv_f2x3_", NULL, 2, 27, 5, 0 }, 4608, false);
	assert_done((struct asked){ "miopenSp3AsmConv_f2x3_", NULL, 2, 8, 1, 0 }, 7200, false);
	assert_done((struct asked){ "some_winograd", NULL, 2, 8, 3, 0 }, 3200, true);
	assert_done((struct asked){ "some_winograd", NULL, 2, 27, 5, 0 }, 2592, true);
	assert_done((struct asked){ "fft2d_r2c_32x32", NULL, 2, 27, 5, 0 }, 860, false);
	/* 16 x 16 of 5 x 5: 2 x 25 x 12^2 of 8 x 16 x 9. */
	assert_done((struct asked){ "some_fft", NULL, 2, 27, 5, 0 }, 1152, true);
	/* In one dimension 1.5 times. */
	assert_done((struct asked){ "miopenSp3AsmConv_f2x3_", NULL, 1, 8, 3, 0 }, 4800, false);
	/* F(3,2) of a filter's gradient has 3 taps as outputs, and 2 outputs as taps. */
	assert_done((struct asked){ "miopenSp3AsmConv_f3x2_", NULL, 2, 8, 3, FASTCONV_FILTER },
		3200, false);
	assert_done((struct asked){ "winogradWgradData4x4", NULL, 2, 8, 3, FASTCONV_FILTER }, 1800,
		false);
	assert_done((struct asked){ "implicit_gemm", NULL, 2, 8, 3, 0 }, 7200, false);
}

/* Of both gradients each is half of it: 3600 / 4 with the other as it is, or with 3600 / 2.25. */
static void test_both(void **state)
{
	const enum fastconv_half both = FASTCONV_EITHER;

	(void)state;
	assert_done(
		(struct asked){ "winogradWgradData4x4", NULL, 2, 8, 3, both }, 3600 + 900, false);
	assert_done((struct asked){ "winogradWgradData4x4", "x_scudnn_winograd_1", 2, 8, 3, both },
		1600 + 900, false);
	assert_done(
		(struct asked){ "miopenSp3AsmConv_f2x3_", NULL, 2, 8, 3, both }, 1600 + 3600, true);
	assert_done(
		(struct asked){ "miopenSp3AsmConv_f2x3_", "miopenSp3AsmConv_f3x2_", 2, 8, 3, both },
		1600 + 1600, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
