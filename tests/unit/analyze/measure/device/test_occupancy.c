/* Tensor cores by name, means weighted by duration, SM efficiency. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/interval.h"
#include "analyze/measure/device/multiprocessor.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

static const unsigned needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_KERNEL;

static void assert_tensor(const char *name, enum tristate want)
{
	enum tristate got = occupancy_tensor_core(span_of(name));

	if (got != want)
		fail_msg("%s: %d", name, (int)got);
}

/* Peer defect 14: the TensorBoard plugin knows the names of 2021 alone and says 0 for others. */
static void test_tensor_core_names(void **state)
{
	(void)state;
	assert_tensor("volta_fp16_s884gemm_fp16_128x128_ldg8_f2f_nn", YES);
	assert_tensor("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_tn", YES);
	assert_tensor("turing_fp16_s1688cudnn_fp16_128x128_ldg8_relu", YES);
	assert_tensor(
		"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1>", YES);
	assert_tensor("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", YES);
	assert_tensor("nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT", YES);
	assert_tensor(
		"void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits>",
		YES);
	assert_tensor("fmha_cutlassF_bf16_aligned_64x64_rf_sm80", YES);
	assert_tensor(
		"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1_SN", YES);
	assert_tensor("igemm_fwd_gtcx2_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8", YES);
	assert_tensor("ampere_sgemm_32x32_sliced1x4_tn", NO);
	assert_tensor("volta_scudnn_128x64_relu_xregs_large_nn_v1", NO);
	assert_tensor("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>", NO);
	assert_tensor(
		"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3_ffma_kernel", NO);
	assert_tensor(
		"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>",
		NO);
	assert_tensor(
		"void gemmk1_kernel<float, 256, 5, cublasGemvTensorStridedBatched<__half const>>",
		NO);
	assert_tensor("SubTensorOpWithScalar1d", NOT_SAID);
	assert_tensor("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", NO);
	assert_tensor("triton_poi_fused_add_0", NO);
	assert_tensor("_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1", NOT_SAID);
	assert_tensor("attn_fwd", NOT_SAID);
	assert_tensor("", NOT_SAID);
}

static uint32_t kernel(
	struct run *r, int64_t stream, nsec start, nsec dur, double blocks, double percent)
{
	uint32_t row = hand_event(r, KIND_KERNEL, hand_stream(r, 0, stream), "kernel", start, dur);

	hand_arg(r, row, ARG_DEVICE_BLOCKS_PER_SM, (union arg_value){ .f64 = blocks });
	hand_arg(r, row, ARG_DEVICE_OCCUPANCY, (union arg_value){ .f64 = percent });
	return row;
}

static void add_kernel(struct occupancy *o, const struct run *r, uint32_t row, enum tristate tc)
{
	struct occupancy alike = *o;
	struct occupancy_known k;
	SCOPED_ARENA mem = { 0 };

	occupancy_known_init(&k, r, &mem);
	occupancy_add(o, &k, row, tc);
	occupancy_add_alike(&alike, r, row, tc, 1, r->events.dur[row]);
	assert_memory_equal(o, &alike, sizeof(alike)); /* whichever way its arguments are found */
}

/* 100 ns at 50 %, 300 ns at 10 %, 600 ns unknown: (100 x 0.5 + 300 x 0.1) / 400 = 0.2 */
static void test_means(void **state)
{
	struct run r;
	struct occupancy o = { 0 };
	double most;

	(void)state;
	run_init(&r, needs);
	add_kernel(&o, &r, kernel(&r, 7, 0, 100, 4, 50), YES);
	add_kernel(&o, &r, kernel(&r, 7, 100, 300, 0.5, 10), NO);
	add_kernel(&o, &r, kernel(&r, 7, 400, 600, NAN, NAN), NOT_SAID);
	assert_float_equal(occupancy_mean_achieved(&o), 0.2, 1e-12);
	assert_float_equal(occupancy_mean_blocks(&o), (100 * 4 + 300 * 0.5) / 400, 1e-12);
	assert_int_equal(o.below_one_ns, 300);
	assert_float_equal(occupancy_tensor_ratio(&o, &most), 0.1, 1e-12);
	assert_float_equal(most, 0.7, 1e-12);
	run_clear(&r);
}

