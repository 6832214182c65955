/* The table of ops.  A new op is a row of ops.def. */
#pragma once

#include "analyze/costmodel/op.h"

extern const char *const roof_class_words[ROOF_CLASS_COUNT];

extern const struct roof_op roof_ops[];
extern const size_t roof_nop;

/* The row of an op's name: itself, "aten::add_" as "aten::add", or the longest beginning; NULL:
 * none.  O(rows): ask once for each distinct name. */
const struct roof_op *roof_op_of(struct span name);
