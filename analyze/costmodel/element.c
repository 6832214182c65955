/* The types of elements, and what becomes of two. */
#include "analyze/costmodel/element.h"

#include "analyze/measure/device/family.h"
#include "analyze/measure/device/occupancy.h"

enum { NAME_LOOKED_AT = 1024 }; /* bytes of a name; templates go on for kilobytes */

#define NONE ROOF_DTYPE_COUNT

/* Source: c10/core/ScalarType.h (names by caffe2::TypeMeta, numbers by their order). */
static const struct roof_element elements[] = {
	{ "unsigned char", 1, ROOF_KIND_INT, ROOF_INT8, 1, 0 },
	{ "signed char", 1, ROOF_KIND_INT, ROOF_INT8, 1, 1 },
	{ "char", 1, ROOF_KIND_INT, ROOF_INT8, 1, 1 },
	{ "short int", 2, ROOF_KIND_INT, NONE, 1, 2 },
	{ "short", 2, ROOF_KIND_INT, NONE, 1, 2 },
	{ "int", 4, ROOF_KIND_INT, NONE, 1, 3 },
	{ "long int", 8, ROOF_KIND_INT, NONE, 1, 4 },
	{ "long", 8, ROOF_KIND_INT, NONE, 1, 4 },
	{ "c10::Half", 2, ROOF_KIND_FLOAT, ROOF_FP16, 1, 5 },
	{ "float", 4, ROOF_KIND_FLOAT, ROOF_FP32, 1, 6 },
	{ "double", 8, ROOF_KIND_FLOAT, ROOF_FP64, 1, 7 },
	{ "c10::complex<c10::Half>", 4, ROOF_KIND_COMPLEX, NONE, 1, 8 },
	{ "c10::complex<float>", 8, ROOF_KIND_COMPLEX, NONE, 1, 9 },
	{ "c10::complex<double>", 16, ROOF_KIND_COMPLEX, NONE, 1, 10 },
	{ "bool", 1, ROOF_KIND_BOOL, NONE, 1, 11 },
	{ "c10::qint8", 1, ROOF_KIND_INT, ROOF_INT8, 1, 12 },
	{ "c10::quint8", 1, ROOF_KIND_INT, ROOF_INT8, 1, 13 },
	{ "c10::qint32", 4, ROOF_KIND_INT, NONE, 1, 14 },
	{ "c10::BFloat16", 2, ROOF_KIND_FLOAT, ROOF_BF16, 1, 15 },
	{ "c10::Float8_e5m2", 1, ROOF_KIND_FLOAT, ROOF_FP8, 1, 23 },
	{ "c10::Float8_e4m3fn", 1, ROOF_KIND_FLOAT, ROOF_FP8, 1, 24 },
	{ "c10::Float8_e5m2fnuz", 1, ROOF_KIND_FLOAT, ROOF_FP8, 1, 25 },
	{ "c10::Float8_e4m3fnuz", 1, ROOF_KIND_FLOAT, ROOF_FP8, 1, 26 },
	{ "unsigned short", 2, ROOF_KIND_INT, NONE, 1, 27 },
	{ "short unsigned int", 2, ROOF_KIND_INT, NONE, 1, 27 },
	{ "unsigned int", 4, ROOF_KIND_INT, NONE, 1, 28 },
	{ "unsigned long", 8, ROOF_KIND_INT, NONE, 1, 29 },
	{ "long unsigned int", 8, ROOF_KIND_INT, NONE, 1, 29 },
	{ "c10::Float8_e8m0fnu", 1, ROOF_KIND_FLOAT, NONE, 1, 44 },
	{ "c10::Float4_e2m1fn_x2", 1, ROOF_KIND_FLOAT, ROOF_FP4, 2, 45 },
};

const struct roof_element *roof_element_of(struct span word)
{
	return FIND(i, elements, COUNT_OF(elements), span_is(word, elements[i].word));
}

const struct roof_element *roof_element_of_scalar(int64_t scalar)
{
	return FIND(i, elements, COUNT_OF(elements), elements[i].scalar == scalar);
}