/* Unknown is never 0: no kernels, absent arguments, and a 0 that no kernel can have. */
static void test_unknown(void **state)
{
	struct run r;
	struct occupancy o = { 0 };
	double most;

	(void)state;
	run_init(&r, needs);
	assert_true(isnan(occupancy_mean_achieved(&o)));
	assert_true(isnan(occupancy_tensor_ratio(&o, &most)));
	assert_true(isnan(most));
	add_kernel(&o, &r, kernel(&r, 7, 0, 100, 1.8, 0), NOT_SAID);
	assert_true(isnan(occupancy_mean_achieved(&o)));
	assert_float_equal(occupancy_mean_blocks(&o), 1.8, 1e-12);
	assert_float_equal(occupancy_achieved_ratio(&r, kernel(&r, 7, 200, 5, 0.02, 0)), 0, 0);
	run_clear(&r);
}

static uint32_t launched(struct run *r, uint32_t threads, int64_t registers, int64_t shared,
	double blocks, double percent)
{
	uint32_t row = kernel(r, 7, 0, 100, blocks, percent);

	hand_arg(r, row, ARG_DEVICE_BLOCK, (union arg_value){ .vec3 = { threads, 1, 1 } });
	hand_arg(r, row, ARG_DEVICE_REGISTERS, (union arg_value){ .i64 = registers });
	hand_arg(r, row, ARG_DEVICE_SHARED, (union arg_value){ .i64 = shared });
	return row;
}

/* Estimates that failed, on an H100.  First, cuBLAS: 384 threads of 168 registers, 231,424 bytes:
 * one block fits (12 warps x 5,376 registers = 64,512 of 65,536; 232,448 of 233,472 bytes), and 120
 * blocks on 132 multiprocessors are 0.909 each: 0.909 x 384 / 2,048 = 17.0 %.  Second, two blocks
 * of 98,304 bytes fit, and 4 are there: 2 x 128 / 2,048.  Then 0.0076 x 32 / 2,048, which is 0 when
 * rounded, as it says; what it says, if that is more than nothing; and -1, "not known". */
static void test_failed_estimates(void **state)
{
	struct gpu h100[] = { { .id = 0,
				      .major = 9,
				      .minor = 0,
				      .max_threads_per_sm = 2048,
				      .warp_size = 32,
				      .registers_per_sm = 65536,
				      .shared_per_sm = 233472 },
		{ 0 } };
	struct run r;

	(void)state;
	run_init(&r, needs);
	assert_true(isnan(
		occupancy_achieved_ratio(&r, launched(&r, 384, 168, 231424, 120 / 132.0, 0))));
	assert_float_equal(
		occupancy_achieved_ratio(&r, launched(&r, 32, 16, 0, 1 / 132.0, 0)), 0, 0);
	r.meta.gpu = h100;
	r.meta.ngpu = 1;
	assert_float_equal(
		occupancy_achieved_ratio(&r, launched(&r, 384, 168, 231424, 120 / 132.0, 0)),
		(float)(120 / 132.0 * 384 / 2048), 1e-7);
	assert_float_equal(occupancy_achieved_ratio(&r, launched(&r, 128, 100, 98304, 4, 0)),
		2 * 128 / 2048.0, 1e-12);
	assert_float_equal(
		occupancy_achieved_ratio(&r, launched(&r, 32, 16, 0, 1 / 132.0, 0)), 0, 0);
	assert_float_equal(
		occupancy_achieved_ratio(&r, launched(&r, 384, 168, 231424, 1, 3)), 0.03, 1e-12);
	assert_float_equal(occupancy_achieved_ratio(&r, launched(&r, 384, 168, 231424, 1, -99)),
		384 / 2048.0, 1e-12);
	assert_true(isnan(occupancy_achieved_ratio(&r, launched(&r, 2049, 16, 0, 1, 0))));
	h100[1] = h100[0];
	h100[1].shared_per_sm = 167936; /* two devices that differ: it may be of either */
	r.meta.ngpu = 2;
	assert_true(isnan(
		occupancy_achieved_ratio(&r, launched(&r, 384, 168, 231424, 120 / 132.0, 0))));
	r.meta = (struct meta){ 0 };
	run_clear(&r);
}

