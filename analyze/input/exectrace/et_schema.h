/*
 * What an operator's schema says of its tensors: which are written, which are views of which.
 *
 *	aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
 *	aten::t(Tensor(a) self) -> Tensor(a)
 *	aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
 *
 * Source: PyTorch, aten/src/ATen/native/README.md, annotations of aliases.
 */
#ifndef ANALYZE_INPUT_EXECTRACE_ET_SCHEMA_H
#define ANALYZE_INPUT_EXECTRACE_ET_SCHEMA_H

#include <stdbool.h>

#include "base/str.h"

enum et_alias { ET_ALIAS_NONE, ET_ALIAS_VIEW, ET_ALIAS_WRITE };

/* Arguments of one schema, left to right. */
struct et_schema {
	struct span args; /* what is not asked for yet */
};

struct et_arg {
	enum et_alias alias;
	struct span name; /* "self" */
};

/* False: the text is no schema. */
bool et_schema_open(struct et_schema *s, struct span text);

/* The next argument or result; false: there is none. */
bool et_schema_arg(struct et_schema *s, struct et_arg *arg);

#endif
