/*
 * Finding: by a name, and binary search.
 *
 * PARTITION_POINT(i, low, high, holds) gives the first i in [low, high) of which the condition does
 * not hold, high when it holds of all.  It has to hold of a beginning and of nothing behind that.
 * `holds` is said with the name i, once for each of log2(high - low) places:
 *
 *   PARTITION_POINT(i, 0, n, v[i] < x)    lower bound: the first that is not below x
 *   PARTITION_POINT(i, 0, n, v[i] <= x)   upper bound: the first above x
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

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

#endif
