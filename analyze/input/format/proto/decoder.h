/* A decoder: events of a window become rows, counts, and halves of slices.
 *
 * Each window has its own, which knows what the trace has said up to each event. */
#pragma once

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/proto/interned.h"
#include "analyze/input/format/proto/proto_notes.h"
#include "analyze/input/format/proto/repeats.h"
#include "analyze/input/format/proto/slices.h"
#include "analyze/input/format/proto/tracks.h"

/* What holds for packets of a sequence that do not say it. */
struct view {
	struct book *book; /* interned data */
	uint64_t track;
	const uint64_t *extra, *extra_real; /* tracks of extra counter values */
	size_t nextra, nextra_real;
};

/* A packet with events. */
struct packet {
	struct span body; /* the message of that field */
	const struct view *view;
	nsec time;
	int64_t offset; /* of the packet in the input */
	uint32_t field; /* enum packet_field */
	uint32_t said;  /* how often tracks were described or interned entries replaced before: a
	                   view with the same number means the same by all that it knows */
};

/* A track that a window's events are on. */
struct seen_track {
	uint64_t uuid;
	int32_t pid, tid; /* what the event says instead, 0: nothing */
	uint32_t said;    /* the packet's, when it was looked up */
	uint32_t number;  /* in decoder.uuid */
	bool is_there;
	struct track track;
	struct phrase lane;
};

/* A name that a window's events have. */
struct seen_name {
	uint32_t entry; /* 1 + interned.number; 0: none */
	uint32_t number;
};

enum { SEEN_TRACKS = 64, SEEN_NAMES = 2048 };

struct decoder {
	struct emitter m;
	const struct keys *keys;
	const struct tracks *tracks;
	struct notes notes;
	struct str echo;          /* the text of the event at hand (event_json.h) ... */
	unsigned event_json_args; /* ... and how many arguments it has */
	bool is_heard;            /* somebody listens to what events say */
	struct seen_track seen_track[SEEN_TRACKS];
	struct seen_name seen_name[SEEN_NAMES];
	struct repeats repeats;
	struct said_names names; /* of the window */
	struct half *half;
	size_t nhalf, half_cap;
	uint64_t *uuid; /* of the tracks of halves */
	size_t nuuid, uuid_cap;
	bool is_torch;  /* some class followed from annotations of PyTorch */
	bool is_rocm;   /* categories of ROCm's tools */
	size_t nevents; /* track events and stages, whatever became of them */
	uint64_t place; /* of the packet at hand */
};

void decoder_init(struct decoder *d, const struct plan *plan, const struct keys *keys,
	const struct tracks *tracks);
void decoder_clear(struct decoder *d);

/* Begins a window: what the one before left in the emitter must have been merged. */
void decoder_begin(struct decoder *d);

/* Decodes packets, the first of which is at that place. */
void decoder_take(struct decoder *d, const struct packet *packet, size_t n, uint64_t place);

/* --- for its parts --- */

/* The track of that uuid as of that packet; good until the next call. */
struct seen_track *decoder_track(
	struct decoder *d, const struct packet *p, uint64_t uuid, int32_t pid, int32_t tid);

/* Begins an event with that category (p NULL: none), and a name interned or not. */
void decoder_name(struct decoder *d, const struct interned *entry);

/* A begin, of that row, or an end; track: seen_track.number. */
void decoder_half(struct decoder *d, nsec time, uint32_t row, uint32_t track);
void decoder_damaged(struct decoder *d, const struct packet *p);

/* A TrackEvent, a GpuRenderStageEvent, a GpuCounterEvent. */
void decode_track_event(struct decoder *d, const struct packet *p);
void decode_stage(struct decoder *d, const struct packet *p);
void decode_gpu_counters(struct decoder *d, const struct packet *p);
