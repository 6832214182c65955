/*
 * What a device computes in: the number formats that have peaks of their own, and the units.
 *
 * These are formats of arithmetic, not of storage: a matrix product of float32 tensors runs in TF32
 * where that was allowed, and an fp4 weight may be widened to BF16 first.
 */
#ifndef ANALYZE_COSTMODEL_DTYPE_H
#define ANALYZE_COSTMODEL_DTYPE_H

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

#endif