/* b is of a higher kind, or of the same and wider: a number only by its kind. */
static bool goes_over(const struct roof_element *a, bool a_is_number, const struct roof_element *b,
	bool b_is_number)
{
	if (b->kind != a->kind)
		return b->kind > a->kind;
	return b_is_number != a_is_number ? a_is_number : b->bytes > a->bytes;
}

const struct roof_element *roof_element_both(const struct roof_element *a, bool a_is_number,
	const struct roof_element *b, bool b_is_number)
{
	if (!a || !b)
		return NULL;
	const struct roof_element *one = goes_over(a, a_is_number, b, b_is_number) ? b : a;
	bool is_number = one == b ? b_is_number : a_is_number;
	/* Beside a tensor of whole numbers a number with a point makes torch's default type. */
	if (is_number && !(a_is_number && b_is_number) && one->kind == ROOF_KIND_FLOAT)
		return roof_element_of(SPAN("float"));
	return one;
}

/* Elements of which no more than their size is known. */
static const struct roof_element opaque[] = {
	{ "1", 1, ROOF_KIND_INT, NONE, 1, -1 },
	{ "2", 2, ROOF_KIND_INT, NONE, 1, -1 },
	{ "4", 4, ROOF_KIND_INT, NONE, 1, -1 },
	{ "8", 8, ROOF_KIND_INT, NONE, 1, -1 },
	{ "16", 16, ROOF_KIND_INT, NONE, 1, -1 },
};

/* What stands behind a word, up to a comma or the end of the brackets; empty: the word is not
 * there. */
static struct span argument_of(struct span name, struct span word)
{
	struct span s = { "", 0 };
	size_t i;

	for (i = 0; i + word.n <= name.n; i++)
		if (memcmp(name.p + i, word.p, word.n) == 0)
			break;
	if (i + word.n > name.n)
		return s;
	s.p = name.p + i + word.n;
	while (s.p + s.n < name.p + name.n && s.p[s.n] != ',' && s.p[s.n] != '>')
		s.n++;
	return s;
}

const struct roof_element *roof_element_in(struct span kernel)
{
	struct span size = argument_of(kernel, SPAN("OpaqueType<"));

	if (size.n > 0 && size.p[size.n - 1] == 'u')
		size.n--;
	for (size_t i = 0; i < COUNT_OF(opaque); i++)
		if (span_is(size, opaque[i].word))
			return &opaque[i];
	size = argument_of(kernel, SPAN("CatArrayBatchedCopy<"));
	return roof_element_of(size.n ? size : argument_of(kernel, SPAN("Functor<")));
}

enum roof_dtype roof_format_in(struct span kernel)
{
	static const struct {
		const char *words;
		enum roof_dtype dtype;
	} of[] = {
		{ "bf16|bfloat", ROOF_BF16 },
		{ "f16|fp16|half|h884|h1688|h16816", ROOF_FP16 },
		{ "tf32|s1688", ROOF_TF32 },
	};
	char low[NAME_LOOKED_AT];
	struct span s = span_lower(kernel, low, sizeof(low));
	enum family f = family_of(kernel);

	if (f != FAMILY_MATMUL && f != FAMILY_CONVOLUTION && f != FAMILY_ATTENTION)
		return ROOF_DTYPE_COUNT;
	for (size_t i = 0; i < COUNT_OF(of); i++)
		if (span_has_in(s, of[i].words))
			return of[i].dtype;
	/* Vectors are a matter of the memory, not of the format's rate. */
	return span_has_in(s, "sgemm|scudnn|float|f32") && !span_has_in(s, "gemv|gemmsn") &&
			occupancy_tensor_core(kernel) == NO
		? ROOF_FP32
		: ROOF_DTYPE_COUNT;
}

/* ---- the words of number formats ---- */

const char *const roof_dtype_words[ROOF_DTYPE_COUNT] = {
#define X(name, word) [ROOF_##name] = word,
	ROOF_DTYPES(X)
#undef X
};
