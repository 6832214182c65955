/* Writing the wire format of protocol buffers into a text.
 *
 * Source: protobuf.dev, "Encoding". */
#pragma once

#include "analyze/input/text/json_text.h"
#include "analyze/trace/columns/strings.h"

/* A varint alone. */
void pbw_number(struct str *out, uint64_t v);

void pbw_varint(struct str *out, uint32_t field, uint64_t v);
void pbw_double(struct str *out, uint32_t field, double v);
void pbw_bytes(struct str *out, uint32_t field, struct span v);

/* A message as a field: what is appended up to pbw_end, which gets what pbw_begin returned, is in
 * it. */
size_t pbw_begin(struct str *out, uint32_t field);
void pbw_end(struct str *out, size_t at);

/* Appends an argument of an event as Perfetto's DebugAnnotation, of any type and nesting, as that
 * field; keys are interned in names, whose numbers and one are their iids.  mem is scratch. */
void annotation_put(struct str *out, uint32_t field, struct span key, struct json_value v,
	struct strings *names, struct arena *mem);

/* What a JSON string's inside says. */
struct span annotation_text(struct json_value v, struct arena *mem);
