/*
 * `fit`: the regimes, and the arithmetic of what they need.  All of it is bytes; no units, no text.
 */

#include "analyze/answer/fit/fit.h"

#define ZERO \
	"Rajbhandari et al. 2020, ZeRO: Memory Optimizations Toward Training Trillion Parameter Models"

/* A regime; a macro, and no braces, so that clang-format wraps it instead of aligning. */
#define INFERENCE(id, name, weights, doc, source)                         \
	{                                                                 \
		{ id, name, doc, source }, false, false, weights, 0, 0, 0 \
	}
#define TRAINING(id, name, weights, grads, optimizer, stage, doc, source)                \
	{                                                                                \
		{ id, name, doc, source }, true, false, weights, grads, optimizer, stage \
	}
#define ADAPTER(id, name, weights, doc, source)                              \
	{                                                                    \
		{ id, name, doc, source }, true, true, weights, 200, 1200, 0 \
	}

static const struct fit_regime regimes[] = {
	INFERENCE("infer_fp32", "inference fp32", 400, "Weights of 4 bytes.", NULL),
	INFERENCE("infer_fp16", "inference fp16/bf16", 200, "Weights of 2 bytes.", NULL),
	INFERENCE("infer_int8", "inference int8/fp8", 100,
		"Weights of 1 byte; scales of rows or blocks are below 1% and left out.", NULL),
	INFERENCE("infer_nf4", "inference nf4", 56,
		"Weights of 4 bits with a 32-bit scale for each 64 of them: 0.5 + 4/64 = 0.56 bytes.",
		"Dettmers et al. 2023, QLoRA, section 3"),
	TRAINING("adam_fp32_grads", "mixed precision, fp32 grads", 200, 400, 1200, 0,
		"2 bytes of weights, 4 of gradients (accumulated in fp32), 12 of optimizer: fp32 "
		"master weights and Adam's two moments.",
		ZERO ", section 3.1; Megatron-LM's accumulation in fp32"),
	TRAINING("adam_master", "mixed precision + master", 200, 200, 1200, 0,
		"2 bytes of weights, 2 of gradients, 12 of optimizer: fp32 master weights and Adam's "
		"two moments.",
		ZERO ", section 3.1 (K = 12)"),
	TRAINING("adam_autocast", "autocast, fp32 weights", 400, 400, 800, 0,
		"4 bytes of weights, 4 of gradients, 8 of Adam's moments: torch.autocast over a "
		"model in fp32. The cache of cast weights (up to 2 bytes) comes on top.",
		"torch.amp documentation"),
	TRAINING("adam_seed", "fp16 + Adam, 12 B", 200, 200, 800, 0,
		"2 bytes of weights, 2 of gradients, 8 of Adam's fp32 moments: the guides' "
		"formula, 12 bytes per parameter. There are no master weights in it, so updates "
		"smaller than fp16 resolves are lost.",
		"the guides' estimate_model_memory"),
	TRAINING("adam_8bit", "8-bit Adam + master", 200, 200, 600, 0,
		"2 bytes of weights, 2 of gradients, 4 of master weights, 2 of moments in 8 bits.",
		"Dettmers et al. 2022, 8-bit Optimizers via Block-wise Quantization"),
	ADAPTER("lora", "LoRA", 200,
		"Frozen weights of 2 bytes; 16 bytes for each trainable parameter: weights 2, "
		"gradients 2, optimizer 12.",
		"Hu et al. 2021, LoRA; " ZERO ", section 3.1"),
	ADAPTER("qlora", "QLoRA", 56,
		"Frozen weights in nf4 (0.56 bytes); 16 bytes for each trainable parameter.",
		"Dettmers et al. 2023, QLoRA"),
	TRAINING("zero1", "ZeRO-1", 200, 200, 1200, 1,
		"Mixed precision with the optimizer's 12 bytes divided among N GPUs: 4 + 12/N.",
		ZERO),
	TRAINING("zero2", "ZeRO-2", 200, 200, 1200, 2,
		"Optimizer and gradients divided among N GPUs: 2 + 14/N.", ZERO),
	TRAINING("zero3", "ZeRO-3 / FSDP", 200, 200, 1200, 3,
		"Everything divided among N GPUs: 16/N. One layer at a time is gathered in full; it "
		"comes on top.",
		ZERO),
};

const struct fit_regime *fit_regimes(size_t *n)
{
	*n = COUNT_OF(regimes);
	return regimes;
}

