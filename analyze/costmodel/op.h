/*
 * A row of the table of ops: what ops do, and which formula says what a call of them should cost.
 */
#pragma once

#include "analyze/costmodel/op_work.h"

/* X(NAME, word): what an op does */
#define ROOF_CLASSES(X)               \
	X(MATMUL, "matmul")           \
	X(GROUPED, "grouped matmul")  \
	X(CONVOLUTION, "convolution") \
	X(ATTENTION, "attention")     \
	X(NORM, "normalisation")      \
	X(SOFTMAX, "softmax")         \
	X(ELEMENTWISE, "elementwise") \
	X(REDUCTION, "reduction")     \
	X(INDEXING, "indexing")       \
	X(OPTIMIZER, "optimizer")     \
	X(FUSED, "fused kernel")      \
	X(COPY, "copy")               \
	X(OTHER, "other")

enum roof_class {
#define X(name, word) ROOF_CLASS_##name,
	ROOF_CLASSES(X)
#undef X
		ROOF_CLASS_COUNT
};

/* Whose the device work below an op is (owners.h).  WHOLE: all of it is the op's, whatever is
 * called below.  DIRECT: only what no WHOLE op below launched.  PART: as WHOLE, and the arguments
 * are those of the op that called it. */
enum roof_level { ROOF_WHOLE, ROOF_DIRECT, ROOF_PART };

enum { ROOF_PARAMETERS = 6 };

struct roof_op {
	const char *names; /* with '|' between them; ending in '*': those that begin so */
	enum roof_class class;
	enum roof_unit unit;
	enum roof_level level;
	roof_formula formula;
	int8_t p[ROOF_PARAMETERS]; /* arguments' places and such, as the formula says; -1: none */
	const char *source;
};
