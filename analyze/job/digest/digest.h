/* Digests: what is kept of one run when many are compared.
 *
 * A digest is a few KiB to a few MiB, whatever the size of the file it came from: the environment,
 * each counted step with the ledger of its time, and one row for each distinct device work and host
 * call.  Runs are digested as soon as they are loaded and then released, so that comparing folders
 * needs the memory of the files being read and of the digests.  Sums are exact, integer ns, and add
 * up across digests.
 *
 * Counted steps are those that count for medians (stepstat.h).  Device work belongs to the step its
 * launch starts in, a host call to the step it starts in, the ledger's parts to the step whose time
 * they take. */
#pragma once

#include "analyze/measure/phase.h"
#include "analyze/costmodel/op_work.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/tally.h"
#include "base/base.h"

struct classes;
struct collectives;
struct filter;
struct ledgers;
struct rankwork;
struct record;
struct step_gap_causes;

/* X(NAME, key, word, is_part_of_idle): where a device's step goes.  The first five add up to the
 * step (window.h), the others to IDLE: what the device waited for (gap_cause.h), last of all
 * outside of steps, where that is shared out among them (analyze/compare/outside.h). */
#define DIGEST_PARTS(X)                                            \
	X(COMPUTE, "compute", "compute", false)                    \
	X(COMM, "exposed_comm", "exposed comm", false)             \
	X(MEMCPY, "exposed_memcpy", "exposed copies", false)       \
	X(UNRECORDED, "unrecorded", "unrecorded", false)           \
	X(IDLE, "idle", "GPU idle", false)                         \
	X(IDLE_DATA, "idle_dataloader", "data loader", true)       \
	X(IDLE_SYNC, "idle_sync", "sync", true)                    \
	X(IDLE_ALLOCATOR, "idle_allocator", "allocator", true)     \
	X(IDLE_CHECKPOINT, "idle_checkpoint", "checkpoint", true)  \
	X(IDLE_LOGGING, "idle_logging", "logging", true)           \
	X(IDLE_GC, "idle_gc", "garbage collection", true)          \
	X(IDLE_COMPILE, "idle_compile", "compiling", true)         \
	X(IDLE_QUEUE, "idle_queue", "full queue", true)            \
	X(IDLE_RUNTIME, "idle_runtime_call", "runtime call", true) \
	X(IDLE_OP, "idle_cpu_op", "CPU op", true)                  \
	X(IDLE_PYTHON, "idle_python", "Python", true)              \
	X(IDLE_NOTHING, "idle_nothing", "nothing recorded", true)  \
	X(IDLE_LAUNCH, "idle_launch", "launch", true)              \
	X(IDLE_DEPENDENCY, "idle_dependency", "dependency", true)  \
	X(IDLE_UNKNOWN, "idle_unknown", "unknown launch", true)    \
	X(IDLE_OUTSIDE, "idle_outside_steps", "outside of steps", true)

#define PART_ID(name, ...) PART_##name,
enum digest_part { DIGEST_PARTS(PART_ID) PART_COUNT };

/* One counted step.  Of several devices `part` and `device_sum` are sums over them. */
struct digest_step {
	int64_t number;        /* of ProfilerStep#N, else 0, 1, 2 ... */
	nsec wall;             /* start to end, on the device where the CPU runs ahead (steps.h) */
	nsec part[PART_COUNT]; /* the first five add up to wall * ndevice */
	nsec device_sum;       /* durations of the device work launched in it */
	nsec phase[PHASE_COUNT]; /* of the step's own thread; they add up to its mark */
	int64_t launched;        /* device events launched in it */
	double mfu;         /* model FLOP over the devices' peak x wall (roof.h); 0: not known */
	double known_ratio; /* of its computing time, in calls whose FLOP are known; 0: none */
};

/* What lies outside of all steps of a trace, from its first step or device work to the end of the
 * last: of all its devices together, as in a step. */
