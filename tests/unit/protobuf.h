/* Protobuf messages put together by hand, and packets of Perfetto traces made of them. */
#pragma once

#include <stdint.h>

#include "base/str.h"

/* Fields, appended. */
void pb_varint(struct str *to, uint32_t field, uint64_t v);
void pb_fixed64(struct str *to, uint32_t field, uint64_t v);
void pb_double(struct str *to, uint32_t field, double v);
void pb_text(struct str *to, uint32_t field, const char *text);

/* The message as a field; it is empty afterwards. */
void pb_message(struct str *to, uint32_t field, struct str *message);

/* {iid, text} in an InternedData message. */
void pb_interned(struct str *to, uint32_t field, uint64_t iid, const char *text);

/* The packet, which is empty afterwards, into a trace. */
void pb_packet(struct str *trace, struct str *packet);

/* A packet with the track of a thread, whose process has that name, too. */
void pb_thread_track(struct str *trace, uint64_t uuid, int64_t pid, int64_t tid, const char *name);

/* A packet of an event: type as TrackEvent's, name NULL for none. */
void pb_event(struct str *trace, int type, uint64_t track, uint64_t time, const char *name);
