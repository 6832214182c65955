/* One capture at rest: events, names, lanes, arguments, metadata and what was odd about the file.
 *
 * Filled by analyze/input; const afterwards.  Analyses read it and nothing else. */
#pragma once

#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/idmap.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/columns/lanes.h"
#include "analyze/trace/columns/strings.h"
#include "analyze/trace/columns/tally.h"
#include "base/base.h"

/* One element of deviceProperties; -1 = not in the file. */
struct gpu {
	int64_t id;
	sym name;
	int64_t memory_bytes, sms, major, minor, max_threads_per_sm, warp_size;
	int64_t registers_per_sm, shared_per_sm; /* shared: bytes */
};

/* A top-level key of the document that is not interpreted further. */
struct meta_entry {
	sym key, value; /* value: JSON text, strings without quotes; cut at LIMIT_META_VALUE */
};

enum tristate { NOT_SAID = -1, NO = 0, YES = 1 };

/* What the document says about itself.  sym 0 / -1 = not said. */
struct meta {
	sym producer; /* a name of PRODUCERS (producers.h) */
	int64_t schema_version;
	int64_t base_ns; /* baseTimeNanoseconds, or 0 */
	bool has_base;
	sym trace_name, trace_id, host_name;
	sym backend, nccl_version; /* distributedInfo */
	int64_t rank, world_size;
	sym cuda_runtime, cuda_driver, cupti, hip_runtime, hip_driver, roctracer, torch;
	enum tristate record_shapes, with_stack, profile_memory, with_flops, with_modules;
	struct gpu *gpu;
	size_t ngpu, ngpu_more;   /* ngpu_more: further ones, not read */
	struct meta_entry *entry; /* every other top-level scalar, in file order */
	size_t nentry;
};

/* How often each (cat, ph) occurred, before any filtering or joining; raw spellings. */
struct cat_count {
	sym cat; /* 0 when the event has none */
	bool has_cat;
	char ph; /* 0 when missing or unknown */
	int64_t count;
};

struct calls;
struct cutnote;
struct etjoin;
struct kept;
struct order;
struct links;
struct replay;
struct steps;
struct record;

struct run {
	struct events events;
	struct args args;
	struct strings strings;
	struct lanes lanes;
	struct ids ids;
	struct meta meta;
	struct tally tally;

	struct cat_count *cat;
	size_t ncat, cat_cap;
	int64_t nevent;      /* objects in traceEvents, whatever became of them */
	unsigned kinds_kept; /* KIND_BIT set: kinds whose events are rows; the others are counted
	                        only */
	int64_t kind_count[KIND_COUNT]; /* slices by kind, kept or not */
	nsec first_ns, last_ns; /* first start and last end over slices (ph X/B/E) that have a cat
	                           other than Trace; first > last when there are none */
	bool saw_window_end;    /* "Record Window End": the file was not cut by its writer */
	bool is_array;          /* a bare array of events, not an object */
	bool streams_of_processes; /* a device lane's pid is that of the process whose work it is,
	                              not of the device: processes have correlation ids of their own
	                            */
	bool has_arrows;           /* ids of work and of what it is of were made of arrows, and a
	                              call may be in no op, but its work be of one */
	bool is_binary;            /* it is no text: places in it have no lines */
	bool is_complete;          /* the text ended where its grammar says */

	bool has_trace;      /* there was a trace, maybe without events; else only the record */
	struct cutnote *cut; /* it was cut from a larger trace (cutnote.h); NULL: it was not.
	                        mem's */
	bool *comm_chosen;   /* by sym: kernels so called are collectives because the person says so
	                        (load_options.comm); NULL: none was asked for.  mem's */
	struct record *record; /* what its other files say; NULL: there are none.  Owned */

	struct kept *kept; /* it is read from a digest (digest_file.h), so that there is no event,
	                      nothing is built, and answers are those kept; NULL: it is not.  Owned
	                    */

	struct kept *job;   /* what its job is told by, kept beside its events; NULL: they tell all
	                       of it.  Owned */
	unsigned job_needs; /* of what it is loaded with, what only its job is told by */

	const char *path;      /* as given; "-" for stdin; owned by mem */
	const char *container; /* "gzip", "zlib", "plain", ... constant */
	int64_t file_bytes;    /* size on disk, -1 for a pipe */
	int64_t text_bytes;    /* inflated size */

	bool cuts_on_device; /* its steps are cut on the device however far the host is ahead: other
	                        ranks of its job are (load_options.cuts_on_device) */

	unsigned built; /* NEED_LINKS | NEED_ORDER | NEED_STEPS | NEED_CALLS: which are there */
	struct order *order;
	struct calls *calls;
	struct links *links;
	struct steps *steps;
	struct replay *replay; /* kernels of graph replays and what was captured (replay.h); NULL:
	                          no capture was given */
	struct etjoin *etjoin; /* which calls of an execution trace its events are (etjoin.h); NULL:
	                          none was given */
	void (*drop_indexes)(struct run *r); /* set by index_build, called by run_clear */
	struct arena mem;                    /* path, meta */
};

void run_init(struct run *r, unsigned needs);
void run_clear(struct run *r);

/* The path of a file of a run that is a folder, without the folder in front; else as it is. */
const char *run_below(const struct run *r, const char *path);

/* The name of an event; empty for a row that is none (NO_ROW). */
struct span run_name(const struct run *r, size_t row);
