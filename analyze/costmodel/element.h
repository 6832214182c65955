/* Elements of tensors: how many bytes each takes, and what arithmetic it is made for.
 *
 * Words are those of `Input type`, which are c10::ScalarType's C++ names. */
#pragma once

#include "base/base.h"

/* What a device computes in: the number formats that have peaks of their own, and the units.
 *
 * These are formats of arithmetic, not of storage: a matrix product of float32 tensors runs in TF32
 * where that was allowed, and an fp4 weight may be widened to BF16 first. */

/* X(NAME, word of tables and options) */
#define ROOF_DTYPES(X)  \
	X(FP64, "fp64") \
	X(TF32, "tf32") \
	X(FP32, "fp32") \
	X(FP16, "fp16") \
	X(BF16, "bf16") \
	X(FP8, "fp8")   \
	X(FP6, "fp6")   \
	X(FP4, "fp4")   \
	X(INT8, "int8")

enum roof_dtype {
#define X(name, word) ROOF_##name,
	ROOF_DTYPES(X)
#undef X
		ROOF_DTYPE_COUNT /* and: not known */
};

enum roof_unit {
	ROOF_MATRIX, /* tensor cores, matrix cores */
	ROOF_VECTOR, /* everything else */
	ROOF_UNIT_COUNT
};

extern const char *const roof_dtype_words[ROOF_DTYPE_COUNT];

/* What becomes of two elements of different types: that of the later kind. */
enum roof_kind { ROOF_KIND_BOOL, ROOF_KIND_INT, ROOF_KIND_FLOAT, ROOF_KIND_COMPLEX };

struct roof_element {
	const char *word; /* "c10::BFloat16" */
	int bytes;        /* of one as it is stored; of a packed pair, of both */
	enum roof_kind kind;
	enum roof_dtype dtype; /* ROOF_DTYPE_COUNT: no device says a peak of it */
	int packed;            /* numbers in one stored element: 1, or 2 */
	int scalar;            /* c10::ScalarType, as arguments called dtype have it */
};

/* NULL: no such type. */
const struct roof_element *roof_element_of(struct span word);
const struct roof_element *roof_element_of_scalar(int64_t scalar);

/* The type of elements by the name of a kernel that works on lists of tensors:
 * "CatArrayBatchedCopy<OpaqueType<2u>, ...>" says how large they are,
 * "BinaryOpListAlphaFunctor<float, 2, 2, 0>" which they are.  NULL: it says neither. */
const struct roof_element *roof_element_in(struct span kernel);

/* What a kernel that does matrix work multiplies, as its name says: FP32, or what that is rounded
 * to, TF32, BF16 or FP16; ROOF_DTYPE_COUNT: it says nothing, or does other work. */
enum roof_dtype roof_format_in(struct span kernel);

/* What torch computes of a and b (torch.result_type); is_number: it has no dimension, and changes
 * the kind only.  NULL: either is. */
const struct roof_element *roof_element_both(const struct roof_element *a, bool a_is_number,
	const struct roof_element *b, bool b_is_number);
