/* `top`: what its parts share.  Private to analyze/answer/top/.
 *
 * For each run: one pass over the op tree fills groups of CPU rows, one pass over the device order
 * fills groups of device rows, then tables are made of the largest groups. */
#pragma once

#include "analyze/analysis/groupby.h"
#include "analyze/analysis/sampled_table.h"
#include "analyze/costmodel/columns.h"
#include "analyze/costmodel/sum.h"
#include "analyze/measure/device/classes.h"
#include "analyze/measure/host/optree.h"
#include "analyze/measure/phase.h"
#include "base/opt.h"

/* Memory of CPU ops: what the allocator was asked for while a call ran. */

/* Bytes allocated less bytes freed: of the host's memory and of devices. */
struct top_bytes {
	int64_t cpu, device;
};

/* A group's memory. */
struct top_use {
	struct top_bytes total; /* while calls of that name ran, children included */
	struct top_bytes self;  /* less that of the direct children */
};

/* [memory] records by lane and time, with running sums. */
struct top_memory {
	nsec *at;
	struct top_bytes *sum; /* of the records before; one more than there are records */
	size_t *begin;         /* by lane, one more than there are lanes */
	bool is_torch;         /* all records are in one lane */
};

/*
 * Collects the records of r; NEED_MEMORY was loaded.  is_torch: records count for calls on all
 * threads, as in torch; otherwise only for those on their own.  O(n log n); memory is the arena's.
 */
void top_memory_init(struct top_memory *m, const struct run *r, bool is_torch, struct arena *mem);

/* The records of that lane from start on and before end, as in `memory`; with is_torch the one at
 * end, too.  O(log n). */
struct top_bytes top_memory_in(const struct top_memory *m, uint32_t lane, nsec start, nsec end);

/* a + b, a - b; sums end at the limits of their type. */
struct top_bytes top_bytes_add(struct top_bytes a, struct top_bytes b);
struct top_bytes top_bytes_sub(struct top_bytes a, struct top_bytes b);

struct top_piece;

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

/* What makes a group: a, a name or another small number; b, what refines it (shapes, a lane); and
 * the kind of event.  Two words, so that it travels in registers. */
struct top_id {
	uint64_t ab; /* a | b << 32 */
	uint64_t kind;
};

static inline struct top_id top_id(uint32_t a, uint32_t b, uint32_t kind)
{
	return (struct top_id){ (uint64_t)b << 32 | a, kind };
}

static inline uint32_t top_id_a(struct top_id id)
{
	return (uint32_t)id.ab;
}

static inline uint32_t top_id_b(struct top_id id)
{
	return (uint32_t)(id.ab >> 32);
}

struct top_group {
	struct top_id id;
	uint32_t row; /* its earliest row */
	uint32_t calls;
	nsec total, min, max;
	nsec self, self_ops;
	nsec device_self, device_total;
	nsec self_dedup, total_dedup;
	uint32_t calls_dedup;
	uint32_t replays; /* in graphs: on the host none of these was a call */
	int64_t bytes;    /* of copies and sets; ARG_UNKNOWN when not in the trace */
	double flops;     /* of calls_dedup */
	struct top_use use;
	/* Once all is counted (top_groups_finish): */
	struct span name;
	const char *kind;             /* NULL: it has several */
	int64_t all_calls, all_dedup; /* with replays */
	int64_t main, main_calls;     /* the time rows are about, and of how many calls it is */
	uint32_t depth;               /* of a path of the tree */
	bool has_main, is_additive;   /* whether the sum of several rows has it, too */
	bool is_op, has_device, run_has_device, has_use; /* no call of the runtime; what else is
	                                                    known */
};

/* A row of torch's table, from a group of either side. */
struct top_torch_row {
	struct top_group group; /* first: what top_sort says is of it, too */
	struct span shapes;
	nsec start, end; /* of its first event: torch's own order */
	nsec cpu_sum, device_sum;
	int64_t device_calls;     /* 0: there is no device */
	double flops, flops_unit; /* NaN: none */
	bool is_device;
};

#define TOP_NO_GROUP KEYMAP_NONE

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
	sym *canon;                             /* by sym: ProfilerStep#N -> the first of them */
	sym folded;                             /* that first one, or 0 */
	bool *hidden;                           /* by sym: left out of the tree; NULL: none */
	bool is_torch;                          /* laid out as torch does */
	struct groups ops, device;              /* of struct top_group */
	struct groupby ops_table, device_table; /* at: NULL: not wanted */
	struct classes classes;                 /* with device_table */
	struct top_piece *piece;                /* of the op tree */
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

/* Says what the reader should know about this run's figures: what was not recorded; that, and what
 * the rows lack. */
void top_note_recording(struct top *t);
void top_add_notes(struct top *t);

/* top_groups.c: na: every id's a is below it. */
void top_groups_init(struct groups *g, size_t na);
/* The index of the group with that id; a new one has its row, and min and bytes unset. */
HOT_INLINE uint32_t top_groups_add(struct groups *g, struct top_id id, uint32_t row)
{
	const uint64_t key[] = { id.ab, id.kind };
	const size_t before = g->n;
	uint32_t at = groups_hit(g, top_id_a(id), key, sizeof(struct top_group));

	if (UNLIKELY(g->n > before))
		((struct top_group *)g->item)[at].row = row;
	return at;
}
/* The same without adding; or TOP_NO_GROUP. */
uint32_t top_groups_find(struct groups *g, struct top_id id);
static inline struct top_group *top_group(const struct groups *g, size_t i)
{
	return (struct top_group *)g->item + i;
}
/* Adds the additive fields of b to a. */
void top_group_join(void *a, const void *b);
/* Fills what a group has once all is counted; name: of each, main: NULL, or the time it is about.
 */
void top_groups_finish(const struct top *t, struct groups *g,
	struct span (*name)(const struct top *t, const struct top_group *g));
/* What rows are in order of. */
const struct column_from *top_sort(enum top_key key);

/* top_ops.c: fills t->ops and the host part of t->totals: cut into pieces, whose number it returns;
 * walk each, side by side if there is more than one; finish. */
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
/* top_ops_table.c: which of t->ops are shown, and the table "ops"; its rows. */
void top_ops_rank(struct top *t);
void top_ops_put(struct top *t);

/* top_quantiles.c: fetches the durations of what is shown, once tables are ranked. */
void top_quantiles(struct top *t);

/* top_device.c: fills t->device and the device part of t->totals. */
void top_device_collect(struct top *t);
/* The same as top_ops_find, in t->device. */
uint32_t top_device_find(struct top *t, uint32_t row);
/* top_device.c: which of t->device are shown, and the table "device"; its rows. */
void top_device_rank(struct top *t);
void top_device_put(struct top *t);

/* top_totals.c: the header line, which needs nothing that was collected; it, the figures of the
 * whole run, and a row for each device. */
struct table *top_totals_line(struct top *t);
void top_totals_tables(struct top *t);

/* top_tree.c: --tree. */
void top_tree_table(struct top *t);

/* top_torch.c: key_averages().table(). */
void top_torch_table(struct top *t);

/* top_record.c: the tables of a run that has no trace, from its record's operations.  E_NODATA when
 * it has none, E_USAGE when a match of names fails. */
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

/* top_run.c: several runs side by side. */
extern const struct runs_doc top_runs;
/* Groups, orders and trees are asked of the pages. */
bool top_wants_pages(const void *opts);
