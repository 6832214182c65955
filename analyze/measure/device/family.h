/* Families of kernels: what kind of computing a kernel does, as far as its name says. */
#pragma once

#include "base/base.h"

/* X(NAME, word) */
#define FAMILIES(X)                       \
	X(OTHER, "other kernels")         \
	X(MATMUL, "matmul")               \
	X(ATTENTION, "attention")         \
	X(CONVOLUTION, "convolution")     \
	X(NORMALISATION, "normalisation") \
	X(SOFTMAX, "softmax")             \
	X(OPTIMIZER, "optimizer")         \
	X(EMBEDDING, "embedding")         \
	X(REDUCTION, "reduction")         \
	X(ELEMENTWISE, "elementwise")

enum family {
#define X(name, word) FAMILY_##name,
	FAMILIES(X)
#undef X
		FAMILY_COUNT
};

/* "matmul"; constant. */
const char *family_word(enum family f);

/* Matrix products and convolutions: what tensor cores can do. */
static inline bool family_is_matrix(enum family f)
{
	return f == FAMILY_MATMUL || f == FAMILY_CONVOLUTION;
}

/* By the kernel's name, ignoring case: the first family with a word of it in the name. */
enum family family_of(struct span kernel);
