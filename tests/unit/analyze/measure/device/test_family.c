/* Families: what kernels of libraries compute, by their names in real traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/device/family.h"
#include "base/compiler.h"

static const struct {
	enum family family;
	const char *kernel;
} kernels[] = {
	/* cuBLAS, CUTLASS, rocBLAS, Triton */
	{ FAMILY_MATMUL, "volta_sgemm_128x32_nt" },
	{ FAMILY_MATMUL, "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn" },
	{ FAMILY_MATMUL,
		"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1"
		"_execute_segment_k_off_kernel__5x_cublas" },
	{ FAMILY_MATMUL, "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT" },
	{ FAMILY_MATMUL,
		"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1>"
		"(cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1::Params)" },
	{ FAMILY_MATMUL,
		"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, "
		"float, float, float, false, true, true, false, 7, false, cublasGemvParamsEx>" },
	{ FAMILY_MATMUL,
		"void splitKreduce_kernel<32, 16, int, float, float, float, float, true, false, "
		"false>(cublasSplitKParams<float>, float const*)" },
	{ FAMILY_MATMUL, "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x256x32_MI16x16x1_SN" },
	{ FAMILY_MATMUL, "_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu" },
	/* attention has products and softmax in it */
	{ FAMILY_ATTENTION,
		"void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits"
		"<64, 128, 128, 4, false, false, cutlass::bfloat16_t> >" },
	{ FAMILY_ATTENTION,
		"fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::Params)" },
	{ FAMILY_ATTENTION,
		"_ZN7ck_tile6kentryILi2ENS_38FmhaBatchPrefillWithPagedKVCacheKernelINS_40Block" },
	{ FAMILY_ATTENTION, "kernel_unified_attention_2d" },
	{ FAMILY_ATTENTION, "attn_fwd" },
	/* cuDNN's name no convolution, and are products by their form */
	{ FAMILY_CONVOLUTION, "volta_scudnn_128x64_relu_interior_nn_v1" },
	{ FAMILY_CONVOLUTION,
		"cudnn_infer_volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1" },
	{ FAMILY_CONVOLUTION,
		"turing_fp16_s1688cudnn_fp16_256x64_ldg8_relu_f2f_exp_small_nhwc_tn_v1" },
	{ FAMILY_CONVOLUTION,
		"void implicit_convolve_sgemm<float, float, 1024, 6, 7, 3, 3, 5, 1, false, "
		"true, true>(int, int, int, float const*, int, float*)" },
	{ FAMILY_CONVOLUTION,
		"sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw" },
	{ FAMILY_CONVOLUTION,
		"void cudnn::cnn::wgrad_alg0_engine<float, 128, 6, 7, 3, 3, 5, false, 512>" },
	{ FAMILY_CONVOLUTION,
		"void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>" },
	{ FAMILY_CONVOLUTION,
		"void fft2d_r2c_32x32<float, false, 0u, false>(float2*, float const*, int, "
		"cudnn::reduced_divisor, bool)" },
	{ FAMILY_CONVOLUTION, "igemm_fwd_gtcx2_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1" },
	{ FAMILY_NORMALISATION,
		"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1>"
		"(cudnnTensorStruct, cudnn::reduced_divisor, int)" },
	{ FAMILY_NORMALISATION,
		"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel"
		"<float, float>(int, float, float const*)" },
	{ FAMILY_NORMALISATION,
		"void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernel"
		"<float, float>(long, long, float const*)" },
	{ FAMILY_NORMALISATION,
		"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi64ELi8ELb0ELb0ELb1E" },
	{ FAMILY_NORMALISATION, "MIOpenBatchNormFwdTrainSpatial" },
	{ FAMILY_SOFTMAX,
		"void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, "
		"false, false>(float*, float const*, int, int, int)" },
	{ FAMILY_SOFTMAX, "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>" },
	{ FAMILY_OPTIMIZER,
		"void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>, "
		"float>(int, int volatile*)" },
	/* fbgemm's namespace is no product */
	{ FAMILY_EMBEDDING,
		"void split_embedding_codegen_forward_unweighted_kernel<c10::Half, float, 2ul>"
		"(at::GenericPackedTensorAccessor<c10::Half, 1ul>, fbgemm_gpu::FixedDivisor)" },
	{ FAMILY_EMBEDDING,
		"void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long>" },
	{ FAMILY_EMBEDDING,
		"void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*)" },
	{ FAMILY_OTHER, "void fbgemm_gpu::permute_2D_data_kernel<false, int, int>(int, int, int)" },
	{ FAMILY_REDUCTION,
		"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
		"at::native::MeanOps<float, float, float, float>, unsigned int, float, 4> >" },
	{ FAMILY_REDUCTION, "triton_red_fused_add_mean_mul_pow_rsqrt_0" },
	{ FAMILY_ELEMENTWISE,
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add"
		"<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add)" },
	{ FAMILY_ELEMENTWISE,
		"void at::native::vectorized_elementwise_kernel<4, fbgemm_gpu::"
		"_hfp8_to_float_gpu(at::Tensor const&)::{lambda(unsigned char)#1}>" },
	{ FAMILY_ELEMENTWISE, "triton_poi_fused__unsafe_view_mul_silu_2" },
	/* Inductor's pointwise kernels are named after what they stand beside */
	{ FAMILY_ELEMENTWISE, "triton_poi_fused_convolution_relu_4" },
	{ FAMILY_ELEMENTWISE,
		"void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*)" },
	{ FAMILY_ELEMENTWISE, "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16Tn" },
	{ FAMILY_OTHER, "loop_convert_fusion" },
	{ FAMILY_OTHER,
		"void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>" },
	{ FAMILY_OTHER,
		"void cub::DeviceRadixSortOnesweepKernel<cub::DeviceRadixSortPolicy<long, int>>" },
	{ FAMILY_OTHER, "" },
};

static void test_kernels(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(kernels); i++) {
		enum family got = family_of(span_of(kernels[i].kernel));

		if (got != kernels[i].family)
			fail_msg("%s: %s, not %s", kernels[i].kernel, family_word(got),
				family_word(kernels[i].family));
	}
}

static void test_words(void **state)
{
	int i, k;

	(void)state;
	for (i = 0; i < FAMILY_COUNT; i++)
		for (k = 0; k < i; k++)
			assert_string_not_equal(
				family_word((enum family)i), family_word((enum family)k));
	assert_string_equal(family_word(FAMILY_MATMUL), "matmul");
	assert_int_equal(family_of(SPAN("VOLTA_SGEMM_64X64_NT")), FAMILY_MATMUL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}
