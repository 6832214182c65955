/* rocprofv3's JSON: what its records refer to, and how they become events.  Only the files of this
 * format include this.
 *
 * The document is {"rocprofiler-sdk-tool": [{...}, ...]}, an object for each process: metadata,
 * agents, strings (names of calls by kind and operation, messages of ROCTx), kernel_symbols, and
 * the records in callback_records and buffer_records, an array for each kind. */
#pragma once

#include "analyze/input/format/rocm/rocm.h"
#include "analyze/trace/columns/keymap.h"

struct jsonstream;

/* What records refer to by number. */
struct rocprof_agent {
	uint64_t handle;
	int64_t gpu; /* its number among the GPUs; -1: a CPU */
};

struct rocprof_kernel {
	struct span name;
	int64_t vgprs, accum_vgprs;
};

struct rocprof_kind {
	struct span name; /* "HIP_RUNTIME_API" */
	struct span *operation;
	size_t n;
};

/* One process of the document. */
struct rocprof {
	struct rocm rocm;
	int64_t pid;
	struct rocprof_agent *agent;
	size_t nagent, agent_cap, recent_agent;
	struct valuemap kernels; /* by id, uint64_t: struct rocprof_kernel */
	struct rocprof_kind *kind;
	size_t nkind, kind_cap;
	struct valuemap messages; /* by correlation, uint64_t: struct span */
	struct keymap counted;    /* dispatches that came with counters */
	bool has_kernels, has_names;
	int64_t records; /* of the document so far */
};

void rocprof_open(struct rocprof *r, struct emit_sink *out);
void rocprof_close(struct rocprof *r);

/* Another process of the document: nothing is known of it. */
void rocprof_next_process(struct rocprof *r);

/* Members of a process.  The stream stands before their value.  As jsonstream_value. */
enum status rocprof_metadata(struct rocprof *r, struct jsonstream *s, struct err *e) MUST_CHECK;
enum status rocprof_agents(struct rocprof *r, struct jsonstream *s, struct err *e) MUST_CHECK;
enum status rocprof_strings(struct rocprof *r, struct jsonstream *s, struct err *e) MUST_CHECK;
enum status rocprof_kernels(struct rocprof *r, struct jsonstream *s, struct err *e) MUST_CHECK;

/* buffer_records and callback_records. */
enum status rocprof_records(struct rocprof *r, struct jsonstream *s, struct err *e) MUST_CHECK;
