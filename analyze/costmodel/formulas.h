/*
 * Formulas: from a call's arguments to its work.  What p[] of a row of ops.def means stands beside
 * each; a place of -1 is no argument.
 *
 * Sources: torch/utils/flop_counter.py; flash-attention's benchmark_flash_attention.py; TraceLens,
 * PerfModel/perf_model.py.  docs/definitions.md says where traceq counts otherwise than TraceLens.
 */
#pragma once

#include "analyze/costmodel/op.h"

#define ROOF_FORMULAS(X)                                                                           \
	X(matmul)           /* A, B, bias, enum roof_layout, output, its type's value */           \
	X(te_gemm)          /* Transformer Engine's te_gemm_ts */                                  \
	X(grouped)          /* A, B, bias, output's type's value */                                \
	X(experts)          /* tokens, w1, w2, routing or value of top k, output, 1: by value */   \
	X(convolution)      /* x, w, bias, first of stride padding dilation, transposed, groups */ \
	X(convolution_back) /* dy, x, w, mask */                                                   \
	X(convolution_half) /* dy, x, w: one of both gradients */                                  \
	X(attention)        /* q, k, v, enum roof_heads, causal, bias or window */                 \
	X(attention_back)   /* the same */                                                         \
	X(attention_varlen) /* q, k, v, cu_seqlens_q and _k, max_q and _k, causal */               \
	X(attention_varlen_back)                                                                   \
	X(attention_served) /* q, k, v: lengths by the annotation around it */                     \
	X(attention_paged)  /* as varlen; k and v are the whole cache */                           \
	X(norm)             /* x, weight, bias, running mean and variance, shape, training */      \
	X(norm_back)        /* dy, x, weight, first and last statistic, mask; */                   \
	X(rms)              /* x, weight, shape, activations moved, 1: adds a residual */          \
	X(rms_back)         /* dy, x, shape, statistic, weight, mask */                            \
	X(softmax)          /* x, FLOP an element, its output or -1 */                             \
	X(pointwise)        /* up to three inputs, FLOP an element, enum roof_result */            \
	X(copy)             /* to, from */                                                         \
	X(fill)             /* what is written */                                                  \
	X(gated)            /* output, input, FLOP an element of the output */                     \
	X(dropout)          /* x */                                                                \
	X(rope)             /* q, k */                                                             \
	X(quantized)        /* x, bytes of what is written of each, elements more a row */         \
	X(cache)            /* k, v, cache of k, of v */                                           \
	X(reduce)           /* x, dimensions, enum roof_result, results, fewest arguments with     \
	                       dimensions, value of the type */                                    \
	X(scan)             /* x, enum roof_result */                                              \
	X(select)           /* table, dimension, index */                                          \
	X(gather)           /* table, index */                                                     \
	X(embedding)        /* table, index */                                                     \
	X(embedding_back)   /* dy, index, value of rows */                                         \
	X(concatenate)      /* list */                                                             \
	X(untold)           /* enum roof_reason: why no arguments of it tell */                    \
	X(foreach)          /* FLOP an element; 1: it writes what it reads first */                \
	X(fused_step)       /* lists it reads, lists it writes again, FLOP an element */           \
	X(triton)           /* 1: reduces */

enum roof_layout {
	ROOF_KN,           /* B is K x N */
	ROOF_NK,           /* B is N x K */
	ROOF_NK_FP4,       /* the same, both of packed pairs of 4 bits */
	ROOF_NK_A16,       /* the same, B alone */
	ROOF_TO_INT32 = 4, /* added: what comes out are whole numbers of 32 bits */
	ROOF_SCALES = 8    /* added: all other tensors are scales, which are read, too */
};

enum roof_heads {
	ROOF_BHND,         /* batch, heads, positions, width */
	ROOF_BNHD,         /* batch, positions, heads, width */
	ROOF_LATE = 2,     /* added: causal counts from the last position (flash attention 2.1) */
	ROOF_WINDOW = 4,   /* added: the last parameter is a window, else a bias */
	ROOF_NOT_AGAIN = 8 /* added: backward keeps the probabilities */
};

/* The type of what is written. */
enum roof_result {
	ROOF_PROMOTED, /* what torch computes of all inputs */
	ROOF_FIRST,    /* the first input's */
	ROOF_TRUTH,    /* bool */
	ROOF_REAL,     /* promoted, whole numbers to float */
	ROOF_CHOSEN,   /* of the second and the third */
	ROOF_WIDENED,  /* the first's, whole numbers to long */
	ROOF_INDEX     /* long */
};

#define X(name) struct roof_work roof_##name(const struct roof_op *op, const struct roof_call *c);
ROOF_FORMULAS(X)
#undef X

/* The argument at the i-th place of the row, where it is a tensor; else NULL. */
static inline const struct roof_arg *roof_at(
	const struct roof_op *op, const struct roof_call *c, int i)
{
	return roof_call_tensor(c, op->p[i]);
}

/* The type of a result of inputs p[0..2] of an op; NULL: unknown. */
const struct roof_element *roof_result_of(
	const struct roof_op *op, const struct roof_call *c, enum roof_result rule);