struct digest_outside {
	nsec busy, busy_all;      /* busy there, and anywhere; busy_all 0: not known */
	nsec wall;                /* how long that is */
	nsec part[PART_IDLE + 1]; /* they add up to wall * ndevice */
	size_t nstep;             /* of the trace */
	/* Where annotations make steps: from the first to the end of the last, and what of that all
	 * devices together are idle in no step.  run 0: not known. */
	nsec run, between;
};

/* Work of one kind that had these input shapes. */
struct digest_shape {
	struct span dims;
	int64_t calls;
	nsec ns;
};

/* All device work of one name that one op launched, or all host calls of one name. */
struct digest_op {
	struct span name; /* of the kernel, copy or set; of the call */
	struct span op;   /* what launched it; empty: unknown, and for host calls */
	enum kind kind;
	uint32_t place;    /* in the order of first sight */
	int64_t calls;     /* in counted steps */
	nsec ns;           /* device time; self CPU time of host calls; in counted steps */
	int64_t all_calls; /* in the whole run */
	nsec all_ns;
	int64_t *step_ns;           /* by counted step; NULL: too many to keep (DIGEST_CELLS_MAX) */
	struct digest_shape *shape; /* by dims; n is 0 when they are not known */
	size_t nshape;
};

/* Device work of all calls of one op, as analyze/costmodel/owners.h says whose it is. */
struct digest_work {
	struct span op; /* empty: device work that no op launched */
	int64_t calls;  /* in counted steps */
	int64_t known;  /* of them, whose FLOP are known and are not 0 */
	int64_t flop;   /* of those */
	nsec ns;        /* time in which their kernels ran, of each call the union of them */
	int64_t *step_flop, *step_ns; /* by counted step; NULL: too many to keep */
	int64_t *step_busy; /* the same as step_ns, of all calls but collectives; NULL: not kept,
	                       or not known */
};

/* Calls of an op with the same arguments and the same work, in counted steps. */
struct digest_cost {
	uint32_t work;        /* index of the op in `work` */
	struct span dims;     /* of their arguments; empty where nothing is known of the work */
	enum roof_reason why; /* ROOF_WHY_KNOWN, or why something is not known */
	int64_t flop, bytes;  /* of a call; -1: not known */
	bool by_bytes; /* bytes bound it, not FLOP: at the device's peaks, else by its units */
	int64_t calls;
	nsec ns; /* of each call the union of its kernels */
};

struct digest_ops {
	struct digest_op *v; /* by name, then op */
	size_t n;
};

/* What a run was made under, the same or not between runs: "gpu" = "Tesla V100". */
struct digest_condition {
	const char *key;
	struct span value;
};
struct digest_conditions {
	struct digest_condition *v; /* in the order of ENV_KEYS, configs as they come */
	size_t n, cap;
};

/* X(key, what it is, is needed to be equal) */
#define ENV_KEYS(X)                                \
	X(gpu, "GPU", true)                        \
	X(gpu_count, "GPUs in the machine", false) \
	X(world_size, "world size", false)         \
	X(backend, "communication backend", false) \
	X(torch, "torch", false)                   \
	X(cuda_runtime, "CUDA runtime", false)     \
	X(cuda_driver, "CUDA driver", false)       \
	X(cupti, "CUPTI", false)                   \
	X(hip_runtime, "HIP runtime", false)       \
	X(hip_driver, "HIP driver", false)         \
	X(nccl, "NCCL", false)                     \
	X(transformers, "transformers", false)     \
	X(trl, "trl", false)                       \
	X(python, "Python", false)                 \
	X(platform, "platform", false)             \
	X(host, "machine", false)                  \
	X(producer, "producer", false)             \
	X(with_stack, "with_stack", false)         \
	X(profile_memory, "profile_memory", false)

enum { DIGEST_CELLS_MAX = 1 << 22 }; /* values by step of all rows of a digest: 32 MiB */

