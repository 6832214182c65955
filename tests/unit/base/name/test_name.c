/*
 * Names of kernels, shortened: each expectation is what somebody who knows the kernels would write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/name/demangle.h"
#include "base/name/name.h"
#include "base/width.h"

#define AT        "at::native::"
#define ANONYMOUS "(anonymous namespace)::"

static const char SOFTMAX[] =
	"void " AT ANONYMOUS
	"cunn_SoftMaxForward<4, c10::BFloat16, float, c10::BFloat16, " AT ANONYMOUS
	"SoftMaxForwardEpilogue>(c10::BFloat16*, c10::BFloat16 const*, int)";
static const char ADD[] =
	"void " AT "vectorized_elementwise_kernel<4, " AT "CUDAFunctor_add<float>, "
	"at::detail::Array<char*, 3> >(int, " AT "CUDAFunctor_add<float>, "
	"at::detail::Array<char*, 3>)";
static const char MUL[] =
	"void " AT "elementwise_kernel<128, 2, " AT "gpu_kernel_impl_nocast<" AT
	"BinaryFunctor<float, float, float, " AT
	"binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&, " AT
	"BinaryFunctor<float, float, float, " AT
	"binary_internal::MulFunctor<float> > const&)::{lambda(int)#1}>(int, char*)";
static const char COPY[] =
	"void " AT "vectorized_elementwise_kernel<4, " AT
	"direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::"
	"operator()() const::{lambda()#7}::operator()() const::"
	"{lambda(float)#1}, std::array<char*, 2ul> >(int, std::array<char*, 2ul>)";
static const char CIJK[] =
	"Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT32x32x64_MI16x16x1_SN_LDSB0";

static const struct {
	const char *name;
	size_t width;
	const char *want;
} CASES[] = {
	/* Return type, parameters and anonymous namespaces go even where there is room. */
	{ SOFTMAX, 200,
		AT "cunn_SoftMaxForward<4, c10::BFloat16, float, c10::BFloat16, " AT
		   "SoftMaxForwardEpilogue>" },
	{ SOFTMAX, 80,
		"cunn_SoftMaxForward<4, BFloat16, float, BFloat16, SoftMaxForwardEpilogue>" },
	{ SOFTMAX, 40, "cunn_SoftMaxForward<4, BFloat16, \u2026>" },
	{ SOFTMAX, 30, "cunn_SoftMaxForward<4, \u2026>" },
	{ SOFTMAX, 20, "cunn_SoftMaxForward" },
	{ SOFTMAX, 11, "cunn_\u2026rward" },
	{ "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", 60,
		"ncclKernel_AllReduce_RING_LL_Sum_float" },
	{ "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, float, false, 7, "
	  "cublasGemvParams<float> >(cublasGemvParams<float>)",
		80, "internal::gemvx::kernel<int, float, false, 7, cublasGemvParams<float>>" },
	{ "void cudnn::ops::nchwToNhwcKernel<float, true, (cudnnKernelDataType_t)2>(float*)", 60,
		"nchwToNhwcKernel<float, true, (cudnnKernelDataType_t)2>" },
	/* A frame is known by what it is given. */
	{ ADD, 80, "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, Array<char*, 3>>" },
	{ ADD, 60, "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, \u2026>" },
	{ ADD, 50, "vectorized_elementwise_kernel<CUDAFunctor_add, \u2026>" },
	{ ADD, 36, "vectorized_element\u2026<CUDAFunctor_add>" },
	{ MUL, 100,
		"elementwise_kernel<128, 2, gpu_kernel_impl_nocast<BinaryFunctor<float, float, "
		"float, MulFunctor>>>" },
	{ MUL, 40, "elementwise_kernel<128, 2, MulFunctor>" },
	{ MUL, 30, "elementwise_kernel<MulFunctor>" },
	{ COPY, 90,
		"vectorized_elementwise_kernel<4, direct_copy_kernel_cuda::{lambda(float)#1}, "
		"\u2026>" },
	{ COPY, 60, "vectorized_elementwise_kernel<4, direct_copy_kernel_cuda, \u2026>" },
	{ "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_64x3_tn_align8>"
	  "(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_64x3_tn_align8::Params)",
		50, "Kernel2<cutlass_80_tensorop_\u20266x128_64x3_tn_align8>" },
	/* What is no C++ keeps both its ends, whatever it has in it. */
	{ CIJK, 30, "Cijk_Alik_Bljk_\u2026x16x1_SN_LDSB0" },
	{ "triton_poi_fused_add_0", 30, "triton_poi_fused_add_0" },
	{ "Memcpy HtoD (Pageable -> Device)", 40, "Memcpy HtoD (Pageable -> Device)" },
	{ "Memset (Device)", 40, "Memset (Device)" },
	{ "enumerate(DataLoader)#_Iter.__next__", 40, "enumerate(DataLoader)#_Iter.__next__" },
	{ "train_step(epoch=3)", 40, "train_step(epoch=3)" },
	{ "module.py(1523): _call_impl", 40, "module.py(1523): _call_impl" },
	{ "autograd::engine::evaluate_function: MmBackward0", 60,
		"autograd::engine::evaluate_function: MmBackward0" },
	{ "2\\047 a<x", 40, "2\\047 a<x" },
	{ "ProfilerStep#3", 40, "ProfilerStep#3" },
	/* Operators, alone and with their kernel; an indentation stays. */
	{ "aten::native_layer_norm", 40, "aten::native_layer_norm" },
	{ "aten::native_layer_norm", 20, "native_layer_norm" },
	{ "    aten::mm", 40, "    aten::mm" },
	{ "aten::addmm (ampere_sgemm_128x64_tn) [[32, 8], [8]]", 60,
		"aten::addmm (ampere_sgemm_128x64_tn) [[32, 8], [8]]" },
	{ "aten::_softmax (void " AT ANONYMOUS "cunn_SoftMaxForward<4, float>(float*, int))", 40,
		"aten::_softmax (cunn_SoftMaxForward)" },
	/* Mangled. */
	{ "_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb0ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_"
	  "S4_diiiiiiib",
		60, "add_rmsnorm_quant_kernel<bfloat16_t, bfloat16_t, 256, 16, \u2026>" },
	{ "_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_"
	  "S5_EEEEvPS3_PS4_i",
		30, "act_and_mul_kernel" },
};

