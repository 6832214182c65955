/*
 * Elements of tensors: how many bytes each takes, and what arithmetic it is made for.
 *
 * Words are those of `Input type`, which are c10::ScalarType's C++ names.
 */
#ifndef ANALYZE_COSTMODEL_ELEMENT_H
#define ANALYZE_COSTMODEL_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/costmodel/dtype.h"
#include "base/str.h"

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

/*
 * The type of elements by the name of a kernel that works on lists of tensors:
 * "CatArrayBatchedCopy<OpaqueType<2u>, ...>" says how large they are,
 * "BinaryOpListAlphaFunctor<float, 2, 2, 0>" which they are.  NULL: it says neither.
 */
const struct roof_element *roof_element_in(struct span kernel);

/* What torch computes of a and b (torch.result_type); is_number: it has no dimension, and changes
 * the kind only.  NULL: either is. */
const struct roof_element *roof_element_both(const struct roof_element *a, bool a_is_number,
	const struct roof_element *b, bool b_is_number);

#endif
