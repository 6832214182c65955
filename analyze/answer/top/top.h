/*
 * `top`: what its parts share.  Private to analyze/answer/top/.
 *
 * For each run: one pass over the op tree fills groups of CPU rows, one pass over the device order
 * fills groups of device rows, then tables are made of the largest groups.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_H
#define ANALYZE_ANSWER_TOP_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/top/top_groups.h"
#include "analyze/answer/top/top_memory.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/host/optree.h"
#include "analyze/measure/phase.h"
#include "analyze/analysis/perrun.h"
#include "analyze/analysis/sampled_table.h"
#include "analyze/costmodel/columns.h"
#include "analyze/costmodel/sum.h"
#include "analyze/trace/run.h"
#include "base/opt.h"

struct top_piece;
struct top_shown;

struct top_options {
	int64_t limit; /* rows; below 0: the layout's default; 0: all */
	int64_t depth; /* levels of --tree; 0: all there are */
	const char *sort, *by, *per, *peak;
	bool tree, fold, memory;
};

#define TOP_BYS(X)                 \
	X(TOP_BY_NAME, "name")     \
	X(TOP_BY_SHAPE, "shape")   \
	X(TOP_BY_KERNEL, "kernel") \
	X(TOP_BY_CATEGORY, "category") X(TOP_BY_STREAM, "stream") X(TOP_BY_PHASE, "phase")
enum top_by { TOP_BYS(OPT_ID) TOP_BY_DEFAULT };

#define TOP_PERS(X) X(TOP_PER_TOTAL, "total") X(TOP_PER_STEP, "step") X(TOP_PER_CALL, "call")
enum top_per { TOP_PERS(OPT_ID) };

/* What rows are sorted by, and which time is the main one. */
enum top_key {
	TOP_KEY_NONE, /* the table's own default */
	TOP_SELF_CPU,
	TOP_CPU_TOTAL,
	TOP_CPU_AVG,
	TOP_SELF_DEVICE,
	TOP_DEVICE_TOTAL,
	TOP_DEVICE_AVG,
	TOP_CALLS,
	TOP_NAME,
	TOP_FLOPS,
	TOP_CPU_BYTES,
	TOP_SELF_CPU_BYTES,
	TOP_DEVICE_BYTES,
	TOP_SELF_DEVICE_BYTES
};

/* Sums over everything that passes the filter, whatever its name. */
struct top_totals {
	nsec cpu, cpu_ops; /* self times: with runtime rows in the tree; ops and annotations only */
	nsec device;       /* durations of device activity */
	nsec kernel, memcpy, memset;
	int64_t ndevice; /* device events */
	int64_t nhost;   /* rows of the tree */
};

/* With --by shape: ops against what the device can do. */
struct top_roof {
	struct roof_sum *sum; /* by index in t->ops; NULL: not asked for */
	bool any;             /* something is known of some op */
};

/* One run being looked at. */
struct top {
	struct perrun *at;
	const struct top_options *o;

	enum top_by by;
	enum top_key key;
	enum top_per per;
	size_t limit; /* SIZE_MAX: no limit */

	bool has_device; /* the run has device activity at all */
	unsigned tree;   /* kinds in the op tree */
	struct devtime devtime;
	struct phases phases;
	sym *canon;    /* by sym: ProfilerStep#N -> the first of them */
	sym folded;    /* that first one, or 0 */
	bool *hidden;  /* by sym: left out of the tree; NULL: none */
	bool is_torch; /* laid out as torch does */
	struct top_groups ops, device;
	struct top_shown *ops_shown, *device_shown; /* NULL: that table is not wanted */
	struct top_piece *piece;                    /* of the op tree */
	size_t npiece;
	const double *flops; /* of ops, by side row; NULL: the trace has none */
	bool has_memory;     /* allocator records are loaded, and there are some */
	struct top_memory memory;
	struct top_roof roof;
	struct top_totals totals;
};

/* top_run.c: what is in the run, and what the passes over it need; before them. */
void top_run_init(struct top *t);

/* Steps per-step values are divided by; 0 when the run has no steps (the whole trace is one). */
size_t top_steps(const struct top *t);

/* The name of a group for people: folded steps become "ProfilerStep*". */
struct span top_name(const struct top *t, sym name);

/* How many threads parts of the work may have: matching names fills a table that all share. */
unsigned top_threads(const struct top *t);

/* Says what the reader should know about this run's figures. */
void top_add_notes(struct top *t);

/*
 * top_ops.c: fills t->ops and the host part of t->totals: cut into pieces, whose number it returns;
 * walk each, side by side if there is more than one; finish.
 */
size_t top_ops_cut(struct top *t);
void top_ops_walk(struct top *t, size_t i);
void top_ops_finish(struct top *t);
/* The group in t->ops that a row is in, by its id alone, whatever the filter says; or TOP_NO_GROUP.
 */
uint32_t top_ops_find(struct top *t, uint32_t row);
/* The group of a row of the op tree; phase: its own. */
struct top_id top_ops_id(const struct top *t, uint32_t row, enum phase phase);
/* Floating point operations that the trace gives an op; 0: none. */
double top_ops_flops(const struct top *t, uint32_t row);
/* top_replay.c: adds kernels of graph replays to the ops of their capture, where one is given. */
void top_replay_add(struct top *t);
/* Whether a captured call passes -f, -v and --cat. */
bool top_replay_takes(struct top *t, uint32_t call);
#define TOP_REPLAY_KINDS (KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION))
/* top_ops_table.c: which of t->ops are shown; makes the table "ops" of them. */
void top_ops_rank(struct top *t);
void top_ops_table(struct top *t);

/*
 * top_quantiles.c: once tables are ranked, fills the samples of t->ops_shown and t->device_shown
 * and makes their quantiles.  Their memory is released by top_quantiles_clear, also when there are
 * none.
 */
void top_quantiles(struct top *t);
void top_quantiles_clear(struct top *t);

/* top_device.c: fills t->device and the device part of t->totals. */
void top_device_collect(struct top *t);
/* The same as top_ops_find, in t->device. */
uint32_t top_device_find(struct top *t, uint32_t row);
/* top_device_table.c: which of t->device are shown; makes the table "device" of them. */
void top_device_rank(struct top *t);
void top_device_table(struct top *t);

/* top_totals.c: the header line, the figures of the whole run, and a row for each device. */
void top_totals_tables(struct top *t);

/* top_tree.c: --tree. */
void top_tree_table(struct top *t);

/* top_torch.c: key_averages().table(). */
void top_torch_table(struct top *t);

/*
 * top_record.c: the tables of a run that has no trace, from its record's operations.  E_NODATA when
 * it has none, E_USAGE when a match of names fails.
 */
enum status top_record(struct top *t) MUST_CHECK;
/* Beside a trace without allocator records: memory, as a table of the run's files has it. */
enum status top_record_memory(struct top *t) MUST_CHECK;

/* top_roof.c: what of --peak and the setting is wrong, before anything is read. */
enum status top_roof_check(
	const void *opts, const struct settings *settings, struct err *e) MUST_CHECK;
/* After t->ops is filled.  E_USAGE of a peak. */
enum status top_roof_collect(struct top *t) MUST_CHECK;
/* What is not known, as notes. */
void top_roof_notes(struct top *t);

#define TABLES_DEF "analyze/answer/top/top_tables.def"
#include "base/table_names_impl.h"

/* top_runs.c: several runs side by side. */
extern const struct runs_doc top_runs;
/* Groups, orders and trees are asked of the pages. */
bool top_wants_pages(const void *opts);

#endif
