/* A packet by its length; by its looks, where that is not to be trusted. */
#include "analyze/input/format/proto/frame.h"

#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"

enum framed frame_next(struct span text, struct span *packet, size_t *next)
{
	const char *end = text.p + text.n;
	uint64_t n;

	*next = 2;
	if (text.n == 0)
		return FRAME_MORE;
	if (text.p[0] != TRACE_PACKET_TAG)
		return FRAME_NONE;
	const char *p = wire_varint(text.p + 1, end, &n);
	if (!p) {
		*next = text.n + 1;
		return text.n > WIRE_MAX_VARINT ? FRAME_NONE : FRAME_MORE;
	}
	if (n > FRAME_PACKET_MAX)
		return FRAME_NONE;
	*next = (size_t)(p - text.p) + (size_t)n;
	if (*next > text.n)
		return FRAME_MORE;
	*packet = (struct span){ p, (size_t)n };
	return FRAME_WHOLE;
}

/* Numbers of the fields that are no messages and no texts. */
static bool is_number(uint32_t field)
{
	static const uint32_t numbers[] = { PACKET_TRUSTED_UID, PACKET_TIMESTAMP, PACKET_SEQUENCE,
		PACKET_FLAGS, PACKET_CLEARED, PACKET_DROPPED, PACKET_CLOCK, PACKET_TRUSTED_PID,
		PACKET_FIRST_ON_SEQUENCE, PACKET_MACHINE };

	return ANY(i, COUNT_OF(numbers), numbers[i] == field);
}

/* Messages that are worth a look inside: what else would have such a field has a text there. */
static bool is_looked_into(uint32_t field)
{
	return field == PACKET_FTRACE || field == PACKET_PROCESS_TREE || field == 4 || field == 5 ||
		field == PACKET_CLOCK_SNAPSHOT || field == 7 || field == 9 ||
		field == PACKET_TRACK_EVENT || field == PACKET_INTERNED || field == PACKET_TRACK ||
		field == PACKET_DEFAULTS;
}

static bool is_known(const struct wire_field *f)
{
	if (f->number > PACKET_KNOWN && f->number != 900 && (f->number < 1000 || f->number > 1999))
		return false;
	return f->type == (is_number(f->number) ? WIRE_VARINT : WIRE_BYTES);
}

/* The tag of a field that goes on behind what is there. */
static bool is_known_cut(const char *p, const char *end)
{
	struct wire_field f = { .number = 0 };
	uint64_t tag;

	p = wire_varint(p, end, &tag);
	if (!p)
		return true;
	f.number = (uint32_t)MIN(tag >> 3, WIRE_MAX_FIELD);
	f.type = (enum wire_type)(tag & 7);
	return f.number && is_known(&f);
}

/* Whether a packet's fields are known ones of their types; is_cut: its end is not there. */
static bool is_packet(struct span packet, bool is_cut)
{
	struct wire w = wire_of(packet);
	struct wire_field f;
	const char *before = w.p;
	unsigned n;

	for (n = 0; wire_next(&w, &f); n++) {
		before = w.p;
		if (n == FRAME_FIELDS_MAX || !is_known(&f))
			return false;
		if (is_looked_into(f.number) && !wire_is_message(f.bytes))
			return false;
	}
	return w.damaged ? is_cut && is_known_cut(before, packet.p + packet.n) : n > 0;
}

/* Packets follow from here: so many, or up to the end. */
static enum framed follow(struct span text, bool is_all)
{
	struct span packet;
	size_t next;

	for (unsigned i = 0; i < FRAME_CHAIN; i++) {
		enum framed as = frame_next(text, &packet, &next);

		if (as == FRAME_MORE && is_all)
			return text.n == 0 && i > 0 ? FRAME_WHOLE : FRAME_NONE;
		if (as == FRAME_MORE && next < FRAME_PACKET_MAX / 256)
			return FRAME_MORE;
		if (as != FRAME_WHOLE || !is_packet(packet, false))
			return FRAME_NONE;
		text = (struct span){ text.p + next, text.n - next };
	}
	return FRAME_WHOLE;
}

enum framed frame_find(struct span text, size_t from, bool is_all, size_t *at)
{
	size_t i = from;

	while (i < text.n) {
		const char *p = memchr(text.p + i, TRACE_PACKET_TAG, text.n - i);

		if (!p)
			break;
		*at = (size_t)(p - text.p);
		enum framed as = follow((struct span){ p, text.n - *at }, is_all);
		if (as != FRAME_NONE)
			return as;
		i = *at + 1;
	}
	*at = text.n;
	return FRAME_NONE;
}

/* Text after an empty line looks like a long packet.  It has no control bytes. */
static bool is_text(struct span t)
{
	return !ANY(i, t.n, (unsigned char)t.p[i] < ' ' && !memchr("\t\n\r\f", t.p[i], 4));
}

bool frame_is_trace(struct span head)
{
	struct span packet;
	size_t next;
	unsigned whole = 0;

	if (is_text(head))
		return false;
	for (unsigned i = 0; i < FRAME_CHAIN * 4 && head.n; i++) {
		enum framed as = frame_next(head, &packet, &next);

		if (as == FRAME_NONE)
			return false;
		if (as == FRAME_MORE) {
			size_t from = next > head.n && head.n > 1 ? 1 : head.n;

			from = FIRST_FROM(k, from, head.n, (unsigned char)head.p[k] < 0x80);
			from++;
			return from < head.n
				? is_packet((struct span){ head.p + from, head.n - from }, true)
				: whole > 0;
		}
		if (!is_packet(packet, false) && packet.n)
			return false;
		whole += packet.n > 0;
		head = (struct span){ head.p + next, head.n - next };
	}
	return whole > 0;
}
