/*
 * What the readers of rocprofv3's outputs share (JSON, rocpd, CSV): its records become the events
 * that Kineto writes on ROCm for the same things.
 *
 *	dispatch      kernel, of the device and stream; grid in blocks
 *	memory copy   gpu_memcpy "Memcpy HtoD (Host -> Device)"
 *	HIP call      cuda_runtime; HSA call: cuda_driver
 *	ROCTx range   user_annotation, of PyTorch's operators cpu_op; a mark is an instant
 *	others        slices of their thread, of a category that is no kind of Kineto's
 *
 * Times are ns since the machine's start, as the profiler has them.  -1 is an unknown number.
 */
#pragma once

#include "analyze/input/format/emit_events.h"
#include "analyze/input/text/json_text.h"
#include "base/base.h"

/* A device as a list of agents has it; name in any memory. */
struct rocm_gpu {
	int64_t number; /* among the GPUs */
	struct span name;
	int64_t memory_bytes, cus, warp, waves_per_cu, lds_bytes;
	int64_t target; /* 90402: gfx942 */
};

struct rocm_dispatch {
	struct span name; /* rocm_keep's */
	int64_t device, stream, queue;
	int64_t correlation; /* of the call that launched it; 0: none */
	int64_t start, end;
	int64_t items[3], group[3]; /* of the grid in work-items, of a workgroup */
	int64_t lds_bytes, vgprs, accum_vgprs;
	int64_t graph, node;
};

struct rocm_call {
	struct span domain; /* "HIP_RUNTIME_API" */
	struct span name;   /* rocm_keep's; of a ROCTx range its message */
	bool is_range;      /* ROCTx, and name is its message */
	int64_t pid, tid, correlation, start, end;
};

struct rocm_copy {
	struct span direction; /* "MEMORY_COPY_HOST_TO_DEVICE", "HOST_TO_DEVICE" */
	int64_t from, to;      /* devices; -1: the host, or not known */
	int64_t stream, correlation, bytes, start, end;
	int64_t pid, tid;
};

struct rocm {
	struct emit_sink *out;
	struct emitter m;
	struct arena mem;    /* of names, as long as the reading */
	uint8_t key[16];     /* of arguments, in rocm.c */
	struct span cat[16]; /* categories, there, too */
	int64_t process; /* of which records come now, from 0: correlations are each one's own */
	size_t waiting;  /* events that are not merged */
	struct str gpus; /* deviceProperties, unfinished */
	uint64_t gpu_known[16];
};

void rocm_open(struct rocm *r, struct emit_sink *out);
void rocm_close(struct rocm *r);

/* A copy that stays as long as the reading. */
struct span rocm_keep(struct rocm *r, struct span text);

/* The same of a JSON string's inside. */
struct span rocm_keep_json(struct rocm *r, struct span inside, bool escaped);

/* A GPU of the machine; one that is known already is left out. */
void rocm_gpu(struct rocm *r, const struct rocm_gpu *g);

/* The same of an agent as the profiler writes it in JSON. */
void rocm_gpu_of_json(struct rocm *r, struct json_value agent, int64_t number);

/* Names in any memory. */
void rocm_process_name(struct rocm *r, int64_t pid, struct span name);
void rocm_thread_name(struct rocm *r, int64_t pid, int64_t tid, struct span name);
void rocm_member(struct rocm *r, const char *key, struct span text);

/* Events; offset in the input or -1.  E_LIMIT. */
enum status rocm_dispatch(
	struct rocm *r, const struct rocm_dispatch *d, int64_t offset, struct err *e) MUST_CHECK;
enum status rocm_call(
	struct rocm *r, const struct rocm_call *c, int64_t offset, struct err *e) MUST_CHECK;
enum status rocm_copy(
	struct rocm *r, const struct rocm_copy *c, int64_t offset, struct err *e) MUST_CHECK;

/* A record that is only counted, by its category. */
enum status rocm_count(struct rocm *r, const char *category, struct err *e) MUST_CHECK;

/* A record that cannot be read. */
void rocm_skip(struct rocm *r, int64_t offset);

/* What is left to say, after the last record. */
enum status rocm_finish(struct rocm *r, struct err *e) MUST_CHECK;