static void test_cases(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(CASES); i++) {
		struct str b = { 0 };

		name_shorten(&b, span_of(CASES[i].name), CASES[i].width, true);
		assert_string_equal(b.s, CASES[i].want);
		str_free(&b);
	}
}

/* The mangled name, and what the compiler's own tool makes of it. */
static void test_demangled(void **state)
{
	static const char *const v[][2] = {
		{ "_Z4mainv", "main()" },
		{ "_ZN2at6native12_GLOBAL__N_13vekILi4EfNS0_3ArrIPcLi2EEEEEviT0_T1_",
			"at::native::(anonymous namespace)::vek<4, float, at::native::Arr<char*, 2> "
			">(int, float, at::native::Arr<char*, 2>)" },
		{ "_ZZN2at6native4implIfEEvRNS_1TERKT_ENKUliE_clEi",
			"at::native::impl<float>(at::T&, float const&)::{lambda(int)#1}::"
			"operator()(int) const" },
		{ "_ZN1AIiEC2ERKS0_", "A<int>::A(A<int> const&)" },
		{ "_ZN1fEPFivERA3_i", "f(int (*)(), int (&) [3])" },
		{ "_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", "std::move<int&>(int&)" },
		{ "_Z1gILb1ELn2EEvv", "g<true, (__int128)2>()" },
		{ "_Z1gILb1ELj3ELm5ELin2EEvv", "g<true, 3u, 5ul, -2>()" },
		{ "_Z1gIJifEEvDpT_", "g<int, float>(int, float)" },
		{ "_Z1fv.kd", "f()" },
		{ "_ZN1a", NULL },
		{ "_Z", NULL },
		{ "_Z99999999999a", NULL },
		{ "_ZS_", NULL },
		{ "_ZT_", NULL },
		{ "_Z1f v", NULL },
	};
	size_t i;

	(void)state;
	if (!HAVE_LIBIBERTY)
		skip();
	for (i = 0; i < COUNT_OF(v); i++) {
		struct str b = { 0 };
		bool is_good = demangle(&b, span_of(v[i][0]));

		assert_int_equal(is_good, v[i][1] != NULL);
		if (is_good)
			assert_string_equal(b.s, v[i][1]);
		else
			assert_int_equal(b.n, 0);
		str_free(&b);
	}
}

/* A name that would be longer than all memory is refused, and so is one of many brackets. */
static void test_hostile(void **state)
{
	struct str b = { 0 }, out = { 0 };
	int i;

	(void)state;
	str_adds(&b, "_Z1fI");
	for (i = 0; i < 60; i++)
		str_addf(&b, "1aIS_S_S_S%d_E", i % 10);
	str_adds(&b, "Evv");
	(void)demangle(&out, (struct span){ b.s, b.n });
	assert_true(out.n <= 64 << 10);
	str_reset(&b);
	for (i = 0; i < 20000; i++)
		str_adds(&b, "a<");
	str_reset(&out);
	name_shorten(&out, (struct span){ b.s, b.n }, 40, true);
	assert_true(width_of((struct span){ out.s, out.n }) <= 40);
	str_free(&b);
	str_free(&out);
}

static const char *const TABLE[] = { SOFTMAX, ADD, MUL, COPY, CIJK,
	"void " AT "vectorized_elementwise_kernel<4, " AT "CUDAFunctor_add<c10::Half>, "
	"at::detail::Array<char*, 3> >(int, " AT "CUDAFunctor_add<c10::Half>, Array<char*, 3>)",
	"void " AT "vectorized_elementwise_kernel<8, " AT "CUDAFunctor_add<c10::Half>, "
	"at::detail::Array<char*, 3> >(int, " AT "CUDAFunctor_add<c10::Half>, Array<char*, 3>)",
	"Cijk_Alik_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT64x32x64_MI16x16x1_SN_LDSB0",
	"void ns::overloaded<int>(int)", "void ns::overloaded<int>(float)", "aten::mm",
	"aten::mm" };

