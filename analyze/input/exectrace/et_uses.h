/*
 * What a node does to the memory it names: tensors in its arguments and results, by its schema.
 *
 * A tensor is [id, storage, offset, numel, itemsize, "cuda:0"], wherever it stands in an argument.
 */
#pragma once

#include "analyze/input/text/json_text.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/links/exectrace.h"
#include "base/base.h"

/* Arguments or results: values, and of newer schemas their shapes and strides beside them. */
struct et_values {
	struct json_value values, shapes, strides;
};

struct et_uses {
	struct exectrace *et;
	struct keymap storage; /* numbers of the file */
	size_t *input_of;      /* by index of storage: 1 + the last node that takes it */
	size_t cap;
	struct span text; /* the document, for places */
};

void et_uses_init(struct et_uses *u, struct exectrace *et, struct span text);
void et_uses_clear(struct et_uses *u);

/* Adds those of the newest node, whose name is known; schema may be empty.  E_LIMIT. */
enum status et_uses_add(struct et_uses *u, struct span schema, const struct et_values *in,
	const struct et_values *out, struct err *e) MUST_CHECK;

/* --- schemas --- */

/* What an operator's schema says of its tensors: which are written, which are views of which.
 *
 *	aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
 *	aten::t(Tensor(a) self) -> Tensor(a)
 *	aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
 *
 * Source: PyTorch, aten/src/ATen/native/README.md, annotations of aliases. */

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
