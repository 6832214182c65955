/* Lists of ranks as text: "0-3,8,10-22:4" is 0, 1, 2, 3, 8, 10, 14, 18 and 22.  What
 * --rank of the command line takes is filter.h's. */
#pragma once

#include "base/base.h"

enum { RANKLIST_MOST = 1 << 20 }; /* ranks in a list; a job has fewer */

/* Sorts the n ranks and drops those that are there twice; returns how many are left. */
size_t ranklist_sort(int64_t *v, size_t n);

/* Appends sorted, different ranks.  For people (words): "0-3, 8, 10-22 by 4". */
void ranklist_put(struct str *out, const int64_t *v, size_t n, bool is_for_people);

/* Reads what ranklist_put wrote for machines: ranks in mem, their number in *n. */
int64_t *ranklist_read(struct span text, struct arena *mem, size_t *n);