/* At every width: no wider, and alike only where the names are; with room they are as alone. */
static void test_unique(void **state)
{
	struct span name[COUNT_OF(TABLE)];
	size_t width, i, j;

	(void)state;
	for (i = 0; i < COUNT_OF(TABLE); i++)
		name[i] = span_of(TABLE[i]);
	for (width = 8; width <= 200; width++) {
		const struct span *text;
		struct arena mem = { 0 };

		text = names_shorten(&mem, name, COUNT_OF(TABLE), width, width % 2);
		for (i = 0; i < COUNT_OF(TABLE); i++) {
			assert_true(width_of(text[i]) <= width);
			for (j = 0; j < i; j++)
				assert_int_equal(
					span_eq(text[i], text[j]), span_eq(name[i], name[j]));
		}
		arena_clear(&mem);
	}
}

/* Numbers of names that were cut to the same end up on others that were cut to the same. */
static void test_numbered_are_unique(void **state)
{
	static const struct span name[] = {
		SPAN("_ZZN2fN_ZZN2at6\xff\x0b\0\xf1\xff\xff\xff\0\0\0\0\xe4\xbaOS2_"),
		SPAN("_ZZN2at6native4iEOS2_"),
		SPAN("_Z1gIXadL_Z1fIiEviEEEvM1<rernelv7_f"),
		SPAN("_ZIXadL_Z1fIiEviEEEvM1<r_Z1fIiEviEEEt"),
		SPAN("_Z1gIadXL_Z1fIiEviEEEvM1<rernelv4_f"),
		SPAN("_ZN1a0bIXntLb0EZN1AiIKRE2ECS0_"),
		SPAN("_ZIXadL_Z1fIiEviEEEvM1<rernelv4_f"),
		SPAN("_ZN1a1bIXnt0_"),
	};
	const struct span *text;
	SCOPED_ARENA mem = { 0 };
	size_t i, j;

	(void)state;
	text = names_shorten(&mem, name, COUNT_OF(name), 8, false);
	for (i = 0; i < COUNT_OF(name); i++)
		for (j = 0; j < i; j++)
			assert_false(span_eq(text[i], text[j]));
}

static void test_alike_show_where_they_differ(void **state)
{
	const char *const v[][2] = {
		{ "CUDAFunctor_add\u2026float", ADD },
		{ "CUDAFunctor_add\u2026Half", TABLE[5] },
		{ "MT32x32x64", CIJK },
		{ "MT64x32x64", TABLE[7] },
	};
	struct span name[COUNT_OF(v)];
	const struct span *text;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(v); i++)
		name[i] = span_of(v[i][1]);
	text = names_shorten(&mem, name, COUNT_OF(v), 40, true);
	for (i = 0; i < COUNT_OF(v); i++)
		assert_true(span_has(text[i], v[i][0]));
}

/* Nsight Systems has NVIDIA's spelling: it reads as that of the others does, at every width. */
static void test_spellings(void **state)
{
	static const struct {
		const char *nvidia, *other;
	} pairs[] = {
		{ "void at::native::vectorized_elementwise_kernel<(int)4, at::native::<unnamed>::"
		  "where_kernel_impl(at::TensorIterator &)::[lambda() (instance 1)]::operator ()() "
		  "const::[lambda(bool, long) (instance 12)], std::array<char *, (unsigned long)4>>"
		  "(int, T2, T3)",
			"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
			"namespace)::where_kernel_impl(at::TensorIterator&)::{lambda()#1}::"
			"operator()() const::{lambda(bool, long)#12}, std::array<char*, 4>>(int, "
			"T2, T3)" },
		{ "void at::native::elementwise_kernel<(int)128, (int)2, void at::native::"
		  "gpu_kernel_impl<at::native::MulFunctor<float>>(at::TensorIteratorBase &, const "
		  "T1 &)::[lambda(int) (instance 1)]>(int, T3)",
			"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<"
			"at::native::MulFunctor<float>>(at::TensorIteratorBase&, const T1&)::"
			"{lambda(int)#1}>(int, T3)" },
		{ "void <unnamed>::softmax_warp_forward<float, (int)-1, (bool)0>(T2 *, const T1 *)",
			"void (anonymous namespace)::softmax_warp_forward<float, -1, 0>(T2*, const "
			"T1*)" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(pairs); i++)
		for (size_t width = 8; width <= 160; width++) {
			struct str a = { 0 }, b = { 0 };

			name_shorten(&a, span_of(pairs[i].nvidia), width, true);
			name_shorten(&b, span_of(pairs[i].other), width, true);
			assert_string_equal(a.s, b.s);
			str_free(&a);
			str_free(&b);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_demangled),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_unique),
		cmocka_unit_test(test_numbered_are_unique),
		cmocka_unit_test(test_alike_show_where_they_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
