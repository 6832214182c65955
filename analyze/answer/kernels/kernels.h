/* `kernels`: what its parts share.  Private to analyze/answer/kernels/.
 *
 * One pass over the device order counts kernels that are alike.  These are put into groups, and a
 * second pass fetches the durations of the groups that are shown.  Types and their overlaps are a
 * sweep of their own. */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/analysis/groupby.h"
#include "analyze/costmodel/columns.h"
#include "analyze/measure/device/hwcounters.h"
#include "analyze/measure/device/occupancy.h"
#include "analyze/costmodel/sum.h"
#include "analyze/measure/host/callers.h"
#include "analyze/trace/columns/sheet.h"
#include "base/opt.h"

struct kernels_options {
	int64_t limit;
	const char *by, *sort, *peak;
	bool roof;
};

#define KERNELS_BYS(X)                 \
	X(KERNELS_BY_NAME, "name")     \
	X(KERNELS_BY_CONFIG, "config") \
	X(KERNELS_BY_OP, "op")         \
	X(KERNELS_BY_STACK, "stack")   \
	X(KERNELS_BY_MODULE, "module") \
	X(KERNELS_BY_LINE, "line")
enum kernels_by { KERNELS_BYS(OPT_ID) };

/* The order of rows. */
#define KERNELS_SORTS(X)  \
	X(KEY_SUM, "sum") \
	X(KEY_CALLS, "calls") X(KEY_MEAN, "mean") X(KEY_MAX, "max") X(KEY_NAME, "name")
enum kernels_sort { KERNELS_SORTS(OPT_ID) };

/* What a kernel was launched with; all zero where the trace does not say. */
struct kernel_config {
	uint32_t grid[3], block[3];
	int64_t registers, shared; /* ARG_UNKNOWN */
};

/* What makes a group; fields that do not are 0.  No padding: it is compared as bytes. */
struct kernel_key {
	sym name;
	sym op;                      /* KERNELS_BY_OP; by places one of callers.names */
	struct kernel_config config; /* KERNELS_BY_CONFIG */
};

/* The most frequent of several values. */
struct kernel_mode {
	uint32_t value; /* index or sym */
	uint32_t calls;
	uint32_t variants; /* distinct values */
};

/* How often a group has a value: the index of a configuration, or an op. */
struct kernel_pair {
	uint32_t group, value;
	uint32_t calls;
};

/* Kernels that differ in their times only; what the one pass over all of them counts. */
struct kernel_alike_key {
	sym name, op;         /* op: 0 without links; by places an index in origins */
	uint32_t combination; /* of SET_KERNEL; 0: nothing is known */
	uint32_t device;      /* index in devices, or KEYMAP_NONE */
};
struct kernel_alike {
	struct kernel_alike_key key;
	unsigned __int128 squares; /* of durations; modulo 2^128 */
	struct durations calls;
	nsec launch_ns, first, last; /* first start, last end */
	uint32_t row;                /* one of them */
	uint32_t below;
	uint32_t group;
};

struct kernel_group {
	struct kernel_key key;
	struct durations calls;
	unsigned __int128 squares; /* of durations; modulo 2^128 */
	double achieved, blocks;   /* sums x ns */
	nsec achieved_ns, blocks_ns;
	nsec launch_ns;                /* durations of the calls that launched the short ones */
	uint32_t below;                /* shorter than the call that launched them */
	bool is_launched;              /* it is known which are */
	enum devclass class;           /* of the first */
	struct kernel_mode config, op; /* values: index in configs; sym */
	struct kernel_config shown;    /* the most frequent one */
};

/* Durations by power of ten, from below a microsecond to 10 ms and above. */
enum { KERNELS_DECADES = 6 };
struct kernels_decade {
	const char *range;
	nsec from, to;                    /* to: 0 of the last */
	int64_t kernels, below, launched; /* launched: of all; 0: which are below is not known */
	nsec sum, launch_ns;
};

struct kernels_device {
	int64_t id;
	nsec first, last; /* first start, last end of its kernels */
	struct occupancy occupancy;
	int64_t below;
	int64_t launched; /* that have a call: 0: it is not known which are shorter */
};

/* What the calls of ops should cost whose longest kernel is one of a group. */
struct kernels_roof {
	struct roof_sum sum;
	nsec longest; /* durations of these kernels alone */
};

struct kernels {
	struct perrun *p;
	const struct kernels_options *o;
	enum kernels_by by;
	enum kernels_sort sort;
	struct classes classes;
	struct tensor_cores tensor;
	bool *is_graph_launch; /* by sym: cudaGraphLaunch, hipGraphLaunch */
	bool has_config;       /* some kernel says its grid */

	struct groups alike, groups;            /* of struct kernel_alike, kernel_group */
	struct groups group_configs, group_ops; /* of struct kernel_pair */
	struct keymap configs;

	struct callers *callers;   /* NULL: rows are not by places in the code */
	struct keymap origins;     /* sym[2]: the op, and a place of callers */
	struct kernels_roof *roof; /* by group; NULL: not asked for */
	struct hwcounters counters;
	struct hwcounter_means *means; /* by group; NULL: there are no samples */

	struct kernels_decade decade[KERNELS_DECADES];
	struct devices devices;
	struct kernels_device *device; /* by index in devices */
	int64_t count, launched;       /* kernels that pass the filters; with a call of their own */
	nsec sum;                      /* of durations, before the filter on names */
};

/* kernels_collect.c */
void kernels_collect(struct kernels *k);
void kernels_clear(struct kernels *k);
/* The group of a row that kernels_collect has seen and taken; KEYMAP_NONE for others. */
uint32_t kernels_find(struct kernels *k, uint32_t row);

/* kernels_roof.c, with --roof; E_USAGE of a peak. */
enum status kernels_roof_check(
	const void *opts, const struct settings *settings, struct err *e) MUST_CHECK;
enum status kernels_roof(struct kernels *k) MUST_CHECK;
void kernels_put_roof(const struct kernels *k, struct table *t, uint32_t group);

/* kernels_measured.c: the table of what samples of hardware counters say. */
void kernels_measured_table(struct kernels *k);

/* kernels_table.c */
void kernels_table(struct kernels *k);
/* kernels_types.c: devices, types and their overlaps, durations. */
void kernels_devices_table(struct kernels *k);
void kernels_types_table(struct kernels *k);
void kernels_durations_table(struct kernels *k);

/* kernels_record.c: of a run without a trace; E_NODATA where nothing of it lists kernels. */
enum status kernels_record(struct kernels *k) MUST_CHECK;

#define TABLES_DEF "analyze/answer/kernels/kernels_tables.def"
#include "base/table_names_impl.h"
