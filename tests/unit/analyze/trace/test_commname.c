/* What the name of a kernel, or of the op that launched it, says of communication. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/comm/commclass.h"
#include "analyze/trace/commname.h"
#include "base/compiler.h"

/* A name as traces have it; what it says; of a collective, which one. */
struct row {
	const char *name;
	enum commname want;
	enum comm_op op;
};

static const struct row of_libraries[] = {
	{ "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)",
		COMMNAME_COMM, COMM_SEND_RECV },
	{ "ncclSymkDevKernel_AllGather_LL(ncclSymkDevWorkArgs4K)", COMMNAME_COMM, COMM_ALL_GATHER },
	{ "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", COMMNAME_COMM,
		COMM_UNKNOWN },
	{ "rcclGenericKernel", COMMNAME_COMM, COMM_UNKNOWN },
	{ "mscclKernel_Sum_half_Simple_false(ncclDevComm*, mscclAlgo*, mscclWork*)", COMMNAME_COMM,
		COMM_UNKNOWN },
	{ "oneccl_allreduce_ring_kernel", COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "hcom_allReduce__853_0", COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "hccl_all_gather", COMMNAME_COMM, COMM_ALL_GATHER },
	{ "void mscclpp::collective::allreducePacket<__half, (mscclpp::ReduceOp)0>(__half*)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "void mscclpp::collective::alltoallvKernel(mscclpp::MemoryChannel*)", COMMNAME_COMM,
		COMM_ALL_TO_ALL },
	{ "nvshmemi_barrier_on_stream_kernel(int, int)", COMMNAME_COMM, COMM_BARRIER },
	{ "void c10d::nvshmem_extension::allToAllV(void*, void*, long*, long*)", COMMNAME_COMM,
		COMM_ALL_TO_ALL },
	{ "kuserbuffers_pushrecv(int, int, int, int*)", COMMNAME_COMM, COMM_RECV },
};

static const struct row all_reduces[] = {
	{ "void multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)", COMMNAME_COMM,
		COMM_ALL_REDUCE },
	{ "void (anonymous namespace)::multimem_one_shot_all_reduce_kernel<float, 16>(float*)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "void (anonymous namespace)::multimem_all_gather_kernel<16>(char*)", COMMNAME_COMM,
		COMM_ALL_GATHER },
	{ "void one_shot_all_reduce_kernel<float, 4, 8, false>(float**)", COMMNAME_COMM,
		COMM_ALL_REDUCE },
	{ "void two_shot_all_reduce_kernel_inplace<float, 4, 8>(float**)", COMMNAME_COMM,
		COMM_ALL_REDUCE },
	{ "void vllm::cross_device_reduce_2stage<__nv_bfloat16, 8>(vllm::RankData*)", COMMNAME_COMM,
		COMM_ALL_REDUCE },
	{ "void aiter::reduce_scatter_cross_device_store<__hip_bfloat16, 8>(aiter::RankData*)",
		COMMNAME_COMM, COMM_REDUCE_SCATTER },
	{ "void quickreduce::allreduce_prototype_twoshot<quickreduce::CodecFP>(__half const*)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "void tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 8, false>(AllReduceParams)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(int)"
	  "3, __half, 8, true>(AllReduceFusionParams<__half>)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "void flashinfer::trtllm_mnnvl_allreduce::twoshot_allreduce_kernel<8, float>(float*)",
		COMMNAME_COMM, COMM_ALL_REDUCE },
	{ "my_all_gather_kernel", COMMNAME_COMM, COMM_ALL_GATHER },
};

static const struct row of_experts[] = {
	{ "void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*, int*)", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768, 4096>(__nv_bfloat16*)",
		COMMNAME_COMM, COMM_COMBINE },
	{ "void deep_ep::intranode::notify_dispatch<8>(int const*, int*)", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void deep_ep::intranode::cached_notify_combine<8>(void**, int*)", COMMNAME_COMM,
		COMM_COMBINE },
	{ "void deep_ep::intranode::barrier<8>(int**, int)", COMMNAME_COMM, COMM_BARRIER },
	{ "void deep_ep::internode_ll::dispatch<true, false, 7168>(void*)", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void deep_ep::internode_ll::combine<false, 7168, 9>(void*)", COMMNAME_COMM,
		COMM_COMBINE },
	{ "void deep_ep::internode_ll::clean_low_latency_buffer<1024>(int*, int)", COMMNAME_COMM,
		COMM_BARRIER },
	{ "_ZN7deep_ep9intranode8dispatchILi8ELi768ELi8192EEEvP4int4Pf", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void dpsk::ep::internode::combine<false, 8, __nv_bfloat16>(int4*)", COMMNAME_COMM,
		COMM_COMBINE },
	{ "void dpsk::ep::internode::dispatch_ll<3, 7168>(void*)", COMMNAME_COMM, COMM_DISPATCH },
	{ "void dpsk::ep::internode::cached_notify<true>(int)", COMMNAME_COMM, COMM_BARRIER },
	{ "void uccl::ep::internode_ll::dispatch<true, 7168>(void*)", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void hybrid_ep::dispatch_kernel<unsigned short, 4, 8>(hybrid_ep::param)", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void hybrid_ep::combine_kernel<4, 8, 2>(hybrid_ep::param)", COMMNAME_COMM,
		COMM_COMBINE },
	{ "hybrid_ep::device_sync_kernel(unsigned int*, unsigned int const*)", COMMNAME_COMM,
		COMM_BARRIER },
	{ "void mori::moe::EpDispatchIntraNodeKernel<__hip_bfloat16>(mori::moe::Args)",
		COMMNAME_COMM, COMM_DISPATCH },
	{ "EpCombineInterNodeV1Kernel_bf16", COMMNAME_COMM, COMM_COMBINE },
	{ "void a2a_dispatch_send_kernel<true, false, 16ul>(unsigned long)", COMMNAME_COMM,
		COMM_DISPATCH },
	{ "void a2a_combine_recv_kernel<16ul, __nv_bfloat16>(unsigned long)", COMMNAME_COMM,
		COMM_COMBINE },
	{ "void pplx::all_to_all::combine<8, __half>(float*)", COMMNAME_COMM, COMM_COMBINE },
	{ "MoeDistributeDispatchV2", COMMNAME_COMM, COMM_DISPATCH },
	{ "MoeDistributeCombine", COMMNAME_COMM, COMM_COMBINE },
	{ "void tensorrt_llm::kernels::mnnvl_throughput::moeA2ADispatchKernel<8>(int)",
		COMMNAME_COMM, COMM_DISPATCH },
};

