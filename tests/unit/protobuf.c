/* Messages of protobuf, field by field. */
#include "tests/unit/protobuf.h"

#include <string.h>

static void put(struct str *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		str_addc(to, (char)(v | 0x80));
	str_addc(to, (char)v);
}

void pb_varint(struct str *to, uint32_t field, uint64_t v)
{
	put(to, field << 3);
	put(to, v);
}

void pb_fixed64(struct str *to, uint32_t field, uint64_t v)
{
	unsigned i;

	put(to, field << 3 | 1);
	for (i = 0; i < 64; i += 8)
		str_addc(to, (char)(v >> i));
}

void pb_double(struct str *to, uint32_t field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	pb_fixed64(to, field, bits);
}

static void put_bytes(struct str *to, uint32_t field, struct span t)
{
	put(to, field << 3 | 2);
	put(to, t.n);
	str_add(to, t.p, t.n);
}

void pb_text(struct str *to, uint32_t field, const char *text)
{
	put_bytes(to, field, span_of(text));
}

void pb_message(struct str *to, uint32_t field, struct str *message)
{
	put_bytes(to, field, (struct span){ message->s ? message->s : "", message->n });
	str_free(message);
}

void pb_interned(struct str *to, uint32_t field, uint64_t iid, const char *text)
{
	struct str entry = { 0 };

	pb_varint(&entry, 1, iid);
	pb_text(&entry, 2, text);
	pb_message(to, field, &entry);
}

void pb_packet(struct str *trace, struct str *packet)
{
	pb_message(trace, 1, packet);
}

void pb_thread_track(struct str *trace, uint64_t uuid, int64_t pid, int64_t tid, const char *name)
{
	struct str packet = { 0 }, track = { 0 }, thread = { 0 };

	pb_varint(&track, 1, uuid);
	pb_varint(&thread, 1, (uint64_t)pid);
	pb_varint(&thread, 2, (uint64_t)tid);
	pb_text(&thread, 5, name);
	pb_message(&track, 4, &thread);
	pb_message(&packet, 60, &track);
	pb_packet(trace, &packet);
}

void pb_event(struct str *trace, int type, uint64_t track, uint64_t time, const char *name)
{
	struct str packet = { 0 }, event = { 0 };

	pb_varint(&packet, 8, time);
	pb_varint(&event, 9, (uint64_t)type);
	pb_varint(&event, 11, track);
	if (name)
		pb_text(&event, 23, name);
	pb_message(&packet, 11, &event);
	pb_packet(trace, &packet);
}
