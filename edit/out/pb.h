/*
 * Writing the wire format of protocol buffers into a text.
 *
 * Source: protobuf.dev, "Encoding".
 */
#ifndef EDIT_OUT_PB_H
#define EDIT_OUT_PB_H

#include "base/str.h"

/* A varint alone. */
void pbw_number(struct str *out, uint64_t v);

void pbw_varint(struct str *out, uint32_t field, uint64_t v);
void pbw_double(struct str *out, uint32_t field, double v);
void pbw_bytes(struct str *out, uint32_t field, struct span v);

/* A message as a field: what is appended up to pbw_end, which gets what pbw_begin returned, is in
 * it. */
size_t pbw_begin(struct str *out, uint32_t field);
void pbw_end(struct str *out, size_t at);

#endif
