/*
 * Families of kernels: words that libraries' kernels have in their names.
 */
#include "analyze/measure/device/family.h"

#include <stddef.h>

#include "base/compiler.h"
#include "base/words.h"

/*
 * In the order they are looked for: a fused attention kernel has gemm and softmax in its name, and
 * Inductor names a pointwise kernel after all it is fused of.  `but`: what has the word in it and
 * says nothing (a library's namespace, a type of an argument), or NULL.
 */
static const struct {
	enum family family;
	const char *word, *but;
} words[] = {
	{ FAMILY_ELEMENTWISE, "triton_poi_", NULL },
	{ FAMILY_ATTENTION, "attention", NULL },
	{ FAMILY_ATTENTION, "flash_", NULL },
	{ FAMILY_ATTENTION, "fmha", NULL },
	{ FAMILY_ATTENTION, "attn", NULL },
	{ FAMILY_ATTENTION, "mla_", NULL },
	{ FAMILY_OPTIMIZER, "multi_tensor_apply", NULL },
	{ FAMILY_OPTIMIZER, "adam", NULL },
	{ FAMILY_OPTIMIZER, "optimizer", NULL },
	{ FAMILY_NORMALISATION, "batch_norm", NULL },
	{ FAMILY_NORMALISATION, "batchnorm", NULL },
	{ FAMILY_NORMALISATION, "layer_norm", NULL },
	{ FAMILY_NORMALISATION, "layernorm", NULL },
	{ FAMILY_NORMALISATION, "rms_norm", NULL },
	{ FAMILY_NORMALISATION, "rmsnorm", NULL },
	{ FAMILY_NORMALISATION, "group_norm", NULL },
	{ FAMILY_NORMALISATION, "groupnorm", NULL },
	{ FAMILY_NORMALISATION, "gammabeta", NULL },
	{ FAMILY_NORMALISATION, "rowwisemoments", NULL },
	{ FAMILY_NORMALISATION, "bn_fw", NULL },
	{ FAMILY_NORMALISATION, "bn_bw", NULL },
	{ FAMILY_CONVOLUTION, "conv", "convert" },
	{ FAMILY_CONVOLUTION, "scudnn", NULL },
	{ FAMILY_CONVOLUTION, "884cudnn", NULL },
	{ FAMILY_CONVOLUTION, "1688cudnn", NULL },
	{ FAMILY_CONVOLUTION, "16816cudnn", NULL },
	{ FAMILY_CONVOLUTION, "fft2d_", NULL },
	{ FAMILY_CONVOLUTION, "wgrad", NULL },
	{ FAMILY_CONVOLUTION, "dgrad", NULL },
	{ FAMILY_CONVOLUTION, "winograd", NULL },
	{ FAMILY_CONVOLUTION, "fprop", NULL },
	{ FAMILY_CONVOLUTION, "igemm", NULL },
	{ FAMILY_MATMUL, "gemm", "fbgemm" },
	{ FAMILY_MATMUL, "gemv", NULL },
	{ FAMILY_MATMUL, "matmul", NULL },
	{ FAMILY_MATMUL, "cutlass", NULL },
	{ FAMILY_MATMUL, "cijk_", NULL },
	{ FAMILY_MATMUL, "nvjet", NULL },
	{ FAMILY_MATMUL, "splitkreduce", NULL },
	{ FAMILY_SOFTMAX, "softmax", NULL },
	{ FAMILY_ELEMENTWISE, "rotary", NULL },
	{ FAMILY_EMBEDDING, "embedding", NULL },
	{ FAMILY_EMBEDDING, "index", NULL },
	{ FAMILY_EMBEDDING, "gather", NULL },
	{ FAMILY_EMBEDDING, "scatter", NULL },
	{ FAMILY_REDUCTION, "reduce", "reduced_divisor" },
	{ FAMILY_REDUCTION, "triton_red_", NULL },
	{ FAMILY_REDUCTION, "triton_per_", NULL },
	{ FAMILY_ELEMENTWISE, "elementwise", NULL },
	{ FAMILY_ELEMENTWISE, "pointwise", NULL },
	{ FAMILY_ELEMENTWISE, "act_and_mul", NULL },
	{ FAMILY_ELEMENTWISE, "dropout", NULL },
};

WORDS(family_word, enum family, FAMILIES, 2)

static bool says(struct span kernel, size_t i)
{
	size_t n = span_count_nocase(kernel, words[i].word, words[i].but ? kernel.n : 1);

	return n > (words[i].but ? span_count_nocase(kernel, words[i].but, kernel.n) : 0);
}

enum family family_of(struct span kernel)
{
	struct span_pairs pairs = span_pairs_of(kernel);

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (span_may_have(&pairs, words[i].word) && says(kernel, i))
			return words[i].family;
	return FAMILY_OTHER;
}
