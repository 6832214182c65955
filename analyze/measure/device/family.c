/* Families of kernels: words that libraries' kernels have in their names. */
#include "analyze/measure/device/family.h"

#include "base/words.h"

/* In the order they are looked for: a fused attention kernel has gemm and softmax in its name, and
 * Inductor names a pointwise kernel after all it is fused of.  `but`: what has the word of
 * its row in it and says nothing (a library's namespace, a type of an argument), or NULL. */
static const struct {
	enum family family;
	const char *words, *but;
} rows[] = {
	{ FAMILY_ELEMENTWISE, "triton_poi_", NULL },
	{ FAMILY_ATTENTION, "attention|flash_|fmha|attn|mla_", NULL },
	{ FAMILY_OPTIMIZER, "multi_tensor_apply|adam|optimizer", NULL },
	{ FAMILY_NORMALISATION,
		"batch_norm|batchnorm|layer_norm|layernorm|rms_norm|rmsnorm|group_norm|"
		"groupnorm|gammabeta|rowwisemoments|bn_fw|bn_bw",
		NULL },
	{ FAMILY_CONVOLUTION, "conv", "convert" },
	{ FAMILY_CONVOLUTION,
		"scudnn|884cudnn|1688cudnn|16816cudnn|fft2d_|wgrad|dgrad|winograd|fprop|igemm",
		NULL },
	{ FAMILY_MATMUL, "gemm", "fbgemm" },
	{ FAMILY_MATMUL, "gemv|matmul|cutlass|cijk_|nvjet|splitkreduce", NULL },
	{ FAMILY_SOFTMAX, "softmax", NULL },
	{ FAMILY_ELEMENTWISE, "rotary", NULL },
	{ FAMILY_EMBEDDING, "embedding|index|gather|scatter", NULL },
	{ FAMILY_REDUCTION, "reduce", "reduced_divisor" },
	{ FAMILY_REDUCTION, "triton_red_|triton_per_", NULL },
	{ FAMILY_ELEMENTWISE, "elementwise|pointwise|act_and_mul|dropout", NULL },
};

WORDS(family_word, enum family, FAMILIES, 2)

static bool says(struct span kernel, size_t i, const struct span_pairs *pairs)
{
	const char *words = rows[i].words, *but = rows[i].but;
	size_t most = but ? kernel.n : 1;
	size_t others = but ? span_count_nocase(kernel, span_of(but), most) : 0;
	struct span word;

	while (span_words(&words, &word))
		if (span_may_have(pairs, word) && span_count_nocase(kernel, word, most) > others)
			return true;
	return false;
}

enum family family_of(struct span kernel)
{
	struct span_pairs pairs = span_pairs_of(kernel);

	return FIND_VALUE(i, COUNT_OF(rows), says(kernel, i, &pairs), rows[i].family, FAMILY_OTHER);
}
