/* The smaller, the larger, what lies within limits: of numbers of any type, of pointers into one
 * array too, each argument evaluated once.  The type is the one that arithmetic gives them, as in
 * a < b ? a : b.
 *
 * MIN    a where a < b, else b: of two numbers one of which is NaN, the second
 * MAX    a where a > b, else b: the same of NaN
 * CLAMP  low where v < low, high where v > high, else v, which NaN is
 *
 * They are no constants: an array's size or an enumerator takes a ternary of its own. */
#pragma once

#include "base/compiler.h"

#define MIN(a, b)           MINMAX_BY_TYPE(min, (a), (b))((a), (b))
#define MAX(a, b)           MINMAX_BY_TYPE(max, (a), (b))((a), (b))
#define CLAMP(v, low, high) MINMAX_BY_TYPE(clamp, (v), 1 ? (low) : (high))((v), (low), (high))

/* Private: the function of that name for the type of a and b together. */
#define MINMAX_BY_TYPE(name, a, b) \
	_Generic(1 ? a : b, \
		int: name##_int,                       \
		unsigned: name##_unsigned,             \
		long: name##_long,                     \
		unsigned long: name##_unsigned_long,   \
		long long: name##_long_long,           \
		unsigned long long: name##_unsigned_long_long, \
		__int128: name##_int128,               \
		float: name##_double,                  \
		double: name##_double,                 \
		char *: name##_text,                   \
		const char *: name##_text)
#define MINMAX_OF_TYPE(name, type)                                                   \
	HOT_INLINE type min_##name(type a, type b)                                   \
	{                                                                            \
		return a < b ? a : b; /* lint: allow byhand */                       \
	}                                                                            \
	HOT_INLINE type max_##name(type a, type b)                                   \
	{                                                                            \
		return a > b ? a : b; /* lint: allow byhand */                       \
	}                                                                            \
	HOT_INLINE type clamp_##name(type v, type low, type high)                    \
	{                                                                            \
		return v < low ? low : v > high ? high : v; /* lint: allow byhand */ \
	}
MINMAX_OF_TYPE(int, int)
MINMAX_OF_TYPE(unsigned, unsigned)
MINMAX_OF_TYPE(long, long)
MINMAX_OF_TYPE(unsigned_long, unsigned long)
MINMAX_OF_TYPE(long_long, long long)
MINMAX_OF_TYPE(unsigned_long_long, unsigned long long)
MINMAX_OF_TYPE(int128, __int128)
MINMAX_OF_TYPE(double, double)
MINMAX_OF_TYPE(text, const char *)
