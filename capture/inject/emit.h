/* Events as lines of the file: separators, counting, and the names of processes, threads and
 * streams, which are written when one is first seen.
 *
 * The worker's alone.  Times go in as nanoseconds of CLOCK_REALTIME and are written in microseconds
 * since a base that all ranks share (Kineto's: the last multiple of 7,889,238 s). */
#pragma once

#include "capture/inject/jtext.h"
#include "capture/inject/kernel_occupancy.h"
#include "capture/inject/record_clock.h"

enum {
	EMIT_DEVICES_MAX = 64,
	EMIT_SEEN_MAX = 16384,        /* threads and streams that are named */
	EMIT_SYNC_LANE = 1000000,     /* a stream's waits stand in a row of their own */
	EMIT_RANGE_LANE = 0x40000000, /* rows of NVTX ranges that are no stack */
	EMIT_BASE_S = 7889238
};

struct emit_device {
	bool is_known;
	char name[128];
	char uuid[48]; /* "GPU-xxxxxxxx-..." */
	int64_t memory_bytes;
	struct device_limits limits;
};

struct emit {
	struct jtext *t; /* where the lines go: the file's text */
	int64_t base_ns;
	int64_t first_ns; /* for metadata events: the start of the recording */
	int pid;
	bool flow;
	uint64_t events;  /* lines written */
	uint64_t kernels; /* of them, kernels */
	uint64_t lost;    /* lines there was no memory for */
	size_t mark;      /* where the line being written begins */
	struct windows_view view;
	struct emit_device device[EMIT_DEVICES_MAX];
	uint64_t *seen; /* open addressing over keys that are not 0 */
	size_t nseen;
	char comm[32];    /* the process's name */
	bool quiet_names; /* for tests: do not look into /proc */
};

/* False without memory.  text: borrowed. */
bool emit_init(struct emit *e, struct jtext *text, int pid, int64_t now_ns);
void emit_free(struct emit *e);

/* The base of times for a moment. */
int64_t emit_base(int64_t now_ns);

/* A line begins.  It ends with the event's last brace, written by the caller. */
void emit_open(struct emit *e);

/* `"ts": 1.234` of a moment. */
void emit_ts(struct emit *e, int64_t ns);

/* The beginning of a complete event up to its name, which is to follow: {"ph": "X", "cat": ...,
 * "pid", "tid", "ts", "dur", "name".  An end before its start counts as its start. */
void emit_slice(struct emit *e, const char *cat, int64_t pid, int64_t tid, int64_t start_ns,
	int64_t end_ns);

/* Behind the name: its arguments begin, with the range it is of, unless that is 0.  They end. */
void emit_args(struct emit *e, uint64_t range);
void emit_done(struct emit *e);

/* A flow event; phase 's' at a launch, 'f' at the device's work. */
void emit_flow(struct emit *e, char phase, uint32_t id, int64_t pid, int64_t tid, int64_t ns);

/* What a row is called, written once. */
void emit_see_thread(struct emit *e, uint32_t tid);
void emit_see_device(struct emit *e, uint32_t device);
void emit_see_stream(struct emit *e, uint32_t device, uint32_t stream);
void emit_see_sync_stream(struct emit *e, uint32_t device, uint32_t stream);
void emit_see_range_lane(struct emit *e, uint32_t lane);
void emit_see_overhead(struct emit *e);

/* A name the program gave a thread itself; json is quoted. */
void emit_name_thread(struct emit *e, uint32_t tid, const char *json, size_t n);

/* Whether the device's row, the stream's row has been written. */
bool emit_has_device(const struct emit *e, uint32_t device);
bool emit_has_stream(const struct emit *e, uint32_t device, uint32_t stream);

/* An instant across all rows. */
void emit_instant(struct emit *e, const char *name, int64_t ns);
