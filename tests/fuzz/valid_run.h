/* A run of a GPU program as events, and the model that makes it: steps of layers, whose operators
 * launch kernels, copies and collectives on streams.  Times are consistent until a trait
 * (valid_trait.h) spoils them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "tests/fuzz/draw.h"

/* X(NAME, category as Kineto spells it) */
#define VALID_CATS(X)                            \
	X(OP, "cpu_op")                          \
	X(ANNOTATION, "user_annotation")         \
	X(PYTHON, "python_function")             \
	X(RUNTIME, "cuda_runtime")               \
	X(KERNEL, "kernel")                      \
	X(MEMCPY, "gpu_memcpy")                  \
	X(MEMSET, "gpu_memset")                  \
	X(SYNC, "cuda_sync")                     \
	X(GPU_ANNOTATION, "gpu_user_annotation") \
	X(OVERHEAD, "overhead")                  \
	X(MEMORY, "cpu_instant_event")           \
	X(SPAN, "Trace")                         \
	X(COUNTER, "counter")                    \
	X(FLOW, "ac2g")                          \
	X(STRANGE, "strange")

enum valid_cat {
#define X(name, word) VALID_##name,
	VALID_CATS(X)
#undef X
		VALID_CATS_COUNT
};

#define VALID_BIT(cat)  (1u << (cat))
#define VALID_WORK      (1u << VALID_KERNEL | 1u << VALID_MEMCPY | 1u << VALID_MEMSET)
#define VALID_ON_DEVICE (VALID_WORK | VALID_BIT(VALID_SYNC) | VALID_BIT(VALID_GPU_ANNOTATION))

/* What a collective's kernel and its record say. */
struct valid_coll {
	const char *name, *group, *ranks, *dtype; /* "allreduce"; NULL: left out */
	int64_t in, out, size, seq;               /* elements; of the group; < 0: left out */
};

/* What its arguments say depends on the category (valid_json.c). */
struct valid_event {
	char ph;
	uint8_t cat; /* enum valid_cat */
	bool bare;   /* without arguments */
	const char *name;
	int64_t pid, tid, ts, dur; /* ns */
	int64_t corr, ext;         /* 0: none */
	int64_t v[4];
	const struct valid_coll *coll;
};

enum { VALID_DEVICES = 4, VALID_STREAMS = 4 };

/* Parts that a run may be without. */
enum valid_part {
	VALID_COMMS,
	VALID_COPIES,
	VALID_ALLOCATOR,
	VALID_FRAMES,
	VALID_ARROWS,
	VALID_SHAPES,
	VALID_SYNCS,
	VALID_GPU_ANNOTATIONS,
	VALID_COUNTERS,
	VALID_LOADER,
	VALID_HARDWARE,
	VALID_JOB,
	VALID_WINDOW,
	VALID_FLUSHES,
	VALID_GRAPHS
};

/* How much of what. */
struct valid_shape {
	unsigned steps, layers, kernels, devices, streams, threads;
	unsigned world, rank;
	unsigned without;                     /* 1 << enum valid_part */
	unsigned hardware;                    /* which device it is */
	int64_t kernel_ns, host_ns, pause_ns; /* usual lengths; between steps */
	unsigned form;                        /* how it is written (valid_json.c) */
};

struct valid_run {
	struct arena *mem;
	struct draw by;
	struct valid_shape shape;
	struct valid_event *ev;
	size_t n, room;
	int64_t base_ns;      /* baseTimeNanoseconds */
	const char *props[2]; /* more members around the events, as JSON; NULL: none */
	int64_t world, rank;  /* as distributedInfo says */
	int64_t sms, memory;  /* of a device */
	/* while it is made */
	int64_t now[VALID_DEVICES], queue[VALID_DEVICES][VALID_STREAMS]; /* by thread; by stream */
	int64_t next, seq, held, python;
	unsigned thread, device;
};

/* Draws a shape from a part of the input, then makes the nth run of it; mem keeps it.  rank: of a
 * job. */
void valid_run_make(
	struct valid_run *r, struct arena *mem, struct draw *d, unsigned nth, unsigned rank);

/* Whether the run has that part. */
bool valid_run_has(const struct valid_run *r, enum valid_part part);

/* Adds an event; valid until the next one is added. */
struct valid_event *valid_run_add(struct valid_run *r, char ph, enum valid_cat cat,
	const char *name, int64_t pid, int64_t tid, int64_t ts, int64_t dur);

/* Writes it as Chrome JSON (valid_json.c). */
void valid_run_write(const struct valid_run *r, struct str *out);
