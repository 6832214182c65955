/* Three-way comparison, as qsort wants it.
 *
 * compare3(a, b)       -1 where a < b, 1 where a > b, else 0: of numbers of any type and of
 *                      pointers into one array, each evaluated once
 * compare3_down(a, b)  the same for the largest first
 * COMPARE_BY(c...)     of one to eight comparisons the first that is not 0; those behind it are not
 *                      evaluated: by the first key, then by the second
 * sort_rows(v, n, size, by)  qsort(3), which nothing may be given to: v may be NULL where n is 0
 *
 * NaN stands behind all numbers, up and down, and is equal to NaN. */
#pragma once

#include <stdlib.h>

#include "base/compiler.h"
#include "base/real.h"

#define compare3(a, b)      COMPARE3_BY_TYPE(compare3, (a), (b))((a), (b))
#define compare3_down(a, b) COMPARE3_BY_TYPE(compare3_down, (a), (b))((a), (b))

#define COMPARE_BY(...)                                                                        \
	COMPARE3_PICK(__VA_ARGS__, COMPARE3_OF_8, COMPARE3_OF_7, COMPARE3_OF_6, COMPARE3_OF_5, \
		COMPARE3_OF_4, COMPARE3_OF_3, COMPARE3_OF_2, COMPARE3_OF_1, 0)                 \
	(__VA_ARGS__)

/* Defines a function for sort_rows and bsearch(3): COMPARE_BY of two rows of the type, which the
 * comparisons know as a and b, pointers to them. */
#define ORDER(name, type, ...)                              \
	static int name(const void *one, const void *other) \
	{                                                   \
		const type *a = one;                        \
		const type *b = other;                      \
                                                            \
		return COMPARE_BY(__VA_ARGS__);             \
	}

/* Private: the function of that name for the type of a and b together; the first of some. */
/* clang-format off */
#define COMPARE3_BY_TYPE(name, a, b)                    \
	_Generic(1 ? a : b, \
		int: name##_int, \
		unsigned: name##_unsigned, \
		long: name##_long, \
		unsigned long: name##_unsigned_long, \
		long long: name##_long_long, \
		unsigned long long: name##_unsigned_long_long, \
		float: name##_double, \
		double: name##_double, \
		default: name##_pointer)
/* clang-format on */
#define COMPARE3_PICK(a, b, c, d, e, f, g, h, of, ...) of
#define COMPARE3_OF_1(c)                               (c)
#define COMPARE3_OF_2(c, d)                            (__extension__((c) ?: (d)))
#define COMPARE3_OF_3(c, ...)                          COMPARE3_OF_2(c, COMPARE3_OF_2(__VA_ARGS__))
#define COMPARE3_OF_4(c, ...)                          COMPARE3_OF_2(c, COMPARE3_OF_3(__VA_ARGS__))
#define COMPARE3_OF_5(c, ...)                          COMPARE3_OF_2(c, COMPARE3_OF_4(__VA_ARGS__))
#define COMPARE3_OF_6(c, ...)                          COMPARE3_OF_2(c, COMPARE3_OF_5(__VA_ARGS__))
#define COMPARE3_OF_7(c, ...)                          COMPARE3_OF_2(c, COMPARE3_OF_6(__VA_ARGS__))
#define COMPARE3_OF_8(c, ...)                          COMPARE3_OF_2(c, COMPARE3_OF_7(__VA_ARGS__))
#define COMPARE3_OF_TYPE(name, type)                                                  \
	HOT_INLINE int compare3_##name(type a, type b)                                \
	{                                                                             \
		return (a > b) - (a < b); /* lint: allow byhand: here once for all */ \
	}                                                                             \
	HOT_INLINE int compare3_down_##name(type a, type b)                           \
	{                                                                             \
		return (a < b) - (a > b); /* lint: allow byhand: here once for all */ \
	}
COMPARE3_OF_TYPE(int, int)
COMPARE3_OF_TYPE(unsigned, unsigned)
COMPARE3_OF_TYPE(long, long)
COMPARE3_OF_TYPE(unsigned_long, unsigned long)
COMPARE3_OF_TYPE(long_long, long long)
COMPARE3_OF_TYPE(unsigned_long_long, unsigned long long)
COMPARE3_OF_TYPE(number, double)
COMPARE3_OF_TYPE(pointer, const void *)

HOT_INLINE int compare3_double(double a, double b)
{
	return COMPARE_BY(compare3_number(a, b), !!isnan(a) - !!isnan(b));
}

HOT_INLINE int compare3_down_double(double a, double b)
{
	return COMPARE_BY(compare3_down_number(a, b), !!isnan(a) - !!isnan(b));
}

static inline void sort_rows(
	void *v, size_t n, size_t size, int (*by)(const void *a, const void *b))
{
	if (n > 1)
		qsort(v, n, size, by);
}
