/* Arguments of an event as Perfetto's debug annotations, of any type and nesting. */
#ifndef EDIT_OUT_ANNOTATION_H
#define EDIT_OUT_ANNOTATION_H

#include "analyze/input/text/json_text.h"
#include "analyze/trace/columns/strings.h"
#include "base/arena.h"
#include "base/str.h"

/* Appends DebugAnnotation as that field; keys are interned in names, whose numbers and one are
 * their iids. mem is scratch. */
void annotation_put(struct str *out, uint32_t field, struct span key, struct json_value v,
	struct strings *names, struct arena *mem);

/* What a JSON string's inside says. */
struct span annotation_text(struct json_value v, struct arena *mem);

#endif