struct digest {
	const char *path;
	const char *kind; /* "trace", or what an artifact is called; constant */
	nsec recorded_ns; /* as sampleclock_recorded; 0: not known, as of a digest in a file */
	int64_t rank;     /* distributedInfo.rank, or -1 */
	int64_t world;    /* its world_size, or -1 */
	struct digest_conditions env, config;
	bool has_events; /* it is a trace */
	bool is_aside;   /* it says how a run was made, not what came out: configs, machines */
	bool has_steps;  /* false: the whole trace is the one step */
	bool has_device; /* device work, so that `part` means something */
	bool on_device;  /* steps are cut on the device: the CPU runs ahead */
	size_t ndevice;  /* with work: at least 1 when has_device */
	struct digest_step *step;
	size_t nstep;     /* counted ones */
	size_t nstep_all; /* there are in the run, of those --steps wants */
	double step_ns;   /* mean of the counted walls less unrecorded time; 0 without a device */
	double median;    /* of the counted walls, ns; NaN when there are none */
	struct digest_outside outside;
	struct digest_ops device, host;
	struct digest_work *work; /* by op; nwork is 0 where it was not asked for, and without ops
	                           */
	size_t nwork;
	struct digest_cost *cost; /* by work, dims, flop, bytes, why: each once; ncost is 0 where
	                             work is, and in records of before they were kept */
	size_t ncost;
	nsec documents_cpu, documents_cuda; /* cpu_time_total and cuda_time_total of the trace as
	                                     the documents sum them: nested calls at each level */
	int64_t peak_bytes; /* largest allocated on any device, by [memory] records; -1 unknown */
	int leaks;          /* 1: allocated memory of a device grows from step to step (memcurve.h);
	                       0: it does not; -1 unknown */
	int64_t warmup;     /* leading values of series that do not count */
	const struct collectives *collectives; /* collectives.h; NULL: not asked for, or no trace */
	struct rankwork *timing; /* device work, to time it again; NULL: not asked for, or none */
	struct record *record;   /* what other files say; NULL: nothing */
	struct tally tally;
	struct arena mem;
};

/* What was found of a run through the same filter, for something else. */
struct digest_known {
	const struct classes *classes;
	const struct ledgers *ledgers;
	const struct step_gap_causes *waiting;
};

struct digest_options {
	const struct filter *filter; /* --steps, --device, --stream, --cat, --rank */
	int64_t warmup;              /* steps left out in front */
	bool exact_names; /* names as they are: addresses and numbers in templates tell apart */
	bool shapes;      /* keep input shapes by row */
	bool work;        /* keep what ops should cost, and MFU of steps */
	bool collectives; /* keep each collective (collectives.h) */
	bool timing;      /* keep device work to time it again, with the collectives */
	const struct digest_known *known; /* NULL: it is found */
	bool no_host; /* neither rows of host calls nor memory: for what ranks differ in, less is
	                 read */
};

/* Releases a digest of digest_new; NULL is fine. */
void digest_free(struct digest *d);

/* When it was recorded, ns since 1970: as was known, else its first collective; 0: not known. */
nsec digest_recorded(const struct digest *d);

/* A new condition.  The value is copied, the key borrowed.  Empty values are none. */
void digest_condition_add(
	struct digest_conditions *f, struct arena *mem, const char *key, struct span value);

/* The value of a key, or an empty span with p NULL. */
struct span digest_condition(const struct digest_conditions *f, const char *key);

/* By name, then op, then kind. */
int digest_op_compare(const struct digest_op *a, const struct digest_op *b);

/* Something is known of what its calls do, and that is not nothing. */
bool digest_cost_is_known(const struct digest_cost *c);

/* "compute", "exposed_comm": a part's key; its word for people; constant. */
const char *digest_part_key(enum digest_part p);
const char *digest_part_word(enum digest_part p);
