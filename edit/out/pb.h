/*
 * Writing the wire format of protocol buffers into a text.
 *
 * Source: protobuf.dev, "Encoding".
 */
#ifndef EDIT_OUT_PB_H
#define EDIT_OUT_PB_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

void pb_varint(struct str *out, uint32_t field, uint64_t v);
void pb_fixed64(struct str *out, uint32_t field, uint64_t v);
void pb_double(struct str *out, uint32_t field, double v);
void pb_bytes(struct str *out, uint32_t field, struct span v);

/* A message as a field: what is appended up to pb_end, which gets what pb_begin returned, is in
 * it. */
size_t pb_begin(struct str *out, uint32_t field);
void pb_end(struct str *out, size_t at);

#endif
