/* Names of kernels and operators, shortened by what they mean.
 *
 * Of a C++ function (`_Z...` is read as what it stands for) its own identifier says most: the type
 * it returns, its parameters and anonymous namespaces are always left out; then namespaces and
 * template arguments are, the least telling first, until the name fits.  Arguments that are left
 * out show as U+2026 ("..." without utf8).  Kernels that are but a frame for what they are given,
 * elementwise_kernel<4, AddFunctor<float> >, keep that argument, and rather lose letters of their
 * own.  "op (kernel)" is shortened in the kernel.  What is no C++ keeps both its ends. */
#pragma once

#include "base/base.h"

/* Appends the name in at most width columns.  O(length log length). */
void name_shorten(struct str *b, struct span name, size_t width, bool utf8);

/* The names of one table or chart, each in at most width columns, so that names that differ are
 * written differently: those that would look alike show where they differ, or are numbered ("~2")
 * where there is no room for it (or no end of them).  The n texts are of mem; equal names get equal
 * texts, whatever their order.  width is taken as at least 8.  O(n log n) but for names alike. */
const struct span *names_shorten(
	struct arena *mem, const struct span *name, size_t n, size_t width, bool utf8);
