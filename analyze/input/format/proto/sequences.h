/* Sequences: what packets of one writer have told each other, and the packets themselves.
 *
 * It reads the members around a packet's data, keeps what they say for the packets behind, gives
 * each packet its time, and hands on those with events.  One thread does this, in the order of the
 * trace. */
#pragma once

#include "analyze/input/format/proto/proto_clocks.h"
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/interned.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/tracks.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

struct sequence;

struct sequences {
	struct arena mem; /* of all that outlives a window */
	uint64_t seed;
	struct interner interner;
	struct tracks tracks;
	struct clocks clocks;
	struct keymap ids; /* of sequences */
	struct sequence **sequence;
	struct sequence *last; /* of the last packet; NULL at first */
	size_t cap;
	uint64_t place;              /* packets with events so far */
	int64_t other[PACKET_KNOWN]; /* packets of other data, by field */
};

/* What is in a packet. */
enum taken { TAKEN_NOTHING, TAKEN_EVENTS, TAKEN_COMPRESSED };

void sequences_init(struct sequences *s, const struct keys *keys, uint64_t seed);
void sequences_clear(struct sequences *s);

/* Takes in a packet at that offset of the input.  Names and problems go to the emitter.  Damage is
 * counted, and nothing of such a packet is used.  *to: its events, or the packets inside of it, as
 * its body; else it stays as it is. */
enum taken sequences_take(struct sequences *s, struct span packet, int64_t offset,
	struct emitter *m, struct packet *to);