/* Rounded up; params <= FIT_PARAMS_MAX. */
static int64_t bytes_of(int64_t params, int hundredths, int64_t gpus)
{
	int64_t whole = (params * hundredths + 99) / 100;

	return (whole + gpus - 1) / gpus;
}

void fit_need(struct fit_need *n, const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t gpus)
{
	int64_t moving = r->is_adapter ? m->trainable : m->params;

	n->weights = bytes_of(m->params, r->weights, r->stage >= 3 ? gpus : 1);
	if (r->is_adapter)
		n->weights += bytes_of(m->trainable, 200, 1);
	n->grads = bytes_of(moving, r->grads, r->stage >= 2 ? gpus : 1);
	n->optimizer = bytes_of(moving, r->optimizer, r->stage >= 1 ? gpus : 1);
	n->extra = r->is_training ? m->activations : m->kv;
	n->need = n->weights + n->grads + n->optimizer + n->extra;
	n->total = n->need + saturate_round((double)n->need * o->fragmentation) + o->context;
}

enum fit_verdict fit_judge(const struct fit_need *n, int64_t capacity)
{
	if (capacity <= 0)
		return FIT_UNKNOWN;
	if (n->total > capacity)
		return FIT_TOO_LARGE;
	return (double)n->total > FIT_USABLE * (double)capacity ? FIT_TIGHT : FIT_FITS;
}

const char *fit_verdict_word(enum fit_verdict v)
{
	static const char *const words[] = {
		[FIT_UNKNOWN] = "",
		[FIT_FITS] = "fits",
		[FIT_TIGHT] = "tight",
		[FIT_TOO_LARGE] = "too large",
	};

	return words[v];
}

static bool fits_on(const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t capacity, int64_t gpus)
{
	struct fit_need n;

	fit_need(&n, r, m, o, gpus);
	return fit_judge(&n, capacity) == FIT_FITS;
}

int64_t fit_gpus(const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t capacity)
{
	int64_t most = r->stage ? FIT_GPUS_MAX : 1;

	if (!fits_on(r, m, o, capacity, most))
		return 0;
	return PARTITION_POINT(i, 1, most, !fits_on(r, m, o, capacity, i));
}

int64_t fit_most_params(const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t capacity, int64_t gpus)
{
	double share = m->params ? (double)m->trainable / (double)m->params : FIT_TRAINABLE;
	int64_t lo = 0, hi = FIT_PARAMS_MAX;

	while (lo < hi) {
		int64_t middle = lo + (hi - lo + 1) / 2; /* lint: allow byhand: of a model */
		struct fit_model other = *m;

		other.params = middle;
		other.trainable = saturate_whole((double)middle * share);
		if (fits_on(r, &other, o, capacity, gpus))
			lo = middle;
		else
			hi = middle - 1;
	}
	return lo;
}

/* *v *= by; false when the product passes 2^62, which leaves room for sums. */
static bool times(int64_t *v, int64_t by)
{
	return !mul_overflows(*v, by, v) && *v <= INT64_C(1) << 62;
}

static int64_t kv_bytes(const char *dtype)
{
	if (!dtype || strcmp(dtype, "fp16") == 0 || strcmp(dtype, "bf16") == 0)
		return 2;
	return strcmp(dtype, "fp32") == 0 ? 4 : 1;
}

bool fit_kv_token(const struct fit_options *o, int64_t *bytes)
{
	int64_t kv_heads = o->kv_heads ? o->kv_heads : o->heads;
	int64_t head_dim = o->head_dim;

	if (!head_dim && o->heads)
		head_dim = o->hidden / o->heads;
	*bytes = 2 * kv_bytes(o->kv_dtype);
	return times(bytes, o->layers) && times(bytes, kv_heads) && times(bytes, head_dim);
}

bool fit_activations(const struct fit_options *o, int64_t *bytes)
{
	bool is_full = o->recompute && strcmp(o->recompute, "full") == 0;
	bool is_stored = !is_full && o->attention && strcmp(o->attention, "standard") == 0;
	int64_t scores = 5;

	*bytes = is_full ? 2 : 34;
	if (!times(bytes, o->seq) || !times(bytes, o->batch) || !times(bytes, o->hidden))
		return false;
	if (is_stored) {
		if (!times(&scores, o->heads) || !times(&scores, o->seq) ||
			!times(&scores, o->seq) || !times(&scores, o->batch) ||
			add_overflows(*bytes, scores, bytes))
			return false;
	}
	return times(bytes, o->layers);
}
