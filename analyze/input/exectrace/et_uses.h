/*
 * What a node does to the memory it names: tensors in its arguments and results, by its schema.
 *
 * A tensor is [id, storage, offset, numel, itemsize, "cuda:0"], wherever it stands in an argument.
 */
#ifndef ANALYZE_INPUT_EXECTRACE_ET_USES_H
#define ANALYZE_INPUT_EXECTRACE_ET_USES_H

#include "analyze/input/text/json_text.h"
#include "analyze/trace/links/exectrace.h"
#include "analyze/trace/columns/keymap.h"
#include "base/err.h"

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

#endif
