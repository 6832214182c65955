/* `fit`: what its parts share.  Private to analyze/answer/fit/ and its test.
 *
 * Sizes of models are parameters times bytes per parameter, in integers: hundredths of a byte, so
 * that 4-bit weights with their scales (0.56) are exact. */
#pragma once

#include "analyze/analysis/analysis.h"

/* Parameters of the largest model; everything below stays within 64 bits. */
#define FIT_PARAMS_MAX INT64_C(1000000000000000)

/* Share of trainable parameters of LoRA where --trainable does not say: rank 16 on all linear
 * layers of a Llama of 7 B are 39,976,960 of 6.74 B. */
#define FIT_TRAINABLE 0.006

struct fit_options {
	const char *params, *trainable, *gpu, *regime;
	int64_t gpus; /* 0: not given */
	int64_t layers, hidden, heads, kv_heads, head_dim, seq, batch;
	const char *kv_dtype, *recompute, *attention;
	const char *context, *fragmentation;
	bool is_seed;
};

/* One way to run or train a model.  Bytes are hundredths per parameter. */
struct fit_regime {
	struct analysis_word word; /* id, name, definition */
	bool is_training;
	bool is_adapter; /* gradients and optimizer are of the trainable parameters only */
	int weights, grads, optimizer;
	int stage; /* ZeRO: 1 shares the optimizer's state, 2 the gradients too, 3 everything */
};

/* All regimes: first inference, then training, each the most precise first; *n: how many. */
const struct fit_regime *fit_regimes(size_t *n);

struct fit_model {
	int64_t params, trainable;
	int64_t kv_token; /* bytes of KV cache per token; 0: shape not known */
	int64_t kv;       /* bytes of the KV cache; 0: not asked for */
	int64_t activations;
};

/* Bytes on each GPU. */
struct fit_need {
	int64_t weights, grads, optimizer;
	int64_t extra; /* KV cache or activations */
	int64_t need;  /* their sum */
	int64_t total; /* with fragmentation and the context */
};

/* What comes on top of what a model needs: total = need * (1 + fragmentation) + context. */
struct fit_overhead {
	double fragmentation;
	int64_t context;
};

enum fit_verdict { FIT_UNKNOWN, FIT_FITS, FIT_TIGHT, FIT_TOO_LARGE };

/* At most this share of a GPU is "fits"; up to all of it is "tight". */
#define FIT_USABLE 0.9

/* What the model needs on each of `gpus` (>= 1) GPUs. */
void fit_need(struct fit_need *n, const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t gpus);

/* capacity 0: unknown. */
enum fit_verdict fit_judge(const struct fit_need *n, int64_t capacity);
/* "fits", "tight", "too large" or "". */
const char *fit_verdict_word(enum fit_verdict v);

/* The fewest GPUs of that capacity on which it fits, at most FIT_GPUS_MAX, or 0 when no number is
 * enough.  1 for regimes that share nothing, if it fits. */
enum { FIT_GPUS_MAX = 1 << 20 };
int64_t fit_gpus(const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t capacity);

/* The most parameters that fit in capacity on `gpus` GPUs (trainable ones: share of them). */
int64_t fit_most_params(const struct fit_regime *r, const struct fit_model *m,
	const struct fit_overhead *o, int64_t capacity, int64_t gpus);

/* Bytes of KV cache per token: 2 layers kv_heads head_dim bytes.  Of activations per layer, fp16:
 * s b h (34 + 5 a s / h); without the last term where attention is not stored (flash); 2 s b h with
 * full recomputation.  False when a product passes 2^62.  Source: Korthikanti et al. 2022,
 * "Reducing Activation Recomputation in Large Transformer Models", table 2 (t = 1). */
bool fit_kv_token(const struct fit_options *o, int64_t *bytes);
bool fit_activations(const struct fit_options *o, int64_t *bytes);

/* "7B", "494M", "0.5b", "494,033,920", "1.5T" to a number of parameters.  E_USAGE; `option` is for
 * the message. */
enum status fit_parse_params(const char *text, const char *option, int64_t *n, struct err *e);

/* The options, understood. */
struct fit {
	const struct fit_options *o;
	struct fit_model model;
	struct fit_overhead overhead;
	const struct fit_regime *only;
	const char *gpu;  /* its name, or NULL */
	int64_t capacity; /* 0: unknown */
};

/* fit_tables.c */
void fit_put_model(const struct fit *f, struct result *out);
void fit_put_regimes(const struct fit *f, struct result *out);
void fit_put_gpus(const struct fit *f, struct result *out);

/* fit_seed.c: the documents' models.  capacity: of the GPU; 0: not known, 16 GiB. */
void fit_seed(struct result *out, int64_t capacity);

#define TABLES_DEF "analyze/answer/fit/fit_tables.def"
#include "base/table_names_impl.h"
