/* Framing: where the packets of a trace begin and end, also where some of it is damaged.
 *
 * A trace is one field after the other, each a packet.  A packet that is damaged inside is left by
 * its length; where that leads astray, the next place is looked for from which whole packets follow
 * each other. */
#pragma once

#include "base/base.h"

enum {
	FRAME_PACKET_MAX = 256 << 20, /* of one packet: interned names of a long trace are large */
	FRAME_FIELDS_MAX = 64,        /* of a packet that is looked for */
	FRAME_CHAIN = 3               /* packets that follow each other are no chance */
};

enum framed {
	FRAME_WHOLE, /* there is a packet */
	FRAME_MORE,  /* it goes on behind the text */
	FRAME_NONE   /* no packet begins here */
};

/* The packet at the beginning of the text; *next: how far it reaches.  With FRAME_MORE *next is
 * how much text it takes at least. */
enum framed frame_next(struct span text, struct span *packet, size_t *next);

/* The first place at `from` or behind from which packets follow: FRAME_WHOLE, and *at is that;
 * FRAME_MORE: *at may be one; FRAME_NONE: there is none, and *at is text.n.  is_all: nothing comes
 * behind the text. */
enum framed frame_find(struct span text, size_t from, bool is_all, size_t *at);

/* Whether something begins as a trace does (struct format's is). */
bool frame_is_trace(struct span head);