/* They stand beside collectives, bear their words, and compute. */
static const struct row that_compute[] = {
	{ "void deep_ep::layout::get_dispatch_layout<256, 32, 8>(long const*, int*)",
		COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void dpsk::ep::cuda::get_dispatch_layout<256>(long const*)", COMMNAME_COMPUTE,
		COMM_UNKNOWN },
	{ "void cdpsk::ep::CUB_200302_900_NS::DeviceScanKernel<int>(int)", COMMNAME_COMPUTE,
		COMM_UNKNOWN },
	{ "void hybrid_ep::scan<512, 16, 8>(bool const*, int)", COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void c10d::checkForNaN<float, 256>(float*, unsigned long)", COMMNAME_COMPUTE,
		COMM_UNKNOWN },
	{ "triton_poi_fused_all_gather_into_tensor_wait_tensor_0", COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "triton_red_fused__to_copy_all_reduce_add_mean_3", COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float> >(int)",
		COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 1>(float*)",
		COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void at::native::_scatter_gather_elementwise_kernel<128, 8>(int)", COMMNAME_COMPUTE,
		COMM_UNKNOWN },
	{ "void warpAllReduceSum<float, 4>(float*)", COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void layernorm::block_all_reduce_kernel<float>(float*)", COMMNAME_COMPUTE,
		COMM_UNKNOWN },
	{ "gemm_all_reduce_kernel_sm90", COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "void cutlass::device_kernel<MatmulAllReduce>(MatmulAllReduce::Params)", COMMNAME_COMPUTE,
		COMM_UNKNOWN },
	{ "void flash::flash_fwd_splitkv_combine_kernel<Flash_traits>(Flash_params)",
		COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "nvjet_tst_128x256_64x4_2x1_v_bz_TNT", COMMNAME_COMPUTE, COMM_UNKNOWN },
	{ "ampere_sgemm_128x64_tn", COMMNAME_COMPUTE, COMM_UNKNOWN },
};

static const struct row that_say_nothing[] = {
	{ "_combined_routing_compute", COMMNAME_NOTHING, COMM_UNKNOWN },
	{ "my_dma_gather", COMMNAME_NOTHING, COMM_UNKNOWN },
	{ "void step::dispatcher<4>(int)", COMMNAME_NOTHING, COMM_UNKNOWN },
	{ "void (anonymous namespace)::kernel<8>(ncclComm*)", COMMNAME_NOTHING, COMM_UNKNOWN },
	{ "ar_kernel_v2", COMMNAME_NOTHING, COMM_UNKNOWN },
	{ "", COMMNAME_NOTHING, COMM_UNKNOWN },
};

static void look(const struct row *row, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		enum commname got = commname_of(span_of(row[i].name));
		enum comm_op op = commclass_of(span_of(row[i].name));

		if (got != row[i].want)
			fail_msg("%s: says %d", row[i].name, (int)got);
		if (got == COMMNAME_COMM && op != row[i].op)
			fail_msg("%s: is %s", row[i].name, commclass_word(op));
	}
}

static void test_libraries(void **state)
{
	(void)state;
	look(of_libraries, COUNT_OF(of_libraries));
	look(all_reduces, COUNT_OF(all_reduces));
}

static void test_experts(void **state)
{
	(void)state;
	look(of_experts, COUNT_OF(of_experts));
}

static void test_others(void **state)
{
	(void)state;
	look(that_compute, COUNT_OF(that_compute));
	look(that_say_nothing, COUNT_OF(that_say_nothing));
}

/* Ops whose kernels, where their names say nothing, are collectives; and those whose are not. */
static void test_ops(void **state)
{
	static const char *const yes[] = { "record_param_comms", "nccl:all_reduce",
		"rccl:_all_gather_base", "xccl:broadcast", "gloo:all_reduce", "c10d::allreduce_",
		"_c10d_functional::all_gather_into_tensor",
		"_c10d_functional_autograd::all_to_all_single", "symm_mem::one_shot_all_reduce",
		"symm_mem::all_to_all_vdev_2d", "vllm::all_reduce", "_C_custom_ar::all_reduce",
		"sglang::inplace_all_reduce", "sgl_kernel::all_reduce_reg", "deep_ep::dispatch",
		"mori::EpDispatch", "vllm::reduce_scatter" };
	static const char *const no[] = { "aten::copy_", "aten::_foreach_all_reduce", "aten::cat",
		"symm_mem::fused_all_gather_matmul", "symm_mem::fused_scaled_matmul_reduce_scatter",
		"vllm::moe_forward", "_c10d_functional::wait_tensor", "AllReduceBackward",
		"vllm::rms_norm", "my all_reduce", "" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(yes); i++)
		if (!commname_is_op(span_of(yes[i])))
			fail_msg("%s is none", yes[i]);
	for (i = 0; i < COUNT_OF(no); i++)
		if (commname_is_op(span_of(no[i])))
			fail_msg("%s is one", no[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_experts),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_ops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
