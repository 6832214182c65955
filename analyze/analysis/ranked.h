/* What is put in order before the first of it become rows: the largest first, those that are equal
 * by name, then as `at` says. */
#pragma once

#include "base/base.h"

struct ranked {
	int64_t value;
	size_t at;        /* where the rest of it is: an index */
	struct span name; /* empty: it has none */
};

/* O(n log n) */
void ranked_sort(struct ranked *v, size_t n);
