/* Tracks: where the events of a Perfetto trace happen, and the lanes they are as JSON has them.
 *
 * A track is a thread, a process, a counter, or something of its parent by a name. */
#pragma once

#include "analyze/input/events/event_batch.h"
#include "analyze/input/format/proto/book.h"
#include "analyze/input/format/proto/bundle.h"
#include "base/base.h"

/* A name of a process or thread, which holds as soon as it is said: events before it are first. */
struct said_name {
	uint64_t place;
	enum name_what what;
	bool is_order; /* value is a sort index instead */
	struct span pid, tid, value;
};

/* Those of a window. */
struct said_names {
	struct said_name *name;
	size_t n, cap;
};

/* What a TrackDescriptor says; texts are the tracks'. */
struct descriptor {
	uint64_t uuid, parent;
	bool has_parent, has_pid, has_tid, is_counter, counts_deltas, is_thread_time;
	struct span pid, tid; /* decimal */
	struct span name;
	struct span category; /* of a counter: its categories, ',' between */
	struct span unit;     /* of a counter: what its values are */
	int64_t multiplier;   /* of a counter's values */
};

struct tracks {
	struct book book;
	uint32_t n; /* descriptors so far, repeated ones too */
	struct arena *mem;
	struct idwords words;
	struct said_names *names; /* where names go: of the window at hand */
};

/* A track as an event has it. */
struct track {
	struct span pid, tid; /* p NULL: nothing is known, or it is a process */
	struct span name;
	struct span category, unit;
	int64_t multiplier;
	bool is_stream; /* named as the streams of a device are */
	bool is_overhead;
	bool is_counter, counts_deltas, is_thread_time;
};

void tracks_init(struct tracks *t, uint64_t seed, struct arena *mem);
void tracks_clear(struct tracks *t);

/* Takes in a TrackDescriptor, which holds from that place on, and the names it gives; false when
 * it is damaged. */
bool tracks_take(struct tracks *t, struct span message, uint64_t place);

/* The same of the messages that were written before there were tracks, and of a process tree. */
bool tracks_take_tree(struct tracks *t, struct span message, uint64_t place);

/* A ThreadDescriptor or ProcessDescriptor beside its track: the track of the sequence. */
bool tracks_take_thread(struct tracks *t, struct span message, uint64_t uuid, uint64_t place);

/* Emits a name. */
void tracks_emit_name(struct emitter *m, const struct said_name *name);

/* The track of that uuid as it is known at that place.  mem: for texts that it needs. */
void tracks_find(
	const struct tracks *t, uint64_t uuid, uint64_t place, struct arena *mem, struct track *to);