/* What fits, on a V100 (64 Ki registers, 96 KiB), an A100 (164 KiB) and an RTX 3090 (16 blocks). */
static void test_multiprocessor(void **state)
{
	const struct multiprocessor v100 = { 2048, 32, 65536, 98304, 256, 0 };
	const struct multiprocessor a100 = { 2048, 32, 65536, 167936, 128, 1024 };
	const struct multiprocessor rtx = { 1536, 16, 65536, 102400, 128, 1024 };

	(void)state;
	assert_int_equal(multiprocessor_holds(&v100, 64, 16, 0), 32);      /* blocks */
	assert_int_equal(multiprocessor_holds(&v100, 1024, 32, 0), 2);     /* threads */
	assert_int_equal(multiprocessor_holds(&v100, 256, 64, 0), 4);      /* registers */
	assert_int_equal(multiprocessor_holds(&v100, 96, 126, 0), 5);      /* 16 warps of 3 */
	assert_int_equal(multiprocessor_holds(&v100, 128, 16, 49152), 2);  /* shared memory */
	assert_int_equal(multiprocessor_holds(&a100, 128, 152, 73728), 2); /* and what it costs */
	assert_int_equal(multiprocessor_holds(&a100, 128, 16, 83968), 1);  /* 2 x 82 KiB, 2 more */
	assert_int_equal(multiprocessor_holds(&rtx, 32, 16, 0), 16);
	assert_int_equal(multiprocessor_holds(&rtx, 0, 16, 0), 0);
	assert_int_equal(multiprocessor_holds(&rtx, 32, ARG_UNKNOWN, 0), 0);
	assert_int_equal(multiprocessor_holds(&rtx, 32, 16, 200000), 0);
}

/*
 *	  stream 7    [----0.25----)          t 0..100
 *	  stream 8         [--0.5--)          t 50..100
 *	  stream 7                  [-- 3 --) t 100..150
 *	  window 0    [---------------------------)   t 0..200
 *	  window 1                                 [) t 300..400
 *
 * (50 x 0.25 + 50 x 0.75 + 50 x 1) / 200 = 0.5
 */
static void test_sm_efficiency(void **state)
{
	const struct interval window[] = { { 0, 200 }, { 300, 400 }, { 500, 500 } };
	double out[3];
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)kernel(&r, 7, 0, 100, 0.25, 10);
	(void)kernel(&r, 8, 50, 50, 0.5, 10);
	(void)kernel(&r, 7, 100, 50, 3, 10);
	index_build(&r, needs);
	occupancy_sm_efficiency(&r, 0, NULL, window, 3, out);
	assert_float_equal(out[0], 0.5, 1e-12);
	assert_float_equal(out[1], 0, 1e-12);
	assert_true(isnan(out[2]));
	occupancy_sm_efficiency(&r, 1, NULL, window, 3, out);
	assert_true(isnan(out[0]));
	run_clear(&r);
}

/* Windows in the middle of kernels: [20,30) of a kernel of 0.25, [90,110) half 0.75, half 1. */
static void test_windows(void **state)
{
	const struct interval window[] = { { 20, 30 }, { 90, 110 } };
	double out[2];
	struct run r;

	(void)state;
	run_init(&r, needs);
	(void)kernel(&r, 7, 0, 100, 0.25, 10);
	(void)kernel(&r, 8, 50, 50, 0.5, 10);
	(void)kernel(&r, 7, 100, 50, 3, 10);
	index_build(&r, needs);
	occupancy_sm_efficiency(&r, 0, NULL, window, 2, out);
	assert_float_equal(out[0], 0.25, 1e-12);
	assert_float_equal(out[1], 0.875, 1e-12);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tensor_core_names),
		cmocka_unit_test(test_means),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_failed_estimates),
		cmocka_unit_test(test_multiprocessor),
		cmocka_unit_test(test_sm_efficiency),
		cmocka_unit_test(test_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
