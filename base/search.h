/* Finding: by a name, the first of which something holds, and binary search.
 *
 * PARTITION_POINT(i, low, high, holds) gives the first i in [low, high) of which the condition does
 * not hold, high when it holds of all.  It has to hold of a beginning and of nothing behind that.
 * `holds` is said with the name i, once for each of log2(high - low) places:
 *
 *   PARTITION_POINT(i, 0, n, v[i] < x)    lower bound: the first that is not below x
 *   PARTITION_POINT(i, 0, n, v[i] <= x)   upper bound: the first above x
 *
 * What a loop over i = 0, 1 ... n - 1 finds out, as one expression.  The condition or value behind
 * n is said with the name i.  A condition is asked until it is decided.
 *
 *   FIRST(i, n, condition)     the first i of which it holds; n where it holds of none
 *   FIRST_FROM(i, from, n, condition)   the same from `from` on, said without the name i
 *   ANY(i, n, condition)       it holds of one of them
 *   ALL(i, n, condition)       it holds of each
 *   FIND(i, v, n, condition)   &v[i] of the first; NULL
 *   FIND_VALUE(i, n, condition, value, otherwise)   the value of the first, which i is said in, too
 *   SUM(type, i, n, value)     the values added up in that type, 0 first; conditions count as 1
 *   MOST(type, i, n, value)    the largest of the values in that type; 0 where none is above it
 *
 * A loop over an array, with a pointer to each element; v may be NULL where n is 0.  Neither may
 * change in it.
 *
 *   for (EACH(const struct step, s, v, n))
 *
 *   FILL(v, n, value)          each of n elements becomes the value, which is said for each */
#pragma once

#include <stddef.h>
#include <string.h>

/* The first of n pointers in a list whose member is that text; NULL: there is none. */
#define FIND_NAMED(list, n, member, word)                                     \
	__extension__({                                                       \
		size_t at_ = 0;                                               \
                                                                              \
		while (at_ < (n) && strcmp((list)[at_]->member, (word)) != 0) \
			at_++;                                                \
		at_ < (n) ? (list)[at_] : NULL;                               \
	})

#define EACH(type, x, v, n)                        \
	type *x = (v), *x##_end = x ? x + (n) : x; \
	x < x##_end;                               \
	x++

#define FILL(v, n, ...)                            \
	do {                                       \
		const size_t n_ = (n);             \
                                                   \
		for (size_t i_ = 0; i_ < n_; i_++) \
			(v)[i_] = __VA_ARGS__;     \
	} while (0)

#define FIRST(i, n, ...) FIRST_FROM(i, 0, n, __VA_ARGS__)

#define FIRST_FROM(i, from, n, ...)                   \
	__extension__({                               \
		const size_t i##_end = (n);           \
		size_t i = (from);                    \
                                                      \
		while (i < i##_end && !(__VA_ARGS__)) \
			i++;                          \
		i;                                    \
	})

#define ANY(i, n, ...)                                    \
	__extension__({                                   \
		const size_t i##_all = (n);               \
                                                          \
		FIRST(i, i##_all, __VA_ARGS__) < i##_all; \
	})

#define ALL(i, n, ...) (!ANY(i, n, !(__VA_ARGS__)))

#define FIND(i, v, n, ...)                                      \
	__extension__({                                         \
		const size_t i##_all = (n);                     \
		size_t i##_at = FIRST(i, i##_all, __VA_ARGS__); \
                                                                \
		i##_at < i##_all ? &(v)[i##_at] : NULL;         \
	})

#define FIND_VALUE(i, n, condition, value, otherwise) \
	__extension__({                               \
		const size_t i##_end = (n);           \
		size_t i = 0;                         \
                                                      \
		while (i < i##_end && !(condition))   \
			i++;                          \
		i < i##_end ? (value) : (otherwise);  \
	})

#define SUM(type, i, n, ...)                         \
	__extension__({                              \
		const size_t i##_end = (n);          \
		type i##_sum = 0;                    \
                                                     \
		for (size_t i = 0; i < i##_end; i++) \
			i##_sum += __VA_ARGS__;      \
		i##_sum;                             \
	})

#define MOST(type, i, n, ...)                                          \
	__extension__({                                                \
		const size_t i##_end = (n);                            \
		type i##_most = 0;                                     \
                                                                       \
		for (size_t i = 0; i < i##_end; i++)                   \
			i##_most = MAX((type)(__VA_ARGS__), i##_most); \
		i##_most;                                              \
	})

#define PARTITION_POINT(i, low, high, holds)                                        \
	__extension__({                                                             \
		__typeof__(1 ? (low) : (high)) i##_low = (low), i##_high = (high);  \
                                                                                    \
		while (i##_low < i##_high) {                                        \
			__typeof__(i##_low) i = i##_low + (i##_high - i##_low) / 2; \
                                                                                    \
			if (holds) /* lint: allow byhand: here once for all */      \
				i##_low = i + 1;                                    \
			else                                                        \
				i##_high = i;                                       \
		}                                                                   \
		i##_low;                                                            \
	})
