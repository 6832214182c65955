/* What the readers of rocprofv3's outputs share (JSON, rocpd, CSV): its records become the events
 * that Kineto writes on ROCm for the same things.
 *
 *	dispatch      kernel, of the device and stream; grid in blocks
 *	memory copy   gpu_memcpy "Memcpy HtoD (Host -> Device)"
 *	HIP call      cuda_runtime; HSA call: cuda_driver
 *	ROCTx range   user_annotation, of PyTorch's operators cpu_op; a mark is an instant
 *	others        slices of their thread, of a category that is no kind of Kineto's
 *
 * Times are ns since the machine's start, as the profiler has them.  -1 is an unknown number. */
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

/* Numbers of records: X(name, object and member in JSON, heading in CSV, NULL: it has none).  GRID
 * is in work-items, GROUP a workgroup of them; CORRELATION is that of the call, 0: none. */
#define ROCM_NUMBERS(X)                                                     \
	X(START, "", "start_timestamp", "Start_Timestamp")                  \
	X(END, "", "end_timestamp", "End_Timestamp")                        \
	X(THREAD, "", "thread_id", "Thread_Id")                             \
	X(CORRELATION, "correlation_id", "internal", "Correlation_Id")      \
	X(QUEUE, "queue_id", "handle", "Queue_Id")                          \
	X(STREAM, "stream_id", "handle", "Stream_Id")                       \
	X(LDS, "dispatch_info", "group_segment_size", "Group_Segment_Size") \
	X(GROUP_X, "workgroup_size", "x", "Workgroup_Size_X")               \
	X(GROUP_Y, "workgroup_size", "y", "Workgroup_Size_Y")               \
	X(GROUP_Z, "workgroup_size", "z", "Workgroup_Size_Z")               \
	X(GRID_X, "grid_size", "x", "Grid_Size_X")                          \
	X(GRID_Y, "grid_size", "y", "Grid_Size_Y")                          \
	X(GRID_Z, "grid_size", "z", "Grid_Size_Z")                          \
	X(GRAPH, "", "graph_exec_id", NULL)                                 \
	X(GRAPH_NODE, "", "graph_node_id", NULL)                            \
	X(BYTES, "", "bytes", NULL)

enum rocm_number {
#define X(name, ...) ROCM_##name,
	ROCM_NUMBERS(X)
#undef X
		ROCM_NUMBER_COUNT
};

/* A record: a dispatch, a copy, a call of the host. */
struct rocm_record {
	const int64_t *n; /* by enum rocm_number */
	int64_t offset;   /* in the input, or -1 */
	struct span name; /* rocm_keep's, of a call and a dispatch; of a ROCTx range its message; of
	                     a copy "MEMORY_COPY_HOST_TO_DEVICE", "HOST_TO_DEVICE" */
	struct span domain; /* of a call: "HIP_RUNTIME_API" */
	bool is_range;      /* ROCTx, and name is its message */
	int64_t pid;
	int64_t device, vgprs, accum_vgprs; /* of a dispatch */
	int64_t from, to;                   /* devices of a copy; -1: the host, or not known */
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

/* Events.  E_LIMIT. */
enum status rocm_dispatch(struct rocm *r, const struct rocm_record *c, struct err *e) MUST_CHECK;
enum status rocm_call(struct rocm *r, const struct rocm_record *c, struct err *e) MUST_CHECK;
enum status rocm_copy(struct rocm *r, const struct rocm_record *c, struct err *e) MUST_CHECK;

/* A record that is only counted, by its category. */
enum status rocm_count(struct rocm *r, const char *category, struct err *e) MUST_CHECK;

/* A record that cannot be read. */
void rocm_skip(struct rocm *r, int64_t offset);

/* What is left to say, after the last record. */
enum status rocm_finish(struct rocm *r, struct err *e) MUST_CHECK;
